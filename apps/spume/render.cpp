// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <set>

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/render_picture.h"
#include "apps/spume/render_progress.h"
#include "spume/io/exr.h"
#include "spume/io/movie.h"
#include "spume/io/png.h"
#include "spume/run/job_bulk.h"
#include "spume/run/job_signals.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

Complaint complaint_about(const std::string& file, std::string message, std::string remedy) {
    Complaint complaint;
    complaint.place.file = file;
    complaint.message = std::move(message);
    complaint.remedy = std::move(remedy);
    return complaint;
}

/// The frames to show; those asked for that are not there are told.
std::vector<int> wanted_frames(FileSystem& files, const RenderFlags& flags,
                               const Manifest& manifest, std::vector<Complaint>& problems) {
    const std::vector<int> all = committed_frames(files, flags.directory);
    if (all.empty())
        throw UserError(flags.directory + " holds no frames",
                        "simulate first: spume run; a run that has just started needs a moment");
    if (flags.first_frame < 0) return flags.movie.empty() ? std::vector<int>{all.back()} : all;
    if (flags.last_frame < flags.first_frame)
        throw UserError(fmt::format("the last frame, {}, comes before the first, {}",
                                    flags.last_frame, flags.first_frame),
                        "give -s and -e in order");
    std::vector<int> frames;
    for (int frame : all)
        if (frame >= flags.first_frame && frame <= flags.last_frame) frames.push_back(frame);
    if (frames.empty())
        throw UserError(
            fmt::format("{} holds frames {} to {} only", flags.directory, all.front(), all.back()),
            "name one of these");
    const std::int64_t asked = std::int64_t{flags.last_frame} - flags.first_frame + 1;
    if (asked > static_cast<std::int64_t>(frames.size()))
        problems.push_back(complaint_about(
            flags.directory,
            fmt::format("{} of the {} frames asked for are not there (there are {} to {}{})",
                        asked - static_cast<std::int64_t>(frames.size()), asked, all.front(),
                        all.back(), manifest.complete ? "" : ", and the run is not complete"),
            "the others are shown"));
    return frames;
}

bool wants_exr(const RenderFlags& flags) {
    if (flags.format) return *flags.format == RenderFormat::kExr;
    return flags.file.ends_with(".exr");
}

void check_flags(const RenderFlags& flags, const std::vector<int>& frames) {
    check_picture_name(flags);
    if (frames.size() > 1 && !flags.file.empty())
        throw UserError("-o names one file for several frames",
                        "leave it out, or render one frame");
    if (wants_exr(flags) && flags.mode != RenderMode::kBeauty)
        throw UserError("only beauty pictures hold the light an EXR file is for",
                        "leave out --format exr, or use --mode beauty");
    if (!flags.movie.empty() && !flags.file.empty())
        throw UserError("-o names a picture and --movie a film", "give one of them");
    if (flags.resume && (!flags.file.empty() || wants_exr(flags)))
        throw UserError("--resume is for the PNG pictures in DIR/images",
                        "leave out -o and --format exr");
}

std::string write_picture(FileSystem& files, const RenderFlags& flags, int number,
                          const RenderedPicture& picture) {
    const bool exr = wants_exr(flags);
    const std::string bytes =
        exr ? encode_exr(picture.light->width, picture.light->height, picture.light->pixels)
            : encode_png(picture.screen.width, picture.screen.height, picture.screen.rgb);
    if (!flags.file.empty()) {
        write_file(files, flags.file, bytes);
        return flags.file;
    }
    make_directories(files, join_path(flags.directory, "images"));
    const std::string name =
        join_path("images", frame_file_name(mode_name(flags.mode), number, exr ? "exr" : "png"));
    std::string path = join_path(flags.directory, name);
    // It may take the place of the one the run drew.
    amend_commit(files, flags.directory, number, {name, write_file(files, path, bytes)});
    return path;
}

}  // namespace

OpenCache open_cache(FileSystem& files, const std::string& directory) {
    auto manifest = read_manifest(files, directory);
    if (!manifest && files.facts(join_path(directory, "summary.json")))
        throw UserError(directory + " is a study of several runs",
                        "name one of its variants, or show all with --sheet FRAME");
    if (!manifest) throw UserError(directory + " is not a cache", "name the -o of a run");
    OpenCache cache{std::move(*manifest), {}, {}};
    cache.scene = parse_scene(cache.manifest.scene, directory + "/manifest.json");
    std::vector<std::string> mesh_warnings;
    cache.inputs = load_inputs(files, cache.scene, cache.manifest, mesh_warnings);
    try {
        cache.inputs.bulk = load_bulk(cache.scene, cache.manifest, mesh_warnings);
    } catch (const UserError& error) {  // the bubbles can be shown without it
        std::fputs(fmt::format("warning: the bulk is not shown: {}\n", error.what()).c_str(),
                   stderr);
    }
    return cache;
}

RenderFlags flags_for(RenderFlags flags, const Scene& scene) {
    if (!flags.mode_asked && scene.domain.dimensions == 2 && !wants_exr(flags))
        flags.mode = RenderMode::kPreview;
    return flags;
}

void check_picture_name(const RenderFlags& flags) {
    const std::string& file = flags.file;
    if (file.empty()) return;
    if (!flags.format && !file.ends_with(".png") && !file.ends_with(".exr"))
        throw UserError(file + " ends neither in .png nor in .exr",
                        "give it one of these endings, or say --format");
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
    if (!make_posix_file_system()->facts(folder))
        throw UserError(fmt::format("there is no folder {} for the picture", folder),
                        "make it first, or name another with -o");
}

int render_command(const RenderFlags& asked) {
    if (!asked.sheet.empty()) return sheet_command(asked);
    const auto files = make_posix_file_system();
    const OpenCache cache = open_cache(*files, asked.directory);
    const Scene& scene = cache.scene;
    const RenderFlags flags = flags_for(asked, scene);
    std::vector<Complaint> problems;
    const std::vector<int> frames = wanted_frames(*files, flags, cache.manifest, problems);
    check_flags(flags, frames);

    PictureProgress progress(flags.progress, frames.size());
    std::set<std::string> warned;
    Context context(flags.threads);
    const SignalWatch watch(context.stop);
    RenderJob job{flags,
                  scene,
                  cache.inputs,
                  *files,
                  context,
                  [&](double share) { progress.tell(share); },
                  [&](const std::string& text) {
                      if (warned.insert(text).second) progress.warning(text);
                  },
                  std::nullopt};
    job.sky = sky_image(*files, flags);
    job.camera = shared_camera(job, frames);
    if (frames.size() > 1) job.range = frames_range(job, frames);
    std::optional<MovieWriter> movie;
    if (!flags.movie.empty())
        movie.emplace(*files, flags.movie, flags.width, flags.height, scene.time.fps);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (flags.resume) {
            const std::optional<Image> done = finished_picture(job, frames[i]);
            if (done && movie) movie->add(done->rgb);
            if (done) continue;
        }
        progress.start(i, frames[i]);
        RenderedPicture picture;
        try {
            picture = render_picture(job, frames[i], problems);
        } catch (const UserError& error) {
            problems.insert(problems.end(), error.complaints().begin(), error.complaints().end());
            if (frames.size() == 1) throw UserError(std::move(problems));
            continue;
        }
        if (picture.stopped) return 128 + SignalWatch::received();
        progress.tell(1);
        progress.clear();
        if (movie) movie->add(picture.screen.rgb);
        if (!movie || flags.resume)
            fmt::print("{}\n", write_picture(*files, flags, frames[i], picture));
        if (flags.resume) note_finished(job, frames[i]);
        std::fflush(stdout);
    }
    progress.clear();
    if (movie) {
        movie->finish();
        fmt::print("{}\n", flags.movie);
    }
    if (!problems.empty()) throw UserError(std::move(problems));
    return 0;
}

}  // namespace spume
