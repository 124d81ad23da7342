// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/core.h>

#include "spume/run/job_scene.h"

namespace spume::bench {

/// What Mantaflow's secondary particles cost over a cache of its own.
struct MantaflowParticles {
    double core = 0;             ///< CPU seconds, files included
    double total = 0, last = 0;  ///< live particles: of all frames, of the last
    int frames = 0;
};

/// Runs bench/whitewater_mantaflow.py in Blender, with the cache in `folder`; false without it.
inline bool bake(const std::string& folder, int cells, int frames, MantaflowParticles& m) {
    if (std::system("blender --version >/dev/null 2>&1") != 0) return false;
    const std::string command = fmt::format(
        "blender -b --factory-startup --python '{}/bench/whitewater_mantaflow.py' -- "
        "'{}' {} {} 100 >'{}.log' 2>&1",
        SPUME_SOURCE, folder, cells, frames, folder);
    const bool fine = std::system(command.c_str()) == 0;
    std::ifstream result(folder + "/result");
    if (fine && result >> m.core >> m.total >> m.last >> m.frames && m.total > 0) return true;
    fmt::print("blender made no particles; its log is {}.log\n", folder);
    return false;
}

/// CPU seconds of the thread that asks: the bulk's files are read by others.
inline double own_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Bubbles over that cache, one way in steps of a frame as Mantaflow's, as many as Mantaflow has in
/// the mean: particle-frames a core-second.
inline double over_cache(const std::string& folder, int cells, const MantaflowParticles& m,
                         int frames, const std::string& mode, bool foam) {
    const std::string text = fmt::format(R"(method = "guided"
[time]
fps = 24
frames = {}
[domain]
lower = [-1, 0, -0.5]
upper = [1, 1, 0.5]
divisions = {}
sides = "wall"
bottom = "wall"
top = "wall"
[bulk]
kind = "vdb"
path = "{}"
[guided]
mode = "{}"
cfl = {}
[aeration]
[emission]
[foam]
on = {}
[[emitter]]
mode = "seed"
count = {:.0f}
radius_law = "inverse_cubic"
radius_min = "0.2 mm"
radius_max = "2 mm"
shape = {{ kind = "box", center = [-0.69, 0.33, 0], size = [0.56, 0.6, 0.9] }}
)",
                                         frames, cells, folder, mode, mode == "one_way" ? 8 : 2,
                                         foam, m.total / m.frames);
    const auto files = make_posix_file_system();
    SceneRequest request;
    request.file = folder + ".toml";
    const LoadedScene loaded = load_scene_text(*files, text, request);
    Context context(1);
    const auto run = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    run->advance_frame(1);
    context.times.clear();
    const double begin = own_seconds();
    double total = 0, views = 0;
    for (int n = 2; n <= frames; ++n) {
        run->advance_frame(n);
        const double asked = own_seconds();
        for (const PointSet& points : run->view().points) total += double(points.position.size());
        views += own_seconds() - asked;
    }
    const double core = own_seconds() - begin - views;
    double all = 0, bulk = 0;
    for (const auto& stage : context.times.entries()) {
        all += stage.seconds;
        for (const char* name : {"bulk", "extrapolate", "redistance"})
            if (stage.name == name) bulk += stage.seconds;
    }
    for (const auto& stage : context.times.entries())
        if (stage.seconds > 0.02 * all)
            fmt::print("    {:<14} {:5.1f} %\n", stage.name, 100 * stage.seconds / all);
    const double apart = core * (1 - bulk / all);
    fmt::print(
        "  ours, {}{}: {:.2f} M particle-frames, {:.2f} M a core-second, reading the bulk apart; "
        "{:.2f} M with it\n",
        mode, foam ? " with foam" : "", 1e-6 * total, 1e-6 * total / apart, 1e-6 * total / core);
    return total / apart;
}

inline void beside_mantaflow(int cells, int frames) {
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "spume_whitewater_XXXXXX").string();
    if (!mkdtemp(name.data())) return;
    // The bulk's reader is the program.
    const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
    setenv("PATH", (here.string() + ":" + std::getenv("PATH")).c_str(), 1);
    MantaflowParticles m;
    const std::string cache = name + "/dam";
    if (bake(cache, cells, frames, m)) {
        const double theirs = m.total / m.core;
        fmt::print(
            "Mantaflow's secondary particles, {} cells, {} frames: {:.2f} M particle-frames, "
            "{:.2f} M live at the end, {:.2f} M a core-second with its files\n",
            cells, m.frames, 1e-6 * m.total, 1e-6 * m.last, 1e-6 * theirs);
        fmt::print("ratio whitewater_one_way mantaflow {:.2f}\n",
                   over_cache(cache, cells, m, m.frames, "one_way", false) / theirs);
        fmt::print("ratio whitewater_guided_with_foam mantaflow {:.2f}\n",
                   over_cache(cache, cells, m, 4, "guided", true) / theirs);
    }
    fs::remove_all(name);
}

}  // namespace spume::bench
