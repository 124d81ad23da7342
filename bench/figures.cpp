// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What the bundled scenes cost at one of their settings: the first frame of each, or as much of it
// as the time allows, in a process of its own so that its memory can be told.
//
//   bench_figures [--preset NAME] [--seconds N] [--threads N] [SCENE…]
//
// Preset `paper`, 60 s a scene, and all scenes that reproduce a figure, unless told otherwise.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spume/core/error.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

struct Wish {
    std::string preset = "paper";
    double seconds = 60;
    int threads = 2;
    std::vector<std::string> scenes;
};

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Simulates from the first frame on until the time is up or one frame is done, and prints a row.
void measure(const std::string& name, const Wish& wish) {
    const auto files = make_posix_file_system();
    SceneRequest request;
    request.file = std::string(SPUME_SOURCE) + "/scenes/" + name + ".toml";
    request.selection.preset = wish.preset;
    const LoadedScene loaded = load_scene(*files, request);
    Context context(wish.threads);
    const auto simulation = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    const double begin = wall_seconds(), spent = double(std::clock());
    context.progress = [&](double) {
        if (wall_seconds() - begin > wish.seconds) context.stop.request();
    };
    const double start = simulation->time();
    const int first = loaded.manifest.first_frame;
    const FrameReport report = simulation->advance_frame(first);
    const double cores = (double(std::clock()) - spent) / CLOCKS_PER_SEC;
    const double share = (simulation->time() - start) * loaded.scene.time.fps;
    const double frame = (wall_seconds() - begin) / share;
    const StateSummary now = simulation->summary();
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const int frames = loaded.manifest.last_frame - first + 1;
    fmt::print("{:34} {:>10} {:>10} {:8.1f} {:9.2f} {:9.2f} {:7.2e} {:7.0f} {:7} {:9.1f}\n", name,
               now.voxels, now.bubbles + now.markers, report.substeps / share, frame, cores / share,
               cores / report.substeps / double(now.voxels), double(used.ru_maxrss) / 1024, frames,
               frames * cores / share / 3600);
    std::fflush(stdout);
}

/// In a child, started before this process has any thread.
void measure_apart(const std::string& name, const Wish& wish) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        int status = 0;
        try {
            measure(name, wish);
        } catch (const std::exception& error) {
            fmt::print("{:34} {}\n", name, error.what());
            status = 1;
        }
        std::fflush(stdout);
        _exit(status);
    }
    int status = 0;
    if (child > 0) waitpid(child, &status, 0);
    if (child < 0 || (WIFSIGNALED(status)))
        fmt::print("{:34} ended by signal {}\n", name, WTERMSIG(status));
}

std::vector<std::string> figures() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SPUME_SOURCE) + "/scenes")) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".toml" && name.find("_fig") != std::string::npos)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Wish wish_of(int count, char** words) {
    Wish wish;
    for (int i = 1; i < count; ++i) {
        const bool more = i + 1 < count;
        if (std::strcmp(words[i], "--preset") == 0 && more)
            wish.preset = words[++i];
        else if (std::strcmp(words[i], "--seconds") == 0 && more)
            wish.seconds = std::atof(words[++i]);
        else if (std::strcmp(words[i], "--threads") == 0 && more)
            wish.threads = std::max(1, std::atoi(words[++i]));
        else
            wish.scenes.emplace_back(words[i]);
    }
    if (wish.scenes.empty()) wish.scenes = figures();
    return wish;
}

}  // namespace
}  // namespace spume

int main(int count, char** words) {
    const spume::Wish wish = spume::wish_of(count, words);
    fmt::print("preset {}, {} threads, the first frame or {} s of it\n", wish.preset, wish.threads,
               wish.seconds);
    fmt::print("{:34} {:>10} {:>10} {:>8} {:>9} {:>9} {:>7} {:>7} {:>7} {:>9}\n", "scene", "voxels",
               "particles", "substeps", "s/frame", "core s", "/vox/ss", "MB", "frames", "core h");
    for (const std::string& name : wish.scenes) spume::measure_apart(name, wish);
}
