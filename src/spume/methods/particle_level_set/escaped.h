// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume::particle_level_set {

/// Markers that left the surface, for whoever makes bubbles and drops of them. Memory as drawn in
/// particles/set.h.
template <int D>
struct Escaped {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<float> radius;             // m
    Array<float> volume;             // m³ (2D: m²) of a pocket that it carries
    Array<std::int32_t> type;        // +1: air in the liquid; −1: liquid in the air
    Array<std::int32_t> pocket;      // whose air it was; 0: none
    Array<float> time;               // of its escape, s
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(
            Attribute{"position", &Escaped::position}, Attribute{"velocity", &Escaped::velocity},
            Attribute{"radius", &Escaped::radius}, Attribute{"volume", &Escaped::volume},
            Attribute{"type", &Escaped::type}, Attribute{"pocket", &Escaped::pocket},
            Attribute{"time", &Escaped::time}, Attribute{"id", &Escaped::id});
    }
};

static_assert(names_all_attributes<Escaped<2>>() && names_all_attributes<Escaped<3>>());

}  // namespace spume::particle_level_set
