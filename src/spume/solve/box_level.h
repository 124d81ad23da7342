// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/array.h"
#include "spume/core/context.h"
#include "spume/solve/lanes.h"

namespace spume {

/// Weights by which points of a level get their values from the next coarser one, [Den82]. Points
/// with an even row and an even column are those of the coarser level; the others stand between
/// two of them in a row (kWest, kEast), in a column (kNorth, kSouth), or between four. Kept by the
/// coarse point at their lower end.
enum BoxWeight { kWest, kEast, kNorth, kSouth, kNorthWest, kNorthEast, kSouthWest, kSouthEast };

/// One level of a multigrid hierarchy over a whole box in 2D: Σ c (x_i − x_j) = b over the eight
/// neighbours of each point.
///
///   north  row i − 1     Rows lie one after the other, `stride` apart, with at least one column of
///   west · east          zeros behind each and one row before and after all: stencils read zeros
///   south  row i + 1     there, and loops go on to the end of the stride.
struct BoxLevel {
    int rows = 0, columns = 0;
    std::size_t stride = 0;  ///< a multiple of kLanes, more than `columns`

    // Couplings to the west, north, north-west and north-east; no diagonal ones on the finest.
    Array<float> west, north, north_west, north_east;
    Array<float> inverse;    ///< of the diagonal; zero where a point has no coupling
    Array<float> x, b;       ///< work space of a cycle
    Array<float> weight[8];  ///< towards the next finer level, by BoxWeight

    bool nine() const { return !north_west.empty(); }
    std::size_t at(int row) const { return std::size_t(kLanes) + std::size_t(row + 1) * stride; }
    std::size_t size() const { return std::size_t(rows + 2) * stride + 2 * std::size_t(kLanes); }

    static BoxLevel finest(int rows, int columns);
    /// Room for the next coarser level.
    BoxLevel coarser() const;
};

/// Rows that a task works on at a time: even, and a constant.
inline constexpr std::size_t kBoxRows = 16;

/// Weights of `coarse`, then its couplings Pᵀ A P. Weights that rounding or negative couplings make
/// negative are cut at zero; those of a point add up to one.
void set_up(const BoxLevel& fine, BoxLevel& coarse, Context& context);
/// 1 / Σ c of each point.
void invert_diagonal(BoxLevel& level, Context& context);

}  // namespace spume
