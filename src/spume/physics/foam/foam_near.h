// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <cstdint>

#include "spume/particles/bubble_size.h"
#include "spume/particles/foam.h"
#include "spume/solve/lanes.h"

namespace spume {

/// What forces between particles of foam read beside their places, in one line of memory.
struct alignas(32) FoamRecord {
    float v[3];
    float radius, density, stress;
    float spare[2];
};

/// A place as whole numbers of a quantum, which may wrap around, beside the radius: differences
/// between particles that are near each other are exact, and the same from both sides but for the
/// sign.
struct alignas(16) FoamPlace {
    std::int32_t at[3];
    float radius;
};

inline Floats root(const Floats& x) {
    Floats r;
    for (int k = 0; k < kLanes; ++k) r[k] = std::sqrt(x[k]);
    return r;
}

/// Eight that are near a particle, one of each in a lane.
template <int D>
struct EightNear {
    Doubles away[D][2];  ///< ways from them to the particle
    Floats d[D];         ///< the same
    Floats radius;

    EightNear(const Point<D>* x, const Point<D>& from, const std::uint32_t* others) {
        for (int a = 0; a < D; ++a) {
            for (int half = 0; half < 2; ++half) {
                const std::uint32_t* o = others + half * kDoubleLanes;
                away[a][half] = from[a] - Doubles{x[o[0]][a], x[o[1]][a], x[o[2]][a], x[o[3]][a]};
            }
            d[a] = joined(__builtin_convertvector(away[a][0], HalfFloats),
                          __builtin_convertvector(away[a][1], HalfFloats));
        }
    }
    Floats square() const {
        if constexpr (D == 2)
            return d[0] * d[0] + d[1] * d[1];
        else
            return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    /// `f` where there is one of the first `count`, else 0: the rest only fills up.
    static Floats masked(const Floats& f, std::size_t count) {
        constexpr LaneMask kLane{0, 1, 2, 3, 4, 5, 6, 7};
        return kLane < static_cast<int>(count) ? f : Floats{};
    }
    /// volume · factor of the lower or upper four.
    Doubles weighted(const Floats& factor, int half) const {
        const Doubles r = part(radius, half), f = part(factor, half);
        return bubble_volume<D>(1.0) * (D == 2 ? r * r : r * r * r) * f;
    }

  private:
    static Floats joined(const HalfFloats& a, const HalfFloats& b) {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    static Doubles part(const Floats& f, int half) {
        return half == 0
                   ? __builtin_convertvector(__builtin_shufflevector(f, f, 0, 1, 2, 3), Doubles)
                   : __builtin_convertvector(__builtin_shufflevector(f, f, 4, 5, 6, 7), Doubles);
    }
};

/// Eight that are near a particle, by their places alone.
struct EightPlaces {
    Floats d[3];  ///< ways from them to the particle, in quanta
    Floats radius;

    EightPlaces(const FoamPlace* places, const FoamPlace& own, const std::uint32_t* others) {
        LaneMask two[4];
        for (int k = 0; k < 4; ++k)
            two[k] = __builtin_shufflevector(quad(places[others[k]]), quad(places[others[k + 4]]),
                                             0, 1, 2, 3, 4, 5, 6, 7);
        const LaneMask a = __builtin_shufflevector(two[0], two[1], 0, 8, 1, 9, 4, 12, 5, 13),
                       b = __builtin_shufflevector(two[2], two[3], 0, 8, 1, 9, 4, 12, 5, 13),
                       c = __builtin_shufflevector(two[0], two[1], 2, 10, 3, 11, 6, 14, 7, 15),
                       e = __builtin_shufflevector(two[2], two[3], 2, 10, 3, 11, 6, 14, 7, 15);
        const LaneMask at[3] = {
            __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13),
            __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15),
            __builtin_shufflevector(c, e, 0, 1, 8, 9, 4, 5, 12, 13),
        };
        for (int k = 0; k < 3; ++k) d[k] = __builtin_convertvector(own.at[k] - at[k], Floats);
        radius =
            reinterpret_cast<Floats>(__builtin_shufflevector(c, e, 2, 3, 10, 11, 6, 7, 14, 15));
    }
    Floats square() const { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }

  private:
    using Quad = int __attribute__((vector_size(16), aligned(16), may_alias));
    static const Quad& quad(const FoamPlace& p) { return reinterpret_cast<const Quad&>(p); }
};

/// The same with what their records say.
template <int D>
struct EightRecords : EightNear<D> {
    Floats v[3], density, stress;

    EightRecords(const Point<D>* x, const FoamRecord* records, const Point<D>& from,
                 const std::uint32_t* others)
        : EightNear<D>(x, from, others) {
        Floats r[8], s[8];
        for (int k = 0; k < 8; ++k) r[k] = lanes(records[others[k]].v);
        for (int k = 0; k < 8; k += 2) {
            s[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
            s[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
        }
        for (int k = 0; k < 8; k += 4)
            for (int m = 0; m < 2; ++m) {
                const Floats &a = s[k + m], &b = s[k + m + 2];
                r[k + 2 * m] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
                r[k + 2 * m + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
            }
        // r[q] has quantity q of the first four in its lower half and q + 4 in its upper half.
        for (int a = 0; a < 3; ++a) v[a] = lower(r[a], r[a + 4]);
        this->radius = lower(r[3], r[7]);
        density = upper(r[0], r[4]);
        stress = upper(r[1], r[5]);
    }

  private:
    static Floats lower(const Floats& a, const Floats& b) {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    }
    static Floats upper(const Floats& a, const Floats& b) {
        return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
};

}  // namespace spume
