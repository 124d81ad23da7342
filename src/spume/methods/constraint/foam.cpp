// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/foam.h"

#include <algorithm>

#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/foam_coverage.h"
#include "spume/physics/foam/foam_patch.h"
#include "spume/physics/foam/surfacing.h"

namespace spume::constraint {
namespace {

template <int D>
using SurfaceOn = std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>;

/// The values of a field on other tiles: those of the nearest sample in `box`, `missing` where none
/// is stored. The lattice is the same.
template <int D>
void continue_on(const Tiles<D>& to, double* out, const Tiles<D>& from, const double* in,
                 const Box<int, D>& box, double missing, bool faces, Context& context) {
    for_range(context.arena, std::size_t(to.zero()), 16, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(from);
        for (std::size_t t = b; t < e; ++t) {
            const Index<D> origin = to.origin(int(t));
            const int same = from.find(to.key(int(t)));
            double* block = out + t * kTileCells<D>;
            if (from.is_active(same) && box.contains(origin) &&
                box.contains(origin + Index<D>::filled(kTileSide<D> - 1))) {
                std::copy_n(in + std::size_t(same) * kTileCells<D>, kTileCells<D>, block);
                continue;
            }
            for (int o = 0; o < kTileCells<D>; ++o) {
                Index<D> i = origin + tile_local<D>(o);
                for (int a = 0; a < D; ++a) i[a] = std::clamp(i[a], box.lo[a], box.hi[a] - 1);
                const std::size_t at = cursor(i);
                // Tiles beyond the last have faces, but no cells.
                const bool stored =
                    faces ? cursor.tile() != from.zero() : from.is_active(cursor.tile());
                block[o] = stored ? in[at] : missing;
            }
        }
    });
}

template <int D>
CellField<double, D> phi_on(const typename Tiles<D>::Ptr& tiles, const LevelSet<D>& phi,
                            const GridDomain<D>& domain, Context& context) {
    auto r = CellField<double, D>::unwritten(tiles);
    continue_on(*tiles, r.write(), *phi.tiles(), phi.read(), domain.cells, 3 * domain.voxel(),
                false, context);
    return r;
}

template <int D>
Impulse<D> momentum_of(const Bubbles<D>& bubbles, std::size_t q, double sign) {
    const double volume = bubble_volume<D>(double(bubbles.radius[q]));
    return {bubbles.position[q], bubbles.velocity[q] * (sign * volume * double(bubbles.density[q])),
            volume};
}

/// The region of air above all, in a tank that is shut: null where there is none, or none is shut.
template <int D>
AirBubble* headspace(State<D>& s, const World<D>& w) {
    AirBubble* largest = nullptr;
    if (!is_sealed(w)) return largest;
    for (AirBubble& b : s.air.bubbles)
        if (!largest || b.volume > largest->volume) largest = &b;
    return largest;
}

/// Foam that sank has its air from there; without such air it has none, and is gone.
template <int D>
void take_from_headspace(State<D>& s, const World<D>& w, std::size_t first, Context& context) {
    AirBubble* space = headspace(s, w);
    if (!space) return void(remove_if(s.small, context, [&](std::size_t q) { return q >= first; }));
    for (std::size_t q = first; q < s.small.size(); ++q)
        space->rest -= bubble_volume<D>(double(s.small.radius[q]));
}

/// Of the bubbles near a surface, those below air that has foam: the first along its normal.
template <int D>
void keep_those_below(std::vector<std::uint32_t>& near, State<D>& s, const World<D>& w,
                      const FoamSetting<D>& setting, const SurfaceOn<D>& on, double time,
                      Context& context) {
    const AirBubble* space = headspace(s, w);
    const bool sealed = is_sealed(w);
    if (s.air.bubbles.size() == 1 && (s.air.bubbles[0].outside || sealed)) return;
    std::vector<Point<D>> places;
    places.reserve(near.size());
    for (const std::uint32_t q : near) places.push_back(s.small.position[q]);
    const auto fields = on(tiles_of_surface<D>(places, setting, 1.0, context));
    const GridSurface<D> surface(fields, fields);
    const auto reader = surface.reader();
    const Tiles<D>& tiles = *s.air.label.tiles();
    TileCursor<D> cursor(tiles);
    std::erase_if(near, [&](std::uint32_t q) {
        const Point<D> x = tiles.transform().to_lattice(s.small.position[q]);
        const Vec<double, D> n = reader->normal(s.small.position[q], time);
        for (double way = 0; way <= 3; way += 0.25) {
            const std::size_t at = cursor(floor_index<D>(x + n * way));
            if (!tiles.is_active(cursor.tile())) return sealed;
            const std::int32_t k = s.air.label.read()[at];
            if (k == -1) continue;
            const AirBubble* air = k >= 0 ? &s.air.bubbles[std::size_t(k)] : nullptr;
            return sealed ? air != space : air && !air->outside;
        }
        return true;
    });
}

/// What patches give in an interval.
template <int D>
void add_patches(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                 const FaceField<double, D>& flow, Interval time, Context& context) {
    const auto on = [&](const typename Tiles<D>::Ptr& tiles) {
        return surface_on(tiles, time.end, s.phi, flow, w.domain, context);
    };
    const auto fresh = foam_of_patches<D>(foam_setting(p, w), w.patches, solids, time,
                                          s.small.next_id, on, context);
    s.emitted += fresh.air;
    s.seeded += fresh.air;
    if (AirBubble* space = headspace(s, w))
        space->rest += fresh.air;
    else
        s.left += fresh.left;
    adopt(s.foam, fresh.foam);
}

}  // namespace

template <int D>
SurfaceFields<D> surface_on(const typename Tiles<D>::Ptr& tiles, double time,
                            const LevelSet<D>& phi, const FaceField<double, D>& flow,
                            const GridDomain<D>& domain, Context& context) {
    SurfaceFields<D> r{time, phi_on(tiles, phi, domain, context),
                       FaceField<double, D>::unwritten(tiles)};
    for (int a = 0; a < D; ++a) {
        Box<int, D> faces = domain.cells;
        ++faces.hi[a];
        continue_on(*tiles, r.velocity.write(a), *flow.tiles(), flow.read(a), faces, 0.0, true,
                    context);
    }
    return r;
}

template <int D>
void move_foam(State<D>& s, const Params& p, const World<D>& w, const LevelSet<D>& before,
               const FaceField<double, D>& flow, const PlacedSolids<D>& solids_before,
               const PlacedSolids<D>& solids, Interval time, SmallDebts<D>& debts,
               StepReport& report, Context& context) {
    if (s.foam.size() == 0) return;
    Stage stage(context, "foam");
    const FoamSetting<D> setting = foam_setting(p, w);
    const auto tiles = tiles_of_surface<D>(s.foam.position.read(), setting, setting.cfl, context);
    const auto was = surface_on(tiles, time.begin, before, flow, w.domain, context);
    const GridSurface<D> surface(was,
                                 {time.end, phi_on(tiles, s.phi, w.domain, context), was.velocity});
    const auto departure = Departure<D>::of(solids_before, s.foam.position, w.domain.voxel());
    const std::size_t first = s.small.size();
    const FoamLoss loss =
        spume::move_foam(s.foam, s.small, surface, setting, solids, departure, time, context);
    for (std::size_t q = first; q < s.small.size(); ++q)
        debts.owed.push_back(momentum_of(s.small, q, -1));
    if (is_sealed(w)) {
        take_from_headspace(s, w, first, context);
    } else {
        s.left += loss.left;
        s.air.burst += loss.burst;
    }
    report.failed = loss.broken;
    if (loss.broken) report.why = "foam moved by what is no number";
}

template <int D>
void surface_bubbles(State<D>& s, const Params& p, const World<D>& w,
                     const FaceField<double, D>& flow, const PlacedSolids<D>& solids, Interval time,
                     std::vector<Impulse<D>>& owed, Context& context) {
    if (!has_foam(p, w)) return;
    Stage stage(context, "foam");
    const FoamSetting<D> setting = foam_setting(p, w);
    const SurfaceOn<D> on = [&](const typename Tiles<D>::Ptr& tiles) {
        return surface_on(tiles, time.end, s.phi, flow, w.domain, context);
    };
    std::vector<std::uint32_t> near = near_surface(s.small, s.phi, context);
    keep_those_below(near, s, w, setting, on, time.end, context);
    const Bubbles<D> all = s.small;
    const auto came = surfaced_foam<D>(s.small, near, s.foam, setting, time.end, on, context);
    for (std::size_t q = 0, kept = 0; q < all.size() && all.size() > s.small.size(); ++q)
        if (kept < s.small.size() && s.small.id[kept] == all.id[q])
            ++kept;
        else
            owed.push_back(momentum_of(all, q, 1));
    if (AirBubble* space = headspace(s, w)) {
        space->rest += came.left + came.pruned + total_volume(came.foam, context);
    } else {
        s.left += came.left;
        s.pruned += came.pruned;
    }
    adopt(s.foam, came.foam);
    add_patches(s, p, w, solids, flow, time, context);
}

template <int D>
void first_foam(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                Context& context) {
    if (has_foam(p, w)) add_patches(s, p, w, solids, s.velocity, {-1, s.time}, context);
}

template <int D>
SurfaceFields<D> surface_under_foam(const State<D>& s, const Params& p, const World<D>& w,
                                    Context& context) {
    const auto tiles =
        tiles_of_surface<D>(s.foam.position.read(), foam_setting(p, w), kCoverageReach, context);
    return surface_on(tiles, s.time, s.phi, s.velocity, w.domain, context);
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template SurfaceFields<D> surface_on<D>(const typename Tiles<D>::Ptr&, double,                 \
                                            const LevelSet<D>&, const FaceField<double, D>&,       \
                                            const GridDomain<D>&, Context&);                       \
    template void move_foam<D>(State<D>&, const Params&, const World<D>&, const LevelSet<D>&,      \
                               const FaceField<double, D>&, const PlacedSolids<D>&,                \
                               const PlacedSolids<D>&, Interval, SmallDebts<D>&, StepReport&,      \
                               Context&);                                                          \
    template void surface_bubbles<D>(State<D>&, const Params&, const World<D>&,                    \
                                     const FaceField<double, D>&, const PlacedSolids<D>&,          \
                                     Interval, std::vector<Impulse<D>>&, Context&);                \
    template void first_foam<D>(State<D>&, const Params&, const World<D>&, const PlacedSolids<D>&, \
                                Context&);                                                         \
    template SurfaceFields<D> surface_under_foam<D>(const State<D>&, const Params&,                \
                                                    const World<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
