// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/outflow.h"

#include <algorithm>

#include "spume/physics/domain/cells_in.h"

namespace spume {

template <int D>
double outflow_of(const FaceField<double, D>& velocity, const FaceField<float, D>& area,
                  std::span<const SurfaceFace> faces, const LiquidFlow<D>& flow,
                  const GridDomain<D>& domain) {
    const double h = domain.voxel();
    const Tiles<D>& tiles = *velocity.tiles();
    double rate = 0;
    for (const SurfaceFace& f : faces) {
        double carry = 0;  // a sink that moves meets what it moves into
        if (f.region >= 0) {
            if (flow.sinks.empty()) continue;
            const int t = int(f.cell / kTileCells<D>), o = int(f.cell % kTileCells<D>);
            const Point<D> x =
                cell_centre<D>(tiles.origin(t) + tile_local<D>(o), tiles.transform());
            if (!(flow.sink_distance(x + Point<D>::unit(f.axis(), f.sign() * h), h) < 0)) continue;
            carry = flow.sink_velocity(x + Point<D>::unit(f.axis(), 0.5 * f.sign() * h))[f.axis()];
        }
        rate += double(area.read(f.axis())[f.face]) *
                std::max(0.0, f.sign() * (velocity.read(f.axis())[f.face] - carry));
    }
    return rate * domain.cell_volume() / h;
}

#define SPUME_INSTANTIATE(D)                                                               \
    template double outflow_of<D>(const FaceField<double, D>&, const FaceField<float, D>&, \
                                  std::span<const SurfaceFace>, const LiquidFlow<D>&,      \
                                  const GridDomain<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
