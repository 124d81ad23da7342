// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/components.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/components.h"

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;

/// The cells of one tile with an unknown, and the faces within it through which they are coupled.
template <int D>
TileJoins<D> joins_of(const float* faces, const std::uint8_t* kind) {
    constexpr int kSide = R<D>::kSide;
    TileJoins<D> r;
    r.cells = TileRowBits<D>::of([&](int o) { return kind[o] == kFluidCell; });
    for (int a = 0; a < D; ++a)
        r.lower[a] = TileRowBits<D>::of(
            [&](int o) { return faces[R<D>::face_row(a, o / kSide) + o % kSide] > 0; });
    return r;
}

struct RowSum {
    std::size_t cell;
    double sum, size;  ///< `size` adds up absolute values: what rounding is measured by
};

/// Row sum of the matrix beyond the faces for each cell a low-rank term touches, so that a bubble
/// or a body that floats in closed walls is recognised as free to shift.
template <int D>
std::vector<RowSum> term_row_sums(const FaceOperator<D>& op) {
    std::vector<RowSum> sums;
    for (const LowRankTerm& term : op.terms) {
        double total = 0, size = 0;
        for (const double w : term.weights) total += w, size += std::abs(w);
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            sums.push_back({term.cells[i], term.scale * total * term.weights[i],
                            std::abs(term.scale * size * term.weights[i])});
    }
    std::stable_sort(sums.begin(), sums.end(),
                     [](const RowSum& a, const RowSum& b) { return a.cell < b.cell; });
    std::size_t n = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (n > 0 && sums[n - 1].cell == sums[i].cell) {
            sums[n - 1].sum += sums[i].sum;
            sums[n - 1].size += sums[i].size;
        } else {
            sums[n++] = sums[i];
        }
    }
    sums.resize(n);
    return sums;
}

/// The sets of every live tile, each by itself.
template <int D>
TileComponents<D> label_tiles(const FaceOperator<D>& op, const std::uint8_t* kind,
                              Context& context) {
    TileComponents<D> r(op.tiles->count);
    for_each_tile(context.arena, op.live, [&](int t) {
        if (op.uniform[static_cast<std::size_t>(t)] > 0) return r.label_whole(t);
        r.label(t, joins_of<D>(op.narrow_of(t), kind + std::size_t(t) * kTileCells<D>));
    });
    r.number();
    return r;
}

/// Joins them across the faces of tiles and by low-rank terms.
template <int D>
void join_tiles(const FaceOperator<D>& op, const TileComponents<D>& all, DisjointSets& sets) {
    constexpr int kSide = R<D>::kSide;
    for (const int t : op.live) {
        const float* faces = op.narrow_of(t);
        for (int a = 0; a < D; ++a) {
            const int below = op.tiles->around_tile(t)[2 * a];
            if (below >= op.tiles->count) continue;
            const auto coupled = [&](int o) {
                return faces[R<D>::face_row(a, o / kSide) + o % kSide] > 0;
            };
            join_across<D>(all, below, t, a, coupled, sets);
        }
    }
    for (const LowRankTerm& term : op.terms)
        for (const std::size_t cell : term.cells) {
            const auto label = [&](std::size_t c) {
                return all.of(int(c / kTileCells<D>), int(c % kTileCells<D>));
            };
            sets.join(label(term.cells[0]), label(cell));
        }
}

}  // namespace

template <int D>
NullSpaces<D> find_null_spaces(const FaceOperator<D>& op, const std::uint8_t* kind,
                               Context& context) {
    const TileComponents<D> all = label_tiles(op, kind, context);
    const std::size_t count = static_cast<std::size_t>(all.count());
    DisjointSets sets(count);
    join_tiles(op, all, sets);

    std::vector<double> held(count, 0.0), scale(count, 0.0);
    const auto sums = term_row_sums(op);
    for (const int t : op.live) {
        const double* e = op.extra_of(t);
        if (!e) continue;
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (e[o] == 0) continue;
            const std::size_t set = static_cast<std::size_t>(sets.find(all.of(t, o)));
            const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(o);
            const auto at =
                std::lower_bound(sums.begin(), sums.end(), cell,
                                 [](const RowSum& s, std::size_t c) { return s.cell < c; });
            const bool touched = at != sums.end() && at->cell == cell;
            held[set] += std::abs(e[o] + (touched ? at->sum : 0.0));
            scale[set] += e[o] + (touched ? at->size : 0.0);
        }
    }
    for (const auto& [cell, sum, size] : sums) {
        const int t = int(cell / kTileCells<D>), o = int(cell % kTileCells<D>);
        const double* e = op.extra_of(t);
        if (e && e[o] != 0) continue;
        const std::size_t set = static_cast<std::size_t>(sets.find(all.of(t, o)));
        held[set] += std::abs(sum);
        scale[set] += size;
    }

    NullSpaces<D> spaces;
    std::vector<int> number(count, -1);
    for (std::size_t i = 0; i < count; ++i)
        if (sets.find(int(i)) == int(i) && !(held[i] > 1e-10 * scale[i]))
            number[i] = spaces.count++;
    if (spaces.count == 0) return spaces;
    for (std::size_t i = 0; i < count; ++i)
        number[i] = number[static_cast<std::size_t>(sets.find(int(i)))];
    spaces.cells.assign(static_cast<std::size_t>(spaces.count), 0.0);
    spaces.whole.assign(std::size_t(op.tiles->count), -1);
    spaces.label_slot.assign(std::size_t(op.tiles->count), -1);
    int slots = 0;
    for (const int t : op.live) {
        const std::size_t i = static_cast<std::size_t>(t);
        if (all.is_whole(t)) {
            spaces.whole[i] = number[static_cast<std::size_t>(all.first(t))];
            if (spaces.whole[i] >= 0)
                spaces.cells[static_cast<std::size_t>(spaces.whole[i])] += kTileCells<D>;
            continue;
        }
        spaces.whole[i] = -2;
        spaces.label_slot[i] = slots++;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int set = all.of(t, o);
            const int space = set < 0 ? -1 : number[static_cast<std::size_t>(set)];
            spaces.labels.push_back(space);
            if (space >= 0) spaces.cells[static_cast<std::size_t>(space)] += 1;
        }
    }
    return spaces;
}

template <int D>
const int* NullSpaces<D>::labels_of(int tile, int* space) const {
    const std::size_t i = static_cast<std::size_t>(tile);
    *space = whole[i];
    if (whole[i] != -2) return nullptr;
    return labels.data() + std::size_t(label_slot[i]) * kTileCells<D>;
}

template <int D>
double remove_means(const NullSpaces<D>& spaces, const FaceOperator<D>& op, const float* inverse,
                    double* x, Context& context) {
    if (spaces.count == 0) return 0;
    const std::size_t count = static_cast<std::size_t>(spaces.count);
    std::vector<double> sum(count, 0.0), weight(count, 0.0);
    const auto visit = [&](int t, auto&& f) {
        const std::size_t at = std::size_t(t) * kTileCells<D>;
        int space = -1;
        const int* label = spaces.labels_of(t, &space);
        if (space == -1) return;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int s = label ? label[o] : space;
            if (s >= 0) f(static_cast<std::size_t>(s), at + static_cast<std::size_t>(o));
        }
    };
    for (const int t : op.live)
        visit(t, [&](std::size_t s, std::size_t i) {
            const double w = inverse && inverse[i] > 0 ? 1 / double(inverse[i]) : 1.0;
            sum[s] += w * x[i];
            weight[s] += w;
        });
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
        squares += sum[i] * sum[i] / weight[i];
        sum[i] /= weight[i];
    }
    for_each_tile(context.arena, op.live,
                  [&](int t) { visit(t, [&](std::size_t s, std::size_t i) { x[i] -= sum[s]; }); });
    return std::sqrt(squares);
}

template struct NullSpaces<2>;
template struct NullSpaces<3>;
template NullSpaces<2> find_null_spaces(const FaceOperator<2>&, const std::uint8_t*, Context&);
template NullSpaces<3> find_null_spaces(const FaceOperator<3>&, const std::uint8_t*, Context&);
template double remove_means(const NullSpaces<2>&, const FaceOperator<2>&, const float*, double*,
                             Context&);
template double remove_means(const NullSpaces<3>&, const FaceOperator<3>&, const float*, double*,
                             Context&);

}  // namespace spume
