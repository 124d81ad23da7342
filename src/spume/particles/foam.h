// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

/// Bubbles that float: foam on the surface of a liquid. Memory as drawn in set.h. They keep the ids
/// that they had as bubbles.
template <int D>
struct Foam {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<float> radius;             // m
    Array<float> density;            // of the air, kg/m³
    Array<float> age;                // s, since the bubble was made
    Array<float> afloat;             // s, as foam
    Array<float> lifespan;           // s, as foam: it bursts then
    Array<std::int32_t> source;      // as of Bubbles
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;  // nothing is born as foam

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(Attribute{"position", &Foam::position},
                          Attribute{"velocity", &Foam::velocity},
                          Attribute{"radius", &Foam::radius}, Attribute{"density", &Foam::density},
                          Attribute{"age", &Foam::age}, Attribute{"afloat", &Foam::afloat},
                          Attribute{"lifespan", &Foam::lifespan},
                          Attribute{"source", &Foam::source, true}, Attribute{"id", &Foam::id});
    }
};

static_assert(names_all_attributes<Foam<2>>() && names_all_attributes<Foam<3>>());

}  // namespace spume
