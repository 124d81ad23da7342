// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "spume/grid/field.h"
#include "spume/surface/regions.h"

namespace spume {

/// The rows of a tile along its last axis as bits: which cells are air or liquid, and which of
/// their lower faces are open.
template <int D>
struct TileBits {
    static constexpr int kSide = kTileSide<D>, kRows = kTileCells<D> / kSide;
    std::uint32_t air[kRows], liquid[kRows], open[D][kRows];

    TileBits(const std::uint8_t* phase, const FaceField<float, D>& area, int t) {
        std::uint8_t is[kTileCells<D>];
        for (int o = 0; o < kTileCells<D>; ++o) is[o] = phase[o] == kAirPhase;
        pack(is, air);
        for (int o = 0; o < kTileCells<D>; ++o) is[o] = phase[o] == kLiquidPhase;
        pack(is, liquid);
        for (int a = 0; a < D; ++a) {
            const float* f = area.tile(a, t);
            for (int o = 0; o < kTileCells<D>; ++o) is[o] = f[o] != 0;
            pack(is, open[a]);
        }
    }

  private:
    /// Bytes that are 0 or 1 to bits, eight at a time: the product moves byte i to bit 56 + i.
    static void pack(const std::uint8_t (&is)[kTileCells<D>], std::uint32_t (&rows)[kRows]) {
        static_assert(std::endian::native == std::endian::little);
        for (int row = 0; row < kRows; ++row) {
            rows[row] = 0;
            for (int i = 0; i < kSide; i += 8) {
                std::uint64_t eight;
                std::memcpy(&eight, is + row * kSide + i, sizeof eight);
                rows[row] |= std::uint32_t(eight * 0x0102040810204080u >> 56) << i;
            }
        }
    }
};

/// Sets of a tile's cells of one phase, joined by open faces inside the tile. Works on runs of
/// cells along the last axis.
template <int D>
class TileSets {
  public:
    static constexpr int kSide = kTileSide<D>, kRows = TileBits<D>::kRows;

    /// Fills `local` with the number of each cell's set, −1 in solids. Returns how many there are;
    /// `is_air` gets one entry a set, `beside` the pairs of sets that open faces join across
    /// phases, each set with the first it can be reached from.
    int find(const TileBits<D>& bits, std::int16_t* local, std::vector<std::uint8_t>& is_air,
             std::vector<std::pair<int, int>>& beside) {
        list_runs(bits);
        for (int a = 0; a < D - 1; ++a) join_rows(bits, a);
        for (int row = 0; row < kRows; ++row) {  // across phases inside a row
            const std::uint32_t any = bits.air[row] | bits.liquid[row];
            for (std::uint32_t m = starts_[row] & (any << 1) & bits.open[D - 1][row]; m; m &= m - 1)
                join(any_, run(row, std::countr_zero(m)), run(row, std::countr_zero(m) - 1));
        }
        return number(bits, local, is_air, beside);
    }

  private:
    int run(int row, int i) const {
        return first_[row] + std::popcount(starts_[row] & ((2u << i) - 1)) - 1;
    }
    static int root(std::int16_t* parent, int i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
    static void join(std::int16_t* parent, int i, int j) {
        i = root(parent, i), j = root(parent, j);
        if (i != j) parent[std::max(i, j)] = std::int16_t(std::min(i, j));
    }

    void list_runs(const TileBits<D>& bits) {
        runs_ = 0;
        for (int row = 0; row < kRows; ++row) {
            const std::uint32_t open = bits.open[D - 1][row];
            const auto starts = [&](std::uint32_t m) { return m & ~((m << 1) & open); };
            starts_[row] = starts(bits.air[row]) | starts(bits.liquid[row]);
            first_[row] = runs_;
            runs_ += std::popcount(starts_[row]);
        }
        for (int i = 0; i < runs_; ++i) same_[i] = any_[i] = std::int16_t(i);
    }

    /// Runs of neighbouring rows along axis a, one join for each pair that meets.
    void join_rows(const TileBits<D>& bits, int a) {
        const int step = tile_stride<D>(a) / kSide;
        for (int row = 0; row < kRows; ++row) {
            if (row / step % kSide == 0) continue;
            const int below = row - step;
            const std::uint32_t open = bits.open[a][row];
            const std::uint32_t ends = starts_[row] | starts_[below];
            const auto each = [&](std::uint32_t meet, auto&& f) {
                for (std::uint32_t m = meet & (~(meet << 1) | ends); m; m &= m - 1)
                    f(run(row, std::countr_zero(m)), run(below, std::countr_zero(m)));
            };
            each(bits.air[row] & bits.air[below] & open, [&](int i, int j) { join(same_, i, j); });
            each(bits.liquid[row] & bits.liquid[below] & open,
                 [&](int i, int j) { join(same_, i, j); });
            each(((bits.air[row] & bits.liquid[below]) | (bits.liquid[row] & bits.air[below])) &
                     open,
                 [&](int i, int j) { join(any_, i, j); });
        }
    }

    int number(const TileBits<D>& bits, std::int16_t* local, std::vector<std::uint8_t>& is_air,
               std::vector<std::pair<int, int>>& beside) {
        std::int16_t set[kTileCells<D>];
        int count = 0;
        for (int i = 0; i < runs_; ++i) {
            const int r = root(same_, i);
            set[i] = r == i ? std::int16_t(count++) : set[r];
            if (r != i) join(any_, i, r);
        }
        std::size_t base = is_air.size();
        is_air.resize(base + std::size_t(count));
        for (int row = 0; row < kRows; ++row) {
            const std::uint32_t filled = bits.air[row] | bits.liquid[row];
            int r = first_[row] - 1;
            for (int i = 0; i < kSide; ++i) {
                r += int(starts_[row] >> i & 1);
                const bool in = (filled >> i & 1) != 0;
                local[row * kSide + i] = in ? set[r] : std::int16_t(-1);
                if (starts_[row] >> i & 1)
                    is_air[base + std::size_t(set[r])] = std::uint8_t(bits.air[row] >> i & 1);
            }
        }
        for (int i = 0; i < runs_; ++i)
            if (same_[i] == i && set[root(any_, i)] != set[i])
                beside.push_back({set[i], set[root(any_, i)]});
        return count;
    }

    std::uint32_t starts_[kRows];
    int first_[kRows], runs_ = 0;
    std::int16_t same_[kTileCells<D>], any_[kTileCells<D>];
};

}  // namespace spume
