// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// runner SCENE STEPS [DIVISIONS [THREADS]]: steps a scene and prints the hash of its state and the
// time a step takes, natively or under node; then each stage's best, with their sum: on a machine
// with other work, what a step takes by itself.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
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
        std::map<std::string, double> best;  // by stage
        for (int k = std::atoi(arguments[2]); k > 0; --k) {
            const auto begin = std::chrono::steady_clock::now();
            if (!playground.step(1 / setting.scene.time.fps)) {
                std::cerr << playground.why() << '\n';
                return 1;
            }
            const std::chrono::duration<double, std::milli> spent =
                std::chrono::steady_clock::now() - begin;
            milliseconds.push_back(spent.count());
            for (const auto& stage : playground.times().entries()) {
                const double now = 1e3 * stage.seconds;
                const auto [at, fresh] = best.emplace(stage.name, now);
                if (!fresh) at->second = std::min(at->second, now);
            }
            playground.times().clear();
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        fmt::print("{:016x} steps {} time {:.6f} ms {:.2f} best {:.2f} residual {:.1e}\n",
                   playground.hash(), playground.state().steps, playground.state().time,
                   milliseconds[milliseconds.size() / 2], milliseconds.front(),
                   playground.measure(Measured::kResidual));
        double sum = 0;
        for (const auto& [name, spent] : best) {
            sum += spent;
            fmt::print("{} {:.2f}  ", name, spent);
        }
        fmt::print("sum {:.2f}\n", sum);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
