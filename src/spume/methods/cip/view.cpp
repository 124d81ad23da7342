// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/member_count.h"
#include "spume/frame/body_poses.h"
#include "spume/frame/points.h"
#include "spume/frame/volumes.h"
#include "spume/grid/dense_tiles.h"
#include "spume/methods/cip/fragments.h"
#include "spume/physics/domain/closing_sheets.h"
#include "spume/physics/motion/cip_mixed.h"

namespace spume::cip {
namespace {

template <int D>
void describe_field(const std::string& name, CipField<double, D>& field, StateVisitor& visitor) {
    visitor(name, field.f.values);
    for (int a = 0; a < D; ++a) visitor(name + ".d" + "xyz"[a], field.g[a].values);
    if (!has_mixed(field)) return;
    for (int a = 0, k = 0; a < D; ++a)
        for (int b = a + 1; b < D; ++b, ++k)
            visitor(name + ".d" + "xyz"[a] + "xyz"[b], field.mixed[k].values);
}

/// Momentum of water and air, kg m/s.
template <int D>
Vec<double, 3> momentum_of(const State<D>& s, const Params& p, const World<D>& w,
                           Context& context) {
    const Phases<D> phases = phases_of(s.phi, w, p, context);
    Vec<double, 3> r{};
    const double mass = w.scene.physics.water_density * w.domain.cell_volume();
    for (int a = 0; a < D; ++a) {
        const double *u = s.velocity[a].f.read(),
                     *inverse_density = phases.inverse_density_ratio[a].read();
        r[a] = mass * reduce_rows(
                          context.arena, s.velocity[a].f.shape, 0.0,
                          [&](const Index<D>&, std::size_t at, int count) {
                              double sum = 0;
                              for (std::size_t i = at; i < at + std::size_t(count); ++i)
                                  sum += u[i] / inverse_density[i];
                              return sum;
                          },
                          [](double x, double y) { return x + y; });
    }
    return r;
}

/// The level set in metres, a distance in a band and cut beyond.
template <int D>
LevelSet<D> level_of(const State<D>& s, const World<D>& w, Context& context) {
    const double h = w.voxel();
    LevelSet<D> phi(w.tiles, 3 * h);
    DenseField<double, D> cut = s.phi.f;
    for (double& x : cut.values.write()) x = h * std::clamp(x, -3.0, 3.0);
    dense_to_tiles(cut, phi.write(), *w.tiles, w.domain.cells.lo, context);
    return phi;
}

/// Fragments of a kind as points: balls drawn out along their velocity, [SSK05] §5.4, by `scale`
/// (half axes) with the first along `axis`.
template <int D>
PointSet points_of_kind(const State<D>& s, FragmentKind kind, const char* name, const Params& p,
                        Context& context) {
    Fragments<D> set = s.fragments;
    remove_if(set, context, [&](std::size_t i) { return set.kind[i] != kind; });
    const std::size_t n = set.size();
    Array<float> radius(n);
    Array<Vec<float, 3>> scale(n), axis(n);
    auto r = radius.write();
    auto half = scale.write(), along = axis.write();
    for (std::size_t i = 0; i < n; ++i) {
        const double ball = fragment_radius<D>(set.volume[i]), speed = length(set.velocity[i]);
        const double longer = kind == kFoam ? 1 : 1 + std::min(1.0, p.elongation * speed);
        const double across = D == 2 ? 1 / longer : 1 / std::sqrt(longer);
        r[i] = float(ball);
        half[i] = Vec<double, 3>{ball * longer, ball * across, ball * across}.as<float>();
        along[i] = speed > 0 ? lifted(set.velocity[i] / speed).template as<float>()
                             : Vec<float, 3>{1, 0, 0};
    }
    return points_of(
        set, name,
        {{"pscale", "m", radius}, {"age", "s", set.age}, {"scale", "m", scale}, {"axis", "", axis}},
        context);
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    Stage stage(context, "view");
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    f.free_surface = true;
    f.bodies = poses_of(w.rigid, s.rigid);
    const LevelSet<D> level = level_of(s, w, context);
    const PlacedSolids<D> solids = w.solids_at(s.time, s.rigid);
    const ClosingSheets<D> sheets = closing_sheets(level, w.domain, solids);
    const LevelSet<D> surface = closed_surface<D>(level, sheets.box, sheets.solids, context);
    Volume volume = volume_of(surface, "surface", "m", VolumeKind::kLevelSet, context);
    volume.background = static_cast<float>(3 * w.voxel());
    f.volumes.push_back(std::move(volume));
    if (w.scene.output.velocity) {
        FaceField<double, D> u(w.tiles);
        for (int a = 0; a < D; ++a)
            dense_to_tiles(s.velocity[a].f, u.write(a), *w.tiles, w.domain.cells.lo, context);
        f.volumes.push_back(volume_of(u, "vel", "m/s", context));
    }
    if (w.scene.output.pressure) {
        CellField<double, D> pressure(w.tiles);
        dense_to_tiles(s.pressure, pressure.write(), *w.tiles, w.domain.cells.lo, context);
        f.volumes.push_back(volume_of(pressure, "pressure", "Pa", VolumeKind::kScalar, context));
    }
    if (has_ink(s)) {
        CellField<double, D> ink(w.tiles);
        dense_to_tiles(s.ink.f, ink.write(), *w.tiles, w.domain.cells.lo, context);
        f.volumes.push_back(volume_of(ink, "ink", "", VolumeKind::kScalar, context));
    }
    if (p.fragments) {
        f.points.push_back(points_of_kind(s, kDrop, "droplets", p, context));
        f.points.push_back(points_of_kind(s, kBubble, "bubbles", p, context));
        f.points.push_back(points_of_kind(s, kFoam, "foam", p, context));
    }
    if constexpr (D == 3)
        if (p.write_mesh) f.meshes.push_back({"surface", closed_mesh(surface, sheets, context)});
    return f;
}

template <int D>
StateSummary summary(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    StateSummary r;
    r.tiles = w.tiles->active();
    r.voxels = std::int64_t(product(w.cells()));
    const double drops = fragment_volume(s.fragments, kDrop);
    r.air.bubbles = fragment_volume(s.fragments, kBubble);
    r.air.foam = fragment_volume(s.fragments, kFoam);
    r.air.emitted = s.air_found;
    r.air.burst = s.air_given;
    r.liquid_volume = s.volume + drops - r.air.bubbles - r.air.foam;  // [SSK05] Eq. 20
    r.liquid_drift = s.target_volume > 0 ? r.liquid_volume / s.target_volume - 1 : 0;
    for (std::size_t i = 0; i < s.fragments.size(); ++i)
        ++(s.fragments.kind[i] == kDrop     ? r.droplets
           : s.fragments.kind[i] == kBubble ? r.bubbles
                                            : r.foam);
    r.momentum = momentum_of(s, p, w, context) + w.rigid.momentum(s.rigid);
    // The grid has the other phase in a fragment's place.
    const double excess = w.scene.physics.water_density - w.scene.physics.air_density;
    for (std::size_t i = 0; i < s.fragments.size(); ++i)
        r.momentum += lifted(s.fragments.velocity[i] * (s.fragments.kind[i] == kDrop
                                                            ? excess * s.fragments.volume[i]
                                                            : -excess * s.fragments.volume[i]));
    return r;
}

template <int D>
void describe(State<D>& s, const World<D>& w, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 14 + D, "a new member of State must be named below");
    if (visitor.loading()) s = empty_state(w);
    visitor("time", s.time);
    visitor("steps", s.steps);
    describe_field("phi", s.phi, visitor);
    for (int a = 0; a < D; ++a)
        describe_field(std::string("velocity.") + "xyz"[a], s.velocity[a], visitor);
    visitor("pressure", s.pressure.values);
    describe_field("ink", s.ink, visitor);
    describe_set(s.markers, "markers", visitor);
    visitor("rigid", s.rigid);
    visitor("volume", s.volume);
    visitor("target_volume", s.target_volume);
    describe_set(s.fragments, "fragments", visitor);
    visitor("water_found", s.water_found);
    visitor("water_given", s.water_given);
    visitor("air_found", s.air_found);
    visitor("air_given", s.air_given);
}

double expected_bytes(const Scene& scene, const Params&, double voxels, double) {
    const int d = scene.domain.dimensions;
    // Fields with derivatives: the state's and as many while they move; nodes with all derivatives;
    // feet; phases; the solver.
    const double fields = (1 + d) * (1 + d) * 8.0 * 2.5, nodes = 8.0 * (1 << d) + 8.0 * d;
    return voxels * (fields + nodes + 8.0 * (3 * d + 6) + 150);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Frame view<D>(const State<D>&, const Params&, const World<D>&, Context&);           \
    template StateSummary summary<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template void describe<D>(State<D>&, const World<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
