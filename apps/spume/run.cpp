// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <chrono>

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "apps/spume/words.h"
#include "spume/physics/bulk/bulk_report.h"

namespace spume {
namespace {

std::string bytes_text(double bytes) {
    return bytes_in_words(static_cast<std::uint64_t>(std::min(bytes, 1e18)));
}

void print_estimate(const LoadedScene& loaded, const Estimate& needs) {
    const Scene& scene = loaded.scene;
    const Estimate likely = likely_estimate(loaded);
    const char* bound = scene.domain.dense ? "about" : "at most (the grid is sparse)";
    const int frames = scene.time.frames;
    fmt::print("{}x{}x{} voxels of {:.4g} m, likely {:.3g} of them in use, about {:.3g} bubbles\n",
               scene.cells()[0], scene.cells()[1], scene.cells()[2], scene.voxel(), likely.voxels,
               needs.bubbles);
    if (likely.markers > 0)
        fmt::print("liquid: about {:.3g} particles, {} a voxel\n", likely.markers,
                   scene.domain.dimensions == 2 ? 4 : 8);
    fmt::print("memory: {} {}, likely {}\n", bound, bytes_text(needs.memory),
               bytes_text(likely.memory));
    fmt::print("disk: {} {} a frame, {} for {} frames with checkpoints; likely {} and {}\n", bound,
               bytes_text(needs.frame), bytes_text(needs.cache(frames)), frames,
               bytes_text(likely.frame), bytes_text(likely.cache(frames)));
}

/// Simulates for some seconds, without files, and says how long the whole will take here.
void print_trial(const LoadedScene& loaded, int busy_from, Context& context) {
    using Clock = std::chrono::steady_clock;
    constexpr double kSeconds = 10;
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    const TimeSpan& span = loaded.scene.time;
    const int last = span.start + span.frames - 1;
    RemainingTime remaining(last, busy_from);
    const auto begin = Clock::now();
    const auto session = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    const double start = since(begin);
    // A first frame that takes longer than the trial ends where it is.
    double share = 0;
    context.progress = [&](double done) {
        share = done;
        if (since(begin) > kSeconds) context.stop.request();
    };
    int frame = span.start;
    double spent = 0;
    for (; frame <= last && since(begin) < kSeconds; ++frame) {
        const auto frame_begin = Clock::now();
        share = 0;
        const bool complete = session->advance_frame(frame).complete;
        spent = since(frame_begin);
        if (!complete) break;
        remaining.finished(frame, spent);
        spent = 0, share = 0;
    }
    const RemainingTime::Guess left = remaining.left(frame, share, spent);
    fmt::print("time: {}{} for {} frames on {} threads, by {} simulated in {}; files not counted\n",
               left.at_least ? "at least " : "about ", clock_text(since(begin) + left.seconds),
               span.frames, context.arena.threads(),
               fmt::format("{:.3g} frames", frame - span.start + share),
               clock_text(since(begin) - start));
}

void print_warnings(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) std::fputs(("warning: " + text + "\n").c_str(), stderr);
}

}  // namespace

std::string find_scene(FileSystem& files, const std::string& name) {
    if (files.facts(name) || name.find('/') != std::string::npos) return name;
    std::string bundled =
        join_path(scenes_folder(files), name.ends_with(".toml") ? name : name + ".toml");
    if (files.facts(bundled)) return bundled;
    std::vector<std::string> known;
    for (const std::string& file : files.list(scenes_folder(files)))
        if (file.ends_with(".toml")) known.push_back(file.substr(0, file.size() - 5));
    const std::string word = name.ends_with(".toml") ? name.substr(0, name.size() - 5) : name;
    throw error_in_file(name, "no such file, nor a bundled scene" + meant(word, known),
                        "give a scene file; `spume list scenes` names the bundled ones");
}

std::string default_directory(const std::string& scene_file) {
    std::string name = name_of(scene_file);
    if (name.ends_with(".toml")) name.resize(name.size() - 5);
    return join_path("out", name);
}

int check_command(const SceneRequest& request, bool timed) {
    const auto files = make_posix_file_system();
    SceneRequest found = request;
    found.file = find_scene(*files, request.file);
    const LoadedScene loaded = load_scene(*files, found);
    const Estimate needs = estimate(loaded);
    const std::vector<std::string> looked_at = check_selections(*files, found);
    fmt::print("{}\n", loaded.manifest.scene);
    for (const std::string& line : looked_at) fmt::print("{}: right\n", line);
    fmt::print("{}", characteristic_numbers(loaded.scene));
    print_estimate(loaded, needs);
    Context context(0);
    if (loaded.scene.bulk.present)
        for (const std::string& line : bulk_report(loaded.scene, loaded.inputs, context))
            fmt::print("{}\n", line);
    const JobOptions job = job_options(loaded, {}, context);
    print_warnings(job.foreseen);
    const std::string problem = too_large(loaded, needs, machine_memory());
    if (!problem.empty())
        throw UserError(problem, "make domain.voxel larger or the domain smaller");
    if (timed) print_trial(loaded, job.busy_from, context);
    return 0;
}

int simulate(FileSystem& files, const LoadedScene& loaded, const RunFlags& flags,
             Context& context) {
    JobOptions job = job_options(loaded, flags, context);
    job.progress = flags.progress;
    if (flags.progress == ProgressMode::kNone) print_warnings(job.foreseen);
    return run_job(
        job, files,
        [&](Context& c) { return start_session(loaded.scene, loaded.params, loaded.inputs, c); },
        context);
}

int run_command(const RunFlags& given) {
    const auto files = make_posix_file_system();
    RunFlags flags = given;
    flags.scene.file = find_scene(*files, flags.scene.file);
    const LoadedScene loaded = load_scene(*files, flags.scene);
    refuse_too_large(loaded, flags.memory_gb, "--memory");
    if (flags.directory.empty()) flags.directory = default_directory(flags.scene.file);
    if (flags.dry_run) {
        fmt::print("would simulate frames {} to {} into {}\n", loaded.manifest.first_frame,
                   loaded.manifest.last_frame, flags.directory);
        print_estimate(loaded, estimate(loaded));
        return 0;
    }
    Context context(flags.threads);
    return simulate(*files, loaded, flags, context);
}

}  // namespace spume
