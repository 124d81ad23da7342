// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/set.h"

namespace spume::cip {

enum FragmentKind : std::int32_t { kDrop = 0, kBubble = 1, kFoam = 2 };

/// Drops, bubbles and foam. Memory as drawn in particles/set.h.
template <int D>
struct Fragments {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<double> volume;            // m³, 2D: m²
    Array<std::int32_t> kind;        // FragmentKind
    Array<float> age;                // s
    Array<float> life;               // s, of foam
    Array<std::uint64_t> changed;    // substep of the last change of kind, from 1; 0: none
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(
            Attribute{"position", &Fragments::position},
            Attribute{"velocity", &Fragments::velocity}, Attribute{"volume", &Fragments::volume},
            Attribute{"kind", &Fragments::kind}, Attribute{"age", &Fragments::age},
            Attribute{"life", &Fragments::life}, Attribute{"changed", &Fragments::changed},
            Attribute{"id", &Fragments::id});
    }
};

static_assert(names_all_attributes<Fragments<2>>() && names_all_attributes<Fragments<3>>());

}  // namespace spume::cip
