// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/core.h>

namespace spume::bench {

/// A liquid for Blender's Mantaflow, see flip_mantaflow.py.
struct Bake {
    const char* scene = "dam";  ///< or "splash"
    int cells = 64, frames = 1;
    int substeps = 0;  ///< a frame; 0: up to four, by its own CFL number of 4
    int fps = 60, threads = 1;
};

struct BakeCost {
    double core = 0, wall = 0;  ///< seconds
    double particles = 0;
    int frames = 0;
};

/// Runs it in Blender; false without one, or where it made no particles, which is said.
inline bool bake(const Bake& b, BakeCost& cost) {
    namespace fs = std::filesystem;
    if (std::system("blender --version >/dev/null 2>&1") != 0) return false;
    std::string name = (fs::temp_directory_path() / "spume_bake_XXXXXX").string();
    if (!mkdtemp(name.data())) return false;
    const std::string command = fmt::format(
        "blender -b -t {} --factory-startup --python '{}/bench/flip_mantaflow.py' -- "
        "'{}' {} {} {} {} {} >'{}/log' 2>&1",
        b.threads, SPUME_SOURCE, name, b.cells, b.frames, b.substeps, b.fps, b.scene, name);
    const bool fine = std::system(command.c_str()) == 0;
    std::ifstream result(name + "/result");
    if (!fine || !(result >> cost.core >> cost.wall >> cost.particles >> cost.frames) ||
        !(cost.particles > 0)) {
        fmt::print("blender made no particles; its log is {}/log\n", name);
        return false;
    }
    fs::remove_all(name);
    return true;
}

/// What the frames after the first cost: a long bake less one of a single frame.
inline bool bake_after_first(Bake b, BakeCost& cost) {
    BakeCost first;
    if (!bake(b, cost)) return false;
    b.frames = 1;
    if (!bake(b, first)) return false;
    cost.core -= first.core, cost.wall -= first.wall, cost.frames -= first.frames;
    return true;
}

}  // namespace spume::bench
