// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/dense_flow.h"

#include "spume/grid/dense_tiles.h"

namespace spume {

template <int D>
DenseFlow<D> dense_flow(const FaceField<double, D>& velocity, const GridDomain<D>& domain,
                        Context& context) {
    DenseFlow<D> r;
    r.cells = domain.cells.size();
    r.lattice = {domain.voxel(), domain.transform.to_world(domain.cells.lo.template as<double>())};
    for (int a = 0; a < D; ++a) {
        const auto place = DensePlace<D>::faces(r.cells, a);
        r.u[a] = DenseField<float, D>(place.shape);
        tiles_to_dense(velocity.read(a), r.u[a], *velocity.tiles(), domain.cells.lo, context);
        const bool even[D] = {};
        mirror_ghosts<float, D>(r.u[a].write(), place, even);
    }
    return r;
}

template <int D>
BandVelocity<float, D> flow_in_band(const DenseFlow<D>& flow, const Band<D>& band,
                                    const Transform<D>& lattice, Context& context) {
    Stage stage(context, "flow_in_band");
    BandVelocity<float, D> r;
    for (int a = 0; a < D; ++a) r.u[a].resize(band.cells);
    const double ratio = lattice.voxel / flow.lattice.voxel;
    const float scale = float(1 / lattice.voxel);
    for_runs(context.arena, band, [&](const typename Band<D>::Run& run) {
        Point<D> x = (run.first.template as<double>() + Point<D>::filled(0.5)) * ratio;
        for (std::size_t n = run.offset; n < run.offset + std::size_t(run.count); ++n) {
            const Vec<float, D> u = flow.at(x);
            for (int a = 0; a < D; ++a) r.u[a][n] = u[a] * scale;
            x[D - 1] += ratio;
        }
    });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                               \
    template DenseFlow<D> dense_flow<D>(const FaceField<double, D>&, const GridDomain<D>&, \
                                        Context&);                                         \
    template BandVelocity<float, D> flow_in_band<D>(const DenseFlow<D>&, const Band<D>&,   \
                                                    const Transform<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
