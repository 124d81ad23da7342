// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/solve/smoother.h"

namespace spume {

// What the legs of the multigrid cycle do once the black cells of a tile are relaxed (smoother.h):
// the way down sums the residual over coarse cells, the way up relaxes red cells.

/// Sums the residual of red cells, Σ c x_b over neighbours in the tile, over the coarse cells.
template <int D, class Faces>
inline void restrict_red(const Faces& faces, const Float<D>& x, float* coarse) {
    using R = TileRows<D>;
    using C = CoarseRows<D>;
    // Rows come two layers at a time; sums of the lower one wait here for the upper one.
    Floats half[D == 2 ? 2 : R::kSide];
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        const int row = at.offset / R::kSide;
        for (int k = 0; k < R::kSide; k += kLanes) {
            Floats sum;
            gather<D>(faces, x.v, at, k, sum);
            keep_colour(at, 0, sum);
            const int slot = D == 2 ? k / kLanes : row % R::kSide;
            if ((row / R::kFaceRows & 1) == 0) {
                half[slot] = sum;
                continue;
            }
            half[slot] += sum;
            if (D == 3 && slot % 2 == 0) continue;
            const Floats total = D == 2 ? half[slot] : half[slot] + half[slot - (D == 3)];
            float* to = coarse + C::row(C::under(row)) + k / 2;
            for (int i = 0; i < kLanes / 2; ++i) to[i] = total[2 * i] + total[2 * i + 1];
        }
    });
}

/// The share of a tile's black border cells in its neighbour's coarse residual.
template <int D, class Faces>
inline void restrict_border(const Faces& faces, const Float<D>& x, int axis, int side, float* box) {
    using R = TileRows<D>;
    using C = CoarseRows<D>;
    float cells[kFaceCells<D>];
    if (axis == D - 1)
        for (int r = 0; r < R::kRows; ++r)
            cells[r] = faces.at(R::face_row(axis, r) + (side ? R::kSide : 0)) *
                       x.v[R::block_row(r) + (side ? R::kSide - 1 : 0)];
    else
        for (int m = 0; m < R::kFaceRows; ++m) {
            const int r = border_row<D>(axis, side, m);
            for (int k = 0; k < R::kSide; k += kLanes) {
                Floats c;
                faces.row(border_faces<D>(axis, side, r) + k, c);
                lanes(cells + m * R::kSide + k) = c * lanes(x.v + R::block_row(r) + k);
            }
        }
    if constexpr (D == 2) {
        for (int i = 0; i < C::kFace; ++i) box[i] = cells[2 * i] + cells[2 * i + 1];
    } else {
        for (int i = 0; i < C::kSide; ++i)
            for (int j = 0; j < C::kSide; ++j) {
                const float* c = cells + 2 * i * R::kSide + 2 * j;
                box[i * C::kSide + j] = (c[0] + c[1]) + (c[R::kSide] + c[R::kSide + 1]);
            }
    }
}

template <int D>
inline void add_coarse_border(const float* box, int axis, int side, float* coarse) {
    using C = CoarseRows<D>;
    const int layer = (side ? C::kSide - 1 : 0) * tile_stride<D>(axis);
    const int outer = axis == 0 ? D - 2 : 0, inner = axis == D - 1 ? D - 2 : D - 1;
    for (int i = 0; i < (D == 2 ? 1 : C::kSide); ++i)
        for (int j = 0; j < C::kSide; ++j)
            coarse[layer + i * (D == 2 ? 0 : tile_stride<D>(outer)) + j * tile_stride<D>(inner)] +=
                box[i * C::kSide + j];
}

/// z from x_b, red cells relaxed as far as the tile's own black cells go, towards `source`: b and
/// what bubbles add to it. Returns its b · z.
template <int D, class Faces>
inline double relax_red(const Faces& faces, const float* inverse, const float* source,
                        const float* b, const Float<D>& x, float* z) {
    using R = TileRows<D>;
    Floats dot{};
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        for (int k = 0; k < R::kSide; k += kLanes) {
            Floats sum;
            gather<D>(faces, x.v, at, k, sum);
            sum = lanes(inverse + at.offset + k) * (lanes(source + at.offset + k) + sum);
            keep_colour(at, 0, sum);
            sum += lanes(x.v + at.block + k);
            lanes(z + at.offset + k) = sum;
            dot += lanes(b + at.offset + k) * sum;
        }
    });
    double total = 0;
    for (int i = 0; i < kLanes; ++i) total += double(dot[i]);
    return total;
}

/// What the tile's black border cells add to red cells of its neighbour, whose inverse and b these
/// are. Returns the share in b · z.
template <int D, class Faces>
inline double send_border(const Faces& faces, const float* inverse, const float* b,
                          const Float<D>& x, int axis, int side, float* box) {
    using R = TileRows<D>;
    if (axis == D - 1) {
        // Black is at the start of odd rows and at the end of even ones; the rest of the box is
        // zero.
        float sum = 0;
        for (int r = 0; r < R::kRows; ++r) {
            if (R::parity(r) == side) continue;
            const int o = r * R::kSide + (side ? 0 : R::kSide - 1);
            box[r] = inverse[o] * (faces.at(R::face_row(axis, r) + (side ? R::kSide : 0)) *
                                   x.v[R::block_row(r) + (side ? R::kSide - 1 : 0)]);
            sum += box[r] * b[o];
        }
        return double(sum);
    }
    Floats dot{};
    for (int m = 0; m < R::kFaceRows; ++m) {
        const int r = border_row<D>(axis, side, m), other = border_row<D>(axis, 1 - side, m);
        for (int k = 0; k < R::kSide; k += kLanes) {
            Floats c;
            faces.row(border_faces<D>(axis, side, r) + k, c);
            const Floats share =
                lanes(inverse + other * R::kSide + k) * (c * lanes(x.v + R::block_row(r) + k));
            lanes(box + m * R::kSide + k) = share;
            dot += share * lanes(b + other * R::kSide + k);
        }
    }
    double total = 0;
    for (int i = 0; i < kLanes; ++i) total += double(dot[i]);
    return total;
}

}  // namespace spume
