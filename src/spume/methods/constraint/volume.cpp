// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/volume.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "spume/methods/constraint/sources_and_sinks.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/surface/offset.h"
#include "spume/surface/particle_surface.h"

namespace spume::constraint {
namespace {

/// Errors of less than this many voxels along the normal are left to the flow, so that a surface at
/// rest keeps every bit.
constexpr double kLeastOffset = 1e-3;

struct Wanted {
    double liquid = 0;               ///< with the small bubbles in it
    std::vector<double> rest;        ///< of each region
    std::vector<double> area;        ///< of its surface
    std::vector<std::uint8_t> kept;  ///< does it keep a volume of its own?
    double free_area = 0;            ///< of all others
};

/// Trapped regions keep their volumes, but for the one with the largest surface in each compartment
/// that is closed, which the others and the liquid imply ([GB17] §4.2).
template <int D>
std::vector<std::uint8_t> kept_regions(const AirRegions<D>& regions, std::span<const double> area) {
    const auto& all = regions.regions;
    std::vector<int> free(std::size_t(regions.compartments), -1);
    for (std::size_t k = 0; k < all.size(); ++k) {
        int& f = free[std::size_t(all[k].compartment)];
        const auto rank = [&](std::size_t i) { return std::pair(all[i].outside, area[i]); };
        if (f < 0 || rank(k) > rank(std::size_t(f))) f = int(k);
    }
    std::vector<std::uint8_t> r(all.size());
    for (std::size_t k = 0; k < all.size(); ++k)
        r[k] = !all[k].outside && free[std::size_t(all[k].compartment)] != int(k);
    return r;
}

/// Rest volumes that the regions will have once they are matched with those of the last substep.
template <int D>
std::vector<double> rest_volumes(const State<D>& s, const Params& p, const AirRegions<D>& regions,
                                 const std::vector<RegionMeasure>& sizes, const Carrier<D>& carrier,
                                 const Clamp<D>& clamp, Interval time, Context& context) {
    BubbleTracker<D> air = s.air;
    std::vector<BubbleEvent> ignored;
    track(air, regions, sizes, carrier, clamp, time, ignored, context);
    std::vector<double> r(sizes.size());
    double volume = 0, rest = 0;
    for (std::size_t k = 0; k < r.size(); ++k) {
        r[k] = air.bubbles[k].rest;
        if (!air.bubbles[k].outside) volume += sizes[k].volume, rest += r[k];
    }
    if (p.bubble_correction == VolumeCorrection::kPerBubble) return r;
    const bool global = p.bubble_correction == VolumeCorrection::kGlobal && volume > 0;
    for (std::size_t k = 0; k < r.size(); ++k)
        r[k] = sizes[k].volume * (global ? rest / volume : 1.0);
    return r;
}

/// One Newton step from the ways `way`: the volume of a region grows by its area along the normal.
/// What the kept regions take or give, the free surface makes up for.
std::vector<double> next_ways(const Wanted& wanted, const std::vector<RegionMeasure>& sizes,
                              double liquid, bool keep_liquid, std::vector<double> way,
                              double most) {
    double surplus = liquid - wanted.liquid;
    for (std::size_t k = 0; k < way.size(); ++k) {
        if (!wanted.kept[k] || !(wanted.area[k] > 0)) continue;
        const double before = way[k];
        way[k] += (wanted.rest[k] - sizes[k].volume) / wanted.area[k];
        way[k] = std::clamp(way[k], -most, most);
        surplus -= (way[k] - before) * wanted.area[k];
    }
    if (!keep_liquid || !(wanted.free_area > 0)) return way;
    for (std::size_t k = 0; k < way.size(); ++k)
        if (!wanted.kept[k]) way[k] = std::clamp(way[k] + surplus / wanted.free_area, -most, most);
    return way;
}

double largest_change(std::span<const double> a, std::span<const double> b) {
    double r = 0;
    for (std::size_t k = 0; k < a.size(); ++k) r = std::max(r, std::abs(a[k] - b[k]));
    return r;
}

template <int D>
bool equal(const CellField<std::uint8_t, D>& a, const CellField<std::uint8_t, D>& b) {
    return a.read() == b.read() ||
           std::memcmp(a.read(), b.read(), std::size_t(a.tiles()->active()) * kTileCells<D>) == 0;
}

/// What the volumes should be, by the surface as it was laid.
template <int D>
Wanted wanted_volumes(const State<D>& s, const SubstepGeometry<D>& g, const Params& p, const World<D>& w,
                      const AirRegions<D>& regions, const std::vector<RegionMeasure>& sizes,
                      const CellField<std::int32_t, D>& nearest, const Carrier<D>& carrier,
                      Interval time, Context& context) {
    const std::size_t count = sizes.size();
    Wanted r;
    r.liquid = s.target_volume + total_volume(s.small, context);
    r.area = surface_areas(s.phi, nearest, g.fractions.open, count, context);
    r.kept.assign(count, 0);
    if (p.bubbles == BubbleMode::kConstrained) {
        r.kept = kept_regions<D>(regions, r.area);
        r.rest = rest_volumes(s, p, regions, sizes, carrier, w.domain.clamp(), time, context);
    }
    for (std::size_t k = 0; k < count; ++k)
        if (!r.kept[k]) r.free_area += r.area[k];
    return r;
}

/// Moves the surface; true: some cells changed their phase.
template <int D>
bool move_surface(State<D>& s, SubstepGeometry<D>& g, const Params& p, const World<D>& w,
                  const AirRegions<D>& regions, const Carrier<D>& carrier, Interval time,
                  Context& context) {
    const double h = w.domain.voxel();
    const auto nearest = nearest_regions(regions, s.phi, g.open.area, context);
    auto sizes = g.sizes_of(regions, s.phi, context);
    const Wanted wanted =
        wanted_volumes(s, g, p, w, regions, sizes, nearest, carrier, time, context);
    const LevelSet<D> reconstructed = s.phi;
    const CellField<std::uint8_t, D> phase = g.phase;
    std::vector<double> way(sizes.size(), 0.0);
    for (int turn = 0; turn < 2; ++turn) {
        if (turn > 0) sizes = g.sizes_of(regions, s.phi, context);
        const auto next =
            next_ways(wanted, sizes, s.volume, p.liquid_correction, way, kMostOffset * h);
        if (largest_change(way, next) < kLeastOffset * h) break;
        way = next;
        s.phi = reconstructed;
        widen<D>(s.phi, nearest, way, context);
        keep_sinks(s.phi, reconstructed, g.flow, context);
        extrapolate_into_solids(s.phi, g.centres, g.open.area, context);
        fill(g, s, context);
    }
    return !equal(phase, g.phase);
}

}  // namespace

template <int D>
AirRegions<D> keep_volumes(State<D>& s, SubstepGeometry<D>& g, const Params& p, const World<D>& w,
                           const PlacedSolids<D>& solids, const std::type_identity_t<Carrier<D>>& carrier,
                           Interval time, Context& context) {
    AirRegions<D> regions = regions_of(g, w, solids, context);
    if (!p.liquid_correction && p.bubble_correction == VolumeCorrection::kOff) return regions;
    Stage stage(context, "surface");
    if (!move_surface(s, g, p, w, regions, carrier, time, context)) return regions;
    regions = {};
    return regions_of(g, w, solids, context);
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template AirRegions<D> keep_volumes<D>(State<D>&, SubstepGeometry<D>&, const Params&, const World<D>&, \
                                           const PlacedSolids<D>&, const Carrier<D>&, Interval,         \
                                           Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
