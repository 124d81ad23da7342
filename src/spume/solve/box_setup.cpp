// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "spume/solve/box_level.h"

namespace spume {
namespace {

std::size_t padded(int columns) {
    return (std::size_t(columns) + kLanes) / kLanes * kLanes;  // one more column at least
}

BoxLevel with_room(int rows, int columns, bool nine) {
    BoxLevel l;
    l.rows = rows, l.columns = columns, l.stride = padded(columns);
    for (Array<float>* a : {&l.west, &l.north, &l.inverse, &l.x, &l.b}) *a = Array<float>(l.size());
    if (nine) {
        l.north_west = l.north_east = Array<float>(l.size());
        for (auto& w : l.weight) w = Array<float>(l.size());
    }
    return l;
}

template <int kCount, class F>
inline void unrolled(F&& f) {
    [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
        (f(std::integral_constant<int, kIndex>{}), ...);
    }
    (std::make_integer_sequence<int, kCount>{});
}

enum Direction { kToWest, kToNorth, kToNorthWest, kToNorthEast };

/// Couplings of four rows of a level, rows −1 … 2 around row 2 I, even and odd columns apart, so
/// that what belongs to neighbouring coarse points lies side by side.
class SplitRows {
  public:
    SplitRows(const BoxLevel& fine, const BoxLevel& coarse)
        : fine_(fine), room_(coarse.stride + 2 * kLanes), values_(4 * 4 * 2 * room_, 0.0f) {}

    void load(int coarse_row) {
        for (int r = -1; r <= 2; ++r) {
            load(kToWest, fine_.west, r, 2 * coarse_row + r);
            load(kToNorth, fine_.north, r, 2 * coarse_row + r);
            if (!fine_.nine()) continue;
            load(kToNorthWest, fine_.north_west, r, 2 * coarse_row + r);
            load(kToNorthEast, fine_.north_east, r, 2 * coarse_row + r);
        }
    }

    /// Couplings of the points (row, column) relative to (2 I, 2 J), for the J from `j` on.
    Floats get(Direction d, int row, int column, std::size_t j) const {
        const int parity = column & 1, shift = (column - parity) / 2;
        return lanes(place(d, row, parity) + std::ptrdiff_t(j) + shift);
    }

    /// The coupling between a point and its neighbour by (down, right).
    template <bool kNine>
    Floats between(int row, int column, int down, int right, std::size_t j) const {
        if (down > 0 || (down == 0 && right > 0))
            return between<kNine>(row + down, column + right, -down, -right, j);
        if (down == 0) return get(kToWest, row, column, j);
        if (right == 0) return get(kToNorth, row, column, j);
        if constexpr (kNine)
            return get(right < 0 ? kToNorthWest : kToNorthEast, row, column, j);
        else
            return Floats{};
    }

  private:
    const float* place(Direction d, int row, int parity) const {
        return values_.data() + std::size_t((int(d) * 4 + row + 1) * 2 + parity) * room_ + kLanes;
    }
    void load(Direction d, const Array<float>& from, int row, int fine_row) {
        float *even = const_cast<float*>(place(d, row, 0)),
              *odd = const_cast<float*>(place(d, row, 1));
        const std::size_t half = fine_.stride / 2;
        if (fine_row > fine_.rows) {
            std::fill_n(even, half, 0.0f);
            std::fill_n(odd, half, 0.0f);
            return;
        }
        const float* in = from.data() + fine_.at(fine_row);
        for (std::size_t k = 0; k < half; ++k) even[k] = in[2 * k], odd[k] = in[2 * k + 1];
    }

    const BoxLevel& fine_;
    std::size_t room_;
    std::vector<float> values_;
};

inline Floats positive(Floats x) { return x > 0.0f ? x : Floats{}; }
inline Floats ratio(Floats a, Floats sum) {
    const Floats safe = sum > 0.0f ? sum : Floats{} + 1.0f;
    return a / safe;
}

/// Weights of a point between two others: by the couplings of all that lies on either side; halves
/// where it is coupled to neither side (`live`: but to others). `last`: there is none behind it.
inline void halve(Floats first, Floats second, Floats live, LaneMask last, Floats& to_first,
                  Floats& to_second) {
    first = positive(first), second = positive(second);
    const Floats sum = first + second, one = Floats{} + 1.0f, half = Floats{} + 0.5f;
    const LaneMask coupled = sum > 0.0f, alone = (live > 0.0f) & ~coupled;
    to_first = ratio(first, sum);
    to_second = ratio(second, sum);
    to_first = alone ? (last ? one : half) : to_first;
    to_second = alone ? (last ? Floats{} : half) : to_second;
}

template <bool kNine>
void side_weights(const SplitRows& c, std::size_t j, LaneMask last_column, bool last_row,
                  float* const (&w)[8], std::size_t at) {
    const auto pair = [&](int row, int column, int down, int right) {
        return c.between<kNine>(row, column, down, right, j);
    };
    // In a row: all of the west column against all of the east one; in a column likewise.
    Floats west = pair(0, 1, 0, -1), east = pair(0, 1, 0, 1);
    Floats north = pair(1, 0, -1, 0), south = pair(1, 0, 1, 0);
    const Floats live_row = west + east + pair(0, 1, -1, 0) + pair(0, 1, 1, 0);
    const Floats live_column = north + south + pair(1, 0, 0, -1) + pair(1, 0, 0, 1);
    if constexpr (kNine) {
        west += pair(0, 1, -1, -1) + pair(0, 1, 1, -1);
        east += pair(0, 1, -1, 1) + pair(0, 1, 1, 1);
        north += pair(1, 0, -1, -1) + pair(1, 0, -1, 1);
        south += pair(1, 0, 1, -1) + pair(1, 0, 1, 1);
    }
    halve(west, east, live_row, last_column, lanes(w[kWest] + at), lanes(w[kEast] + at));
    const LaneMask all = ~LaneMask{}, none{};
    halve(north, south, live_column, last_row ? all : none, lanes(w[kNorth] + at),
          lanes(w[kSouth] + at));
}

template <bool kNine>
void corner_weights(const SplitRows& c, std::size_t j, float* const (&w)[8], std::size_t at,
                    std::size_t stride) {
    const auto pair = [&](int down, int right) { return c.between<kNine>(1, 1, down, right, j); };
    const auto weight = [&](BoxWeight which, std::size_t place) -> Floats {
        return lanes(static_cast<const float*>(w[which]) + place);
    };
    const Floats north = pair(-1, 0), south = pair(1, 0), west = pair(0, -1), east = pair(0, 1);
    Floats nw = north * weight(kWest, at) + west * weight(kNorth, at);
    Floats ne = north * weight(kEast, at) + east * weight(kNorth, at + 1);
    Floats sw = south * weight(kWest, at + stride) + west * weight(kSouth, at);
    Floats se = south * weight(kEast, at + stride) + east * weight(kSouth, at + 1);
    if constexpr (kNine) nw += pair(-1, -1), ne += pair(-1, 1), sw += pair(1, -1), se += pair(1, 1);
    nw = positive(nw), ne = positive(ne), sw = positive(sw), se = positive(se);
    const Floats sum = (nw + ne) + (sw + se);
    lanes(w[kNorthWest] + at) = ratio(nw, sum);
    lanes(w[kNorthEast] + at) = ratio(ne, sum);
    lanes(w[kSouthWest] + at) = ratio(sw, sum);
    lanes(w[kSouthEast] + at) = ratio(se, sum);
}

/// Weight of the coarse point (I + up, J + left) on a fine point by (row, column) from it.
inline Floats weight_on(const float* const (&w)[8], int row, int column, std::ptrdiff_t at,
                        std::ptrdiff_t stride) {
    if (row == 0 && column == 0) return Floats{} + 1.0f;
    if (row == 0) return column > 0 ? lanes(w[kWest] + at) : lanes(w[kEast] + at - 1);
    if (column == 0) return row > 0 ? lanes(w[kNorth] + at) : lanes(w[kSouth] + at - stride);
    if (row > 0) return column > 0 ? lanes(w[kNorthWest] + at) : lanes(w[kNorthEast] + at - 1);
    return column > 0 ? lanes(w[kSouthWest] + at - stride) : lanes(w[kSouthEast] + at - stride - 1);
}

/// −(Pᵀ A P) between the coarse points (I, J) and (I + kUp, J + kLeft):
/// Σ_i P_ia Σ_j c_ij (P_jb − P_ib) over the fine points i around the first.
template <bool kNine, int kUp, int kLeft>
Floats coarse_coupling(const SplitRows& c, const float* const (&w)[8], std::size_t j,
                       std::ptrdiff_t at, std::ptrdiff_t stride) {
    const std::ptrdiff_t other = at + kUp * stride + kLeft;
    Floats sum{};
    unrolled<9>([&](auto point) {
        constexpr int kRow = point() / 3 - 1, kColumn = point() % 3 - 1;
        constexpr int kRowB = kRow - 2 * kUp, kColumnB = kColumn - 2 * kLeft;
        constexpr bool kIn = kRowB >= -1 && kRowB <= 1 && kColumnB >= -1 && kColumnB <= 1;
        Floats inner{};
        unrolled<9>([&](auto neighbour) {
            constexpr int kDown = neighbour() / 3 - 1, kRight = neighbour() % 3 - 1;
            constexpr int kRowN = kRowB + kDown, kColumnN = kColumnB + kRight;
            constexpr bool kInN = kRowN >= -1 && kRowN <= 1 && kColumnN >= -1 && kColumnN <= 1;
            constexpr bool kCoupled =
                (kDown != 0 || kRight != 0) && (kNine || kDown == 0 || kRight == 0);
            if constexpr (kCoupled && (kIn || kInN)) {
                Floats rise{};
                if constexpr (kInN) rise += weight_on(w, kRowN, kColumnN, other, stride);
                if constexpr (kIn) rise -= weight_on(w, kRowB, kColumnB, other, stride);
                inner += c.between<kNine>(kRow, kColumn, kDown, kRight, j) * rise;
            }
        });
        sum += weight_on(w, kRow, kColumn, at, stride) * inner;
    });
    return sum;
}

template <bool kNine>
void weights_of(const BoxLevel& fine, BoxLevel& coarse, Context& context) {
    float* w[8];
    for (int k = 0; k < 8; ++k) w[k] = coarse.weight[k].write().data();
    float* const(&out)[8] = w;
    const auto rows = [&](auto&& each) {
        for_range(context.arena, std::size_t(coarse.rows), kBoxRows,
                  [&](std::size_t begin, std::size_t end) {
                      SplitRows split(fine, coarse);
                      for (int row = int(begin); row < int(end); ++row) {
                          split.load(row);
                          for (std::size_t j = 0; j < coarse.stride; j += kLanes)
                              each(split, row, j, coarse.at(row) + j);
                      }
                  });
    };
    rows([&](const SplitRows& split, int row, std::size_t j, std::size_t at) {
        LaneMask last{};
        for (int l = 0; l < kLanes; ++l) last[l] = int(j) + l + 1 >= coarse.columns ? -1 : 0;
        side_weights<kNine>(split, j, last, row + 1 >= coarse.rows, out, at);
    });
    rows([&](const SplitRows& split, int, std::size_t j, std::size_t at) {
        corner_weights<kNine>(split, j, out, at, coarse.stride);
    });
}

template <bool kNine>
void couplings_of(const BoxLevel& fine, BoxLevel& coarse, Context& context) {
    float *west = coarse.west.write().data(), *north = coarse.north.write().data(),
          *nw = coarse.north_west.write().data(), *ne = coarse.north_east.write().data();
    const float* w[8];
    for (int k = 0; k < 8; ++k) w[k] = coarse.weight[k].data();
    const float* const(&in)[8] = w;
    const auto stride = std::ptrdiff_t(coarse.stride);
    for_range(
        context.arena, std::size_t(coarse.rows), kBoxRows, [&](std::size_t begin, std::size_t end) {
            SplitRows split(fine, coarse);
            for (int row = int(begin); row < int(end); ++row) {
                split.load(row);
                for (std::size_t j = 0; j < coarse.stride; j += kLanes) {
                    const std::size_t at = coarse.at(row) + j;
                    const auto place = std::ptrdiff_t(at);
                    lanes(west + at) = coarse_coupling<kNine, 0, -1>(split, in, j, place, stride);
                    lanes(north + at) = coarse_coupling<kNine, -1, 0>(split, in, j, place, stride);
                    lanes(nw + at) = coarse_coupling<kNine, -1, -1>(split, in, j, place, stride);
                    lanes(ne + at) = coarse_coupling<kNine, -1, 1>(split, in, j, place, stride);
                }
                // No coupling leaves the box.
                for (float* c : {west, north, nw, ne})
                    std::fill(c + coarse.at(row) + coarse.columns,
                              c + coarse.at(row) + coarse.stride, 0.0f);
                west[coarse.at(row)] = nw[coarse.at(row)] = 0;
                ne[coarse.at(row) + std::size_t(coarse.columns) - 1] = 0;
                if (row == 0)
                    for (float* c : {north, nw, ne})
                        std::fill_n(c + coarse.at(0), coarse.stride, 0.0f);
            }
        });
}

}  // namespace

BoxLevel BoxLevel::finest(int rows, int columns) { return with_room(rows, columns, false); }

BoxLevel BoxLevel::coarser() const { return with_room((rows + 1) / 2, (columns + 1) / 2, true); }

void invert_diagonal(BoxLevel& l, Context& context) {
    float* inverse = l.inverse.write().data();
    const float *w = l.west.data(), *n = l.north.data();
    const float *nw = l.nine() ? l.north_west.data() : nullptr,
                *ne = l.nine() ? l.north_east.data() : nullptr;
    const std::size_t s = l.stride;
    for_range(context.arena, std::size_t(l.rows), kBoxRows, [&](std::size_t b, std::size_t e) {
        for (std::size_t k = l.at(int(b)); k < l.at(int(e)); k += kLanes) {
            Floats sum = (lanes(w + k) + lanes(w + k + 1)) + (lanes(n + k) + lanes(n + k + s));
            if (nw)
                sum += (lanes(nw + k) + lanes(nw + k + s + 1)) +
                       (lanes(ne + k) + lanes(ne + k + s - 1));
            lanes(inverse + k) = ratio(sum > 0.0f ? Floats{} + 1.0f : Floats{}, sum);
        }
    });
}

void set_up(const BoxLevel& fine, BoxLevel& coarse, Context& context) {
    if (fine.nine()) {
        weights_of<true>(fine, coarse, context);
        couplings_of<true>(fine, coarse, context);
    } else {
        weights_of<false>(fine, coarse, context);
        couplings_of<false>(fine, coarse, context);
    }
    invert_diagonal(coarse, context);
}

}  // namespace spume
