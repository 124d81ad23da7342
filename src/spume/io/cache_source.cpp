// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/cache_source.h"

#include <algorithm>

#include <fmt/core.h>

#include "spume/io/commit.h"
#include "spume/io/hash.h"
#include "spume/io/manifest.h"
#include "spume/io/read_frame.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"

namespace spume {
namespace {

constexpr const char* kVolumes[] = {"surface", "vel"};

class CacheSource final : public BulkSource {
  public:
    CacheSource(std::shared_ptr<FileSystem> files, std::string directory)
        : files_(std::move(files)), directory_(std::move(directory)) {
        const Manifest manifest = read();
        identity_ = identity_of(manifest);
        if (!manifest.free_surface)
            throw error_in_file(directory_,
                                fmt::format("was simulated with method {}, whose water has no "
                                            "surface",
                                            manifest.method),
                                "name the cache of a liquid");
        const Scene scene = parse_scene(manifest.scene, join_path(directory_, "manifest.json"));
        info_.path = directory_;
        info_.dimensions = scene.domain.dimensions;
        info_.voxel = scene.voxel();
        info_.origin = scene.domain.lower;
        info_.fps = manifest.fps;
        info_.first = manifest.first_frame;
        info_.last = manifest.last_frame;
        info_.every = scene.output.every;
        info_.last -= (info_.last - info_.first) % info_.every;
        const Vec<double, 3> cells = scene.cells();
        for (int a = 0; a < 3; ++a) {
            info_.box.lo[a] = scene.domain.lower[a];
            info_.box.hi[a] = scene.domain.lower[a] + cells[a] * info_.voxel;
            const Domain& d = scene.domain;
            info_.closed[a][0] = (a == 1 ? d.bottom : d.sides) == Border::kWall;
            info_.closed[a][1] = (a == 1 ? d.top : d.sides) == Border::kWall;
        }
        info_.solids = solid_lines(scene);
        look_at_first_frame();
    }

    const BulkInfo& info() const override { return info_; }
    const std::string& identity() const { return identity_; }

    bool has(int frame) const override {
        return files_->facts(join_path(directory_, commit_path(frame))).has_value();
    }

    Frame read(int frame) const override {
        try {
            if (identity_of(read()) != identity_)
                throw error_in_file(directory_, "was made anew while it was being read",
                                    "start again with --overwrite");
            const CommitRecord record = read_commit(*files_, directory_, frame);
            std::vector<Complaint> problems;
            FrameContents wanted{false, false, {kVolumes[0], kVolumes[1]}};
            Frame r = read_frame(*files_, directory_, record, wanted, problems);
            if (!problems.empty()) {
                for (Complaint& c : problems)
                    c.message = fmt::format("frame {} of the bulk: {}", frame, c.message);
                throw UserError(std::move(problems));
            }
            return r;
        } catch (const FileError& error) {
            throw error_in_file(join_path(directory_, commit_path(frame)),
                                fmt::format("frame {} of the bulk: {}", frame, error.what()),
                                "simulate the liquid's frame again with --resume");
        }
    }

    Volume read_volume(int frame, const std::string& name) const override {
        const CommitRecord record = read_commit(*files_, directory_, frame);
        const std::vector<std::string> names = volume_names(record);
        std::string known;
        for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw error_in_file(directory_,
                                fmt::format("frame {} has no volume \"{}\"", frame, name),
                                "set emission.mask to one of: " + known);
        std::vector<Complaint> problems;
        Frame r = read_frame(*files_, directory_, record, {false, false, {name}}, problems);
        if (!problems.empty()) throw UserError(std::move(problems));
        SPUME_CHECK(r.volumes.size() == 1);
        if (r.volumes[0].components != 1)
            throw error_in_file(directory_, fmt::format("the volume \"{}\" holds vectors", name),
                                "set emission.mask to a volume of numbers: " + known);
        return r.volumes[0];
    }

    bool has_volume(int frame, const std::string& name) const override {
        const std::vector<std::string> names =
            volume_names(read_commit(*files_, directory_, frame));
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    std::optional<PointSet> read_points(int frame, const std::string& name) const override {
        std::vector<Complaint> problems;
        Frame r = read_frame(*files_, directory_, read_commit(*files_, directory_, frame),
                             {true, false, {}, {name}}, problems);
        if (!problems.empty()) throw UserError(std::move(problems));
        if (r.points.empty()) return std::nullopt;
        return std::move(r.points.front());
    }

  private:
    Manifest read() const {
        const auto facts = files_->facts(directory_);
        if (!facts || !facts->directory)
            throw error_in_file(directory_, facts ? "is not a directory" : "no such directory",
                                "set bulk.path to the -o of a liquid's run; it is relative to the "
                                "scene file");
        std::optional<Manifest> manifest = read_manifest(*files_, directory_);
        if (!manifest)
            throw error_in_file(directory_, "is not a cache: it has no manifest.json",
                                "set bulk.path to the -o of a liquid's run");
        return *manifest;
    }

    void look_at_first_frame() {
        const std::vector<int> frames = committed_frames(*files_, directory_);
        if (frames.empty())
            throw error_in_file(directory_, "holds no frames yet", "simulate the liquid first");
        const CommitRecord record = read_commit(*files_, directory_, frames.front());
        const std::vector<std::string> names = volume_names(record);
        for (const char* name : kVolumes)
            if (std::find(names.begin(), names.end(), name) == names.end())
                throw error_in_file(
                    directory_, fmt::format("frame {} has no volume \"{}\"", record.frame, name),
                    "simulate the liquid again with [output] vdb = true and velocity = true");
    }

    std::shared_ptr<FileSystem> files_;
    std::string directory_, identity_;
    BulkInfo info_;
};

}  // namespace

std::string identity_of(const Manifest& manifest) {
    Manifest m = manifest;
    m.last_frame = m.first_frame;
    m.complete = false;
    m.scene.clear();
    return hash_of(encode_manifest(m)).hex();
}

std::vector<std::string> solid_lines(const Scene& scene) {
    std::vector<std::string> r;
    for (const Solid& solid : scene.solids) {
        Scene only;
        only.solids = {solid};
        const std::string all = stable_text(only);
        std::string lines;
        for (std::size_t at = 0; at < all.size();) {
            const std::size_t end = std::min(all.find('\n', at), all.size());
            const std::string line = all.substr(at, end - at);
            if (line.starts_with("solid[0].") && !line.starts_with("solid[0].name"))
                lines += line + "\n";
            at = end + 1;
        }
        r.push_back(std::move(lines));
    }
    return r;
}

std::shared_ptr<const BulkSource> open_cache_source(std::shared_ptr<FileSystem> files,
                                                    const std::string& directory,
                                                    std::string& identity) {
    std::string path = directory;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    auto source = std::make_shared<CacheSource>(std::move(files), path);
    identity = source->identity();
    return source;
}

}  // namespace spume
