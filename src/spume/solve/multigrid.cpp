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

constexpr int opposite(int face) { return face ^ 1; }

/// Visits of a level for each visit of the next finer one. Coarse levels are cheap, and a better
/// coarse solution saves iterations where coefficients jump.
constexpr int visits(std::size_t level) { return level == 0 ? 1 : 2; }

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
        l.faces = Array<float>((tiles + 1) * R<D>::kFaces);
        l.inverse = Array<float>(n), l.b = Array<float>(n), l.z = Array<float>(n);
        l.up_in = Array<float>(tiles * 2 * D * kFaceCells<D>);
        l.down_in = Array<float>(tiles * 2 * D * C<D>::kFace);
        if (i == 0) continue;
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
        std::memset(&x, 0, sizeof x);
        load_block<D>(
            y, t, around,
            [&](int n, int o, float* out) {
                const std::size_t at = std::size_t(n) * kTileCells<D> + std::size_t(o);
                for (int k = 0; k < R<D>::kSide; ++k)
                    out[k] = view.b[at + k] * view.inverse[at + k];
            },
            [&](int n, int o) {
                const std::size_t at = std::size_t(n) * kTileCells<D> + std::size_t(o);
                return view.b[at] * view.inverse[at];
            });
        relax_black<D>(view, t, y, x);
        const float* faces = view.faces + std::size_t(t) * R<D>::kFaces;
        float* to = coarse + std::size_t(l.tiles->parent[std::size_t(t)]) * kTileCells<D> +
                    C<D>::base(l.tiles->part[std::size_t(t)]);
        float total[C<D>::kRows][R<D>::kSide] = {};
        for (int r = 0; r < R<D>::kRows; ++r) {
            float sum[R<D>::kSide];
            gather_row<D>(faces, x.v + R<D>::block_row(r), r, sum);
            const float* mask = colour_mask<D>(r, 0);
            float* row = total[C<D>::under(r)];
            for (int k = 0; k < R<D>::kSide; ++k) row[k] += mask[k] * sum[k];
        }
        for (int r = 0; r < C<D>::kRows; ++r)
            for (int k = 0; k < C<D>::kSide; ++k)
                to[C<D>::row(r) + k] = total[r][2 * k] + total[r][2 * k + 1];
        for (int face = 0; face < 2 * D; ++face) {
            const int n = around[face];
            if (!l.is_live[std::size_t(n)]) continue;
            float out[C<D>::kFace] = {};
            for_border<D>(faces, x, face / 2, face % 2, [&](int i, int, float c, float v) {
                const int half =
                    D == 2 ? i / 2 : i / R<D>::kSide / 2 * C<D>::kSide + i % R<D>::kSide / 2;
                out[half] += c * v;
            });
            float* box =
                inbox + (std::size_t(n) * 2 * D + std::size_t(opposite(face))) * C<D>::kFace;
            for (int i = 0; i < C<D>::kFace; ++i) box[i] = out[i];
        }
    });
    // What neighbours' black cells add to the residual of red border cells.
    for_each_tile(context.arena, l.live, [&](int t) {
        float* to = coarse + std::size_t(l.tiles->parent[std::size_t(t)]) * kTileCells<D> +
                    C<D>::base(l.tiles->part[std::size_t(t)]);
        for (int face = 0; face < 2 * D; ++face) {
            if (!l.is_live[std::size_t(l.tiles->around_tile(t)[face])]) continue;
            const float* box = inbox + (std::size_t(t) * 2 * D + std::size_t(face)) * C<D>::kFace;
            const int a = face / 2, layer = face % 2 ? C<D>::kSide - 1 : 0;
            for (int i = 0; i < C<D>::kFace; ++i) {
                Index<D> c{};
                c[a] = layer;
                int rest = i;
                for (int other = D - 1; other >= 0; --other) {
                    if (other == a) continue;
                    c[other] = rest % C<D>::kSide;
                    rest /= C<D>::kSide;
                }
                to[tile_offset<D>(c)] += box[i];
            }
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
        return n == zero ? coarse + std::size_t(next.tiles->count) * kTileCells<D>
                         : coarse + std::size_t(l.tiles->parent[std::size_t(n)]) * kTileCells<D> +
                               C<D>::base(l.tiles->part[std::size_t(n)]);
    };
    return sum_tiles(context.arena, l.live, [&](int t) {
        const int* around = l.tiles->around_tile(t);
        Float<D> y, x;
        std::memset(&x, 0, sizeof x);
        load_block<D>(
            y, t, around,
            [&](int n, int o, float* out) {
                const std::size_t at = std::size_t(n) * kTileCells<D> + std::size_t(o);
                const float* e = correction(n) + C<D>::row(C<D>::under(o / R<D>::kSide));
                float wide[R<D>::kSide];
                for (int k = 0; k < R<D>::kSide; ++k) wide[k] = e[k / 2];
                for (int k = 0; k < R<D>::kSide; ++k)
                    out[k] = view.b[at + k] * view.inverse[at + k] + wide[k];
            },
            [&](int n, int o) {
                const std::size_t at = std::size_t(n) * kTileCells<D> + std::size_t(o);
                return view.b[at] * view.inverse[at] +
                       correction(n)[C<D>::row(C<D>::under(o / R<D>::kSide)) + o % R<D>::kSide / 2];
            });
        relax_black<D>(view, t, y, x);
        const std::size_t at = std::size_t(t) * kTileCells<D>;
        const float* faces = view.faces + std::size_t(t) * R<D>::kFaces;
        float dot[R<D>::kSide] = {};
        for (int r = 0; r < R<D>::kRows; ++r) {
            float sum[R<D>::kSide];
            gather_row<D>(faces, x.v + R<D>::block_row(r), r, sum);
            const float* mask = colour_mask<D>(r, 0);
            const float* b = view.b + at + r * R<D>::kSide;
            const float* inverse = view.inverse + at + r * R<D>::kSide;
            const float* black = x.v + R<D>::block_row(r);
            float* out = z + at + r * R<D>::kSide;
            for (int k = 0; k < R<D>::kSide; ++k) {
                out[k] = black[k] + mask[k] * (inverse[k] * (b[k] + sum[k]));
                dot[k] += b[k] * out[k];
            }
        }
        double total = 0;
        for (int k = 0; k < R<D>::kSide; ++k) total += double(dot[k]);
        for (int face = 0; face < 2 * D; ++face) {
            const int n = around[face];
            if (!l.is_live[std::size_t(n)]) continue;
            const int a = face / 2;
            const int across = (face % 2 ? -1 : 1) * (R<D>::kSide - 1) * tile_stride<D>(a);
            const float* inverse = view.inverse + std::size_t(n) * kTileCells<D>;
            const float* b = view.b + std::size_t(n) * kTileCells<D>;
            float* box =
                inbox + (std::size_t(n) * 2 * D + std::size_t(opposite(face))) * kFaceCells<D>;
            float sum = 0;
            for_border<D>(faces, x, a, face % 2, [&](int i, int o, float c, float v) {
                box[i] = inverse[o + across] * (c * v);
                sum += box[i] * b[o + across];
            });
            total += double(sum);
        }
        return total;
    });
}

template <int D>
void Multigrid<D>::add_inbox(std::size_t index, Context& context) {
    MultigridLevel<D>& l = levels_[index];
    const float* inbox = l.up_in.data();
    float* z = l.z.write().data();
    for_each_tile(context.arena, l.live, [&](int t) {
        float* v = z + std::size_t(t) * kTileCells<D>;
        for (int face = 0; face < 2 * D; ++face) {
            if (!l.is_live[std::size_t(l.tiles->around_tile(t)[face])]) continue;
            const float* box = inbox + (std::size_t(t) * 2 * D + std::size_t(face)) * kFaceCells<D>;
            const int a = face / 2, layer = face % 2 ? R<D>::kSide - 1 : 0;
            if (a == D - 1)
                for (int r = 0; r < R<D>::kRows; ++r) v[r * R<D>::kSide + layer] += box[r];
            else
                for (int m = 0; m < R<D>::kFaceRows; ++m) {
                    float* row = v + R<D>::layer_row(a, layer, m) * R<D>::kSide;
                    for (int k = 0; k < R<D>::kSide; ++k) row[k] += box[m * R<D>::kSide + k];
                }
        }
    });
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
            for (int r = 0; r < R<D>::kRows; ++r) {
                const std::size_t at =
                    std::size_t(t) * kTileCells<D> + std::size_t(r) * R<D>::kSide;
                const float* v = x.v + R<D>::block_row(r);
                float near[R<D>::kSide];
                gather_row<D>(faces, v, r, near);
                for (int k = 0; k < R<D>::kSide; ++k) {
                    const float i = inverse[at + k];
                    b[at + k] = i > 0 ? kept[at + k] - v[k] / i + near[k] : 0.0f;
                }
            }
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
    const double dot = up(index, context);
    add_inbox(index, context);
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
