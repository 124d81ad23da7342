// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_setup.h"

#include <algorithm>

#include "spume/io/png.h"
#include "spume/render/preview.h"

namespace spume {

void refuse_too_large(const LoadedScene& loaded, double memory_gb, const std::string& key) {
    const double limit = memory_gb > 0 ? memory_gb * 1e9 : machine_memory();
    const std::string problem = too_large(loaded, estimate(loaded), limit);
    if (problem.empty()) return;
    throw UserError(problem, "make domain.voxel larger or the domain smaller" +
                                 (key.empty() ? "" : ", or raise " + key));
}

namespace {

/// The frame in which the last of the emitters and sources begins.
int busy_from(const Scene& scene) {
    double last = 0;
    for (const Emitter& e : scene.emitters) last = std::max(last, e.start);
    for (const LiquidBody& liquid : scene.liquids) last = std::max(last, liquid.start);
    const double frames = std::min(last * scene.time.fps, double(scene.time.frames));
    return scene.time.start + static_cast<int>(std::max(0.0, frames));
}

}  // namespace

JobOptions job_options(const LoadedScene& loaded, const JobRequest& request, Context& context) {
    JobOptions job;
    job.directory = request.directory;
    job.output = loaded.scene.output;
    job.manifest = loaded.manifest;
    job.resume = request.resume;
    job.overwrite = request.overwrite;
    job.force = request.force;
    job.checkpoint_every = request.checkpoint_every >= 0 ? request.checkpoint_every
                                                         : loaded.scene.output.checkpoint_every;
    if (request.memory_gb > 0)
        job.memory_limit = static_cast<std::uint64_t>(request.memory_gb * 1e9);
    if (loaded.scene.domain.dense) {  // of a sparse grid nobody knows before the first frame
        const Estimate needs = estimate(loaded);
        job.expected_frame = static_cast<std::uint64_t>(needs.frame);
        job.expected_checkpoint = static_cast<std::uint64_t>(needs.checkpoint);
    }
    job.busy_from = busy_from(loaded.scene);
    job.foreseen = loaded.warnings;
    for (std::string& text : foreseen(loaded.scene, loaded.params, loaded.inputs, context))
        job.foreseen.push_back(std::move(text));
    job.picture = [&](const Frame& frame) {
        const Image image = render_preview(
            frame, preview_options(loaded.scene, loaded.inputs.meshes, frame), context);
        return encode_png(image.width, image.height, image.rgb);
    };
    return job;
}

}  // namespace spume
