// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/core/vec.h"
#include "spume/solve/lanes.h"

namespace spume {

/// Four vectors, one in each lane. Lanes do not see each other.
template <int D>
struct FourVec {
    Doubles v[D];

    Doubles& operator[](int a) { return v[a]; }
    const Doubles& operator[](int a) const { return v[a]; }

    /// Of the vectors p[0] … p[last], the last of them up to the fourth lane.
    static FourVec of(const Vec<double, D>* p, int last) {
        const int i1 = last < 1 ? last : 1, i2 = last < 2 ? last : 2;
        FourVec r;
        for (int a = 0; a < D; ++a) r.v[a] = Doubles{p[0][a], p[i1][a], p[i2][a], p[last][a]};
        return r;
    }
    Vec<double, D> lane(int k) const {
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) r[a] = v[a][k];
        return r;
    }
    void set_lane(int k, const Vec<double, D>& x) {
        for (int a = 0; a < D; ++a) v[a][k] = x[a];
    }
    friend FourVec operator+(FourVec a, const FourVec& b) {
        for (int i = 0; i < D; ++i) a.v[i] += b.v[i];
        return a;
    }
    friend FourVec operator-(FourVec a, const FourVec& b) {
        for (int i = 0; i < D; ++i) a.v[i] -= b.v[i];
        return a;
    }
    friend FourVec operator*(FourVec a, const Doubles& s) {
        for (int i = 0; i < D; ++i) a.v[i] *= s;
        return a;
    }
    friend Doubles dot(const FourVec& a, const FourVec& b) {
        Doubles s = a.v[0] * b.v[0];
        for (int i = 1; i < D; ++i) s += a.v[i] * b.v[i];
        return s;
    }
};

/// True in a lane: all bits.
using FourMask = long long __attribute__((vector_size(32), aligned(8), may_alias));

inline bool any(const FourMask& m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
inline int count(const FourMask& m) { return -static_cast<int>(m[0] + m[1] + m[2] + m[3]); }
inline Doubles four(double x) { return Doubles{x, x, x, x}; }
inline Doubles magnitude(const Doubles& x) { return x < 0.0 ? -x : x; }
inline Doubles root(const Doubles& x) {
    Doubles r;
    for (int k = 0; k < kDoubleLanes; ++k) r[k] = std::sqrt(x[k]);
    return r;
}
template <int D>
Doubles length(const FourVec<D>& a) {
    return root(dot(a, a));
}
template <int D>
FourVec<D> chosen(const FourMask& m, const FourVec<D>& a, const FourVec<D>& b) {
    FourVec<D> r;
    for (int i = 0; i < D; ++i) r.v[i] = m ? a.v[i] : b.v[i];
    return r;
}

}  // namespace spume
