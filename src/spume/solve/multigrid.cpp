// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/multigrid.h"

#include "spume/solve/smoother.h"

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;
template <int D>
using C = CoarseRows<D>;

/// Sums the residual of red cells, Σ c x_b over neighbours in the tile, over the coarse cells.
template <int D>
void restrict_red(const float* faces, const Float<D>& x, float* coarse) {
    // Rows come two layers at a time; sums of the lower one wait here for the upper one.
    Floats half[D == 2 ? 2 : R<D>::kSide];
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        const int row = at.offset / R<D>::kSide;
        for (int k = 0; k < R<D>::kSide; k += kLanes) {
            Floats sum;
            gather<D>(faces, x.v, at, k, sum);
            keep_colour(at, 0, sum);
            const int slot = D == 2 ? k / kLanes : row % R<D>::kSide;
            if ((row / R<D>::kFaceRows & 1) == 0) {
                half[slot] = sum;
                continue;
            }
            half[slot] += sum;
            if (D == 3 && slot % 2 == 0) continue;
            const Floats total = D == 2 ? half[slot] : half[slot] + half[slot - (D == 3)];
            float* to = coarse + C<D>::row(C<D>::under(row)) + k / 2;
            for (int i = 0; i < kLanes / 2; ++i) to[i] = total[2 * i] + total[2 * i + 1];
        }
    });
}

/// The share of a tile's black border cells in its neighbour's coarse residual.
template <int D>
void restrict_border(const float* faces, const Float<D>& x, int axis, int side, float* box) {
    float cells[kFaceCells<D>];
    if (axis == D - 1)
        for (int r = 0; r < R<D>::kRows; ++r)
            cells[r] = faces[R<D>::face_row(axis, r) + (side ? R<D>::kSide : 0)] *
                       x.v[R<D>::block_row(r) + (side ? R<D>::kSide - 1 : 0)];
    else
        for (int m = 0; m < R<D>::kFaceRows; ++m) {
            const int r = border_row<D>(axis, side, m);
            for (int k = 0; k < R<D>::kSide; k += kLanes)
                lanes(cells + m * R<D>::kSide + k) =
                    lanes(border_faces<D>(faces, axis, side, r) + k) *
                    lanes(x.v + R<D>::block_row(r) + k);
        }
    if constexpr (D == 2) {
        for (int i = 0; i < C<D>::kFace; ++i) box[i] = cells[2 * i] + cells[2 * i + 1];
    } else {
        for (int i = 0; i < C<D>::kSide; ++i)
            for (int j = 0; j < C<D>::kSide; ++j) {
                const float* c = cells + 2 * i * R<D>::kSide + 2 * j;
                box[i * C<D>::kSide + j] = (c[0] + c[1]) + (c[R<D>::kSide] + c[R<D>::kSide + 1]);
            }
    }
}

template <int D>
void add_coarse_border(const float* box, int axis, int side, float* coarse) {
    const int layer = (side ? C<D>::kSide - 1 : 0) * tile_stride<D>(axis);
    const int outer = axis == 0 ? D - 2 : 0, inner = axis == D - 1 ? D - 2 : D - 1;
    for (int i = 0; i < (D == 2 ? 1 : C<D>::kSide); ++i)
        for (int j = 0; j < C<D>::kSide; ++j)
            coarse[layer + i * (D == 2 ? 0 : tile_stride<D>(outer)) + j * tile_stride<D>(inner)] +=
                box[i * C<D>::kSide + j];
}

/// z from x_b, red cells relaxed as far as the tile's own black cells go. Returns its b · z.
template <int D>
double relax_red(const SmootherView<D>& level, int tile, const Float<D>& x, float* z) {
    const float* inverse = level.inverse + std::size_t(tile) * kTileCells<D>;
    const float* b = level.b + std::size_t(tile) * kTileCells<D>;
    const float* faces = level.faces + std::size_t(tile) * R<D>::kFaces;
    Floats dot{};
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        for (int k = 0; k < R<D>::kSide; k += kLanes) {
            Floats sum;
            gather<D>(faces, x.v, at, k, sum);
            sum = lanes(inverse + at.offset + k) * (lanes(b + at.offset + k) + sum);
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

/// What the tile's black border cells add to red cells of its neighbour. Returns the share in b ·
/// z.
template <int D>
double send_border(const SmootherView<D>& level, int tile, int to, const Float<D>& x, int axis,
                   int side, float* box) {
    const float* faces = level.faces + std::size_t(tile) * R<D>::kFaces;
    const float* inverse = level.inverse + std::size_t(to) * kTileCells<D>;
    const float* b = level.b + std::size_t(to) * kTileCells<D>;
    if (axis == D - 1) {
        // Black is at the start of odd rows and at the end of even ones; the rest of the box is
        // zero.
        float sum = 0;
        for (int r = 0; r < R<D>::kRows; ++r) {
            if (R<D>::parity(r) == side) continue;
            const int o = r * R<D>::kSide + (side ? 0 : R<D>::kSide - 1);
            box[r] = inverse[o] * (faces[R<D>::face_row(axis, r) + (side ? R<D>::kSide : 0)] *
                                   x.v[R<D>::block_row(r) + (side ? R<D>::kSide - 1 : 0)]);
            sum += box[r] * b[o];
        }
        return double(sum);
    }
    Floats dot{};
    for (int m = 0; m < R<D>::kFaceRows; ++m) {
        const int r = border_row<D>(axis, side, m), other = border_row<D>(axis, 1 - side, m);
        for (int k = 0; k < R<D>::kSide; k += kLanes) {
            const Floats share = lanes(inverse + other * R<D>::kSide + k) *
                                 (lanes(border_faces<D>(faces, axis, side, r) + k) *
                                  lanes(x.v + R<D>::block_row(r) + k));
            lanes(box + m * R<D>::kSide + k) = share;
            dot += share * lanes(b + other * R<D>::kSide + k);
        }
    }
    double total = 0;
    for (int i = 0; i < kLanes; ++i) total += double(dot[i]);
    return total;
}

constexpr int opposite(int face) { return face ^ 1; }

}  // namespace

template <int D>
std::size_t MultigridLevel<D>::bytes() const {
    return 4 * (faces.size() + inverse.size() + extra.size() + b.size() + z.size() + kept_b.size() +
                sum.size() + down_in.size() + up_in.size());
}

template <int D>
void Multigrid<D>::prepare(const std::vector<LevelTiles<D>>& levels) {
    levels_.clear();
    levels_.resize(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        MultigridLevel<D>& l = levels_[i];
        l.tiles = &levels[i];
        const std::size_t n = levels[i].values(), tiles = std::size_t(levels[i].count);
        l.inverse = Array<float>(n), l.b = Array<float>(n), l.z = Array<float>(n);
        l.up_in = Array<float>(tiles * 2 * D * kFaceCells<D>);
        l.down_in = Array<float>(tiles * 2 * D * C<D>::kFace);
        if (i == 0) continue;
        l.faces = Array<float>((tiles + 1) * R<D>::kFaces);
        l.extra = Array<float>(n), l.kept_b = Array<float>(n), l.sum = Array<float>(n);
    }
}

/// Red then black from zero, and the residual to the coarser level.
template <int D>
void Multigrid<D>::down(std::size_t index, Context& context) {
    MultigridLevel<D>& l = levels_[index];
    float* coarse = levels_[index + 1].b.write().data();
    float* inbox = l.down_in.write().data();
    const SmootherView<D> view{l.faces.data(), l.inverse.data(), l.b.data()};
    for_each_tile(context.arena, l.live, [&](int t) {
        const int* around = l.tiles->around_tile(t);
        Float<D> y, x;
        RedSource sources[2 * D + 1];
        for (int n = 0; n <= 2 * D; ++n) {
            const std::size_t at = std::size_t(n < 2 * D ? around[n] : t) * kTileCells<D>;
            sources[n] = {view.b + at, view.inverse + at, nullptr};
        }
        load_red<D, false>(y, sources);
        clear_around<D>(x);
        relax_black<D>(view, t, y, x);
        const float* faces = view.faces + std::size_t(t) * R<D>::kFaces;
        restrict_red<D>(faces, x,
                        coarse + std::size_t(l.tiles->parent[std::size_t(t)]) * kTileCells<D> +
                            C<D>::base(l.tiles->part[std::size_t(t)]));
        for (int face = 0; face < 2 * D; ++face) {
            const int n = around[face];
            if (!l.is_live[std::size_t(n)]) continue;
            restrict_border<D>(
                faces, x, face / 2, face % 2,
                inbox + (std::size_t(n) * 2 * D + std::size_t(opposite(face))) * C<D>::kFace);
        }
    });
    // What neighbours' black cells add to the residual of red border cells.
    for_each_tile(context.arena, l.live, [&](int t) {
        float* to = coarse + std::size_t(l.tiles->parent[std::size_t(t)]) * kTileCells<D> +
                    C<D>::base(l.tiles->part[std::size_t(t)]);
        for (int face = 0; face < 2 * D; ++face) {
            if (!l.is_live[std::size_t(l.tiles->around_tile(t)[face])]) continue;
            const float* box = inbox + (std::size_t(t) * 2 * D + std::size_t(face)) * C<D>::kFace;
            add_coarse_border<D>(box, face / 2, face % 2, to);
        }
    });
}

/// Black then red from zero plus the coarse correction. Returns b · z.
template <int D>
double Multigrid<D>::up(std::size_t index, Context& context) {
    MultigridLevel<D>& l = levels_[index];
    const MultigridLevel<D>& next = levels_[index + 1];
    const float* coarse = next.z.data();
    const int zero = l.tiles->count;
    float* inbox = l.up_in.write().data();
    float* z = l.z.write().data();
    const SmootherView<D> view{l.faces.data(), l.inverse.data(), l.b.data()};
    const auto correction = [&](int n) {
        if (n == zero) return coarse + std::size_t(next.tiles->count) * kTileCells<D>;
        return coarse + std::size_t(l.tiles->parent[std::size_t(n)]) * kTileCells<D> +
               C<D>::base(l.tiles->part[std::size_t(n)]);
    };
    return sum_tiles(context.arena, l.live, [&](int t) {
        const int* around = l.tiles->around_tile(t);
        Float<D> y, x;
        RedSource sources[2 * D + 1];
        for (int n = 0; n <= 2 * D; ++n) {
            const int tile = n < 2 * D ? around[n] : t;
            const std::size_t at = std::size_t(tile) * kTileCells<D>;
            sources[n] = {view.b + at, view.inverse + at, correction(tile)};
        }
        load_red<D, true>(y, sources);
        clear_around<D>(x);
        relax_black<D>(view, t, y, x);
        double total = relax_red<D>(view, t, x, z + std::size_t(t) * kTileCells<D>);
        for (int face = 0; face < 2 * D; ++face) {
            const int n = around[face];
            if (!l.is_live[std::size_t(n)]) continue;
            total += send_border<D>(
                view, t, n, x, face / 2, face % 2,
                inbox + (std::size_t(n) * 2 * D + std::size_t(opposite(face))) * kFaceCells<D>);
        }
        return total;
    });
}

template <int D>
const float* Multigrid<D>::add_inbox(MultigridLevel<D>& l, int t) {
    // Unshared for the whole cycle, so this only finds the place.
    float* v = const_cast<float*>(l.z.data()) + std::size_t(t) * kTileCells<D>;
    const float* inbox = l.up_in.data() + std::size_t(t) * 2 * D * kFaceCells<D>;
    for (int face = 0; face < 2 * D; ++face) {
        if (!l.is_live[std::size_t(l.tiles->around_tile(t)[face])]) continue;
        const float* box = inbox + std::size_t(face) * kFaceCells<D>;
        const int a = face / 2, layer = face % 2 ? R<D>::kSide - 1 : 0;
        if (a == D - 1) {
            for (int r = 0; r < R<D>::kRows; ++r)
                if (R<D>::parity(r) == face % 2) v[r * R<D>::kSide + layer] += box[r];
            continue;
        }
        for (int m = 0; m < R<D>::kFaceRows; ++m)
            for (int k = 0; k < R<D>::kSide; k += kLanes)
                lanes(v + R<D>::layer_row(a, layer, m) * R<D>::kSide + k) +=
                    lanes(box + m * R<D>::kSide + k);
    }
    return v;
}

/// A second visit: z += M (b − A z).
template <int D>
void Multigrid<D>::again(std::size_t index, Context& context) {
    MultigridLevel<D>& l = levels_[index];
    std::swap(l.b, l.kept_b);
    std::swap(l.z, l.sum);
    {
        const float *kept = l.kept_b.data(), *sum = l.sum.data();
        const float* inverse = l.inverse.data();
        float* b = l.b.write().data();
        for_each_tile(context.arena, l.live, [&](int t) {
            Float<D> x;
            load_block<D>(x, sum, t, l.tiles->around_tile(t));
            const float* faces = l.faces.data() + std::size_t(t) * R<D>::kFaces;
            const std::size_t at = std::size_t(t) * kTileCells<D>;
            for_rows<D>([&](const RowAt& row) __attribute__((always_inline)) {
                for (int k = 0; k < R<D>::kSide; k += kLanes) {
                    const std::size_t o = at + std::size_t(row.offset + k);
                    Floats near;
                    gather<D>(faces, x.v, row, k, near);
                    const Floats& i = lanes(inverse + o);
                    const Floats left = lanes(kept + o) - lanes(x.v + row.block + k) / i + near;
                    lanes(b + o) = i > 0 ? left : Floats{};
                }
            });
        });
    }
    cycle(index, context);
    const float* sum = l.sum.data();
    float* z = l.z.write().data();
    for_each_tile(context.arena, l.live, [&](int t) {
        const std::size_t at = std::size_t(t) * kTileCells<D>;
        for (std::size_t o = at; o < at + kTileCells<D>; ++o) z[o] += sum[o];
    });
    std::swap(l.b, l.kept_b);
}

template <int D>
double Multigrid<D>::cycle(std::size_t index, Context& context) {
    if (index + 1 == levels_.size()) return solve_coarsest(), 0.0;
    down(index, context);
    cycle(index + 1, context);
    if (index + 2 < levels_.size())
        for (int v = 1; v < visits(index + 1); ++v) again(index + 1, context);
    MultigridLevel<D>& l = levels_[index];
    const double dot = up(index, context);
    if (index > 0) for_each_tile(context.arena, l.live, [&](int t) { add_inbox(l, t); });
    return dot;
}

template <int D>
double Multigrid<D>::apply(Context& context) {
    return cycle(0, context);
}

template <int D>
void Multigrid<D>::solve_coarsest() {
    MultigridLevel<D>& l = levels_.back();
    const float* b = l.b.data();
    float* z = l.z.write().data();
    const std::size_t n = last_cells_.size();
    for (std::size_t i = 0; i < n; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < n; ++j)
            sum += last_inverse_[i * n + j] * b[std::size_t(last_cells_[j])];
        z[std::size_t(last_cells_[i])] = sum;
    }
}

template <int D>
std::size_t Multigrid<D>::bytes() const {
    std::size_t n = 0;
    for (const auto& l : levels_) n += l.bytes();
    return n;
}

template struct MultigridLevel<2>;
template struct MultigridLevel<3>;
template class Multigrid<2>;
template class Multigrid<3>;

}  // namespace spume
