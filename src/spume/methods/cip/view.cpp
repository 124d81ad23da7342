// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/core/member_count.h"
#include "spume/frame/volumes.h"
#include "spume/grid/dense_tiles.h"
#include "spume/methods/cip/phases.h"
#include "spume/surface/closed_surface.h"
#include "spume/surface/mesh_of.h"

namespace spume::cip {
namespace {

template <int D>
void describe_field(const std::string& name, CipField<double, D>& field, StateVisitor& visitor) {
    visitor(name, field.f.values);
    for (int a = 0; a < D; ++a) visitor(name + ".d" + "xyz"[a], field.g[a].values);
}

/// Momentum of water and air, kg m/s.
template <int D>
Vec<double, 3> momentum_of(const State<D>& s, const Params& p, const World<D>& w,
                           Context& context) {
    const Phases<D> phases = phases_of(s.phi, w, p, context);
    Vec<double, 3> r{};
    const double mass = w.scene.physics.water_density * w.domain.cell_volume();
    for (int a = 0; a < D; ++a) {
        const double *u = s.velocity[a].f.read(), *lightness = phases.lightness[a].read();
        r[a] = mass * reduce_rows(
                          context.arena, s.velocity[a].f.shape, 0.0,
                          [&](const Index<D>&, std::size_t at, int count) {
                              double sum = 0;
                              for (std::size_t i = at; i < at + std::size_t(count); ++i)
                                  sum += u[i] / lightness[i];
                              return sum;
                          },
                          [](double x, double y) { return x + y; });
    }
    return r;
}

/// The level set in metres, a distance in a band and cut beyond, closed at walls and solids.
template <int D>
LevelSet<D> surface_of(const State<D>& s, const World<D>& w, Context& context) {
    const double h = w.voxel();
    LevelSet<D> phi(w.tiles, 3 * h);
    DenseField<double, D> cut = s.phi.f;
    for (double& x : cut.values.write()) x = h * std::clamp(x, -3.0, 3.0);
    dense_to_tiles(cut, phi.write(), *w.tiles, w.domain.cells.lo, context);
    const PlacedSolids<D> solids = w.solids.at(s.time);
    const DistanceWithin<D> to_solids = [&](const Point<D>& x, double band) {
        return solids.distance_within(x, band);
    };
    return closed_surface<D>(phi, w.domain.bounds(),
                             solids.empty() ? DistanceWithin<D>() : to_solids, context);
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    Stage stage(context, "view");
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    f.free_surface = true;
    const LevelSet<D> surface = surface_of(s, w, context);
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
    if constexpr (D == 3)
        if (p.write_mesh) f.meshes.push_back({"surface", mesh_of(surface, context)});
    return f;
}

template <int D>
StateSummary summary(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    StateSummary r;
    r.tiles = w.tiles->active();
    r.voxels = std::int64_t(product(w.cells()));
    r.liquid_volume = s.volume;
    r.liquid_drift = s.target_volume > 0 ? s.volume / s.target_volume - 1 : 0;
    r.momentum = momentum_of(s, p, w, context);
    return r;
}

template <int D>
void describe(State<D>& s, const World<D>& w, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 6 + D, "a new member of State must be named below");
    if (visitor.loading()) s = empty_state(w);
    visitor("time", s.time);
    visitor("steps", s.steps);
    describe_field("phi", s.phi, visitor);
    for (int a = 0; a < D; ++a)
        describe_field(std::string("velocity.") + "xyz"[a], s.velocity[a], visitor);
    visitor("pressure", s.pressure.values);
    visitor("volume", s.volume);
    visitor("target_volume", s.target_volume);
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
