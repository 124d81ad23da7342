// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The frames of a run as Houdini would have written them entrain the same air in the same places.

#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "faults/memory_file_system.h"
#include "spume/io/cache_source.h"
#include "spume/io/foreign_source.h"
#include "spume/io/vdb.h"
#include "spume/physics/bulk/entrain.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

namespace fs = std::filesystem;

constexpr int kFrames = 14;
constexpr double kFps = 24;

/// A cache in memory.
class RunFrames final : public BulkSource {
  public:
    RunFrames(const Scene& scene, std::map<int, Frame> frames) : frames_(std::move(frames)) {
        about_.path = "dam break";
        about_.dimensions = 3;
        about_.voxel = scene.voxel();
        about_.origin = scene.domain.lower;
        about_.fps = scene.time.fps;
        about_.first = 1;
        about_.last = kFrames;
        about_.box = {scene.domain.lower, scene.domain.lower + scene.cells() * scene.voxel()};
        for (auto& axis : about_.closed) axis[0] = axis[1] = true;
    }
    const BulkInfo& info() const override { return about_; }
    bool has(int frame) const override { return frames_.count(frame) > 0; }
    Frame read(int frame) const override { return frames_.at(frame); }

  private:
    BulkInfo about_;
    std::map<int, Frame> frames_;
};

struct Style {
    bool staggered = true, half = false;
    double culled = 1e9;  ///< voxels: no velocity deeper than that
};

/// The volumes of a frame under Houdini's names.
std::string as_houdini(const Frame& frame, const Style& style) {
    std::vector<Volume> volumes;
    for (const Volume& v : frame.volumes) {
        if (v.name != "surface" && v.name != "vel") continue;
        volumes.push_back(v);
        if (v.name == "vel" && !style.staggered) volumes.back().kind = VolumeKind::kScalar;
    }
    return encode_vdb_volumes(volumes, {.half = style.half});
}

TEST(HoudiniCache, Look) {
    char name[] = "/tmp/spume_houdini_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    const std::string text = fmt::format(
        R"(method = "constraint"
[time]
fps = {}
frames = {}
[domain]
lower = [0, 0, 0]
upper = [1, 0.5, 0.25]
divisions = 32
sides = "wall"
bottom = "wall"
top = "wall"
[[liquid]]
shape = {{ kind = "box", center = [0.15, 0.2, 0.125], size = [0.3, 0.4, 0.25] }}
)",
        kFps, kFrames);
    test::MemoryFileSystem files;
    SceneRequest request;
    request.file = "dam_break.toml";
    const LoadedScene loaded = load_scene_text(files, text, request);
    Context context(2);
    const auto run = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    std::map<int, Frame> frames;
    for (int n = 1; n <= kFrames; ++n) {
        run->advance_frame(n);
        frames[n] = run->view();
        frames[n].number = n;
        std::ofstream(fmt::format("{}/water.{:04}.vdb", name, n), std::ios::binary)
            << as_houdini(frames[n], {});
    }
    Scene scene = loaded.scene;
    scene.liquids.clear();
    scene.bulk.present = true;
    scene.emission.on = true;
    Inputs ours, theirs;
    scene.bulk.kind = BulkKind::kCache;
    ours.bulk = std::make_shared<RunFrames>(scene, frames);
    const auto a = bulk_of<3>(scene, ours);
    Scene other = scene;
    other.bulk.kind = BulkKind::kVdb;
    other.bulk.path = name;
    other.bulk.sides = other.bulk.bottom = other.bulk.top = BulkSide::kWall;
    std::string identity;
    std::vector<std::string> notes;
    theirs.bulk = open_foreign_source(make_posix_file_system(), other, identity, notes,
                                      {SPUME_PROGRAM, "read-vdb"});
    const auto b = bulk_of<3>(other, theirs);
    const double h = scene.voxel();
    const auto tiles = Tiles<3>::dense({{0, 0, 0}, {32, 16, 8}}, {h, {0, 0, 0}});
    for (const double t : {8 / kFps, 12.5 / kFps}) {
        const auto fa = a->on(tiles, t, context), fb = b->on(tiles, t, context);
        std::map<int, double> off[4];
        for (int tile = 0; tile < tiles->active(); ++tile)
            for (int o = 0; o < 512; ++o) {
                if (std::abs(fa.phi.at(tile, o)) > 3 * h) continue;
                const auto c = tiles->origin(tile) + tile_local<3>(o);
                int wall = 99;
                const Index<3> size{32, 16, 8};
                for (int x = 0; x < 3; ++x) wall = std::min({wall, c[x], size[x] - 1 - c[x]});
                wall = std::min(wall, 4);
                auto& most = off[0][wall];
                most = std::max(most, std::abs(fa.phi.at(tile, o) - fb.phi.at(tile, o)) / h);
                for (int x = 0; x < 3; ++x) {
                    auto& m = off[x + 1][wall];
                    m = std::max(m,
                                 std::abs(fa.velocity.at(x, tile, o) - fb.velocity.at(x, tile, o)));
                }
            }
        for (int f = 0; f < 4; ++f)
            for (const auto& [wall, most] : off[f])
                fmt::print("t {:.3f} field {} wall {} off {:.3g}\n", t, f, wall, most);
    }
    for (int i = 0; i < 2; ++i) {
        const auto& bulk = i ? *b : *a;
        const auto law = entrain_law<3>(scene, {});
        double demand = 0, made = 0;
        for (int n = 2; n < kFrames; ++n) {
            Bubbles<3> bubbles;
            const Entrained e =
                entrain<3>(bubbles, {}, bulk, {}, law, {n / kFps, (n + 1) / kFps}, context);
            demand += e.demand;
            made += double(bubbles.size());
        }
        fmt::print("demand {:.6g} bubbles {}\n", demand, made);
    }
    fs::remove_all(name);
}

}  // namespace
}  // namespace spume
