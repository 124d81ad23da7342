// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>
#include <queue>

#include <gtest/gtest.h>

#include "methods/mixture/tension_ball.h"
#include "spume/core/random.h"
#include "spume/grid/sample.h"

namespace spume::mixture {
namespace {

/// Blobs of particles at random places, some of them touching.
template <int D>
void scatter_blobs(MixtureBox<D>& box, int blobs) {
    const double h = box.domain.voxel(), width = h * box.domain.cells.hi[0];
    for (int b = 0; b < blobs; ++b) {
        const Random random(7, std::uint64_t(b), 0, Purpose::kTest);
        const Point<D> middle =
            Point<D>::filled(0.15 * width) + random.uniform_vec<D>(0) * (0.7 * width);
        for (int i = 0; i < 150; ++i) {
            const Point<D> at =
                random.uniform_vec<D>(std::uint32_t(10 + 3 * i)) - Point<D>::filled(0.5);
            box.add(middle + at * (5 * h), share_radius<D>(h) * (0.5 + random.uniform(5)), 1);
        }
    }
    box.settle();
}

template <int D>
struct ByIndex {
    const Tiles<D>& tiles;
    std::size_t operator()(const Index<D>& i) const {
        return std::size_t(tiles.find(tile_of<D>(i))) * kTileCells<D> +
               std::size_t(tile_offset<D>(local_of<D>(i)));
    }
};

/// Plain flood fill over lattice indices: the same partition as pockets_of?
template <int D>
void expect_flood_fill(const CellField<double, D>& phi, const Pockets<D>& pockets,
                       const Box<int, D>& cells) {
    const Tiles<D>& tiles = *phi.tiles();
    const ByIndex<D> at{tiles};
    std::map<std::array<int, D>, int> seen;
    std::map<int, int> pocket_of_fill;
    int fills = 0;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> start = tiles.origin(t) + tile_local<D>(o);
            const auto key = [](const Index<D>& i) {
                std::array<int, D> k;
                for (int a = 0; a < D; ++a) k[std::size_t(a)] = i[a];
                return k;
            };
            if (!(phi.read()[at(start)] > 0) || seen.count(key(start))) continue;
            const int label = pockets.label.read()[at(start)];
            EXPECT_GT(label, 0);
            ++fills;
            EXPECT_EQ(pocket_of_fill.count(label), 0u) << "one pocket for two regions";
            pocket_of_fill[label] = fills;
            std::queue<Index<D>> todo;
            todo.push(start), seen[key(start)] = fills;
            while (!todo.empty()) {
                const Index<D> i = todo.front();
                todo.pop();
                ASSERT_EQ(pockets.label.read()[at(i)], label);
                for (int a = 0; a < D; ++a)
                    for (int way : {-1, 1}) {
                        const Index<D> j = i + Index<D>::unit(a, way);
                        if (!cells.contains(j) || !(phi.read()[at(j)] > 0) || seen.count(key(j)))
                            continue;
                        seen[key(j)] = fills;
                        todo.push(j);
                    }
            }
        }
    EXPECT_EQ(fills, pockets.count);
    EXPECT_GE(fills, 3) << "too few regions to prove anything";
}

template <int D>
void expect_no_net_force() {
    MixtureBox<D> box(Index<D>::filled(D == 2 ? 160 : 48), 1e-3, false);
    scatter_blobs(box, D == 2 ? 20 : 10);
    TensionLaw law{.coefficient = 0.072, .clamped = true};
    const auto isolated = isolated_cells(box.mixture.bubble, box.context);
    const auto phi = cell_fraction(box.mixture.bubble, isolated, box.context);
    const auto pockets = pockets_of(phi, box.context);
    expect_flood_fill(phi, pockets, box.domain.cells);

    const auto force = surface_tension(box.mixture, law, box.open, box.domain, box.context);
    law.compensate = false;
    const auto plain = surface_tension(box.mixture, law, box.open, box.domain, box.context);
    struct Sums {
        Vec<double, D> force{}, plain{}, size{}, water{};
    };
    std::vector<Sums> sums(std::size_t(pockets.count) + 1);
    std::size_t outside = 0;
    for (int a = 0; a < D; ++a)
        for_face_pairs(box.context.arena, *box.tiles, a, [&](std::size_t i, std::size_t below) {
            const int label = std::max(pockets.label.read()[i], pockets.label.read()[below]);
            Sums& s = sums[std::size_t(label)];
            const double f = force.read(a)[i];
            s.force[a] += f, s.plain[a] += plain.read(a)[i], s.size[a] += std::abs(f);
            s.water[a] += f * box.mixture.water.read(a)[i];
            outside += label == 0 && f != 0;
        });
    EXPECT_EQ(outside, 0u) << "force on faces of no pocket";
    double before = 0;
    for (std::size_t n = 1; n < sums.size(); ++n)
        for (int a = 0; a < D; ++a) {
            EXPECT_LE(std::abs(sums[n].force[a]), 1e-12 * sums[n].size[a]) << n << " " << a;
            if (sums[n].size[a] > 0)
                before = std::max(before, std::abs(sums[n].plain[a]) / sums[n].size[a]);
        }
    EXPECT_GE(before, 1e-3) << "there was nothing to compensate";

    // [WSB25] App. C: what particles feel, by their volumes, and what water feels.
    const auto shared =
        shared_force(force, law, box.bubbles, box.mixture, box.ranges, box.domain, box.context);
    Vec<double, D> total{}, size{};
    TileCursor<D> cursor(*box.tiles);
    for (std::size_t q = 0; q < box.bubbles.size(); ++q) {
        const Vec<double, D> f = sample(shared.bubbles, cursor, box.bubbles.position[q]);
        total += f * (box.mixture.volume[q] / box.domain.cell_volume());
    }
    for (std::size_t n = 0; n < sums.size(); ++n) total += sums[n].water, size += sums[n].size;
    for (int a = 0; a < D; ++a) EXPECT_LE(std::abs(total[a]), 1e-12 * size[a]) << a;
}

TEST(Pockets, NoNetForceOnAnyOfThem2D) { expect_no_net_force<2>(); }
TEST(Pockets, NoNetForceOnAnyOfThem3D) { expect_no_net_force<3>(); }

template <int D>
double largest_force(MixtureBox<D>& box, bool filter) {
    box.settle();
    const TensionLaw law{.coefficient = 0.072, .filter = filter};
    const auto f = surface_tension(box.mixture, law, box.open, box.domain, box.context);
    double most = 0;
    for (int a = 0; a < D; ++a)
        for (double v : f.component(a)) most = std::max(most, std::abs(v));
    return most;
}

// [WSB25] Fig. 11: a particle alone, wherever it sits in its voxel, or several in one voxel, leave
// no surface; two in neighbouring voxels do.
template <int D>
void expect_lone_particles_unseen() {
    for (std::uint64_t i = 0; i < 40; ++i) {
        const Random random(3, i, 0, Purpose::kTest);
        MixtureBox<D> one(Index<D>::filled(24), 1.0, false);
        const Point<D> corner = Point<D>::filled(11);
        one.add(corner + random.uniform_vec<D>(0), 0.4, 1);
        EXPECT_EQ(largest_force(one, true), 0);
        EXPECT_GT(largest_force(one, false), 0);
        MixtureBox<D> pair(Index<D>::filled(24), 1.0, false);
        Point<D> beside = corner + random.uniform_vec<D>(0);
        pair.add(beside, 0.4, 1);
        beside[0] += 1;
        pair.add(beside, 0.4, 1);
        EXPECT_GT(largest_force(pair, true), 0);
    }
}
TEST(FractionFilter, LoneParticlesHaveNoSurface2D) { expect_lone_particles_unseen<2>(); }
TEST(FractionFilter, LoneParticlesHaveNoSurface3D) { expect_lone_particles_unseen<3>(); }

TEST(FractionFilter, CrowdInOneVoxelHasNoSurface) {
    MixtureBox<3> box(Index<3>::filled(24), 1.0, false);
    for (std::uint64_t i = 0; i < 30; ++i)
        box.add(Point<3>::filled(11) + Random(5, i, 0, Purpose::kTest).uniform_vec<3>(0), 0.4, 1);
    EXPECT_GT(largest_force(box, false), 0);
    EXPECT_EQ(largest_force(box, true), 0);
}

/// Largest difference of the force by four sweeps and by two, over the largest force, of balls of
/// the given radii in voxels, side by side.
template <int D>
std::vector<double> difference_by_sweeps(std::initializer_list<double> radii) {
    const int across = 32;
    MixtureBox<D> box(Index<D>::filled(across * int(radii.size())), 1.0, false);
    int place = 0;
    for (const double radius : radii) {
        Point<D> middle = Point<D>::filled(across / 2.0);
        middle[0] += across * place++;
        for (int n = 0; n < (D == 2 ? 64 * 64 : 64 * 64 * 64); ++n) {
            Point<D> x{};
            for (int a = 0, rest = n; a < D; ++a, rest /= 64) x[a] = (rest % 64) * 0.5 - 15.75;
            if (length(x) < radius) box.add(middle + x, share_radius<D>(1.0), 1);
        }
    }
    box.settle();
    TensionLaw four, two;
    four.coefficient = two.coefficient = 1;
    two.smoothing = 2;
    const auto f = surface_tension(box.mixture, four, box.open, box.domain, box.context);
    const auto g = surface_tension(box.mixture, two, box.open, box.domain, box.context);
    std::vector<double> r(radii.size(), 0.0);
    double largest = 0;
    for (int t = 0; t < box.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double a = f.at(0, t, o), b = g.at(0, t, o);
            const int ball = int(f.position(0, t, o)[0]) / across;
            if (ball < 0 || ball >= place) continue;
            largest = std::max(largest, std::abs(b));
            r[std::size_t(ball)] = std::max(r[std::size_t(ball)], std::abs(a - b));
        }
    for (double& v : r) v /= largest;
    return r;
}

TEST(SmallBodies, AreSmoothedLessBesideLargeOnes2D) {
    const auto r = difference_by_sweeps<2>({2.4, 9});
    EXPECT_EQ(r[0], 0);
    EXPECT_GT(r[1], 1e-3);
}
TEST(SmallBodies, AreSmoothedLessBesideLargeOnes3D) {
    const auto r = difference_by_sweeps<3>({2.4, 9});
    EXPECT_EQ(r[0], 0);
    EXPECT_GT(r[1], 1e-3);
}

}  // namespace
}  // namespace spume::mixture
