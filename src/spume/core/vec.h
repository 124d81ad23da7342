// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace spume {

/// D numbers with arithmetic. Aggregates: Vec<double, 3>{1, 2, 3}.
template <class T, int D>
struct Vec {
    T v[D];

    constexpr T& operator[](int i) { return v[i]; }
    constexpr const T& operator[](int i) const { return v[i]; }

    static constexpr Vec filled(T value) {
        Vec r{};
        for (int i = 0; i < D; ++i) r.v[i] = value;
        return r;
    }
    static constexpr Vec unit(int axis, T length = T(1)) {
        Vec r{};
        r.v[axis] = length;
        return r;
    }
    template <class U>
    constexpr Vec<U, D> as() const {
        Vec<U, D> r{};
        for (int i = 0; i < D; ++i) r.v[i] = static_cast<U>(v[i]);
        return r;
    }

    constexpr Vec& operator+=(const Vec& b) {
        for (int i = 0; i < D; ++i) v[i] += b.v[i];
        return *this;
    }
    constexpr Vec& operator-=(const Vec& b) {
        for (int i = 0; i < D; ++i) v[i] -= b.v[i];
        return *this;
    }
    constexpr Vec& operator*=(T s) {
        for (int i = 0; i < D; ++i) v[i] *= s;
        return *this;
    }
    friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
    friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
    friend constexpr Vec operator-(Vec a) { return a *= T(-1); }
    friend constexpr Vec operator*(Vec a, T s) { return a *= s; }
    friend constexpr Vec operator*(T s, Vec a) { return a *= s; }
    friend constexpr Vec operator/(Vec a, T s) {
        for (int i = 0; i < D; ++i) a.v[i] /= s;
        return a;
    }
    friend constexpr bool operator==(const Vec& a, const Vec& b) {
        for (int i = 0; i < D; ++i)
            if (!(a.v[i] == b.v[i])) return false;
        return true;
    }
};

template <class T, int D>
constexpr T dot(const Vec<T, D>& a, const Vec<T, D>& b) {
    T s = a[0] * b[0];
    for (int i = 1; i < D; ++i) s += a[i] * b[i];
    return s;
}
template <class T, int D>
T length(const Vec<T, D>& a) {
    return std::sqrt(dot(a, a));
}
template <class T>
constexpr Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T, int D>
constexpr Vec<T, D> multiply(const Vec<T, D>& a, const Vec<T, D>& b) {
    Vec<T, D> r = a;
    for (int i = 0; i < D; ++i) r[i] *= b[i];
    return r;
}
template <class T, int D>
constexpr Vec<T, D> min(const Vec<T, D>& a, const Vec<T, D>& b) {
    Vec<T, D> r = a;
    for (int i = 0; i < D; ++i) r[i] = b[i] < a[i] ? b[i] : a[i];
    return r;
}
template <class T, int D>
constexpr Vec<T, D> max(const Vec<T, D>& a, const Vec<T, D>& b) {
    Vec<T, D> r = a;
    for (int i = 0; i < D; ++i) r[i] = a[i] < b[i] ? b[i] : a[i];
    return r;
}
template <class T, int D>
constexpr T product(const Vec<T, D>& a) {
    T r = a[0];
    for (int i = 1; i < D; ++i) r *= a[i];
    return r;
}

/// A cell, face, node or tile coordinate on the infinite integer lattice.
template <int D>
using Index = Vec<int, D>;

template <int D>
using Point = Vec<double, D>;

/// The lattice cell that holds x, for coordinates far beyond int: callers bound x first.
template <int D>
Index<D> floor_index(const Vec<double, D>& x) {
    Index<D> r{};
    for (int i = 0; i < D; ++i) r[i] = static_cast<int>(std::floor(x[i]));
    return r;
}

}  // namespace spume
