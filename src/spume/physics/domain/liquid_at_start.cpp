// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/liquid_at_start.h"

#include <algorithm>

namespace spume {

template <int D>
LiquidAtStart<D>::LiquidAtStart(const LiquidSet<D>& liquids, const GridDomain<D>& domain,
                                double away)
    : liquids_(liquids), domain_(domain), away_(away), flow_(liquids.flow_at(0, domain.voxel())) {}

template <int D>
double LiquidAtStart<D>::distance(const Point<D>& x) const {
    return std::min(liquids_.distance(x), flow_.source_distance(x));
}

template <int D>
double LiquidAtStart<D>::operator()(const Point<D>& x) const {
    const Box<double, D> box = domain_.bounds();
    const double h = domain_.voxel(), step = 0.1 * h;
    Point<D> inner = x;
    const double first = distance(x);
    double d = first;
    for (bool moved = true; moved;) {
        moved = false;
        const Point<D> at = inner;
        for (int a = 0; a < D; ++a) {
            const double away = std::min(away_ * h, (box.hi[a] - box.lo[a]) / 2);
            for (const int side : {0, 1}) {
                const double out = side ? box.hi[a] - at[a] : at[a] - box.lo[a];
                // The nearest point of the shape is to be within half a voxel of the wall.
                if (!domain_.wall[a][side] || !(out < away * (1 - 1e-9)) || -d < out - 0.5 * h)
                    continue;
                const Point<D> beyond = at + Point<D>::unit(a, side ? step : -step);
                if (distance(beyond) - d < 0.999 * step) continue;
                inner[a] = side ? box.hi[a] - away : box.lo[a] + away;
                moved = true;
            }
        }
        if (moved) d = distance(inner);
    }
    return std::min(first, d);
}

template class LiquidAtStart<2>;
template class LiquidAtStart<3>;

}  // namespace spume
