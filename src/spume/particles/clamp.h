// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>

#include "spume/core/box.h"
#include "spume/core/vec.h"

namespace spume {

/// Closed walls of the domain, in cells: faces lo and hi of each axis; infinite where the side is
/// open. Interpolation near a closed wall continues the last sample inside as a constant, so that
/// no weight falls on a sample outside and the weights of a particle still sum to one.
template <int D>
struct Clamp {
    Point<D> lo = Point<D>::filled(-std::numeric_limits<double>::infinity());
    Point<D> hi = Point<D>::filled(std::numeric_limits<double>::infinity());

    static Clamp closed(const Box<int, D>& cells) {
        return {cells.lo.template as<double>(), cells.hi.template as<double>()};
    }

    /// A lattice coordinate inside the walls: for samples on the faces across `axis`.
    double normal(double u, int axis) const {
        return u < lo[axis] ? lo[axis] : u > hi[axis] ? hi[axis] : u;
    }
    /// The same for samples at half-integers: not beyond the last of them.
    double side(double u, int axis) const {
        const double first = lo[axis] + 0.5, last = hi[axis] - 0.5;
        return u < first ? first : u > last ? last : u;
    }
    /// The cell that a particle belongs to; on the upper wall, the cell below it.
    Index<D> cell(const Point<D>& u) const {
        Index<D> r{};
        for (int a = 0; a < D; ++a) {
            const double c = std::floor(normal(u[a], a));
            r[a] = static_cast<int>(c < hi[a] ? c : hi[a] - 1);
        }
        return r;
    }
};

}  // namespace spume
