// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/components.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t n) : parent_(n) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int find(int i) {
        while (parent_[static_cast<std::size_t>(i)] != i) {
            int& p = parent_[static_cast<std::size_t>(i)];
            p = parent_[static_cast<std::size_t>(p)];
            i = p;
        }
        return i;
    }
    void join(int a, int b) {
        a = find(a), b = find(b);
        if (a == b) return;
        parent_[static_cast<std::size_t>(a < b ? b : a)] = a < b ? a : b;
    }

  private:
    std::vector<int> parent_;
};

/// The sets inside one tile: label of each cell (−1: no unknown) and their number. A tile whose
/// interior faces are all open is one set, and most tiles are.
template <int D>
int label_tile(const float* faces, const std::uint8_t* kind, int* label) {
    constexpr int kSide = R<D>::kSide, kCells = kTileCells<D>;
    bool full = true;
    for (int o = 0; o < kCells; ++o) full &= kind[o] == kFluidCell;
    if (full) {
        // Inner faces of axis 0 and, layer by layer, of axis 1 stand together.
        constexpr int kLayers = D == 2 ? 0 : kSide;
        for (int i = R<D>::kRows; i < kSide * R<D>::kRows; ++i) full &= faces[i] > 0;
        for (int layer = 0; layer < kLayers; ++layer)
            for (int i = kSide; i < kSide * kSide; ++i)
                full &= faces[R<D>::kFaceBlock + layer * kSide * (kSide + 1) + i] > 0;
        for (int r = 0; r < R<D>::kRows; ++r)
            for (int k = 1; k < kSide; ++k) full &= faces[R<D>::face_row(D - 1, r) + k] > 0;
    }
    if (full) {
        for (int o = 0; o < kCells; ++o) label[o] = 0;
        return 1;
    }
    DisjointSets sets(kCells);
    for (int a = 0; a < D; ++a)
        for (int o = 0; o < kCells; ++o)
            if (tile_local<D>(o)[a] > 0 && faces[R<D>::face_row(a, o / kSide) + o % kSide] > 0)
                sets.join(o - tile_stride<D>(a), o);
    int count = 0;
    for (int o = 0; o < kCells; ++o) {
        if (kind[o] != kFluidCell)
            label[o] = -1;
        else
            label[o] = sets.find(o) == o ? count++ : label[sets.find(o)];
    }
    return count;
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

/// Labels of every live tile, local ones first, then joined across faces and low-rank terms.
template <int D>
struct Labelling {
    const FaceOperator<D>& op;
    std::vector<int> first;   // per tile: global number of its local set 0
    std::vector<int> labels;  // blocks of tiles with more than one set or with other cells
    std::vector<int> slot;    // per tile, −1: all cells in local set 0

    int of(int t, int o) const {
        const int s = slot[static_cast<std::size_t>(t)];
        const int local = s < 0 ? 0 : labels[std::size_t(s) * kTileCells<D> + std::size_t(o)];
        return local < 0 ? -1 : first[static_cast<std::size_t>(t)] + local;
    }
};

template <int D>
int label_all(Labelling<D>& all, const std::uint8_t* kind, Context& context) {
    const auto& live = all.op.live;
    const std::size_t tiles = static_cast<std::size_t>(all.op.tiles->count);
    std::vector<int> sets(tiles, 0);
    std::vector<std::vector<int>> found(tiles);
    for_each_tile(context.arena, live, [&](int t) {
        if (all.op.uniform[static_cast<std::size_t>(t)] > 0) {  // open everywhere inside
            sets[static_cast<std::size_t>(t)] = 1;
            return;
        }
        int label[kTileCells<D>];
        const std::uint8_t* k = kind + std::size_t(t) * kTileCells<D>;
        sets[static_cast<std::size_t>(t)] = label_tile<D>(all.op.narrow_of(t), k, label);
        bool plain = sets[static_cast<std::size_t>(t)] == 1;
        for (int o = 0; o < kTileCells<D>; ++o) plain &= label[o] == 0;
        if (!plain) found[static_cast<std::size_t>(t)].assign(label, label + kTileCells<D>);
    });
    all.first.assign(tiles, 0);
    all.slot.assign(tiles, -1);
    int count = 0, slots = 0;
    for (const int t : live) {
        const std::size_t i = static_cast<std::size_t>(t);
        all.first[i] = count;
        count += sets[i];
        if (found[i].empty()) continue;
        all.slot[i] = slots++;
        all.labels.insert(all.labels.end(), found[i].begin(), found[i].end());
    }
    return count;
}

template <int D>
void join_across(const Labelling<D>& all, DisjointSets& sets) {
    constexpr int kSide = R<D>::kSide;
    for (const int t : all.op.live) {
        const float* faces = all.op.narrow_of(t);
        for (int a = 0; a < D; ++a) {
            const int below = all.op.tiles->around_tile(t)[2 * a];
            if (below >= all.op.tiles->count) continue;
            const bool plain = all.slot[static_cast<std::size_t>(t)] < 0 &&
                               all.slot[static_cast<std::size_t>(below)] < 0;
            const int lift = (kSide - 1) * tile_stride<D>(a);
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (tile_local<D>(o)[a] != 0) continue;
                if (!(faces[R<D>::face_row(a, o / kSide) + o % kSide] > 0)) continue;
                sets.join(all.of(below, o + lift), all.of(t, o));
                if (plain) break;
            }
        }
    }
    for (const LowRankTerm& term : all.op.terms)
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
    Labelling<D> all{op, {}, {}, {}};
    const std::size_t count = static_cast<std::size_t>(label_all(all, kind, context));
    DisjointSets sets(count);
    join_across(all, sets);

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
    spaces.whole.assign(all.first.size(), -1);
    spaces.label_slot.assign(all.first.size(), -1);
    int slots = 0;
    for (const int t : op.live) {
        const std::size_t i = static_cast<std::size_t>(t);
        if (all.slot[i] < 0) {
            spaces.whole[i] = number[static_cast<std::size_t>(all.first[i])];
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
