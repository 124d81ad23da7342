// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/physics/domain/grid_domain.h"

namespace spume {

/// The cells of the domain that a box in space touches.
template <int D>
Box<int, D> cells_of(const Box<double, D>& box, const GridDomain<D>& domain) {
    Box<int, D> r;
    for (int a = 0; a < D; ++a) {
        const auto to_cell = [&](double x) {
            return std::floor((x - domain.transform.origin[a]) / domain.voxel());
        };
        const double lo = domain.cells.lo[a], hi = domain.cells.hi[a];
        r.lo[a] = static_cast<int>(std::clamp(to_cell(box.lo[a]), lo, hi));
        r.hi[a] = static_cast<int>(std::clamp(to_cell(box.hi[a]) + 1, lo, hi));
    }
    return r;
}

template <int D>
Point<D> cell_centre(const Index<D>& cell, const Transform<D>& transform) {
    return transform.to_world(cell.template as<double>() + Point<D>::filled(0.5));
}

/// f(cell) for each cell of the box, last axis fastest.
template <int D, class F>
void for_cells(const Box<int, D>& box, F&& f) {
    if (box.empty()) return;
    Index<D> i = box.lo;
    for (bool more = true; more;) {
        f(i);
        more = false;
        for (int a = D - 1; a >= 0 && !more; --a) {
            more = ++i[a] < box.hi[a];
            if (!more) i[a] = box.lo[a];
        }
    }
}

}  // namespace spume
