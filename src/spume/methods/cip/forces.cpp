// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/methods/cip/flow.h"
#include "spume/surface/dense_level_set.h"

namespace spume::cip {
namespace {

/// κ on the surface, by the voxel; imposed where a test asks for balance. It is that of a distance:
/// between two redistancings the level sets beside the surface move away from parallels to it, and
/// κ, taken of them, would lag behind, which feeds oscillations.
template <int D>
DenseField<double, D> curvature(const State<D>& s, const World<D>& w, const Params& p,
                                Context& context) {
    if (w.imposed_curvature)
        return DenseField<double, D>(s.phi.f.shape, *w.imposed_curvature * w.voxel());
    const double band = p.smearing + 1.5;
    DenseField<double, D> distance = s.phi.f;
    redistance(distance, band + 2, 2 * int(std::ceil(band)), context);
    return surface_curvature(distance, band, context);
}

/// u ← u + (1 − e^(−s q Δt)) (v − u), q = (1 − r²/R²)² in the hand: at rest, the same in any number
/// of steps.
template <int D>
void follow_hand(State<D>& s, const Hand& hand, const World<D>& w, const DenseCutCells<D>& open,
                 Interval time, Context& context) {
    const double begin = std::max(time.begin, hand.start), end = std::min(time.end, hand.stop);
    if (!(end > begin)) return;
    const double part = ((begin + end) / 2 - hand.start) / (hand.stop - hand.start);
    const Vec<double, 3> way = hand.to - hand.from;
    const Point<D> center = flattened<D>(hand.from + way * part);
    const Vec<double, D> velocity = in_plane<D>(way / (hand.stop - hand.start));
    for (int a = 0; a < D; ++a) {
        const auto& place = s.velocity[a].place;
        double* u = s.velocity[a].f.write();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        for_rows(context.arena, place.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == place.cells[a] || (area && area[at] == 0)) continue;
                const Vec<double, D> r =
                    w.position(i.template as<double>() + place.offset) - center;
                const double inside = 1 - dot(r, r) / (hand.radius * hand.radius);
                if (!(inside > 0)) continue;
                const double rate = hand.strength * inside * inside;
                u[at] += (1 - math::exp(-rate * (end - begin))) * (velocity[a] - u[at]);
            }
        });
    }
}

}  // namespace

template <int D>
void add_forces(State<D>& s, const Phases<D>& phases, const DenseCutCells<D>& open,
                const World<D>& w, const Params& p, Interval time, Context& context) {
    Stage stage(context, "forces");
    const double dt = time.length(), middle = time.begin + dt / 2, h = w.voxel();
    const Physics& physics = w.scene.physics;
    const bool tension = physics.surface_tension > 0;
    const DenseField<double, D> kappa =
        tension ? curvature(s, w, p, context) : DenseField<double, D>();
    const double light = physics.air_density / physics.water_density, mean = 0.5 * (1 + light);
    const bool scaled = p.tension == Tension::kDensityScaled && p.interface == Interface::kSmeared;
    const double pull = dt * physics.surface_tension / (h * h * physics.water_density);
    for (int a = 0; a < D; ++a) {
        const auto& place = s.velocity[a].place;
        double* u = s.velocity[a].f.write();
        const double gravity = dt * w.gravity()[a];
        const double *inverse_density = phases.inverse_density_ratio[a].read(),
                     *water = phases.water.read(), *k = tension ? kappa.read() : nullptr;
        const float* area = open.solid ? open.area[a].read() : nullptr;
        const std::size_t stride = place.shape.stride(a);
        for_rows(context.arena, place.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == place.cells[a] || (area && area[at] == 0)) continue;
                u[at] += gravity;
                if (!w.forces.empty())
                    u[at] +=
                        dt * w.forces.acceleration(
                                 w.position(i.template as<double>() + place.offset), middle)[a];
                const double rise = water[at] - water[at - stride];
                if (!tension || rise == 0) continue;
                const double bend = 0.5 * (k[at] + k[at - stride]);
                // A force that goes with the density of both cells: ρ ∂H is a difference of ½ρH.
                const double both = light + (1 - light) * 0.5 * (water[at] + water[at - stride]);
                u[at] += pull * bend * rise * inverse_density[at] * (scaled ? both / mean : 1);
            }
        });
    }
    for (const Hand& hand : p.hands) follow_hand(s, hand, w, open, time, context);
}

#define SPUME_INSTANTIATE(D)                                                          \
    template void add_forces<D>(State<D>&, const Phases<D>&, const DenseCutCells<D>&, \
                                const World<D>&, const Params&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
