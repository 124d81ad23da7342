// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

/// Small balls beside a surface that know on which side of it they belong, [EFFM02]. The radius
/// carries the sign: positive in air, negative in the liquid. On its way across the surface [G04]
/// Eq. 16 takes each to the least, so what a marker was before is kept too. 40 bytes a marker (2D:
/// 32). Memory as drawn in set.h.
template <int D>
struct Markers {
    Array<Point<D>> position;  // m
    Array<float> radius;       // m, with the sign of their side
    Array<float> seen;         // the radius at the beginning of the frame
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(Attribute{"position", &Markers::position},
                          Attribute{"radius", &Markers::radius}, Attribute{"seen", &Markers::seen},
                          Attribute{"id", &Markers::id});
    }
};

static_assert(names_all_attributes<Markers<2>>() && names_all_attributes<Markers<3>>());

}  // namespace spume
