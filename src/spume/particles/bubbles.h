// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

/// Spherical bubbles. Memory as drawn in set.h.
template <int D>
struct Bubbles {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<float> radius;             // m
    Array<float> density;            // kg/m³
    Array<float> age;                // s
    Array<std::int32_t> source;      // what made it, see Output::source; only where asked for
    Array<float> afloat;             // s that it has been foam; absent: never
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(
            Attribute{"position", &Bubbles::position}, Attribute{"velocity", &Bubbles::velocity},
            Attribute{"radius", &Bubbles::radius}, Attribute{"density", &Bubbles::density},
            Attribute{"age", &Bubbles::age}, Attribute{"source", &Bubbles::source, true},
            Attribute{"afloat", &Bubbles::afloat, true}, Attribute{"id", &Bubbles::id});
    }
};

static_assert(names_all_attributes<Bubbles<2>>() && names_all_attributes<Bubbles<3>>());

}  // namespace spume
