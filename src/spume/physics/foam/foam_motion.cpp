// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/grid/topology.h"
#include "spume/physics/foam/foam_implicit.h"
#include "spume/physics/foam/menisci.h"
#include "spume/physics/foam/sph_foam.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

/// Of radii: the least, and the mean by area.
struct FoamSizes {
    double smallest = std::numeric_limits<double>::max(), cubes = 0, squares = 0;
    double mean() const { return cubes / squares; }
};
template <int D>
FoamSizes sizes_of(const Foam<D>& foam, Context& ctx) {
    return reduce(
        ctx.arena, foam.size(), 1 << 14, FoamSizes{},
        [&](std::size_t b, std::size_t e) {
            FoamSizes s;
            for (std::size_t i = b; i < e; ++i) {
                const auto r = double(foam.radius[i]);
                s.smallest = std::min(s.smallest, r);
                s.cubes += r * r * r;
                s.squares += r * r;
            }
            return s;
        },
        [](const FoamSizes& a, const FoamSizes& b) {
            return FoamSizes{std::min(a.smallest, b.smallest), a.cubes + b.cubes,
                             a.squares + b.squares};
        });
}

template <int D>
StepLimit own_limit(const Foam<D>& foam, const FoamSetting<D>& w, Context& ctx) {
    const FoamSizes sizes = sizes_of(foam, ctx);
    return foam_limit<D>(w.law, sizes.smallest, sizes.mean());
}

template <int D>
MeniscusLaw meniscus_law(const FoamSetting<D>& w) {
    const Physics& p = w.physics;
    return {p.water_density, length(w.gravity()), p.surface_tension, p.viscosity,
            w.law.capillarity};
}

/// v + Δt a.
template <int D>
void add_velocities(Foam<D>& foam, const Array<Vec<double, D>>& a, double dt) {
    auto v = foam.velocity.write();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += a[i] * dt;
}

/// Velocities take all forces but drag and gravity over a step.
template <int D>
void push(Foam<D>& foam, const FoamPairs<D>& pairs, const FoamSetting<D>& w,
          const MovingSurface<D>& surface, Interval time, Context& ctx) {
    const WetFoam& f = w.law;
    const double dt = time.length();
    const FoamStates states = foam_states(foam, pairs, f, ctx);
    const bool implicit = f.integration == FoamIntegration::kImplicit;
    Array<Vec<double, D>> menisci(f.capillarity > 0 || implicit ? foam.size() : 0);
    if (f.capillarity > 0) add_menisci(menisci, foam, pairs, meniscus_law(w), ctx);
    if (implicit) {
        auto known = menisci;
        for (Vec<double, D>& a : known.write()) a += w.gravity();
        const auto normal = surface_normals(foam, surface, time.begin, ctx);
        const auto own =
            implicit_acceleration(foam, known.read(), normal.read(), pairs, states, f, dt, ctx)
                .acceleration;
        add_velocities(foam, own, dt);
    } else {
        push_foam(foam, pairs, states, f, dt, ctx);
    }
    if (f.capillarity > 0) add_velocities(foam, menisci, dt);
}

/// Out of solids and walls, as bubbles are; what crossed an open side leaves.
template <int D>
double keep_in_domain(Foam<D>& foam, const FoamSetting<D>& w, const PlacedSolids<D>& solids,
                      const Departure<D>& departure, Context& ctx) {
    Bubbles<D> same;  // their arrays, not copies of them
    same.position = std::move(foam.position);
    same.velocity = std::move(foam.velocity);
    same.radius = foam.radius;
    keep_out(same, solids, w.domain, ctx, &departure);
    foam.position = std::move(same.position);
    foam.velocity = std::move(same.velocity);
    const Box<double, D> box = w.domain.bounds();
    const auto outside = [&](std::size_t i) {
        for (int a = 0; a < D; ++a) {
            const double x = foam.position[i][a];
            if ((!w.domain.wall[a][0] && x < box.lo[a]) || (!w.domain.wall[a][1] && x >= box.hi[a]))
                return true;
        }
        return false;
    };
    Foam<D> kept = foam;
    remove_if(kept, ctx, outside);
    if (kept.size() == foam.size()) return 0;
    Foam<D> gone = foam;
    remove_if(gone, ctx, [&](std::size_t i) { return !outside(i); });
    foam = std::move(kept);
    return total_volume(gone, ctx);
}

template <int D>
void glide(Foam<D>& foam, const FoamSetting<D>& w, const MovingSurface<D>& surface, Interval time,
           Context& ctx) {
    const WetFoam& f = w.law;
    const double limit = own_limit(foam, w, ctx).seconds;
    const int steps =
        static_cast<int>(std::clamp(std::ceil(time.length() / limit), 1.0, double(f.max_substeps)));
    ManifoldLaw law;
    law.rotation = f.rotation;
    law.iterations = f.newton_iterations;
    law.max_correction = f.max_correction * w.domain.voxel();
    law.drag = f.drag;
    double least = 0;  // that pairs must reach
    if (f.capillarity > 0) {
        law.drag_by_size = meniscus_law(w).drag();
        least = meniscus_law(w).reach();
    }
    FoamPairs<D> pairs;
    for (int n = 0; n < steps; ++n) {
        const auto at = [&](int k) {
            return k == steps ? time.end : time.begin + time.length() * k / steps;
        };
        const Interval part{at(n), at(n + 1)};
        pairs.follow(foam, foam_reach(f), ctx, least);
        push(foam, pairs, w, surface, part, ctx);
        advect_on_surface(foam, w.gravity(), surface, law, part, ctx);
        pairs.moved(foam, part.length(), ctx);
    }
}

}  // namespace

template <int D>
TransitionLaw FoamSetting<D>::transitions() const {
    TransitionLaw r;
    r.kept_speed = law.kept_speed;
    r.reach = law.max_correction * domain.voxel();
    r.densest = physics.water_density;
    r.life = law.life;
    r.life_mean = law.life_mean;
    r.life_variance = law.life_variance;
    r.life_power = law.life_power;
    r.seed = seed;
    return r;
}

template <int D>
typename Tiles<D>::Ptr tiles_of_surface(std::span<const Point<D>> points, const FoamSetting<D>& w,
                                        int reach, Context& ctx) {
    Box<int, D> limits = w.domain.cells;
    limits.lo -= Index<D>::filled(reach);
    limits.hi += Index<D>::filled(reach);
    return Tiles<D>::build(tiles_around<D>(points, w.domain.transform, reach, 0, limits, ctx),
                           w.domain.transform);
}

template <int D>
typename Tiles<D>::Ptr tiles_of_surface(std::span<const Point<D>> points, const FoamSetting<D>& w,
                                        double cfl, Context& ctx) {
    return tiles_of_surface<D>(points, w,
                               static_cast<int>(std::ceil(cfl + w.law.max_correction)) + 2, ctx);
}

template <int D>
FoamLoss move_foam(Foam<D>& foam, Bubbles<D>& bubbles, const MovingSurface<D>& surface,
                   const FoamSetting<D>& w, const PlacedSolids<D>& solids,
                   const Departure<D>& departure, Interval time, Context& ctx) {
    FoamLoss loss;
    glide(foam, w, surface, time, ctx);
    for (const Point<D>& x : foam.position.read())
        if (!(dot(x, x) < 1e30)) return {0, 0, true};
    loss.left += keep_in_domain(foam, w, solids, departure, ctx);
    loss.left += take_submerged(foam, bubbles, surface, time.end, w.transitions(), ctx);
    loss.burst += take_burst(foam, ctx);
    return loss;
}

template <int D>
StepLimit foam_max_dt(const Foam<D>& foam, const FoamSetting<D>& w, const Reach& reach,
                      Context& ctx) {
    if (foam.size() == 0) return {};
    const double fastest = reduce(
        ctx.arena, foam.size(), 4096, 0.0,
        [&](std::size_t b, std::size_t e) {
            double m = 0;
            for (std::size_t i = b; i < e; ++i) m = std::max(m, length(foam.velocity[i]));
            return m;
        },
        [](double a, double b) { return std::max(a, b); });
    StepLimit limit = own_limit(foam, w, ctx);
    limit.seconds *= w.law.max_substeps;
    limit.remedy += ", or raise foam.max_substeps";
    return speed_limit(reach, "foam", fastest).also(limit);
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template struct FoamSetting<D>;                                                               \
    template typename Tiles<D>::Ptr tiles_of_surface<D>(std::span<const Point<D>>,                \
                                                        const FoamSetting<D>&, int, Context&);    \
    template typename Tiles<D>::Ptr tiles_of_surface<D>(std::span<const Point<D>>,                \
                                                        const FoamSetting<D>&, double, Context&); \
    template FoamLoss move_foam<D>(Foam<D>&, Bubbles<D>&, const MovingSurface<D>&,                \
                                   const FoamSetting<D>&, const PlacedSolids<D>&,                 \
                                   const Departure<D>&, Interval, Context&);                      \
    template StepLimit foam_max_dt<D>(const Foam<D>&, const FoamSetting<D>&, const Reach&,        \
                                      Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
