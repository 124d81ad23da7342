// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"

namespace spume {

/// Half-open box [lo, hi) on the lattice, or a closed box in space.
template <class T, int D>
struct Box {
    Vec<T, D> lo, hi;

    constexpr bool contains(const Vec<T, D>& x) const {
        for (int i = 0; i < D; ++i)
            if (x[i] < lo[i] || !(x[i] < hi[i])) return false;
        return true;
    }
    constexpr Vec<T, D> size() const { return hi - lo; }
    constexpr bool empty() const {
        for (int i = 0; i < D; ++i)
            if (!(lo[i] < hi[i])) return true;
        return false;
    }
    constexpr Box grown(T by) const {
        return {lo - Vec<T, D>::filled(by), hi + Vec<T, D>::filled(by)};
    }
    constexpr Box including(const Vec<T, D>& x) const { return {min(lo, x), max(hi, x)}; }
    constexpr Box intersected(const Box& b) const { return {max(lo, b.lo), min(hi, b.hi)}; }
};

/// A stretch of simulated time, in seconds.
struct Interval {
    double begin = 0, end = 0;
    constexpr double length() const { return end - begin; }
};

}  // namespace spume
