// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "apps/spume/render_picture.h"
#include "spume/io/png.h"

namespace spume {
namespace {

constexpr std::uint64_t kLongestNote = 1 << 20;         // bytes
constexpr std::uint64_t kLargestPicture = 1ull << 31u;  // bytes

std::string numbers(const std::vector<double>& all) {
    std::string text;
    for (const double x : all) text += fmt::format(" {}", x);
    return text;
}

/// All that decides what a picture of this frame looks like: the flags, and the frame's files.
std::string made_of(const RenderJob& job, int number) {
    const RenderFlags& f = job.flags;
    std::string text =
        fmt::format("mode {} size {}x{} samples {} seed {} frames {} {}\n", int(f.mode), f.width,
                    f.height, f.samples, f.seed, f.first_frame, f.last_frame);
    text += fmt::format("camera{} target{} fov {} follow {} floor {} tank {} surface {}\n",
                        numbers(f.camera), numbers(f.target), f.field_of_view, f.follow,
                        int(f.floor), !f.no_tank, !f.no_surface);
    text += fmt::format("visibility {} exposure {} smoke {} shutter {} films {} foam {} {} {}\n",
                        f.visibility, f.exposure, f.smoke, f.shutter, int(f.films), int(f.foam),
                        f.film_thickness, f.film_time);
    text += fmt::format("photons {} denoise {} color {} range{} grid {} axis {} at {}\n",
                        f.photons ? std::to_string(*f.photons) : "auto", f.denoise, int(f.colours),
                        numbers(f.range), f.grid, f.axis, f.at ? std::to_string(*f.at) : "middle");
    text +=
        fmt::format("detail {} raft {} {} spheres {} environment {} {} {} sun{} lamps{}\n",
                    f.foam_detail, f.raft, f.raft_bubbles, f.spheres, f.environment,
                    f.environment_turn, f.environment_strength, numbers(f.sun), numbers(f.lamps));
    const CommitRecord record = read_commit(job.files, f.directory, number);
    for (const FrameFile& file : record.files)
        if (!file.path.starts_with("images/"))
            text += fmt::format("{} {} {}\n", file.path, file.stamp.bytes, file.stamp.hash.hex());
    return text;
}

std::string picture_name(const RenderJob& job, int number, const char* ending) {
    return join_path(
        job.flags.directory,
        join_path("images", frame_file_name(mode_name(job.flags.mode), number, ending)));
}

}  // namespace

std::optional<Image> finished_picture(const RenderJob& job, int number) {
    const std::string note = picture_name(job, number, "made"),
                      name = picture_name(job, number, "png");
    if (!job.files.facts(note) || !job.files.facts(name)) return std::nullopt;
    try {
        if (read_file(job.files, note, kLongestNote) != made_of(job, number)) return std::nullopt;
        const std::string bytes = read_file(job.files, name, kLargestPicture);
        const DecodedPng png =
            decode_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        Image image(png.width, png.height);
        image.rgb = png.rgb;
        return image;
    } catch (const UserError&) {  // a damaged picture is drawn anew
        return std::nullopt;
    }
}

void note_finished(const RenderJob& job, int number) {
    write_file(job.files, picture_name(job, number, "made"), made_of(job, number));
}

}  // namespace spume
