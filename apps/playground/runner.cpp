// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// runner SCENE STEPS [DIVISIONS [THREADS]]: steps a scene and prints the hash of its state and the
// time a step takes, natively or under node.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "playground.h"

int main(int count, char** arguments) {
    using namespace spume::playground;
    if (count < 3) {
        std::cerr << "runner SCENE STEPS [DIVISIONS [THREADS]]\n";
        return 2;
    }
    try {
        std::ifstream file(arguments[1]);
        std::stringstream text;
        text << file.rdbuf();
        Setting setting = read_setting(text.str());
        if (count > 3) {
            setting.scene.domain.voxel = 0;
            setting.scene.domain.divisions = std::atoi(arguments[3]);
        }
        Playground playground(setting, count > 4 ? std::atoi(arguments[4]) : 1);
        std::vector<double> milliseconds;
        for (int k = std::atoi(arguments[2]); k > 0; --k) {
            const auto begin = std::chrono::steady_clock::now();
            if (!playground.step(1 / setting.scene.time.fps)) {
                std::cerr << playground.why() << '\n';
                return 1;
            }
            const std::chrono::duration<double, std::milli> spent =
                std::chrono::steady_clock::now() - begin;
            milliseconds.push_back(spent.count());
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        fmt::print("{:016x} steps {} time {:.6f} ms {:.2f} best {:.2f} residual {:.1e}\n",
                   playground.hash(), playground.state().steps, playground.state().time,
                   milliseconds[milliseconds.size() / 2], milliseconds.front(),
                   playground.measure(Measured::kResidual));
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
