// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/context.h"
#include "spume/grid/dense.h"
#include "spume/physics/motion/cip_profile.h"

namespace spume {

// Advection with derivatives, [SSK05] §4.1, over a box with walls. T is float or double.

/// Number of second mixed derivatives.
template <int D>
inline constexpr int kMixed = D*(D - 1) / 2;

/// A field and its first derivatives, each by the voxel: in lattice units.
template <class T, int D>
struct CipField {
    DensePlace<D> place;
    bool odd[D] = {};  ///< across walls: a normal velocity, zero on them; else even
    bool sloped =
        false;  ///< differences at walls are one-sided: a level set meets them at any angle
    DenseField<T, D> f;
    DenseField<T, D> g[D];
    /// xy, or xy, xz, yz: by how much more than differences of g; without values: by nothing
    /// (cip_mixed.h).
    DenseField<T, D> mixed[kMixed<D>];

    CipField() = default;
    explicit CipField(const DensePlace<D>& where) : place(where), f(where.shape) {
        for (auto& derivative : g) derivative = f;
    }
};

/// For writing all samples anew: values that others share are not copied first.
template <class T, int D>
void renew(CipField<T, D>& field);

/// Fills the ghosts of values and derivatives.
template <class T, int D>
void fill_ghosts(CipField<T, D>& field);

/// Derivatives by central differences of the values; ghosts are filled.
template <class T, int D>
void difference(CipField<T, D>& field, Context& context);

/// f_ξ += ∂_ξ(f − before): derivatives follow every change but advection. Ghosts are filled.
template <class T, int D>
void follow_change(CipField<T, D>& field, const DenseField<T, D>& before, Context& context);

/// Face velocities, one array an axis.
template <class T, int D>
using DenseFaces = const DenseField<T, D>* const (&)[D];

/// Where matter came from that is now at the samples of a field, in lattice coordinates.
template <class T, int D>
struct Feet {
    DenseField<T, D> x[D];
};

/// Back along the velocity by the midpoint rule; steps = Δt / voxel. Ghosts of the velocity must be
/// filled. Feet stay in the box. Negative steps go forward.
template <class T, int D>
Feet<T, D> trace_back(DenseFaces<T, D> velocity, const DensePlace<D>& place, double steps,
                      Context& context);

/// f(x) ← F(X(x)), ∇f ← Jᵀ ∇F(X) with J = ∂X/∂x of the feet, in place of [SSK05] Eq. 5: right at
/// any length of the trace. Mixed derivatives by differencing first ones, unless the field carries
/// them. Ghosts must be filled, and are filled.
template <class T, int D>
void advect(CipField<T, D>& field, const Feet<T, D>& feet, Profile profile, Context& context);

/// The same at some samples only, by their places, as many fields as one likes along the same feet.
template <class T, int D>
struct CipValue {
    T f;
    Vec<T, D> g;
};
template <class T, int D>
class CipSamples {
  public:
    /// Feet and place must outlive it.
    CipSamples(const Feet<T, D>& feet, const DensePlace<D>& place,
               std::vector<std::size_t> samples);
    const std::vector<std::size_t>& places() const { return samples_; }
    /// Value and derivatives at each sample.
    std::vector<CipValue<T, D>> advected(const CipField<T, D>& field, Profile profile,
                                         Context& context) const;

  private:
    template <Profile kProfile>
    void advect_by(const CipField<T, D>& field, std::vector<CipValue<T, D>>& out,
                   Context& context) const;

    const Feet<T, D>& feet_;
    const DensePlace<D>& place_;
    std::vector<std::size_t> samples_, cell_;  ///< places, and of the lowest corner of their feet
    std::vector<std::size_t> nodes_;           ///< places of all corners, each once
    std::vector<std::int32_t> slot_;           ///< by place: where it stands in nodes_, or −1
    std::size_t corner_[1 << D] = {};
};

/// Catmull–Rom slopes from the values, made monotone: [FSJ01] as a comparison.
template <class T, int D>
void advect_cubic(CipField<T, D>& field, const Feet<T, D>& feet, Context& context);

/// MacCormack with the limiter of [SFK08]; derivatives by differencing.
template <class T, int D>
void advect_maccormack(CipField<T, D>& field, DenseFaces<T, D> velocity, double steps,
                       Context& context);

/// A level set by WENO5 and third-order Runge–Kutta, [JP00], [SO88], within `band_width` voxels of
/// its surface, in as many parts as stability asks for; derivatives by differencing: what level
/// sets are usually carried by, as a comparison.
template <class T, int D>
void advect_weno(CipField<T, D>& phi, DenseFaces<T, D> velocity, double band_width, double steps,
                 Context& context);

/// Multilinear sample at a lattice coordinate of the box, of values whose ghosts are filled.
template <class T, int D>
inline T sample_dense(const T* values, const DensePlace<D>& place, const T (&x)[D]) {
    const DenseShape<D>& shape = place.shape;
    Index<D> base{};
    T w[D];
    for (int a = 0; a < D; ++a) {
        const T u = x[a] - T(place.offset[a]);
        const T lower = std::floor(u);
        base[a] = int(lower);
        w[a] = u - lower;
    }
    const T* p = values + shape.at(base);
    T c[1 << D];
    for (int k = 0; k < (1 << D); ++k) {
        std::size_t o = 0;
        for (int a = 0; a < D; ++a) o += (k >> a & 1) ? shape.stride(a) : 0;
        c[k] = p[o];
    }
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < (1 << (D - a - 1)); ++k)
            c[k] = c[2 * k] + (c[2 * k + 1] - c[2 * k]) * w[a];
    return c[0];
}

}  // namespace spume
