// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <cstdint>

#include "spume/solve/lanes.h"

namespace spume {

/// A place as whole numbers of a quantum, which may wrap around, beside the radius: differences
/// between particles that are near each other are exact, and the same from both sides but for the
/// sign.
struct alignas(16) FoamPlace {
    std::int32_t at[3];
    float radius;
};

/// What forces between particles of foam read, in half a line of memory.
struct alignas(32) FoamRecord {
    FoamPlace place;
    float v[3];
    float density;
};

inline Floats root(const Floats& x) {
    Floats r;
    for (int k = 0; k < kLanes; ++k) r[k] = std::sqrt(x[k]);
    return r;
}

/// Four numbers each of eight particles, as four times one number of all: get(k) has those of the
/// k-th.
using FourNumbers = int __attribute__((vector_size(16), aligned(16), may_alias));
template <class Get>
void by_number(Get&& get, LaneMask (&out)[4]) {
    LaneMask two[4];
    for (int k = 0; k < 4; ++k)
        two[k] = __builtin_shufflevector(get(k), get(k + 4), 0, 1, 2, 3, 4, 5, 6, 7);
    const LaneMask a = __builtin_shufflevector(two[0], two[1], 0, 8, 1, 9, 4, 12, 5, 13),
                   b = __builtin_shufflevector(two[2], two[3], 0, 8, 1, 9, 4, 12, 5, 13),
                   c = __builtin_shufflevector(two[0], two[1], 2, 10, 3, 11, 6, 14, 7, 15),
                   d = __builtin_shufflevector(two[2], two[3], 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/// Eight that are near a particle, one of each in a lane.
struct EightPlaces {
    Floats d[3];  ///< ways from them to the particle, in quanta
    Floats radius;

    /// place(j) is that of particle j.
    template <class Place>
    EightPlaces(Place&& place, const FoamPlace& own, const std::uint32_t* others) {
        LaneMask at[4];
        by_number([&](int k) { return reinterpret_cast<const FourNumbers&>(place(others[k])); },
                  at);
        for (int a = 0; a < 3; ++a) d[a] = __builtin_convertvector(own.at[a] - at[a], Floats);
        radius = reinterpret_cast<Floats>(at[3]);
    }
    Floats square() const { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }
};

/// The same with what their records say.
struct EightRecords : EightPlaces {
    Floats v[3], density;

    EightRecords(const FoamRecord* records, const FoamRecord& own, const std::uint32_t* others)
        : EightPlaces([&](std::uint32_t j) -> const FoamPlace& { return records[j].place; },
                      own.place, others) {
        LaneMask more[4];
        by_number([&](int k) { return reinterpret_cast<const FourNumbers&>(records[others[k]].v); },
                  more);
        for (int a = 0; a < 3; ++a) v[a] = reinterpret_cast<Floats>(more[a]);
        density = reinterpret_cast<Floats>(more[3]);
    }
};

}  // namespace spume
