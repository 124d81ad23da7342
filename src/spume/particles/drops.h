// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

/// Drops that fall freely, from markers that escaped into the air. Memory as drawn in set.h.
template <int D>
struct Drops {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<float> radius;             // m
    Array<float> age;                // s
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(Attribute{"position", &Drops::position},
                          Attribute{"velocity", &Drops::velocity},
                          Attribute{"radius", &Drops::radius}, Attribute{"age", &Drops::age},
                          Attribute{"id", &Drops::id});
    }
};

static_assert(names_all_attributes<Drops<2>>() && names_all_attributes<Drops<3>>());

}  // namespace spume
