// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/rows.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/particles/bubble_size.h"
#include "spume/surface/curvature.h"

namespace spume::constraint {
namespace {

/// Nine tenths of an error in volume are gone after five substeps of this size, [KLLJR07] §4.
double correction_rate(double dt) { return 2.3 / (5 * dt); }

/// Relative error, limited so that a wrong measure cannot blow anything up.
double limited_error(double target, double now) {
    return now > 0 ? std::clamp((target - now) / now, -0.05, 0.05) : 0.0;
}

/// No correction moves a region's surface by more than so many voxels in a substep: what it asks
/// for may have to pass a narrow neck.
constexpr double kMostLayer = 0.1;

/// Volume of a layer one voxel thick on a face.
template <int D>
double layer_on(const SurfaceFace& f, const FaceField<float, D>& area) {
    const double h = area.tiles()->voxel();
    return double(area.read(f.axis())[f.face]) * (D == 2 ? h * h : h * h * h);
}

/// How much of a spring's change in a substep acts in it already. None keeps the energy of slow
/// springs, whole keeps fast ones stable. No region of this volume is faster than a round bubble
/// in open liquid [Min33].
template <int D>
double implicit_share(double volume, double pressure, double gas_exponent, double density,
                      double dt) {
    const double radius = bubble_radius<D>(volume);
    const double turn = dt * dt * 3 * gas_exponent * pressure / (density * radius * radius);
    return std::max(0.01, 1 - 2 / turn);
}

/// p V^γ = const, linear about the volume at the begin of the substep. Such rows are never
/// redundant: the spring makes each definite.
template <int D>
void make_compressible(std::vector<RegionRow>& rows, const AirRegions<D>& regions,
                       const std::vector<AirBubble>& air, const Params& p, double density,
                       double dt) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (regions.regions[k].outside || !(air[k].volume > 0)) continue;
        const double pressure =
            p.atmosphere * math::pow(air[k].rest / air[k].volume, p.gas_exponent);
        const double share =
            implicit_share<D>(air[k].volume, pressure, p.gas_exponent, density, dt);
        rows[k] = {true, 0, share * p.gas_exponent * pressure / air[k].volume,
                   pressure - p.atmosphere};
    }
}

}  // namespace

template <int D>
std::vector<SurfaceFace> faces_under_tension(const State<D>& s, const SubstepGeometry<D>& geometry,
                                             const AirRegions<D>& regions, const World<D>& w,
                                             Context& ctx) {
    const double tension = w.scene.physics.surface_tension;
    const auto curvature = tension > 0 ? curvature_of(s.phi, ctx) : CellField<double, D>();
    return surface_faces<D>(s.phi, geometry.phase, geometry.open.area, regions.label, curvature,
                            tension, ctx);
}

template <int D>
void add_rows(AirBoundary<D>& air, const State<D>& s, const Params& p,
              const SubstepGeometry<D>& geometry, double density, double dt) {
    air.rows = constrained_rows<D>(air.regions, air.faces, geometry.open.area, air.dropped);
    if (p.bubbles == BubbleMode::kOff) air.rows.assign(air.rows.size(), {});
    if (p.bubbles == BubbleMode::kCompressible)
        make_compressible(air.rows, air.regions, s.air.bubbles, p, density, dt);
}

bool corrects_volumes(const Params& p) {
    return p.liquid_correction ||
           (p.bubbles == BubbleMode::kConstrained && p.bubble_correction != VolumeCorrection::kOff);
}

template <int D>
std::vector<RegionRow> correcting_rows(const AirBoundary<D>& boundary, const State<D>& s,
                                       const Params& p, const FaceField<float, D>& area,
                                       double dt) {
    std::vector<RegionRow> r = boundary.rows;
    const std::vector<RegionMeasure>& reconstructed = boundary.reconstructed;
    for (RegionRow& row : r) row.pressure = 0;
    if (p.bubbles != BubbleMode::kConstrained || p.bubble_correction == VolumeCorrection::kOff)
        return r;
    const std::vector<AirBubble>& air = s.air.bubbles;
    std::vector<double> layer(r.size(), 0.0);
    for (const SurfaceFace& f : boundary.faces)
        if (f.region >= 0) layer[std::size_t(f.region)] += layer_on(f, area);
    double volume = 0, rest = 0;
    for (std::size_t k = 0; k < r.size(); ++k)
        if (!air[k].outside) volume += reconstructed[k].volume, rest += air[k].rest;
    for (std::size_t k = 0; k < r.size(); ++k) {
        if (!r[k].constrained) continue;
        const double lacks = p.bubble_correction == VolumeCorrection::kGlobal
                                 ? limited_error(rest, volume) * reconstructed[k].volume
                                 : air[k].rest - reconstructed[k].volume;
        const double most = kMostLayer * layer[k] / dt;
        r[k].growth = std::clamp(correction_rate(dt) * lacks, -most, most);
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template std::vector<SurfaceFace> faces_under_tension<D>(                                     \
        const State<D>&, const SubstepGeometry<D>&, const AirRegions<D>&, const World<D>&,        \
        Context&);                                                                                \
    template void add_rows<D>(AirBoundary<D>&, const State<D>&, const Params&,                    \
                              const SubstepGeometry<D>&, double, double);                         \
    template std::vector<RegionRow> correcting_rows<D>(const AirBoundary<D>&, const State<D>&,    \
                                                       const Params&, const FaceField<float, D>&, \
                                                       double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
