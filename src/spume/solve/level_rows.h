// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/array.h"
#include "spume/solve/face_operator.h"

namespace spume {

/// A bubble is one more unknown y beside the cells, with coefficients w to those around it:
///
///   (A x)_i − w_i y = b_i,     σ y − w · x = b_y.
///
/// Eliminating y leaves the low-rank term −w wᵀ/σ of the operator, which no tile could store; kept
/// as an unknown it is relaxed like a cell, on every level, and goes over to the next one as
/// itself. The cells' part of what a cycle on this larger system makes of (b, 0) is a symmetric
/// approximation of the inverse of the smaller one.
template <int D>
class LevelRows {
  public:
    struct Entry {
        int tile, row, offset;
        double weight;
    };

    LevelRows() = default;
    /// Entries in any order; those of the same cell and row are added.
    LevelRows(std::vector<Entry> entries, std::vector<double> sigma, int tiles);

    /// The rows of an operator. A term is one if its cells' extra diagonals hold at least its
    /// weights: what is then left of the matrix without it is positive on every level.
    static LevelRows of(const FaceOperator<D>& op);
    /// The same on the next coarser level, coefficients times `share`.
    LevelRows coarser(const LevelTiles<D>& level, int tiles, double share) const;

    bool empty() const { return sigma_.empty(); }
    std::size_t count() const { return sigma_.size(); }
    double sigma(std::size_t row) const { return sigma_[row]; }
    const std::vector<Entry>& entries() const { return entries_; }
    bool touches(int tile) const { return !empty() && slot_[std::size_t(tile)] >= 0; }

    /// to += w times the value of its row, over the cells of a tile.
    void add(int tile, const std::vector<double>& of_rows, float* to) const;
    /// Notes w · value(offset) over the cells of a tile; total gathers them by row.
    template <class Value>
    void note(int tile, Value&& value) {
        const std::size_t s = std::size_t(slot_[std::size_t(tile)]);
        for (std::size_t g = first_group_[s]; g < first_group_[s + 1]; ++g) {
            double sum = 0;
            for (std::size_t i = first_entry_[g]; i < first_entry_[g + 1]; ++i)
                sum += entries_[i].weight * double(value(entries_[i].offset));
            noted_[g] = sum;
        }
    }
    void total(std::vector<double>& of_rows) const;

    /// b and y of the level, and y before the cells were relaxed.
    std::vector<double> b, y, before;

  private:
    LevelRows covered_by(const FaceOperator<D>& op) const;

    std::vector<Entry> entries_;            // by tile, row, offset
    std::vector<std::size_t> first_entry_;  // of each group: the entries of a row in a tile
    std::vector<std::size_t> first_group_;  // of each tile with entries
    std::vector<int> slot_;                 // per tile: its place there, −1: none
    std::vector<double> sigma_, noted_;     // by row; by group
};

extern template class LevelRows<2>;
extern template class LevelRows<3>;

}  // namespace spume
