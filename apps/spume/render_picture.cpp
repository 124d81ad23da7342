// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/render_picture.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "apps/spume/bulk_surface.h"
#include "spume/render/follow.h"
#include "spume/render/point_paint.h"
#include "spume/render/slice.h"
#include "spume/render/tile_view.h"

namespace spume {
namespace {

constexpr int kBeautySamples = 64, kPreviewSamples = 4;

std::optional<PreviewCamera> asked_camera(const RenderJob& job) {
    const RenderFlags& f = job.flags;
    if (f.camera.empty()) return std::nullopt;
    PreviewCamera camera;
    for (int k = 0; k < 3; ++k) {
        camera.position[k] = f.camera[static_cast<std::size_t>(k)];
        camera.target[k] = f.target[static_cast<std::size_t>(k)];
    }
    camera.field_of_view = f.field_of_view > 0 ? f.field_of_view : job.scene.camera.field_of_view;
    return camera;
}

BeautyOptions beauty_for(const RenderJob& job, const Frame& frame) {
    const RenderFlags& f = job.flags;
    BeautyOptions options =
        beauty_options(job.scene, job.inputs.meshes, frame, f.shutter, f.width, f.height);
    options.samples = f.samples > 0 ? f.samples : kBeautySamples;
    options.seed = f.seed;
    options.floor = f.floor;
    options.tank = options.tank && !f.no_tank;
    options.bare = f.no_surface;
    options.visibility = f.visibility;
    options.exposure = f.exposure;
    options.smoke = f.smoke;
    options.films = f.films;
    options.foam = f.foam == FoamLook::kExact     ? FoamRule::kExact
                   : f.foam == FoamLook::kAmbient ? FoamRule::kAmbient
                                                  : FoamRule::kThesis;
    options.first_hit_stays = f.foam != FoamLook::kThesisNewHit;
    options.draining.begin = 1e-9 * f.film_thickness;
    options.draining.time = f.film_time;
    options.photons = f.photons;
    options.denoise = f.denoise;
    options.domes = !f.spheres;
    options.foam_detail = f.foam_detail;
    options.raft = 1e-3 * f.raft, options.raft_bubbles = 1e-3 * f.raft_bubbles;
    if (!f.sun.empty()) options.sun = BeautyOptions::SunAt{f.sun[0], f.sun[1], f.sun[2]};
    options.lamps = asked_lamps(f, job.scene);
    options.sky = job.sky;
    if (options.sea) {
        const Scene wide = with_sea_around(job.scene);
        options.sea_box = Box<double, 3>{wide.domain.lower, wide.domain.upper};
    }
    options.progress = job.progress;
    if (f.field_of_view > 0) {
        options.field_of_view = f.field_of_view;
        if (options.camera) options.camera->field_of_view = f.field_of_view;
    }
    if (const auto camera = asked_camera(job)) options.camera = camera;
    if (job.camera) options.camera = job.camera;
    if (f.follow) options.camera = following(beauty_camera(frame, options), frame);
    return options;
}

RenderedPicture beauty(const RenderJob& job, const Frame& frame) {
    const BeautyOptions options = beauty_for(job, frame);
    for (const std::string& text : beauty_advice(frame, options)) job.warn(text);
    Traced traced = render_beauty(frame, options, job.context);
    RenderedPicture picture;
    picture.stopped = traced.stopped;
    picture.noise = traced.noise;
    picture.rays = traced.rays;
    picture.screen = developed(traced.image, 1);
    picture.light = std::move(traced.image);
    return picture;
}

std::optional<Interval> asked_range(const RenderJob& job) {
    const auto& range = job.flags.range;
    if (range.empty()) return std::nullopt;
    if (!(range[0] < range[1]))
        throw UserError(fmt::format("--range {},{} is empty", range[0], range[1]),
                        "give the smaller end first");
    return Interval{range[0], range[1]};
}

const char* column_for(PreviewColours colours) {
    switch (colours) {
        case PreviewColours::kSpeed:
            return "v";
        case PreviewColours::kType:
            return "type";
        case PreviewColours::kAge:
            return "age";
        case PreviewColours::kRadius:
            return "pscale";
        case PreviewColours::kWater:
            break;
    }
    return nullptr;
}

RenderedPicture preview(const RenderJob& job, const Frame& frame) {
    const RenderFlags& f = job.flags;
    PreviewOptions options =
        preview_options(job.scene, job.inputs.meshes, frame, f.width, f.height);
    const int samples = f.samples > 0 ? f.samples : kPreviewSamples;
    options.supersampling =
        std::min(8, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(samples)))));
    options.colours = f.colours;
    options.colour_range = job.range ? job.range : asked_range(job);
    if (f.field_of_view > 0 && options.camera) options.camera->field_of_view = f.field_of_view;
    if (const auto camera = asked_camera(job)) options.camera = camera;
    if (f.follow && options.camera && frame.dimensions == 3)
        options.camera = following(*options.camera, frame);
    if (const char* column = column_for(f.colours))
        for (const PointSet& set : frame.points)
            if (set.size() > 0 && set.find(column) == nullptr)
                job.warn(fmt::format("the points '{}' have no column '{}'; they are shown as 0",
                                     set.name, column));
    RenderedPicture picture;
    picture.screen = render_preview(frame, options, job.context);
    return picture;
}

const Volume& only_volume(const RenderJob& job, const Frame& frame, const std::string& name) {
    if (frame.volumes.empty())
        throw UserError(fmt::format("frame {} of {} cannot show the volume '{}'", frame.number,
                                    job.flags.directory, name),
                        "see the messages about its file");
    return frame.volumes.front();
}

RenderedPicture slice(const RenderJob& job, const Frame& frame, const std::string& name) {
    SliceOptions options;
    options.width = job.flags.width, options.height = job.flags.height;
    options.domain = {job.scene.domain.lower, job.scene.domain.upper};
    options.axis = frame.dimensions == 2 ? 2 : job.flags.axis;
    options.at = frame.dimensions == 2 ? std::optional<double>(0.0) : job.flags.at;
    options.range = asked_range(job);
    RenderedPicture picture;
    picture.screen = render_slice(frame, only_volume(job, frame, name), options, job.context);
    return picture;
}

RenderedPicture tiles(const RenderJob& job, const Frame& frame, const std::string& name) {
    TileViewOptions options;
    options.width = job.flags.width, options.height = job.flags.height;
    options.domain = {job.scene.domain.lower, job.scene.domain.upper};
    options.camera = asked_camera(job);
    if (!options.camera && !job.scene.camera.automatic && frame.dimensions == 3)
        options.camera = PreviewCamera{.position = job.scene.camera.position,
                                       .target = job.scene.camera.target,
                                       .field_of_view = job.scene.camera.field_of_view};
    RenderedPicture picture;
    picture.screen = render_tiles(frame, only_volume(job, frame, name), options);
    return picture;
}

std::string wanted_volume(const RenderJob& job, const CommitRecord& record) {
    const auto names = volume_names(record);
    if (names.empty())
        throw UserError(
            fmt::format("frame {} of {} has no volumes", record.frame, job.flags.directory),
            "simulate with output.vdb, output.density or output.velocity on");
    if (job.flags.grid.empty()) return names.front();
    std::string known;
    for (const std::string& name : names) {
        if (name == job.flags.grid) return name;
        known += (known.empty() ? "" : ", ") + name;
    }
    throw UserError(fmt::format("there is no volume '{}'", job.flags.grid), "there is: " + known);
}

CommitRecord record_of(const RenderJob& job, int number) {
    CommitRecord record = read_commit(job.files, job.flags.directory, number);
    complete(record, job.scene);
    return record;
}

Frame frame_of(const RenderJob& job, const CommitRecord& record, const FrameContents& contents,
               std::vector<Complaint>& problems) {
    return read_frame(job.files, job.flags.directory, record, contents, problems);
}

/// In 2D no mesh stands for a liquid and what it carries.
bool seen_in_plane(const std::string& name, const CommitRecord& record) {
    return name == "border" || (record.free_surface &&
                                (name == "surface" || name == "ink" || name == "liquid_density"));
}

/// What a picture of the whole frame is drawn from; smoke has no mesh either.
FrameContents seen_contents(const RenderJob& job, const CommitRecord& record) {
    const bool traced = job.flags.mode == RenderMode::kBeauty;
    FrameContents contents;
    for (const std::string& name : volume_names(record))
        if (record.dimensions == 2 ? seen_in_plane(name, record) : traced && name == "smoke")
            contents.volumes.push_back(name);
    return contents;
}

}  // namespace

const char* mode_name(RenderMode mode) {
    switch (mode) {
        case RenderMode::kPreview:
            return "preview";
        case RenderMode::kSlice:
            return "slice";
        case RenderMode::kTiles:
            return "tiles";
        case RenderMode::kBeauty:
            break;
    }
    return "beauty";
}

Frame read_for_preview(FileSystem& files, const std::string& directory, CommitRecord record,
                       const Scene& scene) {
    complete(record, scene);
    std::vector<Complaint> problems;
    FrameContents contents;
    contents.meshes = record.free_surface;
    for (const std::string& name : volume_names(record))
        if (record.dimensions == 2 && seen_in_plane(name, record)) contents.volumes.push_back(name);
    Frame frame = read_frame(files, directory, record, contents, problems);
    if (!problems.empty()) throw UserError(std::move(problems));
    return frame;
}

std::optional<PreviewCamera> shared_camera(const RenderJob& job, const std::vector<int>& frames) {
    if (job.flags.mode != RenderMode::kBeauty || frames.size() < 2) return std::nullopt;
    if (job.scene.domain.dimensions == 3 &&
        (!job.scene.camera.automatic || !job.flags.camera.empty()))
        return std::nullopt;
    Frame all;
    all.dimensions = job.scene.domain.dimensions;
    for (const int number : {frames.front(), frames[frames.size() / 2], frames.back()}) {
        std::vector<Complaint> problems;  // told when the frame's turn comes
        try {
            Frame one = frame_of(job, record_of(job, number), {}, problems);
            for (PointSet& set : one.points) all.points.push_back(std::move(set));
            for (NamedMesh& mesh : one.meshes) all.meshes.push_back(std::move(mesh));
        } catch (const UserError&) {
            continue;
        }
    }
    return beauty_camera(all, beauty_for(job, Frame{}));
}

std::optional<Interval> frames_range(const RenderJob& job, const std::vector<int>& frames) {
    const PreviewColours by = job.flags.colours;
    if (job.flags.mode != RenderMode::kPreview || !job.flags.range.empty() ||
        by == PreviewColours::kWater || by == PreviewColours::kType)
        return std::nullopt;
    // Enough of a long film to know its ends.
    constexpr std::size_t kMost = 60;
    const std::size_t step = (frames.size() + kMost - 1) / kMost;
    std::optional<Interval> all;
    for (std::size_t i = 0; i < frames.size(); i += step) {
        std::vector<Complaint> problems;  // told when the frame's turn comes
        try {
            const Frame one = frame_of(job, record_of(job, frames[i]), {}, problems);
            const auto range = colour_range(one, job.flags.colours, job.context.arena);
            if (!range) continue;
            if (!all) all = range;
            all->begin = std::min(all->begin, range->begin);
            all->end = std::max(all->end, range->end);
        } catch (const UserError&) {
            continue;
        }
    }
    return all;
}

RenderedPicture render_picture(const RenderJob& job, int number, std::vector<Complaint>& problems) {
    const RenderMode mode = job.flags.mode;
    const CommitRecord record = record_of(job, number);
    if (mode == RenderMode::kBeauty || mode == RenderMode::kPreview) {
        Frame frame = frame_of(job, record, seen_contents(job, record), problems);
        const bool known = !job.scene.bulk.cached() || job.inputs.bulk;
        if (job.scene.bulk.present && known && !job.flags.no_surface)
            add_bulk_surface(frame,
                             mode == RenderMode::kBeauty ? with_sea_around(job.scene) : job.scene,
                             job.inputs, job.context);
        return mode == RenderMode::kBeauty ? beauty(job, frame) : preview(job, frame);
    }
    const std::string name = wanted_volume(job, record);
    FrameContents contents;
    contents.points = contents.meshes = false;
    contents.volumes = {name};
    const Frame frame = frame_of(job, record, contents, problems);
    return mode == RenderMode::kSlice ? slice(job, frame, name) : tiles(job, frame, name);
}

}  // namespace spume
