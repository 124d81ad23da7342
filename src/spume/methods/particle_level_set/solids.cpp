// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/surface/level_sample.h"
#include "spume/surface/trapped_air.h"

namespace spume::particle_level_set {

template <int D>
SolidLattice<D> solid_lattice(const World<D>& w, const PlacedSolids<D>& solids, Context& context) {
    SolidLattice<D> r;
    if (solids.empty()) return r;
    Stage stage(context, "solids");
    const DenseShape<D> shape = DensePlace<D>::centres(w.cells()).shape;
    r.solid = DenseField<std::uint8_t, D>(shape);
    r.open = DenseField<float, D>(shape, 1.0f);
    std::uint8_t* solid = r.solid.write();
    float* open = r.open.write();
    const double h = w.lattice.voxel;
    for_rows(context.arena, shape, [&](Index<D> i, std::size_t at, int count) {
        NearSolids<D> near;
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            const Point<D> x = w.lattice.to_world(i.template as<double>() + Point<D>::filled(0.5));
            if (n % 8 == 0) near.find(solids, x, 9 * h);
            if (near.empty()) continue;
            const double d = near.distance_within(x, h);
            solid[at] = d < 0;
            open[at] = float(std::clamp(0.5 + d / h, 0.0, 1.0));
        }
    });
    return r;
}

template <int D>
double volume_of(const DenseField<float, D>& phi, const SolidLattice<D>& solids, const World<D>& w,
                 Context& context) {
    const float* f = phi.read();
    const float* open = solids.open.values.empty() ? nullptr : solids.open.read();
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= w.lattice.voxel;
    return cell * reduce_rows(
                      context.arena, phi.shape, 0.0,
                      [&](const Index<D>&, std::size_t at, int count) {
                          double sum = 0;
                          for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                              if (f[i] > 1.5f) continue;
                              const double part = f[i] < -1.5f ? 1 : filled_part<D>(phi, i);
                              sum += open ? part * double(open[i]) : part;
                          }
                          return sum;
                      },
                      [](double a, double b) { return a + b; });
}

template <int D>
void continue_into_solids(DenseField<float, D>& phi, const World<D>& w,
                          const PlacedSolids<D>& solids, const SolidLattice<D>& lattice,
                          Context& context) {
    if (solids.empty()) return;
    Stage stage(context, "solids");
    const DenseField<float, D> before = phi;
    float* f = phi.write();
    const std::uint8_t* solid = lattice.solid.read();
    const double h = w.lattice.voxel, deepest = 4 * w.domain.voxel();
    for_rows(context.arena, phi.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            if (!solid[at]) continue;
            const Point<D> x = w.lattice.to_world(i.template as<double>() + Point<D>::filled(0.5));
            if (solids.distance_within(x, deepest) < -deepest * (1 - 1e-9)) continue;
            const double depth = solids.distance(x);
            // As far outside as it is inside, and a voxel at least: all outside the solid.
            const Point<D> image = x - solids.nearest(x).normal(x) * (depth - h);
            f[at] = sample_level<D>(before.read(), phi.shape, w.lattice.to_lattice(image));
        }
    });
    const bool even[D] = {};
    mirror_ghosts<float, D>(f, DensePlace<D>::centres(phi.shape.size), even);
}

template <int D>
void remove_covered(Markers<D>& markers, const PlacedSolids<D>& solids, Context& context) {
    if (solids.empty()) return;
    remove_if(markers, context,
              [&](std::size_t q) { return solids.distance_within(markers.position[q], 1e-6) < 0; });
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template SolidLattice<D> solid_lattice<D>(const World<D>&, const PlacedSolids<D>&, Context&); \
    template double volume_of<D>(const DenseField<float, D>&, const SolidLattice<D>&,             \
                                 const World<D>&, Context&);                                      \
    template void continue_into_solids<D>(DenseField<float, D>&, const World<D>&,                 \
                                          const PlacedSolids<D>&, const SolidLattice<D>&,         \
                                          Context&);                                              \
    template void remove_covered<D>(Markers<D>&, const PlacedSolids<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
