// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/domain_bulk.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/physics/domain/grid_domain.h"

namespace spume {

template <int D>
DomainBulk<D>::DomainBulk(const Scene& scene) {
    transform_ = {scene.bulk.voxel > 0 ? scene.bulk.voxel : scene.voxel(),
                  in_plane<D>(scene.domain.lower)};
    const Point<D> size = in_plane<D>(scene.domain.upper) - transform_.origin;
    for (int a = 0; a < D; ++a)
        cells_.hi[a] = std::max(1, static_cast<int>(std::lround(size[a] / transform_.voxel)));
    box_ = {transform_.origin, transform_.to_world(cells_.hi.template as<double>())};
}

template <int D>
Interval DomainBulk<D>::times() const {
    constexpr double kEver = std::numeric_limits<double>::infinity();
    return {-kEver, kEver};
}

template class DomainBulk<2>;
template class DomainBulk<3>;

}  // namespace spume
