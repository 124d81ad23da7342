// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/foam_layer.h"

#include <utility>

#include "spume/methods/guided/bubble_exchange.h"
#include "spume/physics/foam/foam_coverage.h"
#include "spume/physics/foam/foam_patch.h"
#include "spume/physics/foam/surfacing.h"

namespace spume::guided {
namespace {

template <int D>
SurfaceFields<D> as_surface(BulkFields<D> fields) {
    return {fields.time, std::move(fields.phi), std::move(fields.velocity)};
}

template <int D>
FoamSetting<D> setting_of(const World<D>& w) {
    return {w.scene, w.domain, w.foam_cfl};
}

/// What patches give in an interval, named; counts as emitted.
template <int D>
void add_patches(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids, Interval time,
                 Context& ctx) {
    const auto on = [&](const typename Tiles<D>::Ptr& tiles) {
        return as_surface(w.bulk->on(tiles, time.end, ctx));
    };
    const auto fresh =
        foam_of_patches<D>(setting_of(w), w.patches, solids, time, s.bubbles.next_id, on, ctx);
    s.emitted += fresh.air;
    s.seeded += fresh.air;
    s.left += fresh.left;
    adopt(s.foam, fresh.foam);
}

}  // namespace

template <int D>
void move_foam(State<D>& s, World<D>& w, const PlacedSolids<D>& solids, Interval time,
               StepReport& report, Context& ctx) {
    if (s.foam.size() == 0) return;
    Stage stage(ctx, "foam");
    const FoamSetting<D> setting = setting_of(w);
    const auto tiles = tiles_of_surface<D>(s.foam.position.read(), setting, setting.cfl, ctx);
    const auto before = w.foam_window.at(*w.bulk, tiles, time.begin, ctx);
    const auto after = w.foam_window.at(*w.bulk, tiles, time.end, ctx);
    const GridSurface<D> surface(as_surface(before), as_surface(after));
    const auto departure =
        Departure<D>::of(w.solids.at(time.begin), s.foam.position, w.domain.voxel());
    const FoamLoss loss =
        move_foam(s.foam, s.bubbles, surface, setting, solids, departure, time, ctx);
    s.left += loss.left;
    s.burst += loss.burst;
    report.failed = loss.broken;
    if (loss.broken) report.why = "foam moved by what is no number";
}

template <int D>
void surface_bubbles(State<D>& s, World<D>& w, const CellField<double, D>& phi,
                     const PlacedSolids<D>& solids, Interval time, Context& ctx) {
    if (!w.scene.foam.on) {
        s.left += remove_surfaced(s.bubbles, phi, w.scene.physics.water_density, ctx);
        return;
    }
    Stage stage(ctx, "foam");
    const auto on = [&](const typename Tiles<D>::Ptr& tiles) {
        return as_surface(w.bulk->on(tiles, time.end, ctx));
    };
    const auto came = surfaced_foam<D>(s.bubbles, near_surface(s.bubbles, phi, ctx), s.foam,
                                       setting_of(w), time.end, on, ctx);
    s.left += came.left;
    s.pruned += came.pruned;
    adopt(s.foam, came.foam);
    add_patches(s, w, solids, time, ctx);
}

template <int D>
void first_foam(State<D>& s, const World<D>& w, Context& ctx) {
    add_patches(s, w, w.solids.at(s.time), {-1, s.time}, ctx);
}

template <int D>
SurfaceFields<D> surface_under_foam(const State<D>& s, const World<D>& w, Context& ctx) {
    const auto tiles =
        tiles_of_surface<D>(s.foam.position.read(), setting_of(w), kCoverageReach, ctx);
    return as_surface(w.bulk->on(tiles, s.time, ctx));
}

template <int D>
StepLimit foam_max_dt(const State<D>& s, const World<D>& w, const Reach& reach, Context& ctx) {
    return foam_max_dt(s.foam, setting_of(w), reach, ctx);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template void move_foam<D>(State<D>&, World<D>&, const PlacedSolids<D>&, Interval,           \
                               StepReport&, Context&);                                           \
    template void surface_bubbles<D>(State<D>&, World<D>&, const CellField<double, D>&,          \
                                     const PlacedSolids<D>&, Interval, Context&);                \
    template void first_foam<D>(State<D>&, const World<D>&, Context&);                           \
    template SurfaceFields<D> surface_under_foam<D>(const State<D>&, const World<D>&, Context&); \
    template StepLimit foam_max_dt<D>(const State<D>&, const World<D>&, const Reach&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided
