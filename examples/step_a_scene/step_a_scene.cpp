// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Simulates a few frames of a scene that needs no meshes and prints what is there after each:
//   step_a_scene SCENE.toml PRESET FRAMES

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "spume/run/session.h"
#include "spume/scene/parse.h"

int main(int count, char** arguments) try {
    if (count != 4) {
        std::fprintf(stderr, "usage: %s SCENE.toml PRESET FRAMES\n", arguments[0]);
        return 2;
    }
    std::stringstream text;
    text << std::ifstream(arguments[1]).rdbuf();
    spume::MethodParams params;
    const auto reader = [&](spume::Scene& scene, spume::SceneDocument& document) {
        params = spume::read_method(scene, document);
    };
    const spume::Scene scene =
        spume::parse_scene(text.str(), arguments[1], {}, reader, {arguments[2], ""});

    spume::Context context(2);  // threads
    const auto simulation = spume::start_session(scene, params, {}, context);
    const int first = scene.time.start, last = first + std::atoi(arguments[3]) - 1;
    for (int frame = first; frame <= last; ++frame) {
        const spume::FrameReport report = simulation->advance_frame(frame);
        const spume::StateSummary now = simulation->summary();
        std::printf("%d %.9g %d %lld %.17g\n", frame, simulation->time(), report.substeps,
                    static_cast<long long>(now.bubbles), now.air.bubbles);
    }
    return 0;
} catch (const std::exception& error) {  // of a scene: what is wrong, where, and what to do
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
