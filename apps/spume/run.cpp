// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "spume/physics/bulk/bulk_report.h"
#include "spume/scene/wall_thickness.h"

namespace spume {
namespace {

std::string bytes_text(double bytes) {
    return bytes_in_words(static_cast<std::uint64_t>(std::min(bytes, 1e18)));
}

void print_estimate(const LoadedScene& loaded, const Estimate& needs) {
    const Scene& scene = loaded.scene;
    const char* bound = scene.domain.dense ? "about" : "at most (the grid is sparse)";
    fmt::print("{}x{}x{} voxels of {:.4g} m, about {:.3g} bubbles\n", scene.cells()[0],
               scene.cells()[1], scene.cells()[2], scene.voxel(), needs.bubbles);
    fmt::print("memory: {} {}\n", bound, bytes_text(needs.memory));
    fmt::print("disk: {} {} a frame, {} for {} frames with checkpoints\n", bound,
               bytes_text(needs.frame), bytes_text(needs.cache(scene.time.frames)),
               scene.time.frames);
}

void print_warnings(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) std::fputs(("warning: " + text + "\n").c_str(), stderr);
}

}  // namespace

std::string find_scene(FileSystem& files, const std::string& name) {
    if (files.facts(name) || name.find('/') != std::string::npos) return name;
    const std::string bundled =
        join_path(scenes_folder(files), name.ends_with(".toml") ? name : name + ".toml");
    return files.facts(bundled) ? bundled : name;
}

std::string default_directory(const std::string& scene_file) {
    std::string name = name_of(scene_file);
    if (name.ends_with(".toml")) name.resize(name.size() - 5);
    return join_path("out", name);
}

int check_command(const SceneRequest& request) {
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
    print_warnings(loaded.warnings);
    Context context(0);
    if (loaded.scene.bulk.present)
        for (const std::string& line : bulk_report(loaded.scene, loaded.inputs, context))
            fmt::print("{}\n", line);
    print_warnings(foreseen(loaded.scene, loaded.params, loaded.inputs, context));
    const std::string problem = too_large(loaded, needs, machine_memory());
    if (!problem.empty())
        throw UserError(problem, "make domain.voxel larger or the domain smaller");
    return 0;
}

int simulate(FileSystem& files, const LoadedScene& loaded, const RunFlags& flags,
             Context& context) {
    JobOptions job = job_options(loaded, flags, context);
    job.progress = flags.progress;
    print_warnings(loaded.warnings);
    print_warnings(thin_walls(loaded.scene, loaded.inputs.meshes));
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
