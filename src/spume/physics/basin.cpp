// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/basin.h"

#include <cmath>
#include <limits>

namespace spume {

template <int D>
double Basin<D>::cell_volume() const {
    double v = 1;
    for (int a = 0; a < D; ++a) v *= voxel();
    return v;
}

template <int D>
Box<double, D> Basin<D>::bounds() const {
    return {transform.to_world(cells.lo.template as<double>()),
            transform.to_world(cells.hi.template as<double>())};
}

template <int D>
bool Basin<D>::closed() const {
    for (int a = 0; a < D; ++a)
        if (!wall[a][0] || !wall[a][1]) return false;
    return true;
}

template <int D>
Clamp<D> Basin<D>::clamp() const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Clamp<D> r;
    for (int a = 0; a < D; ++a) {
        r.lo[a] = wall[a][0] ? cells.lo[a] : -kFar;
        r.hi[a] = wall[a][1] ? cells.hi[a] : kFar;
    }
    return r;
}

template <int D>
Basin<D> basin_of(const Scene& scene) {
    Basin<D> basin;
    const Point<D> lower = in_plane<D>(scene.domain.lower), upper = in_plane<D>(scene.domain.upper);
    basin.transform = {scene.voxel(), lower};
    for (int a = 0; a < D; ++a) {
        basin.cells.lo[a] = 0;
        basin.cells.hi[a] = std::max(
            1, static_cast<int>(std::lround((upper[a] - lower[a]) / basin.transform.voxel)));
        const bool vertical = a == 1;
        basin.wall[a][0] = (vertical ? scene.domain.bottom : scene.domain.sides) == Border::kWall;
        basin.wall[a][1] = (vertical ? scene.domain.top : scene.domain.sides) == Border::kWall;
    }
    return basin;
}

template struct Basin<2>;
template struct Basin<3>;
template Basin<2> basin_of<2>(const Scene&);
template Basin<3> basin_of<3>(const Scene&);

}  // namespace spume
