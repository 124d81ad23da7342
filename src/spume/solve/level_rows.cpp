// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/level_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace spume {
namespace {

/// What rounding may take from the balance of weights and diagonals.
constexpr double kSlack = 1e-9;

/// Grouped by tile, by counting: entries come nearly in that order, and there may be many.
template <class Entry>
std::vector<Entry> by_tile(const std::vector<Entry>& entries, int tiles) {
    std::vector<std::size_t> place(std::size_t(tiles) + 1, 0);
    for (const Entry& e : entries) ++place[std::size_t(e.tile) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<Entry> sorted(entries.size());
    for (const Entry& e : entries) sorted[place[std::size_t(e.tile)]++] = e;
    return sorted;
}

}  // namespace

template <int D>
LevelRows<D>::LevelRows(std::vector<Entry> entries, std::vector<double> sigma, int tiles)
    : b(sigma.size(), 0.0),
      y(b),
      before(b),
      slot_(std::size_t(tiles), -1),
      sigma_(std::move(sigma)) {
    entries = by_tile(entries, tiles);
    for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
        const int tile = entries[first].tile;
        while (last < entries.size() && entries[last].tile == tile) ++last;
        std::stable_sort(entries.begin() + std::ptrdiff_t(first),
                         entries.begin() + std::ptrdiff_t(last),
                         [](const Entry& a, const Entry& c) {
                             return a.row != c.row ? a.row < c.row : a.offset < c.offset;
                         });
        slot_[std::size_t(tile)] = int(first_group_.size());
        first_group_.push_back(first_entry_.size());
        for (std::size_t i = first; i < last; ++i) {
            const bool same_row = i > first && entries_.back().row == entries[i].row;
            if (same_row && entries_.back().offset == entries[i].offset) {
                entries_.back().weight += entries[i].weight;
                continue;
            }
            if (!same_row) first_entry_.push_back(entries_.size());
            entries_.push_back(entries[i]);
        }
    }
    first_group_.push_back(first_entry_.size());
    noted_.assign(first_entry_.size(), 0.0);
    first_entry_.push_back(entries_.size());
}

template <int D>
LevelRows<D> LevelRows<D>::of(const FaceOperator<D>& op) {
    std::vector<Entry> entries;
    std::vector<double> sigma;
    for (const LowRankTerm& term : op.terms) {
        const double sum = std::accumulate(term.weights.begin(), term.weights.end(), 0.0);
        const bool positive = *std::min_element(term.weights.begin(), term.weights.end()) >= 0;
        if (!(term.scale < 0 && positive && sum <= -1 / term.scale * (1 + kSlack))) continue;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            entries.push_back({int(term.cells[i] / kTileCells<D>), int(sigma.size()),
                               int(term.cells[i] % kTileCells<D>), term.weights[i]});
        sigma.push_back(-1 / term.scale);
    }
    if (sigma.empty()) return {};
    LevelRows rows(std::move(entries), std::move(sigma), op.tiles->count);
    return rows.covered_by(op);
}

/// Without the rows that ask for more than the extra diagonals hold.
template <int D>
LevelRows<D> LevelRows<D>::covered_by(const FaceOperator<D>& op) const {
    std::vector<int> number(sigma_.size(), 0);
    for (std::size_t i = 0, last = 0; i < entries_.size(); i = last) {
        const int tile = entries_[i].tile;
        double asked[kTileCells<D>] = {};
        for (last = i; last < entries_.size() && entries_[last].tile == tile; ++last)
            asked[entries_[last].offset] += entries_[last].weight;
        const double* held = op.extra_of(tile);
        for (std::size_t e = i; e < last; ++e) {
            const int o = entries_[e].offset;
            if (!held || asked[o] > held[o] * (1 + kSlack))
                number[std::size_t(entries_[e].row)] = -1;
        }
    }
    std::vector<double> sigma;
    for (std::size_t row = 0; row < number.size(); ++row) {
        if (number[row] < 0) continue;
        number[row] = int(sigma.size());
        sigma.push_back(sigma_[row]);
    }
    if (sigma.size() == sigma_.size()) return *this;
    if (sigma.empty()) return {};
    std::vector<Entry> entries;
    for (Entry e : entries_) {
        e.row = number[std::size_t(e.row)];
        if (e.row >= 0) entries.push_back(e);
    }
    return LevelRows(std::move(entries), std::move(sigma), op.tiles->count);
}

template <int D>
LevelRows<D> LevelRows<D>::coarser(const LevelTiles<D>& level, int tiles, double share) const {
    std::vector<Entry> entries = entries_;
    for (Entry& e : entries) {
        Index<D> to{};
        const int part = level.part[std::size_t(e.tile)];
        for (int a = 0; a < D; ++a)
            to[a] = tile_local<D>(e.offset)[a] / 2 + (part >> a & 1) * (kTileSide<D> / 2);
        e.offset = tile_offset<D>(to);
        e.tile = level.parent[std::size_t(e.tile)];
        e.weight *= share;
    }
    std::vector<double> sigma = sigma_;
    for (double& s : sigma) s *= share;
    return LevelRows(std::move(entries), std::move(sigma), tiles);
}

template <int D>
void LevelRows<D>::add(int tile, const std::vector<double>& of_rows, float* to) const {
    const std::size_t s = std::size_t(slot_[std::size_t(tile)]);
    const std::size_t first = first_entry_[first_group_[s]],
                      last = first_entry_[first_group_[s + 1]];
    for (std::size_t i = first; i < last; ++i)
        to[entries_[i].offset] += float(entries_[i].weight * of_rows[std::size_t(entries_[i].row)]);
}

template <int D>
void LevelRows<D>::total(std::vector<double>& of_rows) const {
    std::fill(of_rows.begin(), of_rows.end(), 0.0);
    for (std::size_t g = 0; g < noted_.size(); ++g)
        of_rows[std::size_t(entries_[first_entry_[g]].row)] += noted_[g];
}

template class LevelRows<2>;
template class LevelRows<3>;

}  // namespace spume
