// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/grid/dense_tiles.h"
#include "spume/grid/face_values.h"
#include "spume/methods/cip/phases.h"
#include "spume/physics/domain/constrain_velocity.h"
#include "spume/surface/extrapolate.h"

namespace spume::cip {
namespace {

/// Of a face: less carries next to nothing, at whatever speed pressure makes of that. It flows as
/// around it, or one crevice between a body and a wall holds up the time step of all.
constexpr float kCrevice = 0.05f;

}  // namespace

template <int D>
void renew_push(SolidGeometry<D>& solids, const World<D>& w, Context& context) {
    for (int a = 0; a < D; ++a)
        tiles_to_dense(solids.open.velocity.read(a), solids.dense.push[a], *w.tiles,
                       w.domain.cells.lo, context);
}

template <int D>
SolidGeometry<D> solid_geometry(const World<D>& w, PlacedSolids<D> bodies, Context& context) {
    SolidGeometry<D> r;
    r.bodies = std::move(bodies);
    if (r.bodies.empty()) return r;
    Stage stage(context, "solids");
    std::vector<std::uint8_t> marked(r.bodies.placed.size(), 0);
    for (const auto& body : w.rigid.bodies()) marked[body.solid] = w.marked;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        if (marked[i]) continue;
        r.cut.placed.push_back(r.bodies.placed[i]);
        r.no_slip.push_back(w.no_slip[i]);
    }
    r.open = cut_cells(r.cut, w.domain, w.tiles, context);
    r.dense.solid = true;
    const auto centres = DensePlace<D>::centres(w.cells());
    const Index<D>& lower = w.domain.cells.lo;
    for (int a = 0; a < D; ++a) {
        const auto faces = DensePlace<D>::faces(w.cells(), a);
        r.dense.area[a] = DenseField<float, D>(faces.shape);
        r.dense.push[a] = DenseField<double, D>(faces.shape);
        tiles_to_dense(r.open.area.read(a), r.dense.area[a], *w.tiles, lower, context);
        tiles_to_dense(r.open.velocity.read(a), r.dense.push[a], *w.tiles, lower, context);
    }
    r.dense.kind = DenseField<std::uint8_t, D>(centres.shape);
    tiles_to_dense(r.open.kind.read(), r.dense.kind, *w.tiles, lower, context);
    r.dense.part = DenseField<float, D>(centres.shape);
    float* part = r.dense.part.write();
    const double h = w.voxel();
    for_rows(context.arena, centres.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int k = 0; k < count; ++k, ++at, ++i[D - 1]) {
            const Point<D> x = w.position(i.template as<double>() + Vec<double, D>::filled(0.5));
            part[at] = float(std::clamp(0.5 + r.bodies.distance_within(x, h) / h, 0.0, 1.0));
        }
    });
    return r;
}

template <int D>
void continue_into_solids(CipField<double, D>& phi, const World<D>& w,
                          const PlacedSolids<D>& bodies, Context& context) {
    if (bodies.empty()) return;
    Stage stage(context, "solids");
    const DenseField<double, D> before = phi.f;
    double* f = phi.f.write();
    const double h = w.voxel();
    for_rows(context.arena, phi.f.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int k = 0; k < count; ++k, ++at, ++i[D - 1]) {
            const Point<D> x = w.position(i.template as<double>() + Vec<double, D>::filled(0.5));
            if (bodies.distance_within(x, 4 * h) >= 0) continue;
            const double depth = bodies.distance(x);
            // As far outside as it is inside, and a voxel at least: all outside the solid.
            const PlacedBody<D>& body = bodies.nearest(x);
            const Vec<double, D> u = w.lattice(x - body.normal(x) * (depth - h));
            double at_surface[D];
            for (int a = 0; a < D; ++a)
                at_surface[a] = std::clamp(u[a], 0.0, double(phi.place.cells[a]));
            f[at] = sample_dense<double, D>(before.read(), phi.place, at_surface);
        }
    });
    follow_change(phi, before, context);
}

template <int D>
void continue_into_solids(State<D>& s, const World<D>& w, const SolidGeometry<D>& solids,
                          Context& context) {
    if (solids.cut.empty()) return;
    const Index<D>& lower = w.domain.cells.lo;
    FaceField<double, D> velocity(w.tiles);
    FaceField<std::uint8_t, D> valid(w.tiles);
    for (int a = 0; a < D; ++a) {
        dense_to_tiles(s.velocity[a].f, velocity.write(a), *w.tiles, lower, context);
        const float* area = solids.open.area.read(a);
        std::uint8_t* known = valid.write(a);
        for_face_values(context.arena, *w.tiles, a, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) known[i] = area[i] > kCrevice;
        });
    }
    extrapolate(velocity, valid, 4, context, Continuation::kEven, &solids.open.parting);
    constrain_velocity<D>(velocity, nullptr, solids.open, solids.cut, solids.no_slip, w.domain,
                          context);
    for (int a = 0; a < D; ++a)
        tiles_to_dense(velocity.read(a), s.velocity[a].f, *w.tiles, lower, context);
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template void renew_push<D>(SolidGeometry<D>&, const World<D>&, Context&);                 \
    template SolidGeometry<D> solid_geometry<D>(const World<D>&, PlacedSolids<D>, Context&);   \
    template void continue_into_solids<D>(CipField<double, D>&, const World<D>&,               \
                                          const PlacedSolids<D>&, Context&);                   \
    template void continue_into_solids<D>(State<D>&, const World<D>&, const SolidGeometry<D>&, \
                                          Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
