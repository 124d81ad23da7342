// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_bulk.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/frame/bulk_with_bubbles.h"
#include "spume/io/cache_points.h"
#include "spume/io/cache_source.h"
#include "spume/io/foreign_source.h"
#include "spume/io/hash.h"
#include "spume/io/mesh_source.h"

namespace spume {
namespace {

/// Do the frames reach from the scene's start to its end, and are they there?
void check_times(const BulkSource& source, const Scene& scene) {
    const BulkInfo& info = source.info();
    const int start = scene.bulk.start >= 0 ? scene.bulk.start : scene.time.start;
    // Numbers of the cache's frames at the scene's start and end; a frame is its end.
    const double from = start - 1.0, to = from + scene.time.frames / scene.time.fps * info.fps;
    constexpr double kSame = 1e-6;
    if (from < info.first - info.every - kSame)
        throw error_in_file(
            info.path,
            fmt::format("begins with frame {}, but the scene starts with its frame {}", info.first,
                        start),
            fmt::format("set bulk.start = {}, or start the scene later with -s", info.first));
    const bool hold = scene.bulk.missing == MissingFrame::kHold;
    if (to > info.last + kSame && !hold) {
        const double frames = (info.last - from) / info.fps * scene.time.fps;
        throw error_in_file(
            info.path,
            fmt::format("ends with frame {}, but the scene goes on to its frame {}", info.last,
                        std::ceil(to - kSame)),
            frames < 1 ? std::string("simulate the liquid further, or set bulk.start")
                       : fmt::format("simulate the liquid further, end the scene with -e {}, or "
                                     "set bulk.missing = \"hold\"",
                                     scene.time.start - 1 + int(frames + kSame)));
    }
    if (scene.bulk.missing != MissingFrame::kError) return;
    int frame =
        info.first + int(std::floor(std::max(from - info.first, 0.0) / info.every)) * info.every;
    for (; frame < to + info.every - kSame && frame <= info.last; frame += info.every)
        if (!source.has(frame))
            throw error_in_file(info.path,
                                fmt::format("frame {} is missing, which the scene needs", frame),
                                "simulate the liquid again with --resume, or set bulk.missing to "
                                "\"wait\", \"hold\" or \"interpolate\"");
}

void compare_solids(const BulkInfo& info, const std::vector<std::string>& own,
                    std::vector<std::string>& warnings) {
    const auto lacks = [](const std::vector<std::string>& all, const std::string& one) {
        return std::find(all.begin(), all.end(), one) == all.end();
    };
    for (std::size_t i = 0; i < own.size(); ++i)
        if (lacks(info.solids, own[i]))
            warnings.push_back(fmt::format(
                "solid[{}] is not among the solids that {} was simulated with: water passes "
                "through it there",
                i, info.path));
    for (std::size_t i = 0; i < info.solids.size(); ++i)
        if (lacks(own, info.solids[i]))
            warnings.push_back(fmt::format(
                "{} was simulated with a solid that the scene lacks, its solid[{}]: the water's "
                "surface ends along it",
                info.path, i));
}

/// The path of a name in a section.
class PathFinder final : public ParamVisitor {
  public:
    std::string found;
    explicit PathFinder(const char* name) : name_(name) {}

    void path(const char* name, std::string& value, const char*) override {
        if (name_ == name) found = value;
    }
    void number(const char*, double&, const NumberSpec&) override {}
    void integer(const char*, int&, int, int, const char*) override {}
    void whole(const char*, std::uint64_t&, const char*) override {}
    void flag(const char*, bool&, const char*) override {}
    void text(const char*, std::string&, const char*) override {}
    void vector(const char*, Vec<double, 3>&, const NumberSpec&) override {}

  protected:
    void choose(const char*, int&, const std::vector<std::pair<const char*, const char*>>&,
                const char*) override {}
    bool enter(const char*, const char*) override { return false; }
    int enter_list(const char*, int, const char*) override { return 0; }
    void enter_item(int) override {}
    void leave() override {}
    bool keeps_items() const override { return false; }

  private:
    std::string name_;
};

/// By name, not by path: where a cache lies must not decide whether it is the same.
void note_input(Manifest& manifest, const std::string& path, const std::string& identity) {
    std::string name = name_of(path);
    while (manifest.inputs.count(name)) name += "+";
    manifest.inputs[name] = identity;
}

}  // namespace

std::shared_ptr<const BulkSource> load_bulk(const Scene& scene, Manifest& manifest,
                                            std::vector<std::string>& warnings,
                                            std::shared_ptr<FileSystem> files) {
    if (!scene.bulk.present || !scene.bulk.cached()) return nullptr;
    if (!files) files = make_posix_file_system();
    std::string identity;
    auto source =
        scene.bulk.kind == BulkKind::kVdb    ? open_foreign_source(files, scene, identity, warnings)
        : scene.bulk.kind == BulkKind::kMesh ? open_mesh_source(files, scene, identity, warnings)
                                             : open_cache_source(files, scene.bulk.path, identity);
    const BulkInfo& info = source->info();
    if (info.dimensions != scene.domain.dimensions)
        throw error_in_file(
            info.path,
            fmt::format("holds a {}D liquid, but the scene is {}D", info.dimensions,
                        scene.domain.dimensions),
            fmt::format("set domain.dimensions = {}, or name another cache", info.dimensions));
    check_times(*source, scene);
    // Other programs do not say which solids they had.
    if (!scene.bulk.foreign_files()) compare_solids(info, solid_lines(scene), warnings);
    note_input(manifest, info.path, identity);
    return source;
}

std::shared_ptr<const BulkSource> beside_bubbles(std::shared_ptr<const BulkSource> bulk,
                                                 const Scene& scene,
                                                 FunctionRef<void(ParamVisitor&)> section,
                                                 Manifest& manifest,
                                                 std::shared_ptr<FileSystem> files) {
    PathFinder finder("bubbles");
    section(finder);
    if (finder.found.empty()) return bulk;
    if (!files) files = make_posix_file_system();
    std::string identity;
    auto points = open_cache_points(files, finder.found, "bubbles", identity);
    const PointFramesInfo& info = points->info();
    if (info.dimensions != scene.domain.dimensions)
        throw error_in_file(
            info.path,
            fmt::format("holds bubbles of a {}D scene, but this one is {}D", info.dimensions,
                        scene.domain.dimensions),
            fmt::format("set domain.dimensions = {}, or name another run", info.dimensions));
    const double to = scene.time.start - 1 + scene.time.frames / scene.time.fps * info.fps;
    if (scene.time.start < info.first || to > info.last + 1e-6)
        throw error_in_file(
            info.path,
            fmt::format("has bubbles of its frames {} to {}, but the scene asks for {} to {:.4g}",
                        info.first, info.last, scene.time.start, to),
            "simulate the bubbles further, or let the scene end earlier with -e");
    note_input(manifest, info.path, identity);
    return std::make_shared<BulkWithBubbles>(std::move(bulk), std::move(points));
}

InputText load_list(FileSystem& files, FunctionRef<void(ParamVisitor&)> section,
                    Manifest& manifest) {
    constexpr std::uint64_t kMostBytes = std::uint64_t(64) << 20;
    PathFinder finder("list");
    section(finder);
    if (finder.found.empty()) return {};
    try {
        InputText list{finder.found, read_file(files, finder.found, kMostBytes)};
        note_input(manifest, list.path, hash_of(std::string_view(list.text)).hex());
        return list;
    } catch (const FileError& error) {
        throw error_in_file(finder.found, error.what(),
                            "give the path of a text file, relative to the scene");
    }
}

}  // namespace spume
