// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <string>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/core/error.h"
#include "spume/methods/constraint/method.h"
#include "spume/methods/mixture/method.h"
#include "spume/run/session.h"

namespace spume {
namespace {

/// Half a tank of water, 16 cells wide.
Scene pool() {
    Scene s = tank(2, 0.01, {0.16, 0.16, 1});
    s.time.fps = 24;
    s.liquids = {liquid_box({0, 0, -1}, {0.16, 0.08, 1})};
    return s;
}

/// The same room full of water with a few bubbles at its bottom.
Scene bubbly() {
    Scene s = pool();
    s.method = "mixture";
    s.liquids.clear();
    Emitter e;
    e.shape.kind = ShapeKind::kBox;
    e.shape.center = {0.08, 0.03, 0};
    e.shape.size = {0.08, 0.02, 1};
    e.mode = EmitMode::kSeed;
    e.fraction = 0.05;
    e.radius = 2e-3;
    s.emitters = {e};
    return s;
}

/// What the run of some frames says when it cannot go on; nothing if it can.
std::string complaint(const Scene& scene, const MethodParams& params) {
    Context context(1);
    try {
        const auto run = start_session(scene, params, {}, context);
        run->advance_frame(scene.time.start);
    } catch (const SimulationError& e) {
        return e.what();
    }
    return {};
}
std::string complaint(const Scene& scene, const constraint::Params& params) {
    return complaint(scene, MethodParams{constraint::entry(), params});
}
std::string complaint(const Scene& scene, const mixture::Params& params) {
    return complaint(scene, MethodParams{mixture::entry(), params});
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

/// A dam that breaks, and bubbles that rise: both need more than 64 substeps in the frame.
TEST(SessionLimits, LongFramesWorkByDefault) {
    Scene dam = pool();
    dam.domain.voxel = 0.005;
    dam.liquids = {liquid_box({0, 0, -1}, {0.06, 0.14, 1})};
    dam.time.fps = 1;
    EXPECT_EQ(complaint(dam, constraint::Params{}), "");
    Scene rising = bubbly();
    rising.time.fps = 0.25;
    EXPECT_EQ(complaint(rising, mixture::Params{}), "");
}

TEST(SessionLimits, OwnLimitHoldsForLongFramesToo) {
    Scene s = pool();
    s.time.fps = 1;
    s.time.max_substeps = 5;
    expect_words(complaint(s, constraint::Params{}), {"time.max_substeps = 5", "raise"});
}

/// Water at rest: nothing moves, and no speed is to blame.
TEST(SessionLimits, NamesSurfaceTension) {
    Scene s = pool();
    s.physics.surface_tension = 24.5;
    s.time.max_substeps = 8;
    const std::string text = complaint(s, constraint::Params{});
    // √(ρ h³ / 4πσ) = 1.8 ms: 24 substeps in 1/24 s.
    expect_words(text, {"physics.surface_tension = 24.5", "time.max_substeps = 8", "0.0018 s",
                        "24 a frame", "larger voxels"});
    EXPECT_EQ(text.find("speed"), std::string::npos) << text;
    EXPECT_EQ(text.find("smaller substeps"), std::string::npos) << "it is known before: " << text;

    Scene b = bubbly();
    b.physics.surface_tension = 24.5;
    b.time.max_substeps = 8;
    mixture::Params p;
    p.surface_tension = true;
    expect_words(complaint(b, p), {"physics.surface_tension = 24.5", "time.max_substeps = 8",
                                   "mixture.capillary_cfl"});
}

TEST(SessionLimits, NamesGravity) {
    for (Scene s : {pool(), bubbly()}) {
        s.physics.gravity = {0, -1000, 0};
        s.physics.surface_tension = 0;
        s.time.max_substeps = 3;
        const bool mixed = s.method == "mixture";
        const std::string text =
            mixed ? complaint(s, mixture::Params{}) : complaint(s, constraint::Params{});
        // √(2 · 0.02 / 1000) = 6.32 ms; waves of a voxel 0.91 √(0.01 / 1000) = 2.88 ms
        expect_words(text,
                     {"physics.gravity", "1e+03 m/s^2", mixed ? "0.00632 s" : "0.00288 s",
                      "time.max_substeps = 3", mixed ? "mixture.cfl = 2" : "waves of a voxel"});
        EXPECT_EQ(text.find("speed"), std::string::npos) << text;
    }
}

TEST(SessionLimits, NamesTheLeastNumberOfSubsteps) {
    Scene s = pool();
    s.physics.surface_tension = 0;
    constraint::Params p;
    p.min_substeps = 100;
    expect_words(complaint(s, p), {"constraint.min_substeps = 100", "time.max_substeps = 64",
                                   "lower constraint.min_substeps"});
    mixture::Params q;
    q.min_substeps = 100;
    expect_words(complaint(bubbly(), q), {"mixture.min_substeps = 100", "time.max_substeps = 64",
                                          "lower mixture.min_substeps"});
}

TEST(SessionLimits, NamesWhatMovesTooFast) {
    Scene s = pool();
    s.physics.surface_tension = 0;
    s.domain.top = Border::kOpen;
    s.liquids = {liquid_box({0.04, 0.04, -1}, {0.12, 0.1, 1})};
    s.liquids[0].velocity = {0, 200, 0};
    expect_words(complaint(s, constraint::Params{}),
                 {"the speed of the liquid", "m/s", "constraint.cfl = 2", "time.max_substeps = 64",
                  "smaller substeps did not help"});
    // A blade that turns: known before, but it may slow down.
    Scene t = pool();
    t.physics.surface_tension = 0;
    Solid blade = solid_box({0.07, 0.10, -1}, {0.09, 0.11, 1});
    blade.motion = Motion::kKeyed;
    blade.keys = {{0, {}, {}}, {1, {0, 500, 0}, {}}};
    t.solids = {blade};
    expect_words(complaint(t, constraint::Params{}), {"the speed of solids"});
}

/// Each substep is affordable by itself, but the frame has too many.
TEST(SessionLimits, NamesTheLimitOfTheLastSubstep) {
    Scene s = pool();
    s.physics.surface_tension = 0;
    s.time.fps = 2;
    s.time.max_substeps = 18;  // waves allow 29 ms: eighteen, if nothing else would shorten one
    s.liquids = {liquid_box({0, 0.04, -1}, {0.08, 0.15, 1})};
    const std::string text = complaint(s, constraint::Params{});
    expect_words(text, {"time.max_substeps = 18", "constraint.cfl = 2", "raise time.max_substeps"});
}

}  // namespace
}  // namespace spume
