// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/whitewater.h"

#include <algorithm>
#include <array>

#include "spume/grid/face_values.h"
#include "spume/particles/transfer.h"
#include "spume/physics/air/small_bubbles.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/extrapolate.h"
#include "spume/surface/phase.h"

namespace spume::constraint {
namespace {

constexpr std::size_t kGrain = 4096;

template <int D>
Coupling<D> coupling_of(const World<D>& w, double dt) {
    Coupling<D> c;
    c.scheme = Scheme::kImplicitDrag;
    c.drag = w.drag();
    c.drag.coefficient = w.scene.whitewater.drag;
    c.dt = dt;
    c.max_fraction = w.scene.whitewater.max_fraction;
    c.gravity = w.gravity();
    return c;
}

/// ∇p of the substep before, on the tiles of this one; at rest where nothing is known of it.
template <int D>
FaceField<double, D> last_gradient(const State<D>& s, const Coupling<D>& coupling,
                                   Context& context) {
    FaceField<double, D> r(s.grid.tiles);
    const Vec<double, D> at_rest = coupling.hydrostatic_gradient();
    for (int a = 0; a < D; ++a)
        r.component(a) =
            s.pressure_gradient.tiles()
                ? carried<double, D>(s.pressure_gradient.component(a), *s.pressure_gradient.tiles(),
                                     *s.grid.tiles, at_rest[a], context)
                : tile_values<double, D>(*s.grid.tiles, at_rest[a]);
    return r;
}

/// Where a bubble does not slip, its drag hardly answers a change: a pressure that comes within a
/// substep would throw it as if it were alone in the liquid. Its resistance is therefore at least
/// that of its rise through liquid at rest.
template <int D>
void hold_at_least(BubbleForces<D>& forces, const Bubbles<D>& bubbles, const Coupling<D>& coupling,
                   Context& context) {
    const double g = length(coupling.gravity);
    auto resistance = forces.resistance.write();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const DragCoefficients c = coefficients(coupling.drag, bubbles.radius[q]);
            const double least =
                c.linear +
                c.quadratic * slip_speed(coupling.drag, bubbles.radius[q], bubbles.density[q], g);
            for (int a = 0; a < D; ++a) resistance[q][a] = std::max(resistance[q][a], least);
        }
    });
}

/// The part of what bubbles give to a face that its liquid takes: nothing where there is none, and
/// less than all where they are more than fit.
template <int D>
FaceField<double, D> taken_by_liquid(const MixtureFaces<D>& mixture,
                                     const SubstepGeometry<D>& geometry, double most,
                                     Context& context) {
    const auto& tiles = mixture.bubble.tiles();
    FaceField<double, D> r(tiles);
    const std::uint8_t* is = geometry.phase.read();
    for (int a = 0; a < D; ++a) {
        double* out = r.write(a);
        const double* fraction = mixture.unclamped.read(a);
        const float* area = geometry.open.area.read(a);
        for_face_pairs(context.arena, *tiles, a, [&](std::size_t i, std::size_t below) {
            const bool carries =
                area[i] > 0 && (is[i] == kLiquidPhase || is[below] == kLiquidPhase);
            out[i] = carries ? most / std::max(fraction[i], most) : 0.0;
        });
    }
    return r;
}

/// Bubbles that are larger than the faces around them have room for, or at the surface, lift the
/// liquid by as much as others: what its faces do not take of the drag goes to those around.
template <int D>
void give_excess(FaceField<double, D>& velocity, const BubbleForces<D>& pushed,
                 const Bubbles<D>& bubbles, const BubblesOnGrid<D>& grid,
                 const SubstepGeometry<D>& geometry, const LiquidForces<D>& forces,
                 const Coupling<D>& coupling, const GridDomain<D>& domain, Context& context) {
    const auto taken = taken_by_liquid(grid.mixture, geometry, coupling.max_fraction, context);
    std::vector<Impulse<D>> all(bubbles.size());
    gather_from_faces<double, D, 2>(
        bubbles.position.read(), grid.ranges, domain.clamp(), {&taken, &grid.mixture.water},
        [&](std::size_t q, const std::array<Vec<double, D>, 2>& at) {
            const double volume = grid.mixture.volume[q];
            all[q] = {bubbles.position[q], {}, volume};
            for (int a = 0; a < D; ++a)
                if (at[0][a] < 1 - 1e-9)
                    all[q].momentum[a] =
                        -coupling.dt * volume * (1 - at[0][a]) * at[1][a] * pushed.drag[q][a];
        },
        context);
    std::erase_if(all, [](const Impulse<D>& j) { return dot(j.momentum, j.momentum) == 0; });
    const LiquidFaces<D> faces{
        &geometry.phase, &geometry.open.area,
        forces.inverse_density_ratio.tiles() ? &forces.inverse_density_ratio : nullptr};
    scatter_impulses<D>(velocity, all, faces, forces.density, context);
}

}  // namespace

template <int D>
BubblesOnGrid<D> bubbles_on_grid(State<D>& s, const World<D>& w, Context& context) {
    BubblesOnGrid<D> r;
    if (s.small.size() == 0) return r;
    r.ranges = sort_by_tile(s.small, s.grid.tiles, context, w.domain.clamp());
    r.mixture = rasterized(s.small, r.ranges, w.domain, coupling_of(w, 1), context);
    r.fraction = fraction_in_cells(r.mixture.bubble, context);
    const double held = reduce_tiles<D>(
        context.arena, *s.grid.tiles, 0.0,
        [&](int t) {
            double sum = 0;
            for (int o = 0; o < kTileCells<D>; ++o) sum += r.fraction.at(t, o);
            return sum;
        },
        [](double a, double b) { return a + b; });
    r.excess = std::max(0.0, total_volume(s.small, context) - held * w.domain.cell_volume());
    return r;
}

template <int D>
CoupledVelocities<D> couple_bubbles(State<D>& s, const World<D>& w, const BubblesOnGrid<D>& grid,
                                    const FaceField<double, D>& before,
                                    const SubstepGeometry<D>& geometry, LiquidForces<D>& forces,
                                    Context& context) {
    const Coupling<D> coupling = coupling_of(w, forces.dt);
    const MixtureFaces<D>& mixture = grid.mixture;
    const FaceField<double, D> gradient = last_gradient(s, coupling, context);
    CoupledVelocities<D> r;
    r.bubbles_at_start = s.small.velocity;
    BubbleForces<D> pushed = push_bubbles(s.small, r.bubbles_at_start, before, gradient, mixture,
                                          grid.ranges, w.domain, coupling, context);
    s.small.velocity = r.bubbles_at_start;
    give_excess(s.velocity, pushed, s.small, grid, geometry, forces, coupling, w.domain, context);
    hold_at_least(pushed, s.small, coupling, context);
    const FaceForces<D> on_faces =
        rasterized(pushed, s.small, mixture, grid.ranges, w.domain, context);
    Coupling<D> weightless = coupling;  // the liquid's weight is in its velocity already
    weightless.gravity = {};
    const bool several = forces.inverse_density_ratio.tiles() != nullptr;
    r.free = predicted(s.velocity, before, on_faces, gradient, {}, mixture, weightless, context,
                       several ? &forces.inverse_density_ratio : nullptr);
    const auto& tiles = s.grid.tiles;
    r.mixed = zero_borders<double, D>(tiles, context);
    auto ratio = zero_borders<double, D>(tiles, context);
    const double density = forces.density;
    for (int a = 0; a < D; ++a) {
        const double *phi_b = mixture.bubble.read(a), *phi_w = mixture.water.read(a);
        const double *u_b = r.free.bubble.read(a), *rho_b = r.free.bubble_density.read(a);
        const double *u_w = r.free.water.read(a), *rho_w = r.free.water_density.read(a);
        double *m = r.mixed.write(a), *light = ratio.write(a);
        for_face_values(context.arena, *tiles, a, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                m[i] = phi_b[i] * u_b[i] + phi_w[i] * u_w[i];
                light[i] = density * (phi_b[i] / rho_b[i] + phi_w[i] / rho_w[i]);
            }
        });
    }
    s.velocity = r.mixed;
    forces.inverse_density_ratio = std::move(ratio);
    return r;
}

template <int D>
void part_phases(State<D>& s, const World<D>& w, const CoupledVelocities<D>& coupled,
                 const LiquidForces<D>& forces, FaceField<std::uint8_t, D> valid,
                 Context& context) {
    const auto& tiles = s.velocity.tiles();
    FaceField<double, D> gradient(tiles);
    const double per_time = forces.density / forces.dt, dt = forces.dt;
    for (int a = 0; a < D; ++a) {
        double *u = s.velocity.write(a), *slope = gradient.write(a);
        const double *before = coupled.mixed.read(a), *light = forces.inverse_density_ratio.read(a),
                     *u_w = coupled.free.water.read(a), *rho_w = coupled.free.water_density.read(a);
        const std::uint8_t* known = valid.read(a);
        for_face_values(context.arena, *tiles, a, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                if (!known[i]) continue;
                slope[i] = per_time * (before[i] - u[i]) / light[i];
                u[i] = u_w[i] - dt / rho_w[i] * slope[i];
            }
        });
    }
    extrapolate(gradient, valid, 2, context);
    const Vec<double, D> at_rest = w.gravity() * forces.density;
    for (int a = 0; a < D; ++a) {
        double* slope = gradient.write(a);
        const std::uint8_t* known = valid.read(a);
        const double rest = at_rest[a];
        for_face_values(context.arena, *tiles, a, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                if (!known[i]) slope[i] = rest;
        });
    }
    s.pressure_gradient = std::move(gradient);
}

template <int D>
void answer_bubbles(State<D>& s, const World<D>& w, const BubblesOnGrid<D>& grid,
                    const CoupledVelocities<D>& coupled, double dt, Context& context) {
    push_bubbles(s.small, coupled.bubbles_at_start, s.velocity, s.pressure_gradient, grid.mixture,
                 grid.ranges, w.domain, coupling_of(w, dt), context);
}

template <int D>
std::vector<std::string> emit_bubbles(State<D>& s, const Params& p, const World<D>& w,
                                      const FaceField<double, D>& flow,
                                      const PlacedSolids<D>& solids, Interval time,
                                      Context& context) {
    if (!has_whitewater(p, w)) return {};
    const std::uint64_t first = s.small.next_id;
    auto born = w.emitters.emit(s.small, s.owed, time, w.domain, solids, context);
    s.emitted += born.volume;
    s.seeded += born.seeded;
    if (s.small.next_id == first) return std::move(born.warnings);
    VelocitySampler<D> at(flow, w.domain.clamp());
    auto velocity = s.small.velocity.write();
    for (std::size_t q = 0; q < s.small.size(); ++q)
        if (s.small.id[q] >= first)
            velocity[q] += at(w.domain.transform.to_lattice(s.small.position[q]));
    return std::move(born.warnings);
}

template <int D>
void entrain_bubbles(State<D>& s, const Params& p, const World<D>& w, const BubblesOnGrid<D>& grid,
                     const PlacedSolids<D>& solids, Interval time, Context& context) {
    if (!has_entrainment(p, w)) return;
    const auto born = entrain<D>(s.small, grid.fraction, aerated<D>(s.history, w.scene, context),
                                 nullptr, solids, *w.entrainment, time, context);
    s.emitted += born.volume;
    s.seeded += born.volume;
    s.left += remove_in_kill_zones(s.small, *w.entrainment, context);
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template BubblesOnGrid<D> bubbles_on_grid<D>(State<D>&, const World<D>&, Context&);            \
    template CoupledVelocities<D> couple_bubbles<D>(                                               \
        State<D>&, const World<D>&, const BubblesOnGrid<D>&, const FaceField<double, D>&,          \
        const SubstepGeometry<D>&, LiquidForces<D>&, Context&);                                    \
    template void part_phases<D>(State<D>&, const World<D>&, const CoupledVelocities<D>&,          \
                                 const LiquidForces<D>&, FaceField<std::uint8_t, D>, Context&);    \
    template void answer_bubbles<D>(State<D>&, const World<D>&, const BubblesOnGrid<D>&,           \
                                    const CoupledVelocities<D>&, double, Context&);                \
    template std::vector<std::string> emit_bubbles<D>(State<D>&, const Params&, const World<D>&,   \
                                                      const FaceField<double, D>&,                 \
                                                      const PlacedSolids<D>&, Interval, Context&); \
    template void entrain_bubbles<D>(State<D>&, const Params&, const World<D>&,                    \
                                     const BubblesOnGrid<D>&, const PlacedSolids<D>&, Interval,    \
                                     Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
