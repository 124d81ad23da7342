// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/multigrid.h"

#include "spume/solve/legs.h"

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;
template <int D>
using C = CoarseRows<D>;

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
    const SmootherView<D> view = l.view();
    const auto under = [&](int t) {
        return coarse + std::size_t(l.tiles->parent[std::size_t(t)]) * kTileCells<D> +
               C<D>::base(l.tiles->part[std::size_t(t)]);
    };
    const auto work = [&](int t, int after, Float<D>& y, Float<D>& x) {
        const int* around = l.tiles->around_tile(t);
        RedSource sources[2 * D + 1];
        for (int n = 0; n <= 2 * D; ++n) {
            const int tile = n < 2 * D ? around[n] : t;
            sources[n] = {view.b_of(tile), view.inverse_of(tile), nullptr};
        }
        load_red<D, false>(y, sources, {view.b, after, l.tiles->around_tile(after)});
        with_faces<D>(view.faces, view.uniform, t, [&](const auto& faces) {
            relax_black<D>(faces, sources[2 * D].inverse, sources[2 * D].b, y, x);
            if (l.rows.touches(t))
                l.rows.note(t, [&](int o) {
                    const int row = o / R<D>::kSide, k = o % R<D>::kSide;
                    const int at = R<D>::block_row(row) + k;
                    return (R<D>::parity(row) ^ (k & 1)) == 0 ? y.v[at] : x.v[at];
                });
            restrict_red<D>(faces, x, under(t));
            for (int face = 0; face < 2 * D; ++face) {
                const int n = around[face];
                if (!l.is_live[std::size_t(n)]) continue;
                restrict_border<D>(
                    faces, x, face / 2, face % 2,
                    inbox + (std::size_t(n) * 2 * D + std::size_t(opposite(face))) * C<D>::kFace);
            }
        });
    };
    for_range(context.arena, l.live.size(), kTilePiece, [&](std::size_t begin, std::size_t end) {
        Float<D> y, x;
        clear_around<D>(x);
        for (std::size_t i = begin; i < end; ++i)
            work(l.live[i], l.live[i + 1 < l.live.size() ? i + 1 : i], y, x);
    });
    // What neighbours' black cells add to the residual of red border cells.
    for_each_tile(context.arena, l.live, [&](int t) {
        for (int face = 0; face < 2 * D; ++face) {
            if (!l.is_live[std::size_t(l.tiles->around_tile(t)[face])]) continue;
            const float* box = inbox + (std::size_t(t) * 2 * D + std::size_t(face)) * C<D>::kFace;
            add_coarse_border<D>(box, face / 2, face % 2, under(t));
        }
    });
    if (!l.rows.empty()) l.rows.total(levels_[index + 1].rows.b);
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
    const SmootherView<D> view = l.view();
    const auto correction = [&](int n) {
        if (n == zero) return coarse + std::size_t(next.tiles->count) * kTileCells<D>;
        return coarse + std::size_t(l.tiles->parent[std::size_t(n)]) * kTileCells<D> +
               C<D>::base(l.tiles->part[std::size_t(n)]);
    };
    const auto work = [&](int t, int after, Float<D>& y, Float<D>& x) {
        const int* around = l.tiles->around_tile(t);
        RedSource sources[2 * D + 1];
        for (int n = 0; n <= 2 * D; ++n) {
            const int tile = n < 2 * D ? around[n] : t;
            sources[n] = {view.b_of(tile), view.inverse_of(tile), correction(tile)};
        }
        load_red<D, true>(y, sources, {view.b, after, l.tiles->around_tile(after)});
        double total = 0;
        with_faces<D>(view.faces, view.uniform, t, [&](const auto& faces) {
            const float *inverse = sources[2 * D].inverse, *b = sources[2 * D].b, *source = b;
            float with_rows[kTileCells<D>];
            if (l.rows.touches(t)) {
                std::memcpy(with_rows, b, sizeof with_rows);
                l.rows.add(t, next.rows.y, with_rows);
                source = with_rows;
            }
            relax_black<D>(faces, inverse, source, y, x);
            total = relax_red<D>(faces, inverse, source, b, x, z + std::size_t(t) * kTileCells<D>);
            for (int face = 0; face < 2 * D; ++face) {
                const int n = around[face];
                if (!l.is_live[std::size_t(n)]) continue;
                total += send_border<D>(
                    faces, sources[face].inverse, sources[face].b, x, face / 2, face % 2,
                    inbox + (std::size_t(n) * 2 * D + std::size_t(opposite(face))) * kFaceCells<D>);
            }
        });
        return total;
    };
    return reduce(
        context.arena, l.live.size(), kTilePiece, 0.0,
        [&](std::size_t begin, std::size_t end) {
            Float<D> y, x;
            clear_around<D>(x);
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
                sum += work(l.live[i], l.live[i + 1 < l.live.size() ? i + 1 : i], y, x);
            return sum;
        },
        [](double a, double b) { return a + b; });
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

/// y from its equation, cells still zero, and what that adds to the cells' equations.
template <int D>
void Multigrid<D>::begin_rows(std::size_t index, Context& context) {
    LevelRows<D>& rows = levels_[index].rows;
    for (std::size_t i = 0; i < rows.count(); ++i) rows.before[i] = rows.b[i] / rows.sigma(i);
    float* b = levels_[index].b.write().data();
    for_each_tile(context.arena, levels_[index].live, [&](int t) {
        if (rows.touches(t)) rows.add(t, rows.before, b + std::size_t(t) * kTileCells<D>);
    });
}

/// y from its equation with the cells relaxed; the cells' equations as they were.
template <int D>
void Multigrid<D>::end_rows(std::size_t index, Context& context) {
    LevelRows<D>& rows = levels_[index].rows;
    for (double& v : rows.before) v = -v;
    float* b = levels_[index].b.write().data();
    const float* z = levels_[index].z.data();
    for_each_tile(context.arena, levels_[index].live, [&](int t) {
        if (!rows.touches(t)) return;
        const std::size_t at = std::size_t(t) * kTileCells<D>;
        rows.add(t, rows.before, b + at);
        rows.note(t, [&](int o) { return z[at + std::size_t(o)]; });
    });
    rows.total(rows.y);
    for (std::size_t i = 0; i < rows.count(); ++i)
        rows.y[i] = (rows.y[i] + rows.b[i]) / rows.sigma(i);
}

/// A second visit: z += M (b − A z).
template <int D>
void Multigrid<D>::again(std::size_t index, Context& context) {
    MultigridLevel<D>& l = levels_[index];
    std::swap(l.b, l.kept_b);
    std::swap(l.z, l.sum);
    {
        const float *kept = l.kept_b.data(), *sum = l.sum.data();
        float* b = l.b.write().data();
        const SmootherView<D> view = l.view();
        for_each_tile(context.arena, l.live, [&](int t) {
            const float* inverse = view.inverse_of(t);
            Float<D> x;
            load_block<D>(x, sum, t, l.tiles->around_tile(t));
            const std::size_t at = std::size_t(t) * kTileCells<D>;
            with_faces<D>(view.faces, view.uniform, t, [&](const auto& faces) {
                for_rows<D>([&](const RowAt& row) __attribute__((always_inline)) {
                    for (int k = 0; k < R<D>::kSide; k += kLanes) {
                        const std::size_t o = at + std::size_t(row.offset + k);
                        Floats near;
                        gather<D>(faces, x.v, row, k, near);
                        const Floats& i = lanes(inverse + row.offset + k);
                        const Floats left = lanes(kept + o) - lanes(x.v + row.block + k) / i + near;
                        lanes(b + o) = i > 0 ? left : Floats{};
                    }
                });
            });
            if (l.rows.touches(t)) l.rows.add(t, l.rows.y, b + at);
        });
    }
    // The last relaxation left nothing of the rows' own equations.
    const std::vector<double> kept_y = l.rows.y, kept_rows_b = l.rows.b;
    std::fill(l.rows.b.begin(), l.rows.b.end(), 0.0);
    cycle(index, context);
    for (std::size_t i = 0; i < kept_y.size(); ++i) l.rows.y[i] += kept_y[i];
    l.rows.b = kept_rows_b;
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
    const bool own_rows = index > 0 && !levels_[index].rows.empty();  // b_y = 0 on the finest
    if (own_rows) begin_rows(index, context);
    down(index, context);
    cycle(index + 1, context);
    if (index + 2 < levels_.size())
        for (int v = 1; v < visits_[index + 1]; ++v) again(index + 1, context);
    MultigridLevel<D>& l = levels_[index];
    const double dot = up(index, context);
    if (index > 0) for_each_tile(context.arena, l.live, [&](int t) { add_inbox(l, t); });
    if (own_rows) end_rows(index, context);
    return dot;
}

template <int D>
double Multigrid<D>::apply(Context& context) {
    return cycle(0, context);
}

template <int D>
void Multigrid<D>::solve_coarsest() {
    MultigridLevel<D>& l = levels_.back();
    LevelRows<D>& rows = l.rows;
    float* b = l.b.write().data();
    float* z = l.z.write().data();
    const std::size_t n = last_cells_.size();
    for (std::size_t i = 0; i < rows.count(); ++i) rows.before[i] = rows.b[i] / rows.sigma(i);
    if (!rows.empty()) rows.add(0, rows.before, b);
    for (std::size_t i = 0; i < n; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < n; ++j)
            sum += last_inverse_[i * n + j] * b[std::size_t(last_cells_[j])];
        z[std::size_t(last_cells_[i])] = sum;
    }
    if (rows.empty()) return;
    rows.note(0, [&](int o) { return z[o]; });
    rows.total(rows.y);
    for (std::size_t i = 0; i < rows.count(); ++i)
        rows.y[i] = (rows.y[i] + rows.b[i]) / rows.sigma(i);
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
