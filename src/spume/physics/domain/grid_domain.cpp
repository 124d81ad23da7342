// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/grid_domain.h"

#include <cmath>
#include <limits>

namespace spume {

template <int D>
double GridDomain<D>::cell_volume() const {
    double v = 1;
    for (int a = 0; a < D; ++a) v *= voxel();
    return v;
}

template <int D>
Box<double, D> GridDomain<D>::bounds() const {
    return {transform.to_world(cells.lo.template as<double>()),
            transform.to_world(cells.hi.template as<double>())};
}

template <int D>
bool GridDomain<D>::closed() const {
    for (int a = 0; a < D; ++a)
        if (!wall[a][0] || !wall[a][1]) return false;
    return true;
}

template <int D>
Clamp<D> GridDomain<D>::clamp() const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Clamp<D> r;
    for (int a = 0; a < D; ++a) {
        r.lo[a] = wall[a][0] ? cells.lo[a] : -kFar;
        r.hi[a] = wall[a][1] ? cells.hi[a] : kFar;
    }
    return r;
}

template <int D>
GridDomain<D> grid_domain_of(const Scene& scene) {
    GridDomain<D> domain;
    const Point<D> lower = in_plane<D>(scene.domain.lower), upper = in_plane<D>(scene.domain.upper);
    domain.transform = {scene.voxel(), lower};
    for (int a = 0; a < D; ++a) {
        domain.cells.lo[a] = 0;
        domain.cells.hi[a] = std::max(
            1, static_cast<int>(std::lround((upper[a] - lower[a]) / domain.transform.voxel)));
        const bool vertical = a == 1;
        domain.wall[a][0] = (vertical ? scene.domain.bottom : scene.domain.sides) == Border::kWall;
        domain.wall[a][1] = (vertical ? scene.domain.top : scene.domain.sides) == Border::kWall;
    }
    return domain;
}

template struct GridDomain<2>;
template struct GridDomain<3>;
template GridDomain<2> grid_domain_of<2>(const Scene&);
template GridDomain<3> grid_domain_of<3>(const Scene&);

}  // namespace spume
