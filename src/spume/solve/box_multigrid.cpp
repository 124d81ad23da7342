// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/box_multigrid.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "spume/solve/dense.h"

namespace spume {
namespace {

/// Points of the coarsest level at most: inverted as a dense matrix in each set-up.
constexpr int kCoarsestPoints = 16;

/// Columns of one parity within a vector that begins at an even one.
inline LaneMask parity(int odd) {
    const LaneMask is_odd = {0, -1, 0, -1, 0, -1, 0, -1};
    return odd != 0 ? is_odd : ~is_odd;
}

template <bool kNine>
struct Stencil {
    const float *w, *n, *nw, *ne, *inverse, *b;
    float* x;
    std::size_t s;

    explicit Stencil(BoxLevel& l)
        : w(l.west.data()),
          n(l.north.data()),
          nw(kNine ? l.north_west.data() : nullptr),
          ne(kNine ? l.north_east.data() : nullptr),
          inverse(l.inverse.data()),
          b(l.b.data()),
          x(l.x.write().data()),
          s(l.stride) {}

    static Floats at(const float* p) { return lanes(p); }

    /// What a point becomes when its equation is to hold.
    Floats relaxed(std::size_t k) const {
        Floats sum = at(b + k) + at(w + k) * at(x + k - 1) + at(w + k + 1) * at(x + k + 1) +
                     at(n + k) * at(x + k - s) + at(n + k + s) * at(x + k + s);
        if constexpr (kNine)
            sum += at(nw + k) * at(x + k - s - 1) + at(ne + k) * at(x + k - s + 1) +
                   at(nw + k + s + 1) * at(x + k + s + 1) + at(ne + k + s - 1) * at(x + k + s - 1);
        return at(inverse + k) * sum;
    }
    Floats residual(std::size_t k) const {
        const Floats here = at(x + k);
        Floats sum = at(b + k) + at(w + k) * (at(x + k - 1) - here) +
                     at(w + k + 1) * (at(x + k + 1) - here) + at(n + k) * (at(x + k - s) - here) +
                     at(n + k + s) * (at(x + k + s) - here);
        if constexpr (kNine)
            sum += at(nw + k) * (at(x + k - s - 1) - here) +
                   at(ne + k) * (at(x + k - s + 1) - here) +
                   at(nw + k + s + 1) * (at(x + k + s + 1) - here) +
                   at(ne + k + s - 1) * (at(x + k + s - 1) - here);
        return sum;
    }
    void relax_row(std::size_t first, int odd) const {
        const LaneMask own = parity(odd);
        for (std::size_t k = first; k < first + s; k += kLanes) {
            const Floats next = relaxed(k), old = at(x + k);
            lanes(x + k) = own ? next : old;
        }
    }
    /// The same where all of x was zero.
    void start_row(std::size_t first, int odd) const {
        const LaneMask own = parity(odd);
        for (std::size_t k = first; k < first + s; k += kLanes) {
            const Floats next = at(inverse + k) * at(b + k);
            lanes(x + k) = own ? next : Floats{};
        }
    }
};

enum class Sweep { kFromZero, kForward, kBackward };

/// One sweep in two halves. With four neighbours these are the colours of a chess board, with eight
/// the even and the odd rows, each column by column parity: neither half reads what it writes, so
/// the order of rows within it does not matter. The second half follows the first a row behind,
/// while that is in the cache; where two tasks meet it waits for both.
template <bool kNine>
void sweep(BoxLevel& l, Sweep how, Context& context) {
    const Stencil<kNine> at(l);
    const int second_color = how == Sweep::kBackward ? 0 : 1;
    const auto half = [&](int row, int color) {
        const std::size_t first = l.at(row);
        if constexpr (kNine) {
            if ((row & 1) != color) return;
            const int column = how == Sweep::kBackward ? 1 : 0;
            at.relax_row(first, column);
            at.relax_row(first, 1 - column);
        } else if (how == Sweep::kFromZero && color == 0) {
            at.start_row(first, row & 1);
        } else {
            at.relax_row(first, (row & 1) ^ color);
        }
    };
    if (kNine && how == Sweep::kFromZero) std::memset(at.x, 0, l.size() * sizeof(float));
    const auto rows = std::size_t(l.rows);
    const bool whole = rows <= kBoxRows;
    for_range(context.arena, rows, kBoxRows, [&](std::size_t b, std::size_t e) {
        const int begin = int(b), end = int(e);
        for (int row = begin; row < end; ++row) {
            half(row, 1 - second_color);
            if (row - 1 > begin || (whole && row > begin)) half(row - 1, second_color);
        }
        if (whole) half(end - 1, second_color);
    });
    if (whole) return;
    for_range(context.arena, rows, kBoxRows, [&](std::size_t b, std::size_t e) {
        half(int(b), second_color);
        if (e - b > 1) half(int(e) - 1, second_color);
    });
}

/// A row of a finer level, even and odd columns apart, with zeros around it.
struct SplitRow {
    explicit SplitRow(std::size_t room) : even(room + 2 * kLanes), odd(room + 2 * kLanes) {}
    std::vector<float> even, odd;
    const float* at_even(std::size_t j) const { return even.data() + kLanes + j; }
    const float* at_odd(std::size_t j) const { return odd.data() + kLanes + j; }
};

template <bool kNine>
void split_residual(const Stencil<kNine>& at, const BoxLevel& fine, int row, float* whole,
                    SplitRow& to) {
    float *even = to.even.data() + kLanes, *odd = to.odd.data() + kLanes;
    const std::size_t half = fine.stride / 2;
    if (row < 0 || row >= fine.rows) {
        std::fill_n(even, half, 0.0f);
        std::fill_n(odd, half, 0.0f);
        return;
    }
    const std::size_t first = fine.at(row);
    for (std::size_t k = 0; k < fine.stride; k += kLanes) lanes(whole + k) = at.residual(first + k);
    for (std::size_t k = 0; k < half; ++k) even[k] = whole[2 * k], odd[k] = whole[2 * k + 1];
}

/// coarse.b = Pᵀ (b − A x).
template <bool kNine>
void restrict_residual(BoxLevel& fine, BoxLevel& coarse, Context& context) {
    const Stencil<kNine> stencil(fine);
    float* b = coarse.b.write().data();
    const float* w[8];
    for (int k = 0; k < 8; ++k) w[k] = coarse.weight[k].data();
    const std::size_t s = coarse.stride;
    const auto at = [](const float* p) -> Floats { return lanes(p); };
    for_range(context.arena, std::size_t(coarse.rows), kBoxRows,
              [&](std::size_t begin, std::size_t end) {
                  SplitRow north(s), here(s), south(s);
                  std::vector<float> whole(fine.stride);
                  split_residual(stencil, fine, 2 * int(begin) - 1, whole.data(), south);
                  for (int row = int(begin); row < int(end); ++row) {
                      std::swap(north, south);
                      split_residual(stencil, fine, 2 * row, whole.data(), here);
                      split_residual(stencil, fine, 2 * row + 1, whole.data(), south);
                      for (std::size_t j = 0; j < s; j += kLanes) {
                          const std::size_t k = coarse.at(row) + j;
                          Floats sum = at(here.at_even(j));
                          sum += at(w[kWest] + k) * at(here.at_odd(j)) +
                                 at(w[kEast] + k - 1) * at(here.at_odd(j) - 1);
                          sum += at(w[kNorth] + k) * at(south.at_even(j)) +
                                 at(w[kNorthWest] + k) * at(south.at_odd(j)) +
                                 at(w[kNorthEast] + k - 1) * at(south.at_odd(j) - 1);
                          sum += at(w[kSouth] + k - s) * at(north.at_even(j)) +
                                 at(w[kSouthWest] + k - s) * at(north.at_odd(j)) +
                                 at(w[kSouthEast] + k - s - 1) * at(north.at_odd(j) - 1);
                          lanes(b + k) = sum;
                      }
                  }
              });
}

/// fine.x += P coarse.x.
void prolong(const BoxLevel& coarse, BoxLevel& fine, Context& context) {
    float* x = fine.x.write().data();
    const float* c = coarse.x.data();
    const float* w[8];
    for (int k = 0; k < 8; ++k) w[k] = coarse.weight[k].data();
    const std::size_t s = coarse.stride, half = fine.stride / 2;
    const auto at = [](const float* p) -> Floats { return lanes(p); };
    const auto add = [&](int row, const float* even, const float* odd) {
        float* to = x + fine.at(row);
        for (std::size_t k = 0; k < half; ++k) to[2 * k] += even[k], to[2 * k + 1] += odd[k];
    };
    for_range(context.arena, std::size_t(coarse.rows), kBoxRows,
              [&](std::size_t begin, std::size_t end) {
                  std::vector<float> buffer(2 * (s + kLanes));
                  float *even = buffer.data(), *odd = buffer.data() + s + kLanes;
                  for (int row = int(begin); row < int(end); ++row) {
                      const std::size_t first = coarse.at(row);
                      for (std::size_t j = 0; j < s; j += kLanes) {
                          const std::size_t k = first + j;
                          lanes(even + j) = at(c + k);
                          lanes(odd + j) =
                              at(w[kWest] + k) * at(c + k) + at(w[kEast] + k) * at(c + k + 1);
                      }
                      add(2 * row, even, odd);
                      if (2 * row + 1 >= fine.rows) continue;
                      for (std::size_t j = 0; j < s; j += kLanes) {
                          const std::size_t k = first + j;
                          lanes(even + j) =
                              at(w[kNorth] + k) * at(c + k) + at(w[kSouth] + k) * at(c + k + s);
                          lanes(odd + j) = at(w[kNorthWest] + k) * at(c + k) +
                                           at(w[kNorthEast] + k) * at(c + k + 1) +
                                           at(w[kSouthWest] + k) * at(c + k + s) +
                                           at(w[kSouthEast] + k) * at(c + k + s + 1);
                      }
                      add(2 * row + 1, even, odd);
                  }
              });
}

}  // namespace

void BoxMultigrid::prepare(int rows, int columns) {
    if (!levels_.empty() && finest().rows == rows && finest().columns == columns) return;
    levels_.clear();
    levels_.push_back(BoxLevel::finest(rows, columns));
    do levels_.push_back(levels_.back().coarser());
    while (levels_.back().rows * levels_.back().columns > kCoarsestPoints);
}

void BoxMultigrid::assign(Context& context) {
    invert_diagonal(finest(), context);
    for (std::size_t l = 1; l < levels_.size(); ++l) set_up(levels_[l - 1], levels_[l], context);
    invert_coarsest();
}

void BoxMultigrid::apply(Context& context) { cycle(0, context); }

void BoxMultigrid::cycle(std::size_t level, Context& context) {
    if (level + 1 == levels_.size()) return solve_coarsest();
    BoxLevel &fine = levels_[level], &coarse = levels_[level + 1];
    if (fine.nine()) {
        sweep<true>(fine, Sweep::kFromZero, context);
        restrict_residual<true>(fine, coarse, context);
    } else {
        sweep<false>(fine, Sweep::kFromZero, context);
        restrict_residual<false>(fine, coarse, context);
    }
    cycle(level + 1, context);
    prolong(coarse, fine, context);
    if (fine.nine())
        sweep<true>(fine, Sweep::kBackward, context);
    else
        sweep<false>(fine, Sweep::kBackward, context);
}

void BoxMultigrid::invert_coarsest() {
    const BoxLevel& l = levels_.back();
    last_places_.clear();
    std::vector<int> number(l.size(), -1);
    for (int i = 0; i < l.rows; ++i)
        for (std::size_t k = l.at(i); k < l.at(i) + std::size_t(l.columns); ++k)
            if (l.inverse[k] > 0) {
                number[k] = int(last_places_.size());
                last_places_.push_back(k);
            }
    const std::size_t n = last_places_.size();
    DenseMatrix matrix(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = last_places_[i];
        const auto couple = [&](float c, std::size_t other) {
            if (c == 0 || number[other] < 0) return;
            const auto j = std::size_t(number[other]);
            matrix(i, i) += double(c), matrix(j, j) += double(c);
            matrix(i, j) -= double(c), matrix(j, i) -= double(c);
        };
        couple(l.west[k], k - 1);
        couple(l.north[k], k - l.stride);
        couple(l.north_west[k], k - l.stride - 1);
        couple(l.north_east[k], k - l.stride + 1);
    }
    last_inverse_.assign(n * n, 0.0f);
    for (const double v : matrix.values)
        if (!std::isfinite(v)) return;
    // Constants are its null space: invert around them.
    const DenseMatrix inverse = pseudo_inverse(matrix);
    for (std::size_t i = 0; i < n * n; ++i) last_inverse_[i] = float(inverse.values[i]);
}

void BoxMultigrid::solve_coarsest() {
    BoxLevel& l = levels_.back();
    float* x = l.x.write().data();
    const float* b = l.b.data();
    const std::size_t n = last_places_.size();
    for (std::size_t i = 0; i < n; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += last_inverse_[i * n + j] * b[last_places_[j]];
        x[last_places_[i]] = sum;
    }
}

std::size_t BoxMultigrid::bytes() const {
    std::size_t sum = 0;
    for (const BoxLevel& l : levels_) sum += 4 * l.size() * (l.nine() ? 15 : 5);
    return sum;
}

}  // namespace spume
