// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/motion/cip.h"

namespace spume {

// What advection of whole fields and of some samples have in common.

/// Half the difference of the neighbours along an axis.
template <class T>
inline T central(const T* p, std::size_t stride) {
    return T(0.5) * (p[stride] - *(p - stride));
}

/// A sample with all derivatives; mixed ones are means of what differences of the first ones give.
template <class T, int D>
inline void pack(const T* f, const T* const (&g)[D], const std::size_t (&s)[D], std::size_t i,
                 CipNode<T, D>& n) {
    n.v[0] = f[i];
    for (int a = 0; a < D; ++a) n.v[1 << a] = g[a][i];
    for (int a = 0; a < D; ++a)
        for (int b = a + 1; b < D; ++b)
            n.v[1 << a | 1 << b] = T(0.5) * (central(g[b] + i, s[a]) + central(g[a] + i, s[b]));
    if constexpr (D == 3) {
        T sum = 0;
        for (int a = 0; a < D; ++a) {
            const std::size_t b = s[(a + 1) % D], c = s[(a + 2) % D];
            const T* p = g[a] + i;
            sum += T(0.25) * ((p[b + c] + *(p - b - c)) - (*(p + b - c) + *(p - b + c)));
        }
        n.v[7] = sum / 3;
    }
}

/// What mixed derivatives that a field carries are more than differences.
template <class T, int D>
inline void add_excess(const T* const (&mixed)[kMixed<D>], std::size_t i, CipNode<T, D>& n) {
    int k = 0;
    for (int a = 0; a < D; ++a)
        for (int b = a + 1; b < D; ++b, ++k) n.v[1 << a | 1 << b] += mixed[k][i];
}

/// ∂X/∂x at a sample, one-sided at the ends of the field.
template <class T, int D>
inline void jacobian(const T* const (&x)[D], const DenseShape<D>& shape, const Index<D>& i,
                     std::size_t at, T (&j)[D][D]) {
    for (int b = 0; b < D; ++b) {
        const std::size_t s = shape.stride(b);
        const std::size_t up = i[b] + 1 < shape.size[b] ? s : 0, down = i[b] > 0 ? s : 0;
        const T scale = up != 0 && down != 0 ? T(0.5) : T(1);
        for (int a = 0; a < D; ++a) j[a][b] = (x[a][at + up] - x[a][at - down]) * scale;
    }
}

}  // namespace spume
