// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "spume/io/png.h"
#include "spume/render/preview.h"
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

std::string picture_of(const LoadedScene& loaded, const Frame& frame, Context& context) {
    const Image image =
        render_preview(frame, preview_options(loaded.scene, loaded.inputs.meshes, frame), context);
    return encode_png(image.width, image.height, image.rgb);
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
    print_warnings(foreseen(loaded.scene, loaded.params, loaded.inputs, context));
    const std::string problem = too_large(loaded, needs, machine_memory());
    if (!problem.empty())
        throw UserError(problem, "make domain.voxel larger or the domain smaller");
    return 0;
}

void refuse_too_large(const LoadedScene& loaded, const RunFlags& flags) {
    const double limit = flags.memory_gb > 0 ? flags.memory_gb * 1e9 : machine_memory();
    const std::string problem = too_large(loaded, estimate(loaded), limit);
    if (!problem.empty())
        throw UserError(problem,
                        "make domain.voxel larger or the domain smaller, or raise --memory");
}

int simulate(FileSystem& files, const LoadedScene& loaded, const RunFlags& flags,
             Context& context) {
    JobOptions job;
    job.directory = flags.directory;
    job.output = loaded.scene.output;
    job.manifest = loaded.manifest;
    job.resume = flags.resume;
    job.overwrite = flags.overwrite;
    job.force = flags.force;
    job.checkpoint_every =
        flags.checkpoint_every >= 0 ? flags.checkpoint_every : loaded.scene.output.checkpoint_every;
    if (flags.memory_gb > 0) job.memory_limit = static_cast<std::uint64_t>(flags.memory_gb * 1e9);
    if (loaded.scene.domain.dense) {
        const Estimate needs = estimate(loaded);
        job.expected_frame = static_cast<std::uint64_t>(needs.frame);
        job.expected_checkpoint = static_cast<std::uint64_t>(needs.checkpoint);
    }
    job.progress = flags.progress;
    job.picture = [&](const Frame& frame) { return picture_of(loaded, frame, context); };
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
    refuse_too_large(loaded, flags);
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
