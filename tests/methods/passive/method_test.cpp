// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "bulk/flow_frames.h"
#include "passive_run.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

using test::PassiveRun;
using test::pool;
using test::state_of;

TEST(PassiveMethod, AirIsAccountedFor) {
    passive::Params p;
    p.life = 0.3;
    p.wall_life = 0.6;
    p.merging = Merging::kBelow;
    passive::Removal removal;
    removal.shaped = true;
    removal.shape.center = {0.17, 0.3, 0.2};
    removal.shape.size = {0.02, 0.1, 0.4};
    p.removals = {removal};
    PassiveRun<2> flat(pool(2), p);
    flat.until(1.5);
    PassiveRun<3> run(pool(3), p);
    run.until(1);
    for (const StateSummary& s : {flat.summary(), run.summary()}) {
        EXPECT_GT(s.air.burst, 0.02 * s.air.emitted);
        EXPECT_GT(s.air.left, 0);
        EXPECT_GT(s.air.foam, 0);
        EXPECT_GT(s.air.bubbles, 0);
        EXPECT_LT(std::abs(s.air.drift()), 1e-12);
    }
    // Nothing is left in the shape.
    for (const Point<2>& x : flat.state.bubbles.position)
        EXPECT_FALSE(x[0] > 0.16 && x[0] < 0.18 && x[1] > 0.25 && x[1] < 0.35);
}

TEST(PassiveMethod, ThreadsAndResumeChangeNoBit) {
    Scene s = pool(3);
    s.bulk.kind = BulkKind::kAnalytic;
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.amplitude = 0.02;
    s.bulk.wavelength = 0.4;
    passive::Params p;
    p.life = 0.3;
    KeptState one;
    for (const int threads : {1, 3}) {
        PassiveRun<3> run(s, p, {}, threads);
        run.until(0.4);
        KeptState kept = state_of(run);
        run.until(0.6);
        ASSERT_GT(run.state.popped, 0);
        if (threads == 1) {
            one = state_of(run);
            PassiveRun<3> resumed(s, p);
            kept.restores = true;
            passive::describe(resumed.state, resumed.world, kept);
            resumed.until(0.6);
            EXPECT_EQ(differences(one, state_of(resumed)), "");
        } else {
            EXPECT_EQ(differences(one, state_of(run)), "");
        }
    }
}

TEST(PassiveMethod, ByHandAndById) {
    Scene s = pool(3);
    s.emitters.clear();
    passive::Params p;
    for (int i = 0; i < 5; ++i)
        p.bubbles.push_back({{0.1 + 0.04 * i, 0.1, 0.2}, 2e-3, i < 3 ? 0 : 0.2});
    PassiveRun<3> all(s, p);
    all.until(0.1);
    EXPECT_EQ(all.state.bubbles.size(), 3u);
    all.until(0.5);
    ASSERT_EQ(all.state.bubbles.size(), 5u);
    p.removals.resize(1);
    p.removals[0].ids = "1000000001, 1000000003-1000000004";
    PassiveRun<3> some(s, p);
    some.until(0.1);
    some.until(0.5);
    ASSERT_EQ(some.state.bubbles.size(), 2u);
    // The others are what they were, but for the lengths of subcycles, which all share.
    std::map<std::uint64_t, Point<3>> place;
    for (std::size_t i = 0; i < 5; ++i)
        place[all.state.bubbles.id[i]] = all.state.bubbles.position[i];
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_LT(length(place.at(some.state.bubbles.id[i]) - some.state.bubbles.position[i]),
                  1e-9);
}

/// Frames of still water in a box, with markers that escaped.
class MarkedFrames final : public BulkSource {
  public:
    test::FlowFrames<3> water{24, 0.02, 24, 8};
    bool pressure = false;

    MarkedFrames() {
        water.phi = [](const Point<3>& x, double) { return x[1] - 0.3; };
        water.velocity = [](const Point<3>&, double) { return Vec<double, 3>{}; };
        water.close_all();
    }
    const BulkInfo& info() const override { return water.info(); }
    bool has(int frame) const override { return water.has(frame); }
    Frame read(int frame) const override { return water.read(frame); }
    bool has_volume(int, const std::string& name) const override {
        return pressure && name == "pressure";
    }
    /// Frame 3: ten markers of a pocket of 5 ml, one that stands alone, and a drop, half a frame
    /// before its end.
    std::optional<PointSet> read_points(int frame, const std::string& name) const override {
        if (name != "escaped") return std::nullopt;
        const std::size_t n = frame == 3 ? 12 : 0;
        PointSet set{"escaped", Array<Vec<double, 3>>(n), {}};
        Array<Vec<float, 3>> v(n);
        Array<float> radius(n, 0.01f), time(n, 2.5f / 24), volume(n);
        Array<std::int32_t> type(n, 1), pocket(n);
        Array<std::uint64_t> id(n);
        for (std::size_t i = 0; i < n; ++i) {
            set.position.write()[i] = {0.1 + 0.02 * double(i), 0.15, 0.2};
            id.write()[i] = 100 + i;
            if (i < 10) pocket.write()[i] = 4, volume.write()[i] = 0.5e-6f;
        }
        if (n > 0) {
            type.write()[11] = -1;
            set.position.write()[11] = {0.2, 0.4, 0.2};
            v.write()[11] = {0, 1, 0};
        }
        set.columns = {{"v", "m/s", v},    {"id", "", id},         {"pscale", "m", radius},
                       {"type", "", type}, {"pocket", "", pocket}, {"volume", "m^3", volume},
                       {"time", "s", time}};
        return set;
    }
};

TEST(PassiveMarkers, ComeFromTheCacheOnceAndWithThePocketsAir) {
    auto source = std::make_shared<MarkedFrames>();
    Scene s = test::scene_over(source->water);
    s.time.frames = 8;
    Inputs inputs;
    inputs.bulk = source;
    for (const int substeps : {1, 3}) {
        passive::Params p;
        p.min_substeps = substeps;
        p.markers.concave = false;  // the surface is flat
        p.markers.large_mean = 4e-3;
        PassiveRun<3> run(s, p, inputs);
        run.until(2.0 / 24);
        EXPECT_EQ(run.state.bubbles.size(), 0u);
        run.until(3.0 / 24);
        EXPECT_GT(run.state.bubbles.size(), 10u);
        EXPECT_EQ(run.state.drops.size(), 1u);
        // A drop thrown up at 1 m/s half a frame ago.
        const double dt = 0.5 / 24;
        EXPECT_NEAR(run.state.drops.position[0][1], 0.4 + dt - 9.81 / 2 * dt * dt, 1e-7);
        const std::size_t count = run.state.bubbles.size();
        run.until(8.0 / 24);
        EXPECT_EQ(run.state.bubbles.size(), count);
        const StateSummary end = run.summary();
        EXPECT_LT(std::abs(end.air.drift()), 1e-12);
        // The single marker's bubble is the one on top of the pocket's 5 ml.
        const double single = marker_bubble_radius(run.world.markers, double(0.01f), 110, 0);
        EXPECT_NEAR(end.air.emitted + run.state.carried, 5e-6 + bubble_volume<3>(single), 1e-12);
    }
}

TEST(PassiveMarkers, SayWhatTheBulkLacks) {
    auto source = std::make_shared<MarkedFrames>();
    Scene s = test::scene_over(source->water);
    Inputs inputs;
    inputs.bulk = source;
    Context context(1);
    passive::Params p;
    p.pressure = passive::PressureFrom::kStored;
    try {
        passive::world_of<3>(s, p, inputs);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("holds no volume \"pressure\""),
                  std::string::npos);
    }
    p.pressure = passive::PressureFrom::kStoredOrMotion;
    EXPECT_NO_THROW(passive::world_of<3>(s, p, inputs));
    const auto lines = passive::foreseen(s, p, inputs, context);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find("holds no pressure"), std::string::npos);
}

/// What is said of a scene with these lines in it.
std::string complaints(const std::string& lines) {
    try {
        const std::string text = "[bulk]\nkind = \"still\"\nlevel = 0.3\n" + lines;
        SceneDocument document(text, "scene.toml");
        Scene scene;
        document.fill(scene);
        scene.bulk.present = true;
        passive::Params params;
        document.fill("passive", params);
        passive::check(scene, params, document);
        document.finish();
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(PassiveInput, IsAnsweredWithASentence) {
    EXPECT_EQ(complaints("[passive]\nlife = 2\n"), "");
    const std::pair<const char*, const char*> cases[] = {
        {"[passive.above]\nair = 0\n", "no friction"},
        {"[passive]\nsmall_radius = 0.01\n", "is not above small_radius"},
        {"[passive.markers]\nradius_min = 0.008\n", "radius_min = 0.008 m is above radius_max"},
        {"[passive.markers]\nmarker_min = 0.7\n", "is above marker_max"},
        {"[passive.markers]\nlarge_mean = 0.5\n", "more than four deviations"},
        {"[[passive.bubble]]\nposition = [9, 0.1, 0]\n", "outside the domain along x"},
        {"[[passive.bubble]]\nradius = 0.001\n", "position"},
        {"[[passive.remove]]\nname = \"all\"\n", "neither where nor which"},
        {"[[passive.remove]]\nids = \"7-3\"\n", "is no list of ids"},
        {"[passive]\npressure = \"stored\"\n", "only a cached bulk"},
        {"[passive]\nmerge_depth = 0.3\n", "merging is \"never\""},
        {"[output]\nsurface = true\n", "the surface is the bulk's"},
    };
    for (const auto& [lines, words] : cases)
        EXPECT_NE(complaints(lines).find(words), std::string::npos)
            << lines << "\nsaid: " << complaints(lines);
}

}  // namespace
}  // namespace spume
