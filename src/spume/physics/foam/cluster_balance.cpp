// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/cluster_balance.h"

#include <algorithm>

#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;

template <int D>
bool touch(const ClusterShape<D>& s, std::size_t i, std::size_t j) {
    const double reach = s.radius[i] + s.radius[j];
    const Vec<double, D> way = s.position[i] - s.position[j];
    return s.radius[j] > 0 && dot(way, way) < reach * reach;
}

/// Friction with bubbles that touch, and how many do.
template <int D>
void meet_neighbours(std::size_t i, const ClusterShape<D>& shape,
                     std::span<const Vec<double, D>> velocity, const ClusterPairs<D>& pairs,
                     const ClusterLaw<D>& law,
                     std::vector<typename ClusterBalance<D>::Bubble>& bubbles) {
    auto& b = bubbles[i];
    const RegionCoefficients& k = law.region[int(b.region)];
    const bool in_air = b.region == SurfaceRegion::kAbove;
    Vec<double, D> sum{};
    std::uint32_t count = 0;
    for (const std::uint32_t j : pairs.of(i)) {
        if (!touch(shape, i, j)) continue;
        ++count;
        sum += in_air ? velocity[j] : bubbles[j].fluid.velocity;
    }
    b.touching = count;
    b.push = b.fluid.velocity * k.viscous;
    b.friction = k.viscous + k.air;
    b.stiffness = 0;
    if (count == 0) return;
    b.push += sum * (k.friction / count);
    b.friction += k.friction;
}

/// Attraction and repulsion.
template <int D>
void push_apart(std::size_t i, const ClusterShape<D>& shape, const ClusterPairs<D>& pairs,
                const ClusterLaw<D>& law,
                std::vector<typename ClusterBalance<D>::Bubble>& bubbles) {
    auto& b = bubbles[i];
    const RegionCoefficients& k = law.region[int(b.region)];
    for (const std::uint32_t j : pairs.of(i)) {
        if (!touch(shape, i, j)) continue;
        Vec<double, D> normal{};
        const double distance = apart(shape, i, j, normal);
        const double share = 0.5 * (1.0 / b.touching + 1.0 / bubbles[j].touching);
        const PairForce f = pair_force(distance, shape.radius[i], shape.radius[j], share, k);
        b.push += normal * f.force;
        b.stiffness += f.stiffness;
    }
}

template <int D>
void meet_walls(std::size_t i, const ClusterShape<D>& shape, const ClusterLaw<D>& law,
                const ClusterSurroundings<D>& around, typename ClusterBalance<D>::Bubble& b) {
    const RegionCoefficients& k = law.region[int(b.region)];
    const double radius = shape.radius[i];
    int count = 0;
    Vec<double, D> mean{};
    const auto each = [&](auto&& f) {
        for_walls(shape.position[i], radius, around.solids, around.domain, f);
    };
    each([&](double, const Vec<double, D>&, const Vec<double, D>& v) { ++count, mean += v; });
    b.at_wall = count > 0;
    if (count == 0) return;
    each([&](double distance, const Vec<double, D>& normal, const Vec<double, D>&) {
        const PairForce f = wall_force(distance, radius, law.wall_repulsion * k.repulsion,
                                       law.wall_attraction * k.attraction / count);
        b.push += normal * f.force;
        b.stiffness += f.stiffness;
    });
    b.push += mean * (k.obstacle / count);
    b.friction += k.obstacle;
}

}  // namespace

template <int D>
void ClusterBalance<D>::find(const ClusterShape<D>& shape, std::span<const Vec<double, D>> velocity,
                             const ClusterPairs<D>& pairs, const ClusterLaw<D>& law,
                             const ClusterSurroundings<D>& around, double time, Context& context) {
    const std::size_t n = shape.position.size();
    bubbles.resize(n);
    const auto each = [&](auto&& f) {
        for_range(context.arena, n, kGrain, [&](std::size_t begin, std::size_t end) {
            TileCursor<D> cursor(*around.fluid.phi[0]->tiles());
            for (std::size_t i = begin; i < end; ++i)
                if (shape.radius[i] > 0) f(i, cursor);
        });
    };
    each([&](std::size_t i, TileCursor<D>& cursor) {
        Bubble& b = bubbles[i];
        b.fluid = around.fluid.at(shape.position[i], time, cursor);
        b.region = surface_region(b.fluid.phi, shape.radius[i], law.threshold);
    });
    each([&](std::size_t i, TileCursor<D>&) {
        meet_neighbours(i, shape, velocity, pairs, law, bubbles);
    });
    each([&](std::size_t i, TileCursor<D>&) {
        push_apart(i, shape, pairs, law, bubbles);
        meet_walls(i, shape, law, around, bubbles[i]);
    });
}

template <int D>
Vec<double, D> ClusterBalance<D>::surface_force(std::size_t i, const Vec<double, D>& way, double dt,
                                                const ClusterShape<D>& shape,
                                                const ClusterLaw<D>& law,
                                                const ClusterSurroundings<D>& around) const {
    const Bubble& b = bubbles[i];
    const auto pressure = [&] {
        const double volume = std::min(bubble_volume<D>(shape.radius[i]), law.largest_volume);
        return around.pressure_gradient[i] * (-law.pressure * volume);
    };
    if (law.surface == SurfaceForces::kSwitched)
        return b.region <= SurfaceRegion::kTouchingBelow ? pressure() : law.gravity;
    const double phi = b.fluid.phi + dt * b.fluid.rate + dot(b.fluid.gradient, way);
    const Vec<double, D> force = phi < 0 ? pressure() : law.gravity;
    const double gain = dot(b.fluid.gradient, force) * (dt / b.friction);
    const bool crosses = phi < 0 ? phi + gain > 0 : phi + gain < 0;
    return crosses ? force * (-phi / gain) : force;
}

template struct ClusterBalance<2>;
template struct ClusterBalance<3>;

}  // namespace spume
