// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "spume/core/array.h"
#include "spume/core/parallel.h"
#include "spume/core/vec.h"

namespace spume {

// Fields over a whole box, for methods whose fluids fill it: one array, last axis fastest, with
// layers of ghost samples around it, so that stencils near walls are those of the inside.
//
//   samples … −2 −1 | 0 1 … n−1 | n n+1 …  stand at lattice coordinate i + offset: ½ in the middle
//                                          of cells, 0 on faces

template <int D>
struct DenseShape {
    static constexpr int kGhosts = 3;
    Index<D> size{};  ///< samples, ghosts left out
    Index<D> room{};  ///< the same for all fields of a box: a place is that of a cell, its lower
                      ///< faces, its lower corner

    std::size_t stride(int axis) const {
        std::size_t s = 1;
        for (int a = D - 1; a > axis; --a) s *= std::size_t(room[a] + 2 * kGhosts);
        return s;
    }
    std::size_t count() const { return stride(0) * std::size_t(room[0] + 2 * kGhosts); }
    std::size_t at(const Index<D>& i) const {
        std::size_t p = 0;
        for (int a = 0; a < D; ++a)
            p = p * std::size_t(room[a] + 2 * kGhosts) + std::size_t(i[a] + kGhosts);
        return p;
    }
    /// Of the sample at a place.
    Index<D> index(std::size_t place) const {
        Index<D> i{};
        for (int a = D - 1; a >= 0; --a) {
            const auto length = std::size_t(room[a] + 2 * kGhosts);
            i[a] = int(place % length) - kGhosts;
            place /= length;
        }
        return i;
    }
    /// Rows along the last axis, ghosts left out.
    std::size_t rows() const {
        std::size_t n = 1;
        for (int a = 0; a < D - 1; ++a) n *= std::size_t(size[a]);
        return n;
    }
    /// First sample of a row.
    Index<D> row(std::size_t r) const {
        Index<D> i{};
        for (int a = D - 2; a >= 0; --a) {
            i[a] = int(r % std::size_t(size[a]));
            r /= std::size_t(size[a]);
        }
        return i;
    }
    friend bool operator==(const DenseShape&, const DenseShape&) = default;
};

template <class T, int D>
struct DenseField {
    DenseShape<D> shape;
    Array<T> values;

    DenseField() = default;
    explicit DenseField(const DenseShape<D>& s, T value = T{})
        : shape(s), values(s.count(), value) {}
    const T* read() const { return values.data(); }
    T* write() { return values.write().data(); }
    T at(const Index<D>& i) const { return values[shape.at(i)]; }
};

/// For writing all samples anew: values that others share are not copied first. Samples and ghosts
/// are undefined then, what lies beyond them is zero.
template <class T, int D>
void renew(DenseField<T, D>& field) {
    if (!field.values.shared()) return;
    field.values.resize_discard(field.shape.count());
    T* out = field.write();
    constexpr int kGhosts = DenseShape<D>::kGhosts;
    for (int a = 0; a < D; ++a) {
        const std::size_t stride = field.shape.stride(a);
        const std::size_t block = stride * std::size_t(field.shape.room[a] + 2 * kGhosts);
        const std::size_t used = stride * std::size_t(field.shape.size[a] + 2 * kGhosts);
        for (std::size_t first = 0; first < field.shape.count(); first += block)
            std::fill(out + first + used, out + first + block, T{});
    }
}

/// Rows that a task works on at a time: a constant, so that sums do not depend on the number of
/// threads.
template <int D>
constexpr std::size_t kRowGrain = D == 2 ? 8 : 32;

/// f(first, place, count) for each row of samples, ghosts left out.
template <int D, class F>
void for_rows(Arena& arena, const DenseShape<D>& shape, F&& f) {
    for_range(arena, shape.rows(), kRowGrain<D>, [&](std::size_t b, std::size_t e) {
        for (std::size_t r = b; r < e; ++r) {
            const Index<D> first = shape.row(r);
            f(first, shape.at(first), shape.size[D - 1]);
        }
    });
}

/// join(map(first, place, count), …) over rows, by a fixed tree.
template <int D, class T, class Map, class Join>
T reduce_rows(Arena& arena, const DenseShape<D>& shape, T identity, Map&& map, Join&& join) {
    return reduce(
        arena, shape.rows(), kRowGrain<D>, identity,
        [&](std::size_t b, std::size_t e) {
            T sum = identity;
            for (std::size_t r = b; r < e; ++r) {
                const Index<D> first = shape.row(r);
                sum = join(sum, map(first, shape.at(first), shape.size[D - 1]));
            }
            return sum;
        },
        join);
}

/// Places of the samples for which f(place) is true, in the order of memory.
template <int D, class F>
std::vector<std::size_t> places_where(Arena& arena, const DenseShape<D>& shape, F&& f) {
    std::vector<std::vector<std::size_t>> found((shape.rows() + kRowGrain<D> - 1) / kRowGrain<D>);
    for_range(arena, shape.rows(), kRowGrain<D>, [&](std::size_t b, std::size_t e) {
        auto& list = found[b / kRowGrain<D>];
        for (std::size_t r = b; r < e; ++r) {
            const std::size_t at = shape.at(shape.row(r));
            for (std::size_t i = at; i < at + std::size_t(shape.size[D - 1]); ++i)
                if (f(i)) list.push_back(i);
        }
    });
    std::vector<std::size_t> all;
    for (const auto& list : found) all.insert(all.end(), list.begin(), list.end());
    return all;
}

/// Where the samples of a field stand: the part of a voxel from the lower end of their cell.
template <int D>
struct DensePlace {
    DenseShape<D> shape;
    Vec<double, D> offset = Vec<double, D>::filled(0.5);
    Index<D> cells{};  ///< of the box

    static DensePlace centres(const Index<D>& cells) {
        return {{cells, cells + Index<D>::filled(1)}, Vec<double, D>::filled(0.5), cells};
    }
    static DensePlace faces(const Index<D>& cells, int axis) {
        DensePlace p = centres(cells);
        p.shape.size[axis] += 1;
        p.offset[axis] = 0;
        return p;
    }
    bool on_faces(int axis) const { return offset[axis] == 0; }
};

/// Ghosts as mirror images in the sides of the box: odd ones change their sign across the axis.
/// A sample on the side itself is its own image.
template <class T, int D>
void mirror_ghosts(T* values, const DensePlace<D>& place, const bool (&odd)[D]) {
    constexpr int kGhosts = DenseShape<D>::kGhosts;
    const DenseShape<D>& shape = place.shape;
    for (int a = 0; a < D; ++a) {
        // Axes before this one are whole already, ghosts and all.
        const std::size_t stride = shape.stride(a),
                          length = std::size_t(shape.room[a] + 2 * kGhosts);
        const std::size_t block = stride * length;
        const int n = shape.size[a];
        const T sign = odd[a] ? T(-1) : T(1);
        for (std::size_t first = 0; first < shape.count(); first += block)
            for (int k = 1; k <= kGhosts; ++k) {
                const int face = place.on_faces(a) ? 1 : 0;
                const int lower = std::min(k - 1 + face, n - 1), upper = std::max(n - k - face, 0);
                T* row = values + first + std::size_t(kGhosts) * stride;
                const auto slot = [&](int i) {
                    return row + std::ptrdiff_t(i) * std::ptrdiff_t(stride);
                };
                for (std::size_t s = 0; s < stride; ++s) slot(-k)[s] = sign * slot(lower)[s];
                for (std::size_t s = 0; s < stride; ++s) slot(n - 1 + k)[s] = sign * slot(upper)[s];
            }
    }
}

/// Ghosts of a level set at cell centres: it goes on along its slope, so that a surface meets a
/// wall at any angle and a plane goes through it.
template <class T, int D>
void continue_ghosts(T* values, const DenseShape<D>& shape) {
    constexpr int kGhosts = DenseShape<D>::kGhosts;
    for (int a = 0; a < D; ++a) {
        // Axes before this one are whole already, ghosts and all.
        const std::size_t stride = shape.stride(a),
                          length = std::size_t(shape.room[a] + 2 * kGhosts);
        const auto last = std::ptrdiff_t(shape.size[a]) - 1;
        if (last < 1) continue;
        for (std::size_t first = 0; first < shape.count(); first += stride * length) {
            T* row = values + first + std::size_t(kGhosts) * stride;
            const auto slot = [&](std::ptrdiff_t i) { return row + i * std::ptrdiff_t(stride); };
            for (int k = 1; k <= kGhosts; ++k)
                for (std::size_t s = 0; s < stride; ++s) {
                    slot(-k)[s] = slot(0)[s] + T(k) * (slot(0)[s] - slot(1)[s]);
                    slot(last + k)[s] = slot(last)[s] + T(k) * (slot(last)[s] - slot(last - 1)[s]);
                }
        }
    }
}

}  // namespace spume
