// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstring>

#include "spume/grid/dense.h"
#include "spume/grid/tile.h"

namespace spume {

// Multilinear samples of float fields over a box, for many points: coordinates along all axes in
// one register, and samples that follow each other along the last axis two by two.

using FourFloats = float __attribute__((vector_size(16)));
using FourInts = int __attribute__((vector_size(16)));

/// A coordinate of a lattice, axis by axis; lanes beyond D are zero.
template <int D>
inline FourFloats lattice_lanes(const Point<D>& u) {
    FourFloats r{};
    for (int a = 0; a < D; ++a) r[a] = float(u[a]);
    return r;
}

/// World coordinates in that of a lattice, of many points.
template <int D>
class LatticeLanes {
  public:
    explicit LatticeLanes(const Transform<D>& lattice) : scale_(1 / lattice.voxel) {
        for (int a = 0; a < D; ++a) origin_[a] = lattice.origin[a];
    }
    FourFloats operator()(const Point<D>& x) const {
        Lanes r{};
        for (int a = 0; a < D; ++a) r[a] = x[a];
        return __builtin_convertvector((r - origin_) * scale_, FourFloats);
    }

  private:
    using Lanes = double __attribute__((vector_size(32)));
    Lanes origin_{};
    double scale_;
};

inline FourFloats clamped(FourFloats x, FourFloats lo, FourFloats hi) {
    x = x < lo ? lo : x;
    return x > hi ? hi : x;
}

/// The samples around a coordinate ≥ −1 of their own lattice: index of the lowest, weights of the
/// upper ones.
struct SampleCorner {
    FourInts lowest;
    FourFloats weight;

    explicit SampleCorner(FourFloats x) {
        lowest = __builtin_convertvector(x + 1, FourInts) - 1;
        weight = x - __builtin_convertvector(lowest, FourFloats);
    }
};

/// Two samples that follow each other along the last axis.
using FloatPair = float __attribute__((vector_size(8)));
inline FloatPair float_pair(const float* p) {
    FloatPair r;
    std::memcpy(&r, p, sizeof r);
    return r;
}

/// The mix of the 2^D samples from v on; w: the weights of the upper ones.
template <int D>
inline __attribute__((always_inline)) float mix_samples(const float* v,
                                                        const std::size_t (&stride)[D],
                                                        const float (&w)[D]) {
    if constexpr (D == 2) {
        const float a = v[0] + w[0] * (v[stride[0]] - v[0]);
        const float b = v[1] + w[0] * (v[stride[0] + 1] - v[1]);
        return a + w[1] * (b - a);
    } else {
        const float *upper = v + stride[0], *beside = v + stride[1];
        const FourFloats low =
            __builtin_shufflevector(float_pair(v), float_pair(beside), 0, 1, 2, 3);
        const FourFloats high =
            __builtin_shufflevector(float_pair(upper), float_pair(upper + stride[1]), 0, 1, 2, 3);
        const FourFloats m = low + w[0] * (high - low);
        const float a = m[0] + w[1] * (m[2] - m[0]), b = m[1] + w[1] * (m[3] - m[1]);
        return a + w[2] * (b - a);
    }
}

template <int D>
Index<D> index_at(const DenseShape<D>& shape, std::size_t place) {
    Index<D> i{};
    for (int a = D - 1; a >= 0; --a) {
        const auto length = std::size_t(shape.room[a] + 2 * DenseShape<D>::kGhosts);
        i[a] = int(place % length) - DenseShape<D>::kGhosts;
        place /= length;
    }
    return i;
}

/// mirror_ghosts for one sample of an even field at cell centres: writes its images in the sides.
template <class T, int D>
void mirror_sample(T* values, const DenseShape<D>& shape, const Index<D>& at) {
    constexpr int kGhosts = DenseShape<D>::kGhosts;
    int image[D][2 * kGhosts + 1], count[D], all = 1;
    for (int a = 0; a < D; ++a) {
        const int n = shape.size[a];
        image[a][0] = at[a];
        count[a] = 1;
        for (int k = 1; k <= kGhosts; ++k) {
            if (std::min(k - 1, n - 1) == at[a]) image[a][count[a]++] = -k;
            if (std::max(n - k, 0) == at[a]) image[a][count[a]++] = n - 1 + k;
        }
        all *= count[a];
    }
    const T value = values[shape.at(at)];
    for (int k = 1; k < all; ++k) {
        Index<D> i{};
        for (int a = 0, rest = k; a < D; rest /= count[a], ++a) i[a] = image[a][rest % count[a]];
        values[shape.at(i)] = value;
    }
}

}  // namespace spume
