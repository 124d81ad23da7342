// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/particles/neighbours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "spume/core/box.h"
#include "spume/core/error.h"

namespace spume {
namespace {

constexpr std::size_t kPiece = std::size_t(1) << 13;

/// Cells of the radius' size over the points, with one empty layer around them: the number of a
/// cell counts along the last axis first, and a step to any neighbour adds the same to it
/// everywhere.
template <int D>
struct CellNumbers {
    Point<D> lo;
    double inverse;
    std::int64_t stride[D];
    std::int64_t cells = 1;

    // A little larger than the radius: rounding must not put two cells between points just a radius
    // apart.
    CellNumbers(const Box<double, D>& box, double radius)
        : lo(box.lo), inverse((1 - 1e-6) / radius) {
        double total = 1;
        for (int a = D - 1; a >= 0; --a) {
            const double along = std::floor((box.hi[a] - box.lo[a]) * inverse) + 3;
            total *= along;
            SPUME_CHECK_OP(total, <, 9e18);
            stride[a] = cells;
            cells *= static_cast<std::int64_t>(along);
        }
    }
    std::int64_t operator()(const Point<D>& x) const {
        std::int64_t r = 0;
        for (int a = 0; a < D; ++a)
            r += stride[a] * (1 + static_cast<std::int64_t>((x[a] - lo[a]) * inverse));
        return r;
    }
};

template <int D>
Box<double, D> bounds(std::span<const Point<D>> points, Context& context) {
    constexpr double kFar = std::numeric_limits<double>::max();
    const Box<double, D> none{Point<D>::filled(kFar), Point<D>::filled(-kFar)};
    return reduce(
        context.arena, points.size(), kPiece, none,
        [&](std::size_t b, std::size_t e) {
            Box<double, D> r = none;
            for (std::size_t i = b; i < e; ++i) {
                for (int a = 0; a < D; ++a) SPUME_CHECK(std::isfinite(points[i][a]));
                r = r.including(points[i]);
            }
            return r;
        },
        [](const Box<double, D>& a, const Box<double, D>& b) {
            return Box<double, D>{min(a.lo, b.lo), max(a.hi, b.hi)};
        });
}

struct Numbered {
    std::int64_t cell;
    std::uint32_t index;
};

/// By cell; points of one cell keep their order. Digits of eleven bits, lowest first.
void sort_by_cell(std::vector<Numbered>& rows, std::int64_t cells) {
    constexpr int kBits = 11;
    std::vector<Numbered> other(rows.size());
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(cells)));
    for (int shift = 0; shift < bits; shift += kBits) {
        std::size_t place[(1 << kBits) + 1] = {};
        const auto digit = [&](const Numbered& r) {
            return static_cast<std::size_t>(r.cell >> shift) & ((1 << kBits) - 1);
        };
        for (const Numbered& r : rows) ++place[digit(r) + 1];
        for (int d = 0; d < (1 << kBits); ++d) place[d + 1] += place[d];
        for (const Numbered& r : rows) other[place[digit(r)]++] = r;
        rows.swap(other);
    }
}

/// The stretch of points in three cells in a row, which only moves forward as the cell in the
/// middle does.
struct Window {
    std::int64_t step;
    std::size_t begin, end;

    void start(std::span<const Numbered> rows, std::int64_t cell) {
        const auto before = [](const Numbered& r, std::int64_t c) { return r.cell < c; };
        const auto at = std::lower_bound(rows.begin(), rows.end(), cell + step - 1, before);
        begin = end = static_cast<std::size_t>(at - rows.begin());
    }
    void move_to(std::span<const Numbered> rows, std::int64_t cell) {
        while (begin < rows.size() && rows[begin].cell < cell + step - 1) ++begin;
        end = std::max(begin, end);
        while (end < rows.size() && rows[end].cell <= cell + step + 1) ++end;
    }
};

template <int D>
std::vector<Window> windows(const CellNumbers<D>& numbers) {
    std::vector<Window> r;
    for (int i = -1; i <= 1; ++i) {
        if constexpr (D == 2)
            r.push_back({i * numbers.stride[0], 0, 0});
        else
            for (int j = -1; j <= 1; ++j)
                r.push_back({i * numbers.stride[0] + j * numbers.stride[1], 0, 0});
    }
    return r;
}

/// A list that grows without setting what will be overwritten anyway.
class Growing {
  public:
    std::size_t size() const { return size_; }
    /// Room for `more` values behind the last.
    std::uint32_t* room(std::size_t more) {
        if (size_ + more > values_.size()) {
            Array<std::uint32_t> next;
            next.resize_discard(2 * (size_ + more));
            if (size_) std::copy_n(values_.data(), size_, next.write().data());
            values_ = std::move(next);
            data_ = values_.write().data();
        }
        return data_ + size_;
    }
    void keep(std::size_t more) { size_ += more; }
    const std::uint32_t* begin() const { return values_.data(); }
    const std::uint32_t* end() const { return values_.data() + size_; }

  private:
    Array<std::uint32_t> values_;
    std::uint32_t* data_ = nullptr;
    std::size_t size_ = 0;
};

typedef double Four __attribute__((vector_size(32)));

/// Points by cell, one array a coordinate, with their indices. Room for three more behind the last,
/// so that four can be read at once.
template <int D>
struct Sorted {
    std::vector<double> x[D];
    std::vector<std::uint32_t> index;

    explicit Sorted(std::size_t size) : index(size + 3) {
        for (auto& column : x) column.resize(size + 3);
    }
};

/// Adds the neighbours of point p to the list: each index is written, and kept or overwritten by
/// the next, without a branch.
template <int D>
std::uint32_t add_list(std::size_t p, const Sorted<D>& sorted, std::span<const Window> around,
                       double radius_squared, Growing& list) {
    std::size_t candidates = 0, n = 0;
    for (const Window& w : around) candidates += w.end - w.begin;
    std::uint32_t* out = list.room(candidates + 4);
    for (const Window& w : around)
        for (std::size_t q = w.begin; q < w.end; q += 4) {
            Four squared{};
            for (int a = 0; a < D; ++a) {
                Four d;
                std::memcpy(&d, sorted.x[a].data() + q, sizeof d);
                d -= sorted.x[a][p];
                squared += d * d;
            }
            const auto near = squared <= radius_squared;
            const std::uint32_t* index = sorted.index.data() + q;
            const std::size_t left = w.end - q;
            for (std::size_t i = 0; i < 4; ++i) {
                out[n] = index[i];
                n += static_cast<std::size_t>(near[i] & 1) & static_cast<std::size_t>(i < left);
            }
        }
    // It found itself, and only once: taken out, the others keep their order.
    std::uint32_t* self = std::find(out, out + n, sorted.index[p]);
    std::copy(self + 1, out + n, self);
    list.keep(n - 1);
    return static_cast<std::uint32_t>(n - 1);
}

}  // namespace

template <int D>
NeighbourLists find_neighbours(std::span<const Point<D>> points, double radius, Context& context) {
    Stage stage(context, "neighbours");
    SPUME_CHECK_OP(radius, >, 0.0);
    const std::size_t n = points.size();
    SPUME_CHECK(std::uint64_t(n) < std::uint64_t(1) << 32);
    NeighbourLists lists;
    if (n == 0) return lists;

    const CellNumbers<D> numbers(bounds<D>(points, context), radius);
    std::vector<Numbered> rows(n);
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i)
            rows[i] = {numbers(points[i]), static_cast<std::uint32_t>(i)};
    });
    sort_by_cell(rows, numbers.cells);
    Sorted<D> sorted(n);
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            sorted.index[i] = rows[i].index;
            for (int a = 0; a < D; ++a) sorted.x[a][i] = points[rows[i].index][a];
        }
    });

    lists.first.resize_discard(n);
    lists.count.resize_discard(n);
    std::uint64_t* first = lists.first.write().data();
    std::uint32_t* count = lists.count.write().data();
    std::vector<Growing> parts((n + kPiece - 1) / kPiece);
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        std::vector<Window> around = windows(numbers);
        for (Window& w : around) w.start(rows, rows[b].cell);
        Growing& list = parts[b / kPiece];
        for (std::size_t p = b; p < e; ++p) {
            if (p == b || rows[p].cell != rows[p - 1].cell)
                for (Window& w : around) w.move_to(rows, rows[p].cell);
            first[rows[p].index] = list.size();
            count[rows[p].index] = add_list<D>(p, sorted, around, radius * radius, list);
        }
    });

    std::vector<std::uint64_t> offset(parts.size() + 1, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) offset[i + 1] = offset[i] + parts[i].size();
    lists.pool.resize_discard(offset.back());
    std::uint32_t* pool = lists.pool.write().data();
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        const std::size_t part = b / kPiece;
        std::copy(parts[part].begin(), parts[part].end(), pool + offset[part]);
        for (std::size_t p = b; p < e; ++p) first[rows[p].index] += offset[part];
    });
    return lists;
}

template NeighbourLists find_neighbours<2>(std::span<const Point<2>>, double, Context&);
template NeighbourLists find_neighbours<3>(std::span<const Point<3>>, double, Context&);

}  // namespace spume
