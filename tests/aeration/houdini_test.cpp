// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The frames of a run as Houdini would have written them entrain the same air in the same places.

#include <array>
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

constexpr int kFrames = 12;
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
    double off = 0.01;    ///< allowed, of all air
};

/// Where the cell at a place of a volume lies, and its value there; zero where nothing is stored.
class Cells {
  public:
    explicit Cells(const Volume& v) : v_(v) {
        for (std::size_t t = 0; t < v.tiles.size(); ++t)
            at_[{v.tiles[t][0], v.tiles[t][1], v.tiles[t][2]}] = t;
    }
    Vec<int, 3> cell(std::size_t at) const {
        const int o = int(at % 512);
        return v_.tiles[at / 512] + Vec<int, 3>{o >> 6, o >> 3 & 7, o & 7};
    }
    float value(const Vec<int, 3>& c, std::size_t component) const {
        const auto found = at_.find({c[0] & ~7, c[1] & ~7, c[2] & ~7});
        if (found == at_.end()) return 0;
        const int o = (c[0] & 7) << 6 | (c[1] & 7) << 3 | (c[2] & 7);
        return v_.values[component][found->second * 512 + std::size_t(o)];
    }

  private:
    const Volume& v_;
    std::map<std::array<int, 3>, std::size_t> at_;
};

/// Velocities in the middle of voxels: means of both faces.
void centre(std::vector<Volume>& volumes) {
    for (Volume& v : volumes) {
        if (v.name != "vel") continue;
        const Volume faces = v;
        const Cells all(faces);
        v.kind = VolumeKind::kScalar;
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t at = 0; at < v.values[a].size(); ++at) {
                Vec<int, 3> c = all.cell(at);
                const float low = all.value(c, a);
                c[int(a)] += 1;
                v.values[a].write()[at] = (low + all.value(c, a)) / 2;
            }
    }
}

/// No velocity deeper than so many voxels, as Fluid Compress leaves it: the distance of a level set
/// ends at its band, so that depths are counted in steps from the surface.
void cull(std::vector<Volume>& volumes, double depth) {
    const Volume surface = volumes[0].name == "surface" ? volumes[0] : volumes[1];
    Volume& v = volumes[0].name == "vel" ? volumes[0] : volumes[1];
    const Cells phi(surface), flow(v);
    const int reach = int(depth);
    for (std::size_t at = 0; at < v.values[0].size(); ++at) {
        const Vec<int, 3> c = flow.cell(at);
        bool deep = true;
        for (int a = 0; a < 3 && deep; ++a)
            for (int side = -reach; side <= reach; side += reach) {
                Vec<int, 3> n = c;
                n[a] += side;
                deep = deep && phi.value(n, 0) <= -2.9F * float(surface.voxel);
            }
        if (deep)
            for (auto& values : v.values) values.write()[at] = 0;
    }
}

/// The volumes of a frame under Houdini's names.
std::string as_houdini(const Frame& frame, const Style& style) {
    std::vector<Volume> volumes;
    for (const Volume& v : frame.volumes) {
        if (v.name != "surface" && v.name != "vel") continue;
        volumes.push_back(v);
    }
    if (!style.staggered) centre(volumes);
    if (style.culled < 100) cull(volumes, style.culled);
    return encode_vdb_volumes(volumes, {.half = style.half});
}

/// A breaking dam, kept in memory.
struct DamBreak {
    Scene scene;
    std::map<int, Frame> frames;
};

DamBreak dam_break() {
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
    DamBreak r{loaded.scene, {}};
    for (int n = 1; n <= kFrames; ++n) {
        run->advance_frame(n);
        r.frames[n] = run->view();
        r.frames[n].number = n;
    }
    r.scene.liquids.clear();
    r.scene.bulk.present = true;
    r.scene.emission.on = true;
    return r;
}

/// Air that it entrains, step by step, where bubbles are carried off as fast as they come.
std::vector<double> air_of(const Scene& scene, const Inputs& inputs) {
    Context context(2);
    const auto bulk = bulk_of<3>(scene, inputs);
    const auto law = entrain_law<3>(scene, {});
    std::vector<double> r;
    for (int n = 2; n < kFrames; ++n) {
        Bubbles<3> bubbles;
        r.push_back(
            entrain<3>(bubbles, {}, *bulk, {}, law, {n / kFps, (n + 1) / kFps}, context).demand);
    }
    return r;
}

/// Means in cells have lost what alternates from face to face.
TEST(HoudiniCache, EntrainsTheSameAir) {
    char name[] = "/tmp/spume_houdini_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    const DamBreak dam = dam_break();
    Inputs ours;
    Scene scene = dam.scene;
    scene.bulk.kind = BulkKind::kCache;
    ours.bulk = std::make_shared<RunFrames>(scene, dam.frames);
    const std::vector<double> wanted = air_of(scene, ours);
    double all = 0;
    for (const double air : wanted) all += air;
    ASSERT_GT(all, 0);
    scene.bulk.kind = BulkKind::kVdb;
    scene.bulk.path = name;
    scene.bulk.sides = scene.bulk.bottom = scene.bulk.top = BulkSide::kWall;
    const Style styles[] = {
        {true, false}, {true, true, 6}, {false, false, 1e9, 0.012}, {false, true, 1e9, 0.012}};
    for (const Style& style : styles) {
        for (const auto& [n, frame] : dam.frames)
            std::ofstream(fmt::format("{}/water.{:04}.vdb", name, n), std::ios::binary)
                << as_houdini(frame, style);
        Inputs theirs;
        std::string identity;
        std::vector<std::string> notes;
        theirs.bulk = open_foreign_source(make_posix_file_system(), scene, identity, notes,
                                          {SPUME_PROGRAM, "read-vdb"});
        const std::vector<double> found = air_of(scene, theirs);
        double off = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) off += std::abs(found[i] - wanted[i]);
        EXPECT_LT(off, style.off * all) << "staggered " << style.staggered << ", half "
                                        << style.half << ", culled " << style.culled;
    }
    fs::remove_all(name);
}

}  // namespace
}  // namespace spume
