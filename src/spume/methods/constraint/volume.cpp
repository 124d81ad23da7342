// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/volume.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "spume/physics/motion/move_bubbles.h"
#include "spume/surface/offset.h"
#include "spume/surface/particle_surface.h"
#include "spume/surface/volume_offset.h"

namespace spume::constraint {
namespace {

/// Errors of less than this many voxels along the normal are left to the flow, so that a surface at
/// rest keeps every bit.
constexpr double kLeastOffset = 1e-3;

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

std::vector<double> volumes_of(const std::vector<RegionMeasure>& sizes) {
    std::vector<double> r;
    r.reserve(sizes.size());
    for (const RegionMeasure& size : sizes) r.push_back(size.volume);
    return r;
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

/// What the volumes should be, by the reconstructed surface. The liquid's has the small bubbles in
/// it.
template <int D>
VolumeTargets wanted_volumes(const State<D>& s, const RebuiltGeometry<D>& g, const Params& p,
                             const World<D>& w, const AirRegions<D>& regions,
                             const std::vector<RegionMeasure>& sizes,
                             const CellField<std::int32_t, D>& nearest, const Carrier<D>& carrier,
                             Interval time, Context& context) {
    const std::size_t count = sizes.size();
    VolumeTargets r;
    r.liquid = s.target_volume + total_volume(s.small, context);
    r.area = surface_areas(s.phi, nearest, g.volumes.open, count, context);
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
bool move_surface(State<D>& s, RebuiltGeometry<D>& g, const Params& p, const World<D>& w,
                  const AirRegions<D>& regions, const Carrier<D>& carrier, Interval time,
                  Context& context) {
    Stage stage(context, "surface");
    const double h = w.domain.voxel();
    const auto nearest = nearest_regions(regions, s.phi, g.geometry.open.area, context);
    auto sizes = g.volumes.sizes_of(regions, s.phi, context);
    const VolumeTargets wanted =
        wanted_volumes(s, g, p, w, regions, sizes, nearest, carrier, time, context);
    const LevelSet<D> reconstructed = s.phi;
    const CellField<std::uint8_t, D> phase = g.geometry.phase;
    std::vector<double> offsets(sizes.size(), 0.0);
    for (int turn = 0; turn < 2; ++turn) {
        if (turn > 0) sizes = g.volumes.sizes_of(regions, s.phi, context);
        const auto next = next_offsets(wanted, volumes_of(sizes), s.volume, p.liquid_correction,
                                       offsets, kMostOffset * h);
        if (largest_change(offsets, next) < kLeastOffset * h) break;
        offsets = next;
        s.phi = reconstructed;
        widen<D>(s.phi, nearest, offsets, context);
        keep_sinks(s.phi, reconstructed, g.geometry.flow, context);
        const Films<D> films{g.particles.cells, g.geometry.open.kind};
        extrapolate_into_solids(s.phi, g.centres, g.geometry.open.area, context, &films);
        update_fractions(g, s, context);
    }
    return !equal(phase, g.geometry.phase);
}

}  // namespace

template <int D>
AirRegions<D> keep_volumes(State<D>& s, RebuiltGeometry<D>& g, const Params& p, const World<D>& w,
                           const PlacedSolids<D>& solids,
                           const std::type_identity_t<Carrier<D>>& carrier, Interval time,
                           Context& context) {
    if (AirRegions<D> regions = regions_of(g.geometry, w, solids, context);
        (!p.liquid_correction && p.bubble_correction == VolumeCorrection::kOff) ||
        !move_surface(s, g, p, w, regions, carrier, time, context))
        return regions;
    return regions_of(g.geometry, w, solids, context);
}

#define SPUME_INSTANTIATE(D)                                                              \
    template AirRegions<D> keep_volumes<D>(State<D>&, RebuiltGeometry<D>&, const Params&, \
                                           const World<D>&, const PlacedSolids<D>&,       \
                                           const Carrier<D>&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
