// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/air.h"

#include "spume/methods/constraint/air_flow.h"
#include "spume/methods/constraint/foam.h"
#include "spume/methods/constraint/whitewater.h"
#include "spume/physics/air/air_markers.h"
#include "spume/physics/domain/constrain_velocity.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/motion/move_liquid.h"

namespace spume::constraint {
namespace {

/// Moves small bubbles by the displacement of the liquid around them; their velocities stay.
template <int D>
void displace(Bubbles<D>& bubbles, const Carrier<D>& carrier, const GridDomain<D>& domain,
              double dt) {
    if (bubbles.size() == 0) return;
    VelocitySampler<D> flow(carrier.flow, domain.clamp()), motion(carrier, domain.clamp());
    for (Point<D>& x : bubbles.position.write()) {
        const Point<D> u = domain.transform.to_lattice(x);
        x += (motion(u) - flow(u)) * dt;
    }
}

}  // namespace

template <int D>
Tracers<D> in_hollows(const World<D>& w, const PlacedSolids<D>& solids) {
    const std::vector<Point<D>> points = w.liquids.hollow_points(w.domain, solids);
    Tracers<D> fresh, r;
    resize(fresh, points.size());
    auto x = fresh.position.write();
    auto amount = fresh.amount.write();
    const double share = w.domain.cell_volume() / (1 << D);
    for (std::size_t i = 0; i < points.size(); ++i) {
        x[i] = points[i];
        amount[i] = static_cast<float>(share);
    }
    append(r, fresh);
    return r;
}

template <int D>
SmallDebts<D> advance_air(State<D>& s, const Params& p, const World<D>& w,
                          const PlacedSolids<D>& solids, const PlacedSolids<D>& before,
                          const Carrier<D>& carrier, double dt, Context& context) {
    advance(s.markers, carrier, solids, w.domain, dt, context, &before);
    if (s.smoke.size() > 0) {
        const auto& flow = s.air_velocity.tiles() ? s.air_velocity : carrier.flow;
        s.smoke_lost += advance(s.smoke, flow, solids, w.domain, dt, context, &before);
    }
    SmallDebts<D> r;
    if (!has_whitewater(p, w)) return r;
    displace(s.small, carrier, w.domain, dt);
    const auto departure = Departure<D>::of(before, s.small.position, w.domain.voxel());
    spume::advance(s.small, dt, context);
    keep_out(s.small, solids, w.domain, context, &departure);
    s.left += remove_escaped(s.small, w.domain, context);
    r.coalesced = coalesce(s.small, s.liquid, w.domain.voxel(), r.owed, context);
    return r;
}

template <int D>
void correct_with_markers(State<D>& s, const CellRanges<D>& liquid_cells,
                          const CellField<std::uint8_t, D>& open, const World<D>& w,
                          Context& context) {
    if (s.markers.size() == 0) return;
    const Clamp<D> clamp = w.domain.clamp();
    const Tiles<D>& tiles = *s.grid.tiles;
    remove_if(s.markers, context, [&](std::size_t i) {
        const Point<D> u = tiles.transform().to_lattice(s.markers.position[i]);
        return !tiles.is_active(tiles.find(tile_of<D>(clamp.cell(u))));
    });
    CellRanges<D> cells;
    sort_by_cell(s.markers, s.grid.tiles, clamp, cells, context);
    correct_surface(s.phi, s.markers, cells, s.liquid, liquid_cells, open, context);
}

template <int D>
void track_air(State<D>& s, const Params& p, const World<D>& w, const AirRegions<D>& regions,
               const RebuiltGeometry<D>& geometry, const Carrier<D>& carrier,
               const PlacedSolids<D>& solids, Interval time, std::vector<BubbleEvent>& events,
               SmallDebts<D>& debts, Context& context) {
    if (p.bubbles == BubbleMode::kOff) return;
    const double lost_before = s.air.lost;
    for (const CoalescedAir& c : debts.coalesced)
        s.air.lost += c.volume;  // air that will be found again
    auto lost = track(s.air, regions, geometry.volumes.sizes_of(regions, s.phi, context), carrier,
                      w.domain.clamp(), time, events, context);
    if (!has_whitewater(p, w))
        return rise_at_once<D>(lost, s.air, geometry.geometry.phase, w.gravity(), events);
    for (BubbleEvent& e : events)
        if (e.kind == BubbleEvent::kLoss) e.kind = BubbleEvent::kHandOver;
    VelocitySampler<D> velocity(carrier.flow, w.domain.clamp());
    for (LostRegion& r : lost)
        r.velocity = lifted(velocity(w.domain.transform.to_lattice(flattened<D>(r.centre))));
    const double air_density = w.scene.physics.air_density;
    s.air.lost -= hand_over<D>(s.small, lost, air_density, context, &debts.owed);
    s.air.lost -= settle_coalesced<D>(debts.coalesced, s.air.lost - lost_before, s.small, s.air,
                                      air_density, context);
    surface_bubbles(s, p, w, carrier.flow, solids, time, debts.owed, context);
    const auto back = bubble_to_region(s.small, s.air, w.domain.transform, context);
    debts.owed.insert(debts.owed.end(), back.begin(), back.end());
}

template <int D>
void update_air_velocity(State<D>& s, const Params& p, World<D>& w,
                         const SubstepGeometry<D>& geometry, const AirRegions<D>& regions,
                         const PlacedSolids<D>& solids, const FaceField<std::uint8_t, D>& valid,
                         double dt, StepReport& report, Context& context) {
    if (!s.air_velocity.tiles())
        s.air_velocity = s.velocity;
    else if (s.air_velocity.tiles() != s.grid.tiles)
        s.air_velocity = carried<double, D>(s.air_velocity, s.grid.tiles, 0.0, context);
    PressureSolver<D> solver(w.topology);
    const auto flow = flow_air(
        s.air_velocity, {s.velocity, valid}, geometry.phase, regions, geometry.open, w.domain, dt,
        solver, {.tolerance = p.pressure_tolerance, .max_iterations = p.pressure_iterations},
        context);
    report.add(flow.solve);
    report.max_divergence = std::max(report.max_divergence, flow.divergence);
    if (report.failed || report.stopped) return;
    constrain_velocity<D>(s.air_velocity, nullptr, geometry.open, solids, w.no_slip, w.domain,
                          context);
    s.smoke_lost += keep_in_air(s.smoke, s.phi, 2 * w.domain.voxel(), context);
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template Tracers<D> in_hollows<D>(const World<D>&, const PlacedSolids<D>&);                 \
    template SmallDebts<D> advance_air<D>(State<D>&, const Params&, const World<D>&,            \
                                          const PlacedSolids<D>&, const PlacedSolids<D>&,       \
                                          const Carrier<D>&, double, Context&);                 \
    template void correct_with_markers<D>(State<D>&, const CellRanges<D>&,                      \
                                          const CellField<std::uint8_t, D>&, const World<D>&,   \
                                          Context&);                                            \
    template void track_air<D>(State<D>&, const Params&, const World<D>&, const AirRegions<D>&, \
                               const RebuiltGeometry<D>&, const Carrier<D>&,                    \
                               const PlacedSolids<D>&, Interval, std::vector<BubbleEvent>&,     \
                               SmallDebts<D>&, Context&);                                       \
    template void update_air_velocity<D>(                                                       \
        State<D>&, const Params&, World<D>&, const SubstepGeometry<D>&, const AirRegions<D>&,   \
        const PlacedSolids<D>&, const FaceField<std::uint8_t, D>&, double, StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
