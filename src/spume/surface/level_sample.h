// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/grid/dense_sample.h"

namespace spume {

/// Samples a field at cell centres, which goes on evenly beyond the box. Ghosts are filled. Places
/// are found in floats: to 1e-5 voxels in a box of a hundred.
template <int D>
class LevelSampler {
  public:
    LevelSampler(const float* phi, const DenseShape<D>& shape) : phi_(phi) {
        for (int a = 0; a < D; ++a) {
            stride_[a] = shape.stride(a);
            end_[a] = float(shape.size[a]) - 0.5f;
            origin_ += std::size_t(DenseShape<D>::kGhosts) * stride_[a];
        }
    }
    /// The 2^D samples around lattice coordinate u.
    SampleCorner around(FourFloats u) const {
        return SampleCorner(clamped(u - 0.5f, FourFloats{} - 0.5f, end_));
    }
    float at(const SampleCorner& c) const {
        std::ptrdiff_t place = std::ptrdiff_t(origin_);
        float w[D];
        for (int a = 0; a < D; ++a) {
            place += std::ptrdiff_t(c.lowest[a]) * std::ptrdiff_t(stride_[a]);
            w[a] = c.weight[a];
        }
        return mix_samples<D>(phi_ + place, stride_, w);
    }
    float operator()(FourFloats u) const { return at(around(u)); }

  private:
    const float* phi_;
    std::size_t stride_[D], origin_ = 0;
    FourFloats end_{};
};

/// Multilinear interpolation at lattice coordinate u.
template <int D>
inline float sample_level(const float* phi, const DenseShape<D>& shape, const Point<D>& u) {
    return LevelSampler<D>(phi, shape)(lattice_lanes<D>(u));
}

/// Slope of the level set at u, by differences over a voxel.
template <int D>
Vec<float, D> level_slope(const float* phi, const DenseShape<D>& shape, const Point<D>& u) {
    Vec<float, D> g{};
    for (int a = 0; a < D; ++a)
        g[a] = sample_level<D>(phi, shape, u + Point<D>::unit(a, 0.5)) -
               sample_level<D>(phi, shape, u - Point<D>::unit(a, 0.5));
    return g;
}

}  // namespace spume
