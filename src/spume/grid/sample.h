// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/grid/field.h"

namespace spume {

/// Remembers the tile of the last look-up. One a thread; cheap to make.
template <int D>
class TileCursor {
  public:
    explicit TileCursor(const Tiles<D>& tiles) : tiles_(&tiles), tile_(tiles.zero()) {}

    /// Position in a field's flat storage of the cell, face or node with this lattice index.
    std::size_t operator()(const Index<D>& index) {
        const Index<D> key = tile_of<D>(index);
        if (!(key == key_) || first_) {
            key_ = key;
            tile_ = tiles_->find(key);
            first_ = false;
        }
        return std::size_t(tile_) * kTileCells<D> + std::size_t(tile_offset<D>(local_of<D>(index)));
    }
    int tile() const { return tile_; }

  private:
    const Tiles<D>* tiles_;
    Index<D> key_{};
    int tile_;
    bool first_ = true;
};

/// The samples around lattice coordinate u, samples at integers: corner c is the upper one along
/// axis a where its bit a is set, and has weight w[a] there. Missing tiles read as zero.
template <class T, int D>
void load_corners(const T* field, TileCursor<D>& cursor, const Point<D>& u, T (&corner)[1 << D],
                  double (&w)[D]) {
    const Index<D> base = floor_index<D>(u);
    bool inside = true;
    for (int a = 0; a < D; ++a) {
        w[a] = u[a] - base[a];
        inside = inside && (base[a] & (kTileSide<D> - 1)) != kTileSide<D> - 1;
    }
    if (inside) {
        const std::size_t o = cursor(base);
        for (int c = 0; c < (1 << D); ++c) {
            std::size_t at = o;
            for (int a = 0; a < D; ++a) at += std::size_t((c >> a & 1) * tile_stride<D>(a));
            corner[c] = field[at];
        }
    } else {
        for (int c = 0; c < (1 << D); ++c) {
            Index<D> i = base;
            for (int a = 0; a < D; ++a) i[a] += c >> a & 1;
            corner[c] = field[cursor(i)];
        }
    }
}

/// Multilinear interpolation between corners, which it overwrites.
template <class T, int D>
T interpolate_corners(T (&corner)[1 << D], const double (&w)[D]) {
    for (int a = 0; a < D; ++a)
        for (int c = 0; c < (1 << (D - a - 1)); ++c)
            corner[c] = T(corner[2 * c] * (1 - w[a]) + corner[2 * c + 1] * w[a]);
    return corner[0];
}

/// Multilinear interpolation of flat storage at lattice coordinate u, samples at integers. Missing
/// tiles read as zero.
template <class T, int D>
T sample_linear(const T* field, TileCursor<D>& cursor, const Point<D>& u) {
    T corner[1 << D];
    double w[D];
    load_corners<T, D>(field, cursor, u, corner, w);
    return interpolate_corners<T, D>(corner, w);
}

/// Catmull–Rom interpolation, clamped to the values of the enclosing cell so that it makes no new
/// extrema.
template <class T, int D>
T sample_cubic(const T* field, TileCursor<D>& cursor, const Point<D>& u) {
    const Index<D> base = floor_index<D>(u);
    double w[D][4];
    for (int a = 0; a < D; ++a) {
        const double t = u[a] - base[a], t2 = t * t, t3 = t2 * t;
        w[a][0] = -0.5 * t + t2 - 0.5 * t3;
        w[a][1] = 1 - 2.5 * t2 + 1.5 * t3;
        w[a][2] = 0.5 * t + 2 * t2 - 1.5 * t3;
        w[a][3] = -0.5 * t2 + 0.5 * t3;
    }
    double sum = 0, lo = 0, hi = 0;
    bool first = true;
    for (int c = 0; c < (1 << (2 * D)); ++c) {
        Index<D> i = base;
        double weight = 1;
        bool core = true;
        for (int a = 0; a < D; ++a) {
            const int k = c >> (2 * a) & 3;
            i[a] += k - 1;
            weight *= w[a][k];
            core = core && (k == 1 || k == 2);
        }
        const double value = static_cast<double>(field[cursor(i)]);
        sum += weight * value;
        if (core) {
            lo = first || value < lo ? value : lo;
            hi = first || value > hi ? value : hi;
            first = false;
        }
    }
    return T(sum < lo ? lo : sum > hi ? hi : sum);
}

/// The lattice coordinate, in samples, of a point for each place a value can live.
template <int D>
Point<D> cell_coordinate(const Transform<D>& transform, const Point<D>& x) {
    return transform.to_lattice(x) - Point<D>::filled(0.5);
}
template <int D>
Point<D> face_coordinate(const Transform<D>& transform, int axis, const Point<D>& x) {
    Point<D> u = transform.to_lattice(x) - Point<D>::filled(0.5);
    u[axis] += 0.5;
    return u;
}

template <class T, int D>
T sample(const CellField<T, D>& field, TileCursor<D>& cursor, const Point<D>& x) {
    return sample_linear<T, D>(field.read(), cursor,
                               cell_coordinate<D>(field.tiles()->transform(), x));
}
template <class T, int D>
Vec<T, D> sample(const FaceField<T, D>& field, TileCursor<D>& cursor, const Point<D>& x) {
    Vec<T, D> r{};
    for (int a = 0; a < D; ++a)
        r[a] = sample_linear<T, D>(field.read(a), cursor,
                                   face_coordinate<D>(field.tiles()->transform(), a, x));
    return r;
}

}  // namespace spume
