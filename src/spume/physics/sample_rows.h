// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"
#include "spume/particles/clamp.h"

namespace spume {

// Face velocities at many points at once. A row holds N points, each coordinate an array of its
// own, so that every loop below runs over the row and fills vector registers.

/// Points in the lattice (cell i spans [i, i + 1)), counted from the origin of a sampler.
template <int D, int N>
struct RowPoints {
    double x[D][N];
};

template <int N>
struct RowSamples {
    double value[N];
    double lo[N], hi[N];  ///< range of the corners, where asked for
};

/// Weights and corner values of a row → values and, with kRange, their ranges.
template <int D, int N, bool kRange>
inline void interpolate_row(double (&c)[1 << D][N], const double (&w)[D][N], RowSamples<N>& out) {
    if constexpr (kRange) {
        for (int n = 0; n < N; ++n) out.lo[n] = out.hi[n] = c[0][n];
        for (int k = 1; k < (1 << D); ++k)
            for (int n = 0; n < N; ++n) {
                out.lo[n] = c[k][n] < out.lo[n] ? c[k][n] : out.lo[n];
                out.hi[n] = c[k][n] > out.hi[n] ? c[k][n] : out.hi[n];
            }
    }
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < (1 << (D - a - 1)); ++k)
            for (int n = 0; n < N; ++n)
                c[k][n] = c[2 * k][n] * (1 - w[a][n]) + c[2 * k + 1][n] * w[a][n];
    for (int n = 0; n < N; ++n) out.value[n] = c[0][n];
}

/// Samples anywhere, through the tile table.
template <int D>
class FarSampler {
  public:
    FarSampler(const FaceField<double, D>& field, const Clamp<D>& clamp, const Index<D>& origin)
        : field_(&field),
          clamp_(&clamp),
          origin_(origin.template as<double>()),
          cursor_(*field.tiles()) {}

    template <int N, bool kRange>
    void sample(int axis, const RowPoints<D, N>& points, RowSamples<N>& out) {
        for (int n = 0; n < N; ++n) one<N, kRange>(axis, points, n, out);
    }

    /// Point n of a row.
    template <int N, bool kRange>
    void one(int axis, const RowPoints<D, N>& points, int n, RowSamples<N>& out) {
        Point<D> u{};
        for (int a = 0; a < D; ++a) {
            const double x = points.x[a][n] + origin_[a];
            u[a] = a == axis ? clamp_->normal(x, a) : clamp_->side(x, a) - 0.5;
        }
        const Index<D> base = floor_index<D>(u);
        double w[D][1], c[1 << D][1];
        for (int a = 0; a < D; ++a) w[a][0] = u[a] - base[a];
        const double* values = field_->read(axis);
        for (int k = 0; k < (1 << D); ++k) {
            Index<D> i = base;
            for (int a = 0; a < D; ++a) i[a] += k >> a & 1;
            c[k][0] = values[cursor_(i)];
        }
        RowSamples<1> r;
        interpolate_row<D, 1, kRange>(c, w, r);
        out.value[n] = r.value[0];
        if constexpr (kRange) out.lo[n] = r.lo[0], out.hi[n] = r.hi[0];
    }

  private:
    const FaceField<double, D>* field_;
    const Clamp<D>* clamp_;
    Point<D> origin_;
    TileCursor<D> cursor_;
};

/// Samples near one tile from a copy with halo, far ones through the tile table.
template <int D>
class NearSampler {
  public:
    static constexpr int kHalo = 2;
    using Block = HaloBlock<double, D, kHalo>;

    NearSampler(const FaceField<double, D>& field, const Clamp<D>& clamp, int tile)
        : far_(field, clamp, field.tiles()->origin(tile)) {
        const Point<D> origin = field.tiles()->origin(tile).template as<double>();
        for (int a = 0; a < D; ++a) {
            load_halo(field.read(a), *field.tiles(), tile, block_[a]);
            lo_[a] = clamp.lo[a] - origin[a];
            hi_[a] = clamp.hi[a] - origin[a];
        }
    }

    bool still() const {
        for (const Block& block : block_)
            for (double v : block.v)
                if (v != 0) return false;
        return true;
    }

    template <int N, bool kRange>
    void sample(int axis, const RowPoints<D, N>& points, RowSamples<N>& out) {
        constexpr double kFirst = -kHalo, kEnd = kTileSide<D> + kHalo - 1;
        double w[D][N], c[1 << D][N];
        int at[N] = {}, outside[N] = {};
        for (int a = 0; a < D; ++a) {
            const double half = a == axis ? 0 : 0.5, lo = lo_[a] + half, hi = hi_[a] - half;
            for (int n = 0; n < N; ++n) {
                double u = points.x[a][n];
                u = (u < lo ? lo : u > hi ? hi : u) - half;
                const bool near = u >= kFirst && u < kEnd;
                outside[n] |= !near;
                u = (near ? u : kFirst) + kHalo;
                const int i = static_cast<int>(u);
                w[a][n] = u - i;
                at[n] = at[n] * Block::kSide + i;
            }
        }
        const double* v = block_[axis].v;
        for (int k = 0; k < (1 << D); ++k) {
            int o = 0;
            for (int a = 0; a < D; ++a) o += (k >> a & 1) * Block::stride(a);
            for (int n = 0; n < N; ++n) c[k][n] = v[at[n] + o];
        }
        interpolate_row<D, N, kRange>(c, w, out);
        int any = 0;
        for (int n = 0; n < N; ++n) any |= outside[n];
        if (any == 0) return;
        for (int n = 0; n < N; ++n)
            if (outside[n] != 0) far_.template one<N, kRange>(axis, points, n, out);
    }

    /// Velocities at a row of the tile's faces across `axis`: their own component, and the mean of
    /// the four nearest of each other.
    void at_faces(int axis, const Index<D>& first, double (&out)[D][kTileSide<D>]) const {
        const int at = Block::at(first), back = Block::stride(axis);
        for (int b = 0; b < D; ++b) {
            const double* v = block_[b].v + at;
            const int up = Block::stride(b);
            if (b == axis)
                for (int n = 0; n < kTileSide<D>; ++n) out[b][n] = v[n];
            else
                for (int n = 0; n < kTileSide<D>; ++n)
                    out[b][n] = 0.25 * ((v[n] + v[n + up]) + (v[n - back] + v[n + up - back]));
        }
    }

  private:
    Vec<double, D> lo_, hi_;
    FarSampler<D> far_;
    Block block_[D];
};

}  // namespace spume
