// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/closed_surface.h"

#include <algorithm>

namespace spume {

template <int D>
LevelSet<D> closed_surface(LevelSet<D> phi, const Box<double, D>& box,
                           const DistanceWithin<D>& solids, Context& context) {
    const double band = 3 * phi.tiles()->voxel();
    double* v = phi.write();
    for_tiles(context.arena, *phi.tiles(), [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            double& d = v[std::size_t(t) * kTileCells<D> + std::size_t(o)];
            if (d > band) continue;
            const Point<D> x = phi.position(t, o);
            for (int a = 0; a < D; ++a) d = std::max({d, box.lo[a] - x[a], x[a] - box.hi[a]});
            if (solids) d = std::max(d, -solids(x, band));
        }
    });
    return phi;
}

template LevelSet<2> closed_surface<2>(LevelSet<2>, const Box<double, 2>&, const DistanceWithin<2>&,
                                       Context&);
template LevelSet<3> closed_surface<3>(LevelSet<3>, const Box<double, 3>&, const DistanceWithin<3>&,
                                       Context&);

}  // namespace spume
