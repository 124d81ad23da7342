// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "spume/io/commit.h"
#include "spume/io/ply.h"
#include "spume/io/png.h"
#include "spume/io/vdb.h"
#include "spume/render/preview.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t(64) << 30;

std::vector<int> wanted_frames(FileSystem& files, const RenderFlags& flags) {
    const std::vector<int> all = committed_frames(files, flags.directory);
    if (all.empty())
        throw UserError(flags.directory + " holds no frames", "simulate first: spume run");
    if (flags.first_frame < 0) return {all.back()};
    std::vector<int> frames;
    for (int frame : all)
        if (frame >= flags.first_frame && frame <= flags.last_frame) frames.push_back(frame);
    if (frames.empty())
        throw UserError(
            fmt::format("{} holds frames {} to {} only", flags.directory, all.front(), all.back()),
            "name one of these");
    if (frames.size() > 1 && !flags.file.empty())
        throw UserError("-o names one file for several frames",
                        "leave it out, or render one frame");
    return frames;
}

}  // namespace

Frame read_points(FileSystem& files, const std::string& directory, const CommitRecord& record) {
    Frame frame;
    frame.number = record.frame;
    frame.time = record.time;
    std::map<std::string, const FrameFile*> chosen;  // PLY before VDB: quicker to read
    for (const FrameFile& file : record.files) {
        if (!file.path.starts_with("points/")) continue;
        const std::string name = name_of(file.path);
        const std::string set = name.substr(0, name.find('.'));
        const bool ply = name.ends_with(".ply"), vdb = name.ends_with(".vdb");
        if (ply || (vdb && !chosen.count(set))) chosen[set] = &file;
    }
    for (const auto& [name, file] : chosen) {
        const std::string path = join_path(directory, file->path);
        const std::string bytes = read_file(files, path, kMostBytes);
        if (bytes.size() != file->stamp.bytes || hash_of(bytes) != file->stamp.hash)
            throw error_in_file(path, "its content has changed since it was written",
                                "`spume run --resume` makes damaged frames again");
        frame.points.push_back(path.ends_with(".ply") ? decode_ply_points(bytes, path)
                                                      : decode_vdb_points(bytes, path));
        frame.points.back().name = name;
    }
    return frame;
}

int render_command(const RenderFlags& flags) {
    const auto files = make_posix_file_system();
    auto manifest = read_manifest(*files, flags.directory);
    if (!manifest) throw UserError(flags.directory + " is not a cache", "name the -o of a run");
    const Scene scene = parse_scene(manifest->scene, flags.directory + "/manifest.json");
    std::vector<std::string> warnings;
    const Inputs inputs = load_inputs(*files, scene, *manifest, warnings);
    Context context(flags.threads);
    for (int number : wanted_frames(*files, flags)) {
        const CommitRecord record = read_commit(*files, flags.directory, number);
        Frame frame = read_points(*files, flags.directory, record);
        frame.dimensions = scene.domain.dimensions;
        PreviewOptions options =
            preview_options(scene, inputs.meshes, frame.time, flags.width, flags.height);
        options.supersampling = flags.samples;
        const Image image = render_preview(frame, options, context);
        std::string path = flags.file;
        if (path.empty()) {
            make_directories(*files, join_path(flags.directory, "images"));
            path = join_path(join_path(flags.directory, "images"),
                             frame_file_name("beauty", number, "png"));
        }
        write_file(*files, path, encode_png(image.width, image.height, image.rgb));
        fmt::print("{}\n", path);
    }
    return 0;
}

}  // namespace spume
