// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/move_bubbles.h"

#include <algorithm>
#include <cmath>

#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 4096;
/// Bubbles that would cross a thin wall are stopped at this part of their reach before it, and then
/// set on its surface as all that touch it are.
constexpr double kClearance = 1e-3;

template <int D, class T, class Map>
T sum_over(const Bubbles<D>& bubbles, T zero, Context& context, Map&& map) {
    return reduce(
        context.arena, bubbles.size(), kGrain, zero,
        [&](std::size_t b, std::size_t e) {
            T s = zero;
            for (std::size_t q = b; q < e; ++q) s += map(q);
            return s;
        },
        [](const T& a, const T& b) { return a + b; });
}

/// Without the part of v that goes against the unit vector n, relative to a wall moving with w.
template <int D>
Vec<double, D> slid(const Vec<double, D>& v, const Vec<double, D>& n, const Vec<double, D>& w) {
    const double into = dot(v - w, n);
    return into < 0 ? v - n * into : v;
}

}  // namespace

template <int D>
void advance(Bubbles<D>& bubbles, double dt, Context& context) {
    Stage stage(context, "move");
    auto position = bubbles.position.write();
    auto age = bubbles.age.write();
    const auto* velocity = bubbles.velocity.data();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            position[q] += velocity[q] * dt;
            age[q] += static_cast<float>(dt);
        }
    });
}

template <int D>
void keep_out(Bubbles<D>& bubbles, const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
              Context& context, const Departure<D>* before) {
    Stage stage(context, "move");
    const WayStops<D> stops(before, bodies, domain.voxel());
    const Box<double, D> box = domain.bounds();
    auto position = bubbles.position.write();
    auto velocity = bubbles.velocity.write();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            Point<D>& x = position[q];
            Vec<double, D>& v = velocity[q];
            const double reach = std::min<double>(bubbles.radius[q], domain.voxel() / 2);
            if (!stops.empty()) stops.stop(stops.from(q), x, v, kClearance * reach);
            for (const PlacedBody<D>& body : bodies.placed) {
                if (!body.bounds().grown(reach).contains(x)) continue;
                // Two corrections: the distance is exact, but the normal turns at edges.
                for (int n = 0; n < 2; ++n) {
                    const double distance = body.distance_within(x, reach);
                    if (distance >= reach) break;
                    const double depth = reach - (distance > -reach ? distance : body.distance(x));
                    const Vec<double, D> normal = body.normal(x);
                    x += normal * depth;
                    v = slid(v, normal, body.velocity(x));
                }
            }
            for (int a = 0; a < D; ++a) {
                if (domain.wall[a][0] && x[a] < box.lo[a])
                    x[a] = box.lo[a], v[a] = std::max(v[a], 0.0);
                if (domain.wall[a][1] && x[a] > box.hi[a])
                    x[a] = box.hi[a], v[a] = std::min(v[a], 0.0);
            }
            if (!stops.empty()) stops.hold(stops.from(q), x);
        }
    });
}

template <int D>
double remove_escaped(Bubbles<D>& bubbles, const GridDomain<D>& domain, Context& context,
                      double densest) {
    Stage stage(context, "move");
    const Box<double, D> box = domain.bounds();
    const auto gone = [&](std::size_t q) {
        for (int a = 0; a < D; ++a) {
            const double x = bubbles.position[q][a];
            if ((!domain.wall[a][0] && x < box.lo[a]) || (!domain.wall[a][1] && x >= box.hi[a]))
                return true;
        }
        return false;
    };
    const auto sum = sum_over(bubbles, Vec<double, 2>{}, context, [&](std::size_t q) {
        if (!gone(q)) return Vec<double, 2>{};
        const bool air = double(bubbles.density[q]) <= densest;
        return Vec<double, 2>{air ? bubble_volume<D>(bubbles.radius[q]) : 0.0, 1.0};
    });
    if (sum[1] > 0) remove_if(bubbles, context, gone);
    return sum[0];
}

template <int D>
double total_volume(const Bubbles<D>& bubbles, Context& context, double densest) {
    return sum_over(bubbles, 0.0, context, [&](std::size_t q) {
        return double(bubbles.density[q]) <= densest ? bubble_volume<D>(bubbles.radius[q]) : 0.0;
    });
}

template <int D>
Vec<double, D> total_momentum(const Bubbles<D>& bubbles, Context& context) {
    return sum_over(bubbles, Vec<double, D>{}, context, [&](std::size_t q) {
        return bubbles.velocity[q] *
               (bubble_volume<D>(bubbles.radius[q]) * double(bubbles.density[q]));
    });
}

template <int D>
double max_speed(const Bubbles<D>& bubbles, Context& context) {
    return reduce(
        context.arena, bubbles.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double m = 0;
            for (std::size_t q = b; q < e; ++q) m = std::max(m, length(bubbles.velocity[q]));
            return m;
        },
        [](double a, double b) { return std::max(a, b); });
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template void advance<D>(Bubbles<D>&, double, Context&);                                       \
    template void keep_out<D>(Bubbles<D>&, const PlacedSolids<D>&, const GridDomain<D>&, Context&, \
                              const Departure<D>*);                                                \
    template double remove_escaped<D>(Bubbles<D>&, const GridDomain<D>&, Context&, double);        \
    template double total_volume<D>(const Bubbles<D>&, Context&, double);                          \
    template Vec<double, D> total_momentum<D>(const Bubbles<D>&, Context&);                        \
    template double max_speed<D>(const Bubbles<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
