// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "faults/memory_file_system.h"
#include "spume/physics/bulk/entrain.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

/// A cache in memory: the frames of a run as they were written.
class RunFrames final : public BulkSource {
  public:
    RunFrames(const Scene& scene, std::map<int, Frame> frames) : frames_(std::move(frames)) {
        about_.path = "dam break";
        about_.dimensions = scene.domain.dimensions;
        about_.voxel = scene.voxel();
        about_.origin = scene.domain.lower;
        about_.fps = scene.time.fps;
        about_.first = frames_.begin()->first;
        about_.last = frames_.rbegin()->first;
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

constexpr double kSeconds = 1.5;

struct DamBreak {
    Scene scene;  ///< of the bubbles
    Inputs inputs;
    std::map<int, Frame> frames;
};

DamBreak kept(const Scene& liquid, std::map<int, Frame> frames, int fps) {
    DamBreak r;
    r.scene = liquid;
    r.scene.time.fps = fps;
    r.scene.liquids.clear();
    r.scene.bulk.present = true;
    r.scene.bulk.kind = BulkKind::kCache;
    r.scene.emission.on = true;
    r.frames = frames;
    r.inputs.bulk = std::make_shared<RunFrames>(r.scene, std::move(frames));
    return r;
}

/// The dam of scenes/dam_break*.toml in a box of 1 m by 0.5 m.
DamBreak dam_break(int dimensions, int divisions, int fps) {
    const std::string text = fmt::format(
        R"(method = "constraint"
[time]
fps = {}
frames = {}
[domain]
dimensions = {}
lower = [0, 0, 0]
upper = [1, 0.5, {}]
divisions = {}
sides = "wall"
bottom = "wall"
top = "wall"
[[liquid]]
shape = {{ kind = "box", center = [0.15, 0.2, 0.125], size = [0.3, 0.4, 0.25] }}
)",
        fps, int(kSeconds * fps), dimensions, dimensions == 2 ? 1.0 : 0.25, divisions);
    test::MemoryFileSystem files;
    SceneRequest request;
    request.file = "dam_break.toml";
    const LoadedScene loaded = load_scene_text(files, text, request);
    Context context(2);
    const auto run = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    std::map<int, Frame> frames;
    for (int n = 1; n <= int(kSeconds * fps); ++n) {
        run->advance_frame(n);
        frames[n] = run->view();
        frames[n].number = n;
        frames[n].meshes.clear();
    }
    return kept(loaded.scene, std::move(frames), fps);
}

/// The same run, of which every second frame was kept.
DamBreak every_second(const DamBreak& d) {
    std::map<int, Frame> frames;
    for (const auto& [n, frame] : d.frames)
        if (n % 2 == 0) frames[n / 2] = frame, frames[n / 2].number = n / 2;
    return kept(d.scene, std::move(frames), int(d.scene.time.fps) / 2);
}

/// Air that it entrains, in steps of that length, where bubbles are carried off as fast
/// as they come.
template <int D>
double air_of(const DamBreak& d, double dt) {
    Context context(2);
    const auto bulk = bulk_of<D>(d.scene, d.inputs);
    const auto law = entrain_law<D>(d.scene, d.inputs.meshes);
    double wanted = 0;
    const int steps = static_cast<int>(std::lround(kSeconds / dt));
    for (int i = 0; i < steps; ++i) {
        Bubbles<D> bubbles;
        const Entrained made =
            entrain<D>(bubbles, {}, *bulk, {}, law, {i * dt, (i + 1) * dt}, context);
        wanted += made.demand;
    }
    return wanted;
}

template <int D>
void expect_equal_air(int divisions) {
    const DamBreak fast = dam_break(D, divisions, 48), slow = every_second(fast),
                   again = dam_break(D, divisions, 24), fine = dam_break(D, divisions * 3 / 2, 24);
    const double air = air_of<D>(slow, 1.0 / 24), substeps = air_of<D>(slow, 1.0 / 96),
                 rate = air_of<D>(fast, 1.0 / 48), both = air_of<D>(fast, 1.0 / 192),
                 run = air_of<D>(again, 1.0 / 24), resolved = air_of<D>(fine, 1.0 / 24);
    fmt::print(
        "{}D, {} voxels: 24 fps {:.4g}, 4 substeps {:.4g}; 48 fps {:.4g}, 4 substeps {:.4g}; "
        "simulated at 24 fps {:.4g}, 1.5 times the resolution {:.4g}\n",
        D, divisions, air, substeps, rate, both, run, resolved);
    ASSERT_GT(air, 0);
    EXPECT_NEAR(substeps / air, 1, 0.2);
    EXPECT_NEAR(rate / air, 1, 0.2);
    EXPECT_NEAR(both / air, 1, 0.2);
    EXPECT_NEAR(run / air, 1, 0.2);
    EXPECT_NEAR(resolved / run, 1, 0.35);
}

/// What a breaking dam entrains depends neither on the frames it was kept in nor on substeps, and
/// little on the resolution. In the plane it is too little for a mean: a few voxels at a time.
TEST(DeepDamBreak, EntrainsTheSameAir) { expect_equal_air<3>(32); }

}  // namespace
}  // namespace spume
