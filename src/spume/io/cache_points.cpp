// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/cache_points.h"

#include <fmt/core.h>

#include "spume/io/cache_source.h"
#include "spume/io/commit.h"
#include "spume/io/read_frame.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

class CachePoints final : public PointFrames {
  public:
    CachePoints(std::shared_ptr<FileSystem> files, std::string directory, std::string name,
                const Manifest& manifest)
        : files_(std::move(files)), name_(std::move(name)), identity_(identity_of(manifest)) {
        const Scene scene = parse_scene(manifest.scene, join_path(directory, "manifest.json"));
        info_.path = std::move(directory);
        info_.dimensions = scene.domain.dimensions;
        info_.fps = manifest.fps;
        info_.every = scene.output.every;
        info_.first = manifest.first_frame;
        const std::vector<int> frames = committed_frames(*files_, info_.path);
        if (frames.empty())
            throw error_in_file(info_.path, "holds no frames yet", "simulate the bubbles first");
        info_.last = frames.back();
        read(frames.front());
    }

    const PointFramesInfo& info() const override { return info_; }
    const std::string& identity() const { return identity_; }

    PointSet read(int frame) const override {
        try {
            const std::optional<Manifest> manifest = read_manifest(*files_, info_.path);
            if (!manifest || identity_of(*manifest) != identity_)
                throw error_in_file(info_.path, "was made anew while it was being read",
                                    "start again with --overwrite");
            const CommitRecord record = read_commit(*files_, info_.path, frame);
            std::vector<Complaint> problems;
            Frame r = read_frame(*files_, info_.path, record, {true, false, {}, {name_}}, problems);
            if (!problems.empty()) throw UserError(std::move(problems));
            if (r.points.empty())
                throw error_in_file(info_.path,
                                    fmt::format("frame {} has no points \"{}\"", frame, name_),
                                    "name a run that simulates bubbles and writes them to VDB");
            return std::move(r.points.front());
        } catch (const FileError& error) {
            throw error_in_file(join_path(info_.path, commit_path(frame)),
                                fmt::format("frame {} of the bubbles: {}", frame, error.what()),
                                "simulate the bubbles' frame again with --resume");
        }
    }

  private:
    std::shared_ptr<FileSystem> files_;
    std::string name_, identity_;
    PointFramesInfo info_;
};

}  // namespace

std::shared_ptr<const PointFrames> open_cache_points(std::shared_ptr<FileSystem> files,
                                                     const std::string& directory,
                                                     const std::string& name,
                                                     std::string& identity) {
    std::string path = directory;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const auto facts = files->facts(path);
    if (!facts || !facts->directory)
        throw error_in_file(path, facts ? "is not a directory" : "no such directory",
                            "name the -o of a run with bubbles; it is relative to the scene file");
    const std::optional<Manifest> manifest = read_manifest(*files, path);
    if (!manifest)
        throw error_in_file(path, "is not a cache: it has no manifest.json",
                            "name the -o of a run with bubbles");
    auto points = std::make_shared<CachePoints>(std::move(files), path, name, *manifest);
    identity = points->identity();
    return points;
}

}  // namespace spume
