// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "methods/mixture/mixture_run.h"
#include "spume/core/random.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/surface/level_set.h"

// Walls thinner than a voxel: which faces they shut, and that nothing crosses them.

namespace spume::mixture {
namespace {

/// A wall across a box of cells, far beyond its sides.
template <int D>
struct Slab {
    static constexpr int kCells = D == 2 ? 14 : 9;
    Context context{1};
    GridDomain<D> domain;
    PlacedSolids<D> bodies;
    Solid solid;
    CutCells<D> open;
    Vec<double, D> normal{};
    double thickness;

    Slab(double voxels, const Vec<double, 3>& degrees, double offset) : thickness(voxels) {
        domain.transform = {1, {}};
        domain.cells = {{}, Index<D>::filled(kCells)};
        for (auto& axis : domain.wall) axis[0] = axis[1] = true;
        solid.shape.kind = ShapeKind::kBox;
        solid.shape.size = {voxels, 200, 200};
        solid.shape.center = {kCells / 2 + offset, kCells / 2.0, D == 2 ? 0 : kCells / 2.0};
        solid.shape.rotation = degrees;
        bodies = SolidSet<D>({solid}, {}).at(0);
        const Pose& pose = bodies.placed[0].pose();
        normal = flattened<D>(pose.rotation.apply({1, 0, 0}));
        open = cut_cells(bodies, domain, Tiles<D>::dense(domain.cells, domain.transform), context);
    }
    /// Signed distance from the middle of the wall.
    double height(const Point<D>& x) const {
        return dot(x - flattened<D>(bodies.placed[0].pose().position), normal);
    }

    /// Sets of cells that share open faces, and the least and largest height of those that have
    /// their centre outside the wall.
    struct Set {
        double low = 1e9, high = -1e9;
    };
    std::vector<Set> sets() const {
        const Tiles<D>& tiles = *open.kind.tiles();
        std::vector<int> parent(std::size_t(tiles.active() * kTileCells<D>));
        std::iota(parent.begin(), parent.end(), 0);
        const auto root = [&](int i) {
            while (parent[std::size_t(i)] != i) i = parent[std::size_t(i)];
            return i;
        };
        for (int t = 0; t < tiles.active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                for (int face = 0; face < 2 * D; ++face) {
                    const Neighbour<D> n = neighbour_of<D>(tiles, t, o, face);
                    if (!tiles.is_active(n.tile) ||
                        open.area.read(face / 2)[face_place<D>(tiles, t, o, face)] == 0)
                        continue;
                    parent[std::size_t(root(t * kTileCells<D> + o))] =
                        root(n.tile * kTileCells<D> + n.offset);
                }
        std::vector<Set> all(parent.size());
        for (int t = 0; t < tiles.active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (!domain.cells.contains(tiles.origin(t) + tile_local<D>(o))) continue;
                const double z = height(open.kind.position(t, o));
                if (std::abs(z) <= thickness / 2 + 1e-5) continue;
                Set& set = all[std::size_t(root(t * kTileCells<D> + o))];
                set.low = std::min(set.low, z), set.high = std::max(set.high, z);
            }
        std::erase_if(all, [](const Set& s) { return s.low > s.high; });
        return all;
    }
};

template <int D>
void expect_parted(double thickness, const Vec<double, 3>& degrees, double offset) {
    const Slab<D> slab(thickness, degrees, offset);
    int below = 0, above = 0;
    for (const auto& set : slab.sets()) {
        EXPECT_TRUE(set.high < 0 || set.low > 0)
            << D << "D, " << thickness << " voxels at " << offset << " turned by " << degrees[1]
            << ", " << degrees[2];
        ++(set.high < 0 ? below : above);
    }
    // And nothing else is shut: each side is one piece.
    EXPECT_EQ(below, 1) << thickness << " at " << offset << " turned by " << degrees[2];
    EXPECT_EQ(above, 1) << thickness << " at " << offset << " turned by " << degrees[2];
}

TEST(ThinWallOpenings, NoChainOfOpenFacesPassesAWall) {
    for (const double thickness : {0.0, 0.05, 0.2, 0.5, 0.8, 1.0, 1.3, 1.7}) {
        for (const double offset : {0.0, 0.25, 0.5, 0.7})
            for (const double angle : {0.0, 45.0, 90.0, -45.0}) {
                expect_parted<2>(thickness, {0, 0, angle}, offset);
                expect_parted<3>(thickness, {0, 0, angle}, offset);
            }
        for (std::uint64_t n = 0; n < 60; ++n) {
            const auto u = Random(5, n, 0, Purpose::kTest).uniform_vec<3>(0);
            expect_parted<2>(thickness, {0, 0, 180 * u[0]}, u[1]);
            if (n < 12) expect_parted<3>(thickness, {0, 90 * u[2], 180 * u[0]}, u[1]);
        }
    }
}

TEST(ThinWallOpenings, WallsThatTheCornersSeeAreLeftToThem) {
    for (const double angle : {0.0, 17.0, 45.0})
        EXPECT_FALSE(Slab<3>(1.8, {0, angle, angle}, 0.3).open.parting.any());
}

/// Bubbles thrown at a sheet that moves and turns; how many end on the other side.
template <int D>
int crossed(double thickness) {
    Slab<D> slab(thickness, {0, 0, 30}, 0.2);
    slab.solid.motion = Motion::kKeyed;
    slab.solid.keys = {{0, {0, 0, 0}, {}}, {1, {1.5, -0.4, 0}, {0, 0, 8}}};
    const SolidSet<D> solids({slab.solid}, {});
    const PlacedSolids<D> before = solids.at(0), after = solids.at(1);
    Bubbles<D> bubbles;
    const std::size_t count = 3000;
    resize(bubbles, count);
    auto x = bubbles.position.write();
    auto v = bubbles.velocity.write();
    auto r = bubbles.radius.write();
    const auto side = [&](const PlacedSolids<D>& at, const Point<D>& p) {
        return at.placed[0].to_body(p)[0];
    };
    for (std::size_t q = 0; q < count; ++q) {
        const Random random(7, q, 0, Purpose::kTest);
        do {
            x[q] = random.uniform_vec<D>(0) * double(Slab<D>::kCells);
            if (std::abs(side(before, x[q])) <= thickness / 2) x[q][0] += 1;
        } while (std::abs(side(before, x[q])) <= thickness / 2);
        v[q] = (random.uniform_vec<D>(1) - Vec<double, D>::filled(0.5)) * 12.0;
        r[q] = float(0.01 + 0.6 * random.uniform_vec<D>(2)[0]);
    }
    std::vector<double> began;
    for (std::size_t q = 0; q < count; ++q) began.push_back(side(before, x[q]));
    const auto departure = Departure<D>::of(before, bubbles.position, 1.0);
    advance(bubbles, 1.0, slab.context);
    int would = 0, did = 0;
    for (std::size_t q = 0; q < count; ++q)
        would += began[q] * side(after, bubbles.position[q]) < 0;
    EXPECT_GT(would, 100);
    keep_out(bubbles, after, slab.domain, slab.context, &departure);
    for (std::size_t q = 0; q < count; ++q) {
        did += began[q] * side(after, bubbles.position[q]) < 0;
        EXPECT_GE(after.distance(bubbles.position[q]), 0);
    }
    return did;
}

TEST(ThinWallWays, NoBubbleCrossesASheetThatMovesAndTurns) {
    for (const double thickness : {0.0, 0.1, 0.6}) {
        EXPECT_EQ(crossed<2>(thickness), 0) << thickness;
        EXPECT_EQ(crossed<3>(thickness), 0) << thickness;
    }
}

TEST(ThinWallWays, BubblesStayBelowALidOfTheMixture) {
    // A cloud rises against a lid from wall to wall, half as thick as a voxel or without thickness.
    for (const double thickness : {0.5, 0.0}) {
        const double h = 0.01;
        Scene s = open_water(h, {-0.1, 0, 0}, {0.1, 0.3, 0}, 2);
        s.domain.sides = s.domain.bottom = s.domain.top = Border::kWall;
        Solid lid;
        lid.shape.kind = ShapeKind::kBox;
        lid.shape.center = {0, 0.153, 0};
        lid.shape.size = {1, thickness * h, 1};
        lid.shape.rotation = {0, 0, 5};
        s.solids = {lid};
        s.emitters = {seeded_ball({0, 0.09, 0}, 0.03, 0.2, 1.5e-3)};
        MixtureRun<2> run(s, {});
        EXPECT_TRUE(run.until(1.0));
        ASSERT_GT(run.state.bubbles.size(), 10u);
        const PlacedBody<2> placed = run.world.solids.at(0.0).placed[0];
        for (const auto& x : run.state.bubbles.position)
            EXPECT_LT(placed.to_body(x)[1], 0) << thickness;
    }
}

}  // namespace
}  // namespace spume::mixture
