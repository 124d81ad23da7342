// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/entrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "aeration/formula_bulk.h"
#include "spume/core/error.h"
#include "spume/grid/sample.h"
#include "spume/particles/bubble_size.h"
#include "spume/scene/bodies.h"

namespace spume {
namespace {

constexpr double kRadius = 0.12, kVoxel = 0.01;
constexpr double kFrame = 1.0 / 24;

/// An air ball in liquid so agitated that every voxel near its surface wants fraction_max.
template <int D>
FormulaBulk<D> agitated() {
    return ball_in_stream<D>(kRadius, kVoxel, 2 * kRadius, 1e3);
}
Scene scene_of(int dimensions) {
    Scene s;
    s.domain.dimensions = dimensions;
    s.domain.lower = {-2 * kRadius, -2 * kRadius, -2 * kRadius};
    s.domain.upper = {2 * kRadius, 2 * kRadius, 2 * kRadius};
    s.domain.voxel = kVoxel;
    s.emission.on = true;
    s.aeration.fraction_max = 0.3;
    return s;
}
Shape ball_at(Vec<double, 3> center, double radius) {
    Shape s;
    s.kind = ShapeKind::kSphere;
    s.center = center;
    s.radius = radius;
    return s;
}

/// Voxels whose centre is in the liquid and within two of the surface.
template <int D>
int voxels_in_band() {
    const int n = int(std::lround(2 * kRadius / kVoxel));
    int count = 0;
    Index<D> i = Index<D>::filled(-n);
    for (bool more = true; more;) {
        const Point<D> x = (i.template as<double>() + Point<D>::filled(0.5)) * kVoxel;
        const double depth = std::sqrt(dot(x, x)) - kRadius;
        count += depth > 0 && depth <= 2 * kVoxel;
        more = false;
        for (int a = D - 1; a >= 0 && !more; --a) {
            more = ++i[a] < n;
            if (!more) i[a] = -n;
        }
    }
    return count;
}

template <int D>
struct Case {
    Scene scene = scene_of(D);
    FormulaBulk<D> bulk = agitated<D>();
    PlacedSolids<D> solids;
    CellField<double, D> fraction;
    Bubbles<D> bubbles;
    Context context{2};

    Entrained step(Interval time) {
        return entrain<D>(bubbles, fraction, bulk, solids, entrain_law<D>(scene, {}), time,
                          context);
    }
    double air() const {
        double sum = 0;
        for (const float r : bubbles.radius) sum += bubble_volume<D>(r);
        return sum;
    }
    /// φ_b as the air of the bubbles whose centre is in the cell.
    void refill_fraction() {
        Index<D> n = Index<D>::filled(int(std::lround(2 * kRadius / kVoxel)));
        fraction = CellField<double, D>(Tiles<D>::dense({n * -1, n}, bulk.lattice));
        double* out = fraction.write();
        TileCursor<D> cursor(*fraction.tiles());
        const double cell = D == 2 ? kVoxel * kVoxel : kVoxel * kVoxel * kVoxel;
        for (std::size_t q = 0; q < bubbles.size(); ++q)
            out[cursor(floor_index<D>(bulk.lattice.to_lattice(bubbles.position[q])))] +=
                bubble_volume<D>(bubbles.radius[q]) / cell;
    }
};

/// Kolmogorov–Smirnov distance from a distribution.
double distance_from(const RadiusDistribution& law, std::vector<double> radii) {
    std::sort(radii.begin(), radii.end());
    double worst = 0;
    const double n = double(radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) {
        const double share = law.share(radii[i]);
        worst =
            std::max({worst, std::abs(share - double(i) / n), std::abs(share - double(i + 1) / n)});
    }
    return worst;
}

template <int D>
void expect_the_target(double relative_variance) {
    Case<D> run;
    const Entrained made = run.step({1, 1 + kFrame});
    const double cell = D == 2 ? kVoxel * kVoxel : kVoxel * kVoxel * kVoxel;
    const double target = 0.3 * voxels_in_band<D>() * cell, n = double(made.bubbles);
    ASSERT_GT(n, 1000);
    EXPECT_NEAR(made.demand / target, 1, 1e-12);
    EXPECT_EQ(made.bubbles, run.bubbles.size());
    EXPECT_NEAR(made.volume, run.air(), 1e-9 * made.volume);
    EXPECT_NEAR((made.volume + made.returned) / target, 1, 3 * std::sqrt(relative_variance / n));
    EXPECT_LT(made.returned, 0.01 * target);
}

/// ⟨V²⟩/⟨V⟩² of [WFS22] Eq. 34 between 0.5 and 5 mm is 15.3.
TEST(Entrain, MakesTheAirThatIsWanted) {
    expect_the_target<3>(15.3);
    const double a = 0.5, b = 5, square = 2 * a * a * b * b * std::log(b / a) / (b * b - a * a),
                 fourth = a * a * b * b;
    expect_the_target<2>(fourth / (square * square));
}

TEST(Entrain, RadiiAreThoseOfTheirLaw) {
    for (const SizeLaw law : {SizeLaw::kInverseCubic, SizeLaw::kTwoSlope}) {
        Case<3> run;
        run.scene.emission.distribution = law;
        run.step({1, 1 + kFrame});
        std::vector<double> radii(run.bubbles.radius.begin(), run.bubbles.radius.end());
        ASSERT_GT(radii.size(), 20000u);
        const double limit = 1.63 / std::sqrt(double(radii.size()));  // 99 %
        EXPECT_LT(distance_from(RadiusDistribution(run.scene.emission), radii), limit);
        // The test can tell the two laws apart.
        Emission other = run.scene.emission;
        other.distribution =
            law == SizeLaw::kTwoSlope ? SizeLaw::kInverseCubic : SizeLaw::kTwoSlope;
        EXPECT_GT(distance_from(RadiusDistribution(other), radii), 3 * limit);
    }
}

/// Bubbles that stay fill the voxels once, bubbles that are carried off are replaced at a rate:
/// neither depends on the length of a step. They are small, hundreds a voxel: single ones larger
/// than what a voxel misses would overfill it, the more often the longer the steps are.
TEST(Entrain, DoesNotDependOnSteps) {
    for (const bool stay : {true, false}) {
        double first = 0;
        for (const int steps : {8, 16, 32, 64}) {
            Case<2> run;
            run.scene.emission.jitter = 1;  // bubbles stay in their voxels
            run.scene.emission.radius_min = 1e-4;
            run.scene.emission.radius_max = 2e-4;
            run.scene.aeration.fraction_max = 0.2;
            const double dt = 8 * kFrame / steps;
            double air = 0, n = 0;
            for (int i = 0; i < steps; ++i) {
                if (stay) run.refill_fraction();
                const Entrained made = run.step({1 + i * dt, 1 + (i + 1) * dt});
                air += made.volume;
                n += double(made.bubbles);
            }
            const double target = 0.2 * voxels_in_band<2>() * kVoxel * kVoxel;
            if (stay) {
                EXPECT_NEAR(air / target, 1, 0.06) << steps;
            }
            if (steps == 8) first = air;
            EXPECT_NEAR(air / first, 1, 3 * std::sqrt(2 * 1.3 / n) + (stay ? 0.05 : 0)) << steps;
        }
    }
}

TEST(Entrain, PlacesAreInTheLiquidAndOutsideOfSolids) {
    Case<3> run;
    run.scene.emission.jitter = 3;
    run.solids.placed.push_back(placed<3>(ball_at({kRadius, 0, 0}, 0.05), {}));
    const Entrained made = run.step({1, 1 + kFrame});
    ASSERT_GT(made.bubbles, 10000u);
    for (const Point<3>& x : run.bubbles.position) {
        EXPECT_GT(std::sqrt(dot(x, x)), kRadius - 0.05 * kVoxel);  // Φ is interpolated
        EXPECT_GT(run.solids.distance(x), 0);
    }
    // Voxels in the solid wanted air too, and it stays wanted.
    EXPECT_GT(made.returned, 0.01 * made.demand);
    EXPECT_NEAR(made.volume + made.returned, made.demand,
                3 * std::sqrt(15.3 / double(made.bubbles)) * made.demand);
}

/// Offsets of k uniform samples have the variance k h²/12: seen along the surface, where no place
/// is refused.
TEST(Entrain, JitterBlursVoxels) {
    for (const int jitter : {1, 2, 3}) {
        Case<2> run;
        run.scene.emission.jitter = jitter;
        EmissionRegion voxel;  // only the voxel at (0.135, 0.005), 1.5 voxels deep
        voxel.shape.kind = ShapeKind::kBox;
        voxel.shape.center = {0.135, 0.005, 0};
        voxel.shape.size = {0.5 * kVoxel, 0.5 * kVoxel, 1};
        run.scene.emission.regions = {voxel};
        run.scene.emission.radius_min = run.scene.emission.radius_max = 1e-4;
        run.scene.aeration.fraction_max = 1;
        run.step({1, 1 + kFrame});
        const double n = double(run.bubbles.size());
        ASSERT_GT(n, 2000);
        double variance = 0, mean = 0;
        for (const Point<2>& x : run.bubbles.position) {
            const double y = (x[1] - 0.005) / kVoxel;
            mean += y / n;
            variance += y * y / n;
        }
        EXPECT_NEAR(mean, 0, 4 * std::sqrt(jitter / 12.0 / n));
        EXPECT_NEAR(variance, jitter / 12.0, 0.1 * jitter / 12.0) << jitter;
    }
}

TEST(Entrain, NewBubblesMoveWithTheLiquid) {
    Case<3> run;
    run.bulk.velocity = [](const Point<3>& x, double t) {
        return Vec<double, 3>{2 * x[1] + 200 * t, -x[0], 3 * x[2]};
    };
    run.step({1, 1 + kFrame});
    ASSERT_GT(run.bubbles.size(), 1000u);
    for (std::size_t q = 0; q < run.bubbles.size(); ++q) {
        const Vec<double, 3> u = run.bulk.velocity(run.bubbles.position[q], 1 + kFrame);
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(run.bubbles.velocity[q][a], u[a], 1e-9);
        ASSERT_EQ(run.bubbles.age[q], 0);
        ASSERT_EQ(run.bubbles.id[q], q);
    }
}

template <class T>
bool same_bits(const Array<T>& a, const Array<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(Entrain, HasTheSameBitsOnAnyNumberOfThreads) {
    Bubbles<3> results[2];
    for (const int k : {0, 1}) {
        Case<3> run;
        const auto law = entrain_law<3>(run.scene, {});
        Context context(k == 0 ? 1 : 5);
        for (int i = 0; i < 2; ++i)
            entrain<3>(results[k], run.fraction, run.bulk, run.solids, law,
                       {1 + i * kFrame, 1 + (i + 1) * kFrame}, context);
    }
    ASSERT_GT(results[0].size(), 1000u);
    EXPECT_TRUE(same_bits(results[0].position, results[1].position));
    EXPECT_TRUE(same_bits(results[0].velocity, results[1].velocity));
    EXPECT_TRUE(same_bits(results[0].radius, results[1].radius));
    EXPECT_TRUE(same_bits(results[0].id, results[1].id));
}

/// What one voxel makes does not depend on whether others make any.
TEST(Entrain, VoxelsDoNotKnowEachOther) {
    Case<3> all, some;
    EmissionRegion half;
    half.shape = ball_at({0.1, 0, 0}, 0.08);
    some.scene.emission.regions = {half};
    all.scene.emission.jitter = some.scene.emission.jitter = 1;
    all.step({1, 1 + kFrame});
    some.step({1, 1 + kFrame});
    const auto body = placed<3>(half.shape, {});
    ASSERT_GT(some.bubbles.size(), 1000u);
    ASSERT_LT(some.bubbles.size(), all.bubbles.size());
    std::vector<std::array<double, 4>> found[2];
    for (const int k : {0, 1}) {
        const Bubbles<3>& b = (k == 0 ? all : some).bubbles;
        for (std::size_t q = 0; q < b.size(); ++q) {
            const Point<3>& x = b.position[q];
            const Point<3> centre =
                (floor_index<3>(x / kVoxel).as<double>() + Point<3>::filled(0.5)) * kVoxel;
            if (body.distance(centre) < 0)
                found[k].push_back({x[0], x[1], x[2], double(b.radius[q])});
        }
        std::sort(found[k].begin(), found[k].end());
    }
    EXPECT_EQ(found[1].size(), some.bubbles.size());
    EXPECT_EQ(found[0], found[1]);
}

TEST(Entrain, RegionsMultiplyAndGiveTheirSource) {
    Case<3> run, whole;
    run.scene.output.source = true;
    run.scene.emission.outside = 0.5;
    EmissionRegion none, full;
    none.shape = ball_at({0.12, 0, 0}, 0.05);
    none.strength = 0;
    full.shape = ball_at({-0.12, 0, 0}, 0.08);
    run.scene.emission.regions = {none, full};
    run.scene.emission.jitter = whole.scene.emission.jitter = 1;
    run.step({1, 1 + kFrame});
    whole.step({1, 1 + kFrame});
    const auto dead = placed<3>(none.shape, {}), alive = placed<3>(full.shape, {});
    ASSERT_EQ(run.bubbles.source.size(), run.bubbles.size());
    EXPECT_TRUE(whole.bubbles.source.empty());
    const auto centre_of = [](const Point<3>& x) {
        return (floor_index<3>(x / kVoxel).as<double>() + Point<3>::filled(0.5)) * kVoxel;
    };
    double inside = 0, outside = 0, whole_inside = 0, whole_outside = 0, n = 0;
    for (std::size_t q = 0; q < run.bubbles.size(); ++q) {
        const Point<3> x = centre_of(run.bubbles.position[q]);
        const bool in = alive.distance(x) < 0;
        ASSERT_GT(dead.distance(x), 0);
        ASSERT_EQ(run.bubbles.source[q], in ? -2 : 0);
        (in ? inside : outside) += bubble_volume<3>(run.bubbles.radius[q]);
        ++n;
    }
    for (std::size_t q = 0; q < whole.bubbles.size(); ++q) {
        const Point<3> x = centre_of(whole.bubbles.position[q]);
        if (dead.distance(x) < 0) continue;
        (alive.distance(x) < 0 ? whole_inside : whole_outside) +=
            bubble_volume<3>(whole.bubbles.radius[q]);
    }
    EXPECT_NEAR(inside / whole_inside, 1, 1e-12);  // the same bubbles
    EXPECT_NEAR(outside / whole_outside, 0.5, 0.5 * 4 * std::sqrt(2 * 15.3 / n));
}

TEST(Entrain, AVolumeOfTheBulkMultiplies) {
    Case<3> all, half;
    const Entrained whole = all.step({1, 1 + kFrame});
    half.scene.emission.mask = "mask";
    half.bulk.mask = [](const Point<3>& x, double) { return x[0] > 0 ? 0.25 : -1.0; };
    const Entrained part = half.step({1, 1 + kFrame});
    EXPECT_NEAR(part.demand, whole.demand * 0.125, 1e-12 * whole.demand);
    for (const Point<3>& x : half.bubbles.position) EXPECT_GT(x[0], -0.5 * kVoxel);
    half.scene.emission.mask = "wake";
    EXPECT_THROW(half.step({1, 1 + kFrame}), UserError);
}

TEST(Entrain, BudgetsThinEvenly) {
    Case<3> free;
    const Entrained all = free.step({1, 1 + kFrame});
    Case<3> counted;
    counted.scene.emission.bubble_rate = 0.3 * double(all.bubbles) / kFrame;
    const Entrained few = counted.step({1, 1 + kFrame});
    const double n = 0.3 * double(all.bubbles);
    EXPECT_NEAR(double(few.bubbles), n, 4 * std::sqrt(n) + 0.02 * n);
    Case<3> weighed;
    weighed.scene.emission.air_rate = 0.3 * all.demand / kFrame;
    const Entrained little = weighed.step({1, 1 + kFrame});
    EXPECT_NEAR(little.demand, 0.3 * all.demand, 1e-12 * all.demand);
    EXPECT_NEAR(little.volume / little.demand, 1,
                3 * std::sqrt(15.3 / double(little.bubbles)) + 0.01);
    // Everywhere alike: the centre of what is left is still the middle.
    Point<3> mean{};
    for (const Point<3>& x : counted.bubbles.position) mean += x / double(few.bubbles);
    EXPECT_LT(std::sqrt(dot(mean, mean)), 5 * kRadius / std::sqrt(double(few.bubbles)));
    Case<3> ample;
    ample.scene.emission.bubble_rate = 1e9;
    ample.scene.emission.air_rate = 1e3;
    EXPECT_EQ(ample.step({1, 1 + kFrame}).bubbles, all.bubbles);
}

TEST(Entrain, KillZonesTakeBubblesAndCountTheirAir) {
    Case<3> run;
    KillZone zone;
    zone.shape = ball_at({0, 0.12, 0}, 0.06);
    run.scene.emission.kills = {zone};
    run.step({1, 1 + kFrame});
    const double before = run.air();
    const std::size_t many = run.bubbles.size();
    const auto law = entrain_law<3>(run.scene, {});
    const double left = remove_in_kill_zones(run.bubbles, law, run.context);
    EXPECT_GT(left, 0);
    EXPECT_NEAR(before, run.air() + left, 1e-12 * before);
    EXPECT_LT(run.bubbles.size(), many);
    for (const Point<3>& x : run.bubbles.position)
        EXPECT_GT(placed<3>(zone.shape, {}).distance(x), 0);
    EXPECT_EQ(remove_in_kill_zones(run.bubbles, law, run.context), 0);
}

TEST(Entrain, SaysThatTheFirstTauIsMissing) {
    Case<3> run;
    run.bulk.known = {1, 2};
    const Entrained made = run.step({1, 1 + kFrame / 2});
    EXPECT_EQ(made.bubbles, 0u);
    ASSERT_EQ(made.warnings.size(), 1u);
    EXPECT_NE(made.warnings[0].find("the bulk begins at 1 s"), std::string::npos);
}

}  // namespace
}  // namespace spume
