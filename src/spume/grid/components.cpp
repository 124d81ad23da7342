// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/grid/components.h"

namespace spume {
namespace {

/// The sets of one tile, found by joining runs of cells along the last axis.
template <int D>
class Runs {
  public:
    static constexpr int kSide = kTileSide<D>, kRows = kTileCells<D> / kSide;

    explicit Runs(const TileJoins<D>& joins) {
        for (int row = 0; row < kRows; ++row) {
            const std::uint32_t cells = joins.cells.row[row];
            starts_[row] = cells & ~((cells << 1) & joins.lower[D - 1].row[row]);
            first_[row] = count_;
            count_ += std::popcount(starts_[row]);
        }
        for (int i = 0; i < count_; ++i) parent_[i] = std::int16_t(i);
        for (int a = 0; a < D - 1; ++a) join_rows(joins, a);
    }

    /// Numbers the sets by their first cell; −1 where there is none. Returns how many.
    int number(const TileJoins<D>& joins, std::int16_t* local) {
        std::int16_t set[kTileCells<D>];
        int sets = 0;
        for (int i = 0; i < count_; ++i) {
            const int r = root(i);
            set[i] = r == i ? std::int16_t(sets++) : set[r];
        }
        for (int row = 0; row < kRows; ++row) {
            int r = first_[row] - 1;
            for (int i = 0; i < kSide; ++i) {
                r += int(starts_[row] >> i & 1);
                local[row * kSide + i] =
                    (joins.cells.row[row] >> i & 1) != 0 ? set[r] : std::int16_t(-1);
            }
        }
        return sets;
    }

  private:
    int run(int row, int i) const {
        return first_[row] + std::popcount(starts_[row] & ((2u << i) - 1)) - 1;
    }
    int root(int i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    /// Runs of neighbouring rows along axis a, one join for each pair that meets.
    void join_rows(const TileJoins<D>& joins, int a) {
        const int step = tile_stride<D>(a) / kSide;
        for (int row = 0; row < kRows; ++row) {
            if (row / step % kSide == 0) continue;
            const int below = row - step;
            const std::uint32_t meet =
                joins.cells.row[row] & joins.cells.row[below] & joins.lower[a].row[row];
            const std::uint32_t ends = starts_[row] | starts_[below];
            for (std::uint32_t m = meet & (~(meet << 1) | ends); m; m &= m - 1) {
                const int bit = std::countr_zero(m);
                const int i = root(run(row, bit)), j = root(run(below, bit));
                if (i != j) parent_[std::max(i, j)] = std::int16_t(std::min(i, j));
            }
        }
    }

    std::uint32_t starts_[kRows];
    int first_[kRows], count_ = 0;
    std::int16_t parent_[kTileCells<D>];
};

/// Does every cell take part and every face within the tile join?
template <int D>
bool is_one_set(const TileJoins<D>& joins) {
    constexpr int kSide = kTileSide<D>, kRows = kTileCells<D> / kSide;
    constexpr std::uint32_t kFull = (1u << kSide) - 1;
    std::uint32_t all = kFull;
    for (int row = 0; row < kRows; ++row) {
        all &= joins.cells.row[row] & (joins.lower[D - 1].row[row] | 1u);
        for (int a = 0; a < D - 1; ++a)
            if (row / (tile_stride<D>(a) / kSide) % kSide > 0) all &= joins.lower[a].row[row];
    }
    return all == kFull;
}

}  // namespace

template <int D>
void TileComponents<D>::label(int tile, const TileJoins<D>& joins) {
    if (is_one_set(joins)) return label_whole(tile);
    auto& own = local_[std::size_t(tile)];
    own.resize(kTileCells<D>);
    const int sets = Runs<D>(joins).number(joins, own.data());
    sets_[std::size_t(tile)] = sets;
    if (sets == 0) own = {};
}

template class TileComponents<2>;
template class TileComponents<3>;

}  // namespace spume
