// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/fragments.h"

#include <map>

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/core/math.h"

namespace spume {
namespace {

using cip::kBubble;
using cip::kDrop;

template <int D>
double on_grid(CipRun<D>& run) {
    return run.world.domain.cell_volume() *
           cip::water_size(run.state.phi, cip::DenseCutCells<D>(), run.params.smearing, run.context)
               .volume;
}

/// A lone cell of water becomes a drop with the volume the grid loses, and the grid's velocity; its
/// dual becomes a bubble. What is larger stays.
template <int D>
void found(double radius, std::size_t expected) {
    const double h = 1.0 / 16;
    Scene scene = cip_box(D, h, {1, 1, 1});
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.3, 2})};
    cip::Params p;
    p.most_pieces = 1;
    for (const bool drop : {true, false}) {
        CipRun<D> run(scene, p);
        const Point<D> middle = Point<D>::filled((8 + 0.5) * h);
        run.set_surface([&](const Point<D>& x) {
            const double ball = length(x - middle) - radius * h;
            return drop ? ball : -ball;
        });
        for (auto& u : run.state.velocity) {
            u.f.values.fill(0.5);
            difference(u, run.context);
        }
        const double before = on_grid(run);
        cip::find_fragments(run.state, {}, run.world, p, run.context);
        ASSERT_EQ(run.state.fragments.size(), expected);
        if (expected == 0) continue;
        const auto& set = run.state.fragments;
        EXPECT_EQ(set.kind[0], drop ? kDrop : kBubble);
        EXPECT_NEAR(set.volume[0], (drop ? 1 : -1) * (before - on_grid(run)), 1e-9 * set.volume[0]);
        EXPECT_LT(length(set.position[0] - middle), 0.01 * h);
        for (int a = 0; a < D; ++a) EXPECT_NEAR(set.velocity[0][a], 0.5, 1e-12);
        for (double phi : {run.state.phi.f.at(Index<D>::filled(8))})
            EXPECT_GT(drop ? phi : -phi, 1.5);
    }
}

TEST(CipFragments, LoneCellsAreFound) {
    found<2>(0.6, 1);
    found<3>(0.6, 1);
    found<2>(2.5, 0);
    found<3>(2.5, 0);
}

/// [SSK05] Fig. 4 b: no sign shows it, values near zero do.
TEST(CipFragments, UnapparentOnesAreFound) {
    found<2>(-0.2, 1);
    found<3>(-0.2, 1);
    found<2>(-0.7, 0);
}

/// At the speed at which a quadratic drag holds buoyancy nothing changes; at half of it a quarter
/// of the drag is left. The fluid gets the opposite.
template <int D>
void terminal(cip::FragmentKind kind) {
    const double h = 1.0 / 16, radius = 0.3 * h;
    Scene scene = cip_box(D, h, {1, 1, 1});
    if (kind == kBubble) scene.liquids = {water_box({-1, -1, -1}, {2, 2, 2})};
    cip::Params p;
    CipRun<D> run(scene, p);
    const double volume =
        D == 2 ? math::kPi * radius * radius : 4.0 / 3 * math::kPi * radius * radius * radius;
    run.add_fragment(kind, Point<D>::filled(0.5), {}, volume);
    const double outside = kind == kBubble ? 1000 : 1, inside = kind == kBubble ? 1 : 1000;
    const auto phases = cip::phases_of(run.state.phi, run.world, p, run.context);
    auto pressure = run.state.pressure.write();
    const auto& shape = run.state.pressure.shape;
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
            for (int k = 0; k < (D == 3 ? 16 : 1); ++k) {
                Index<D> at{};
                at[0] = i, at[1] = j;
                if (D == 3) at[D - 1] = k;
                pressure[shape.at(at)] = -outside * 9.81 * j * h;
            }
    const double area = D == 2 ? 2 * radius : math::kPi * radius * radius, dt = 1e-6;
    const double lift = volume * (outside - inside) * 9.81;
    const double fastest = std::sqrt(std::abs(lift) / (0.5 * p.drag * outside * area));
    const double mass = volume * (inside + p.added_mass * outside);
    for (const double part : {1.0, 0.5}) {
        for (auto& u : run.state.velocity) u.f.values.fill(0);
        const double speed = part * (lift > 0 ? fastest : -fastest);
        run.state.fragments.position.write()[0] = Point<D>::filled(0.5);
        run.state.fragments.velocity.write()[0] = Vec<double, D>::unit(1, speed);
        cip::move_fragments(run.state, phases, run.world, p, {}, dt, run.context);
        const double drag = -lift * part * part;  // closed form of the quadratic law
        EXPECT_NEAR(run.state.fragments.velocity[0][1] - speed, (lift + drag) / mass * dt,
                    1e-3 * std::abs(lift) / mass * dt);
        // The fluid gets the drag; what fills the fragment's place on the grid is at rest.
        double given = 0;
        const auto& u = run.state.velocity[1].f;
        for (std::size_t i = 0; i < u.values.size(); ++i)
            if (u.values[i] != 0) given += u.values[i] / phases.inverse_density_ratio[1].values[i];
        given *= 1000 * run.world.domain.cell_volume();
        EXPECT_NEAR(given, (lift * part * part) * dt, 1e-3 * std::abs(lift) * dt);
    }
}

TEST(CipFragments, TerminalSpeed) {
    terminal<2>(kBubble);
    terminal<3>(kBubble);
    terminal<2>(kDrop);
    terminal<3>(kDrop);
}

TEST(CipFragments, OverlappingOnesMerge) {
    const double h = 1.0 / 16;
    Scene scene = cip_box(2, h, {1, 1, 1});
    scene.physics.gravity = {};
    CipRun<2> run(scene, {});
    run.add_fragment(kDrop, {0.5, 0.5}, {1, 0}, h * h);
    run.add_fragment(kDrop, {0.5 + 0.5 * h, 0.5}, {0, 2}, 0.5 * h * h);
    run.add_fragment(kDrop, {0.9, 0.9}, {0, 0}, 0.1 * h * h);
    const auto phases = cip::phases_of(run.state.phi, run.world, run.params, run.context);
    cip::move_fragments(run.state, phases, run.world, run.params, {}, 1e-9, run.context);
    const auto& set = run.state.fragments;
    ASSERT_EQ(set.size(), 2u);
    EXPECT_NEAR(set.volume[0], 1.5 * h * h, 1e-15);
    EXPECT_NEAR(set.velocity[0][0], 1 / 1.5, 1e-6);
    EXPECT_NEAR(set.velocity[0][1], 1 / 1.5, 1e-6);
}

/// [SSK05] §5.4: what is fast becomes several, of the same volume, momentum and centre, which go on
/// as several.
template <int D>
void splits() {
    const double h = 1.0 / 16;
    Scene scene = cip_box(D, h, {1, 1, 1});
    scene.physics.gravity = {};
    cip::Params p;
    CipRun<D> run(scene, p);
    const Point<D> middle = Point<D>::filled((8 + 0.5) * h);
    run.set_surface([&](const Point<D>& x) { return length(x - middle) - 0.6 * h; });
    for (auto& u : run.state.velocity) {
        u.f.values.fill(5);
        difference(u, run.context);
    }
    const double before = on_grid(run);
    cip::find_fragments(run.state, {}, run.world, p, run.context);
    const std::size_t pieces = D == 2 ? 4 : 5;  // |v| = 7.1 and 8.7, one more each 2 m/s
    ASSERT_EQ(run.state.fragments.size(), pieces);
    const auto phases = cip::phases_of(run.state.phi, run.world, p, run.context);
    cip::move_fragments(run.state, phases, run.world, p, {}, 1e-4, run.context);
    const auto& set = run.state.fragments;
    ASSERT_EQ(set.size(), pieces);
    Point<D> centre{};
    double volume = 0;
    for (std::size_t i = 0; i < pieces; ++i)
        centre += set.position[i] / double(pieces), volume += set.volume[i];
    EXPECT_NEAR(volume, before - on_grid(run), 1e-9 * volume);
    EXPECT_LT(length(centre - middle - Point<D>::filled(5e-4)), 0.01 * h);
}

TEST(CipFragments, FastOnesSplit) {
    splits<2>();
    splits<3>();
}

/// A drop that falls into water raises it by its volume and gives it its momentum.
TEST(CipFragments, DropsGoHome) {
    const double h = 1.0 / 32;
    Scene scene = cip_box(2, h, {1, 1, 1});
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.5, 2})};
    CipRun<2> run(scene, {});
    const double volume = 0.8 * h * h, before = on_grid(run);
    run.add_fragment(kDrop, {0.5, 0.5 + 0.1 * h}, {0.3, -2}, volume);
    cip::restitute(run.state, {}, run.world, run.params, run.context);
    const auto phases = cip::phases_of(run.state.phi, run.world, run.params, run.context);
    EXPECT_EQ(run.state.fragments.size(), 0u);
    EXPECT_NEAR(on_grid(run) - before, volume, 1e-6 * volume);
    EXPECT_DOUBLE_EQ(run.state.water_given, volume);
    for (int a = 0; a < 2; ++a) {
        double momentum = 0;
        const auto& shape = run.state.velocity[a].f.shape;
        for (std::size_t r = 0; r < shape.rows(); ++r) {
            const std::size_t at = shape.at(shape.row(r));
            for (std::size_t i = at; i < at + std::size_t(shape.size[1]); ++i)
                momentum +=
                    run.state.velocity[a].f.values[i] / phases.inverse_density_ratio[a].values[i];
        }
        EXPECT_NEAR(momentum * 1000 * h * h, 1000 * volume * (a == 0 ? 0.3 : -2), 1e-6);
    }
}

/// A bubble that has grown large is drawn at its volume, wherever it lies: under the ceiling, in a
/// corner, beside a solid, half in the air.
TEST(CipFragments, LargeOnesKeepTheirVolume) {
    const double h = 1.0 / 32;
    Scene scene = cip_box(2, h, {1, 1, 1});
    Solid block;
    block.shape.kind = ShapeKind::kBox;
    block.shape.center = {0.5, 0.25, 0};
    block.shape.size = {0.33, 0.21, 1};
    scene.solids = {block};
    scene.liquids = {water_box({-1, -1, -1}, {2, 2, 2}),
                     water_ball({0.2, 0.5, 0}, 0.15, LiquidMode::kHollow)};
    for (const Point<2>& x : {Point<2>{0.5, 1 - 1e-5}, Point<2>{1 - 1e-5, 1 - 1e-5},
                              Point<2>{0.5, 0.36}, Point<2>{0.37, 0.5}, Point<2>{0.7, 0.7}}) {
        CipRun<2> run(scene, {});
        const cip::SolidGeometry<2> solids =
            cip::solid_geometry(run.world, run.world.solids_at(0, run.state.rigid), run.context);
        const auto water = [&] {
            return h * h * cip::water_size(run.state.phi, solids.dense, 1.5, run.context).volume;
        };
        const double before = water(), volume = 6 * h * h;
        run.add_fragment(kBubble, x, {}, volume);
        cip::restitute(run.state, solids.dense, run.world, run.params, run.context);
        EXPECT_EQ(run.state.fragments.size(), 0u);
        EXPECT_NEAR(before - water(), volume, 1e-6 * volume) << x[0] << " " << x[1];
    }
}

/// A dam breaks: drops and bubbles come and go, and water is kept.
TEST(CipFragments, DamBreakKeepsWater) {
    Scene scene = cip_box(2, 1.0 / 64, {1, 0.75, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {0.4, 0.6, 2})};
    scene.time.fps = 30;
    CipRun<2> run(scene, {});
    std::size_t most = 0;
    ASSERT_TRUE(run.until(1.5, [&] {
        most = std::max(most, run.state.fragments.size());
        ASSERT_LT(std::abs(run.totals().liquid_drift), 1e-6);
    }));
    EXPECT_GT(most, 5u);
    const auto& s = run.state;
    EXPECT_NEAR(s.air_found,
                s.air_given + cip::fragment_volume(s.fragments, kBubble) +
                    cip::fragment_volume(s.fragments, cip::kFoam),
                1e-12);
    EXPECT_NEAR(s.water_found, s.water_given + cip::fragment_volume(s.fragments, kDrop), 1e-12);
    double all = 0, fragments = 0;
    for (const auto& entry : run.context.times.entries()) {
        all += entry.seconds;
        if (entry.name == "fragments") fragments += entry.seconds;
    }
    std::printf("fragments %.1f %% of the time, at most %zu\n", 100 * fragments / all, most);
}

/// Height of the surface above x, m.
double surface_height(const CipRun<2>& run, double x) {
    const int n = run.world.cells()[1];
    const auto at = [&](double y) {
        const double place[2] = {x / run.h(), y};
        return sample_dense<double, 2>(run.state.phi.f.read(), run.state.phi.place, place);
    };
    for (int j = n - 1; j > 0; --j) {
        const double low = at(j - 0.5), high = at(j + 0.5);
        if (low < 0 && high >= 0) return (j - 0.5 + low / (low - high)) * run.h();
    }
    return 0;
}

/// [SSK05] §5.3: a drop that falls into water makes a hollow, then a bump: in the middle, above the
/// surface eight voxels beside it. Linear waves of an impulse two to three voxels wide have hollows
/// of 0.7 and 0.4 and bumps of 0.25 and 0.23.
TEST(CipFragments, ADropMakesAHollowThenABump) {
    const double h = 1.0 / 64, level = 0.3;
    Scene scene = cip_box(2, h, {1, 0.75, 1});
    scene.liquids = {water_box({-1, -1, -1}, {2, level, 2})};
    cip::Params p;
    p.fragments = true;
    CipRun<2> run(scene, p);
    const double volume = 0.8 * h * h;
    run.add_fragment(kDrop, {0.5, level + 0.5 * h}, {0, -2}, volume);
    run.state.target_volume += volume;
    double hollow = 0, bump = 0;
    while (run.state.time < 0.3) {
        ASSERT_TRUE(run.one_step(run.state.time + 0.002));
        const double height = surface_height(run, 0.5) - 0.5 * (surface_height(run, 0.5 - 8 * h) +
                                                                surface_height(run, 0.5 + 8 * h));
        hollow = std::min(hollow, height);
        if (hollow < 0) bump = std::max(bump, height);
    }
    std::printf("hollow %.3f, then bump %.3f voxels\n", hollow / h, bump / h);
    EXPECT_EQ(run.state.fragments.size(), 0u);
    EXPECT_LT(hollow, -0.2 * h);
    EXPECT_GT(bump, 0.15 * h);
}

/// No fragment changes its kind twice within ten substeps.
TEST(CipFragments, KindsLast) {
    Scene scene = cip_box(2, 1.0 / 64, {1, 0.75, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {0.3, 0.6, 2}),
                     water_box({0.75, -1, -1}, {2, 0.5, 2})};
    scene.time.fps = 30;
    CipRun<2> run(scene, {});
    struct Last {
        std::int32_t kind;
        int changed = -100;
    };
    std::map<std::uint64_t, Last> known;
    int step = 0, changes = 0, soon = 0;
    ASSERT_TRUE(run.until(2, [&] {
        ++step;
        const auto& set = run.state.fragments;
        for (std::size_t i = 0; i < set.size(); ++i) {
            const auto found = known.try_emplace(set.id[i], Last{set.kind[i]}).first;
            Last& last = found->second;
            if (last.kind == set.kind[i]) continue;
            ++changes;
            soon += step - last.changed <= 10;
            last = {set.kind[i], step};
        }
    }));
    EXPECT_GT(changes, 10);
    EXPECT_EQ(soon, 0);
}

}  // namespace
}  // namespace spume
