// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <span>

#include "spume/core/array.h"
#include "spume/core/context.h"
#include "spume/core/vec.h"

namespace spume {

/// For each point the others within a radius, as stretches of one pool:
///
///   first  [ 7 | 0 | 3 | … ]     where the list of point i begins in the pool
///   count  [ 2 | 3 | 4 | … ]     how many it has
///   pool   [ 2 4 9 | 1 5 6 8 | 0 3 | … ]
///
/// Lists lie in the order of a walk through space, so neighbours in space are neighbours in memory.
struct NeighbourLists {
    Array<std::uint64_t> first;
    Array<std::uint32_t> count;
    Array<std::uint32_t> pool;

    std::span<const std::uint32_t> of(std::size_t point) const {
        return pool.read().subspan(first[point], count[point]);
    }
    std::size_t pairs() const { return pool.size(); }
};

/// All pairs at a distance of at most `radius`; nobody is its own neighbour. Works on cells of the
/// radius' size with no limit to where points lie except that a cell's number fits 64 bits. The
/// order of a list depends on the points alone, not on the number of threads.
template <int D>
NeighbourLists find_neighbours(std::span<const Point<D>> points, double radius, Context& context);

}  // namespace spume
