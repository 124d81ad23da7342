// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/foam/cluster_motion.h"

namespace spume::test {

/// Water at rest below y = level in a box [0, size]^D, for clusters without a method.
template <int D>
struct StillPool {
    GridDomain<D> domain;
    SolidSet<D> solids;
    CellField<double, D> phi;
    FaceField<double, D> velocity;
    Context context;
    ClusterLaw<D> law;
    PoppingLaw popping;
    std::vector<Vec<double, D>> gradient;
    double time = 0;

    StillPool(double size, double voxel, double level, int threads = 1) : context(threads) {
        domain.transform = {voxel, {}};
        domain.cells.hi = Index<D>::filled(int(std::lround(size / voxel)));
        const auto tiles = Tiles<D>::dense(domain.cells.grown(8), domain.transform);
        phi = CellField<double, D>(tiles);
        velocity = FaceField<double, D>(tiles);
        double* out = phi.write();
        for (int t = 0; t < tiles->zero(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                out[t * kTileCells<D> + o] = phi.position(t, o)[1] - level;
        // Speeds: 0.2 m/s up for any size, and down on the surface.
        law.gravity[1] = -0.1;
        law.largest_volume = 1e-300;
        for (RegionCoefficients& k : law.region) k = {1, 0.15, 0.15, 1, 0, 0};
        law.region[0] = {1, 0.4, 0, 0, 0, 0};
        law.region[3].viscous = 0;
        law.region[3].air = 1;
        law.pressure = 0.2 / (1e-300 * 9810);
    }
    ClusterMotion run(ClusterBubbles<D>& bubbles, double dt) {
        Vec<double, D> g{};
        g[1] = -9810;
        gradient.assign(bubbles.size(), g);
        const ClusterPlace<D> place{
            {{time, time + dt}, {&phi, &phi}, {&velocity, &velocity}}, solids, domain, gradient};
        time += dt;
        return move_cluster(bubbles, place, law, popping, context);
    }
};

template <int D>
void add(ClusterBubbles<D>& set, const Point<D>& x, double radius) {
    ClusterBubbles<D> one;
    resize(one, 1);
    one.position.write()[0] = x;
    one.radius.write()[0] = radius;
    append(set, one);
}

template <int D>
Point<D> centre(const ClusterBubbles<D>& set) {
    Point<D> sum{};
    for (const Point<D>& x : set.position) sum += x;
    return sum / double(set.size());
}

/// Places at random on the surface of a pool, in a disc (2D: a stretch).
template <int D>
ClusterBubbles<D> raft(std::size_t count, double radius, double size, double level, double width) {
    ClusterBubbles<D> set;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec<double, 3> u = Random(7, i, 0, Purpose::kTest).uniform_vec<3>(0);
        Point<D> x = Point<D>::filled(size / 2);
        x[0] += (u[0] - 0.5) * width;
        x[1] = level;
        if constexpr (D == 3) x[2] += (u[2] - 0.5) * width;
        add(set, x, radius);
    }
    return set;
}

}  // namespace spume::test
