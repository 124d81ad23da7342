// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "spume/core/context.h"
#include "spume/core/error.h"
#include "spume/grid/face_values.h"
#include "spume/particles/face_block.h"
#include "spume/particles/power_transfer.h"
#include "spume/particles/sort.h"

namespace spume {

// Between particles and faces with the multilinear hat at the particle, [WSB25] Eq. 28 for the
// trilinear basis; or, where `ranges` carry one, with the power kernel (power_transfer.h), to which
// the positions then no longer matter. Particles must be sorted (sort_by_tile); `ranges` says which
// tile holds which.
//
//   scatter   out[c].face τ of axis a  =  Σ_q  w_qτ · value(q, a)[c]       [WSB25] Eqs. 30–33, 39
//   gather    value(q)[c][a]           =  Σ_τ  w_qτ · in[c].face τ of a    [WSB25] Eq. 34
//
// Each tile sums its own particles in a block of its own, then adds the block to the fields. Two
// tiles whose coordinates have the same parities never share a face, so the tiles of each of the
// 2^D parity classes run at once and the classes one after the other: every face receives its at
// most 2^D parts in an order that no thread count changes, without atomics or stored halos.

/// Sums over particles at each face: out[c] is replaced. `value(particle, axis)` returns
/// std::array<T, K>, the channels for faces across `axis`; it runs on many threads.
template <class T, int D, std::size_t K, class Value>
void scatter_to_faces(std::span<const Point<D>> positions, const TileRanges<D>& ranges,
                      const Clamp<D>& clamp, Value&& value, std::array<FaceField<T, D>, K>& out,
                      Context& context);

/// Interpolates K face fields: `sink(particle, values)` with values[c] a Vec<T, D> whose component
/// a comes from the faces across a. The transpose of scatter_to_faces.
template <class T, int D, std::size_t K, class Sink>
void gather_from_faces(std::span<const Point<D>> positions, const TileRanges<D>& ranges,
                       const Clamp<D>& clamp, const std::array<const FaceField<T, D>*, K>& fields,
                       Sink&& sink, Context& context);

/// One field: `sink(particle, value)` with value a Vec<T, D>.
template <class T, int D, class Sink>
void gather_from_faces(std::span<const Point<D>> positions, const TileRanges<D>& ranges,
                       const Clamp<D>& clamp, const FaceField<T, D>& field, Sink&& sink,
                       Context& context) {
    gather_from_faces(
        positions, ranges, clamp, std::array<const FaceField<T, D>*, 1>{&field},
        [&](std::size_t i, const std::array<Vec<T, D>, 1>& values) { sink(i, values[0]); },
        context);
}

namespace detail {

template <class T, int D, std::size_t K>
struct TransferBlock {
    static constexpr int kPadded = FaceBlock<D>::padded(static_cast<int>(K));
    static constexpr std::size_t kAxisValues = std::size_t(FaceBlock<D>::kNodes) * kPadded;
    Array<T> values{};

    TransferBlock() { values.resize_discard(D * kAxisValues); }
    T* data() { return values.write().data(); }
};

template <class F, std::size_t... A>
inline void for_axes(F&& f, std::index_sequence<A...>) {
    (f(std::integral_constant<int, static_cast<int>(A)>{}), ...);
}

/// f(particle, stencil) for each particle of the tile.
template <class T, int D, class F>
inline void for_stencils(std::span<const Point<D>> positions, const TileRanges<D>& ranges, int tile,
                         const Clamp<D>& clamp, F&& f) {
    Stencils<T, D> batch;
    const std::size_t last = ranges.last(tile);
    for (std::size_t b = ranges.first(tile); b < last; b += batch.kBatch) {
        const int count = static_cast<int>(std::min<std::size_t>(batch.kBatch, last - b));
        batch.set(positions.data() + b, count, ranges.tiles->origin(tile),
                  ranges.tiles->transform(), clamp);
        for (int i = 0; i < count; ++i) f(b + std::size_t(i), Stencil<T, D>{batch, i});
    }
}

/// Adds component `axis` of a tile's block to the fields. A part that falls outside the active
/// tiles and their plus borders must be zero: the topology follows the particles with a margin.
template <class T, int D, std::size_t K>
void add_block(const T* block, const Tiles<D>& tiles, int tile, int axis,
               const std::array<T*, K>& out) {
    constexpr int kPadded = TransferBlock<T, D, K>::kPadded;
    for_reach<D>(axis, [&](const Index<D>& step) {
        const int to = tiles.neighbour(tile, step);
        const bool stored = tiles.is_active(to) ||
                            (step[axis] == 1 &&
                             tiles.is_active(tiles.neighbour(tile, step - Index<D>::unit(axis))));
        for_runs<D>(axis, step, [&](const FaceRun& run) {
            const T* from = block + run.place * kPadded;
            if (stored) {
                const std::size_t first = std::size_t(to) * kTileCells<D> + std::size_t(run.offset);
                for (std::size_t c = 0; c < K; ++c) {
                    T* row = out[c] + first;
                    for (int i = 0; i < run.count; ++i) row[i] += from[i * kPadded + int(c)];
                }
            } else {
                for (int i = 0; i < run.count * kPadded; ++i)
                    if (from[i] != T(0))
                        fail_check(__FILE__, __LINE__, "a particle touches only stored faces",
                                   fmt::format("tile {} axis {}", tile, axis));
            }
        });
    });
}

template <class T, int D, std::size_t K>
void load_block(T* block, const Tiles<D>& tiles, int tile, int axis,
                const std::array<const T*, K>& in) {
    constexpr int kPadded = TransferBlock<T, D, K>::kPadded;
    for_reach<D>(axis, [&](const Index<D>& step) {
        const std::size_t first = std::size_t(tiles.neighbour(tile, step)) * kTileCells<D>;
        for_runs<D>(axis, step, [&](const FaceRun& run) {
            T* to = block + run.place * kPadded;
            for (std::size_t c = 0; c < K; ++c) {
                const T* row = in[c] + first + run.offset;
                for (int i = 0; i < run.count; ++i) to[i * kPadded + int(c)] = row[i];
            }
        });
    });
}

}  // namespace detail

template <class T, int D, std::size_t K, class Value>
void scatter_to_faces(std::span<const Point<D>> positions, const TileRanges<D>& ranges,
                      const Clamp<D>& clamp, Value&& value, std::array<FaceField<T, D>, K>& out,
                      Context& context) {
    using Block = detail::TransferBlock<T, D, K>;
    using Axes = std::make_index_sequence<D>;
    Stage stage(context, "scatter");
    const Tiles<D>& tiles = *ranges.tiles;
    SPUME_CHECK_OP(positions.size(), ==, ranges.size());
    std::array<std::array<T*, K>, D> values;
    for (std::size_t c = 0; c < K; ++c) {
        out[c] = zero_faces<T, D>(ranges.tiles, context);
        for (int a = 0; a < D; ++a) values[std::size_t(a)][c] = out[c].write(a);
    }
    if (ranges.power)
        return detail::scatter_power<T, D, K>(*ranges.power, tiles, clamp, value, values, context);
    for (const std::vector<int>& same : detail::parity_classes(ranges))
        for_range(context.arena, same.size(), 4, [&](std::size_t b, std::size_t e) {
            Block block;
            T* data = block.data();
            for (std::size_t n = b; n < e; ++n) {
                const int tile = same[n];
                std::memset(data, 0, D * Block::kAxisValues * sizeof(T));
                detail::for_stencils<T>(positions, ranges, tile, clamp,
                                        [&](std::size_t i, const detail::Stencil<T, D>& stencil) {
                                            detail::for_axes(
                                                [&](auto axis) {
                                                    detail::deposit<axis, T, int(K), D>(
                                                        data + axis * Block::kAxisValues, stencil,
                                                        value(i, axis));
                                                },
                                                Axes{});
                                        });
                for (int a = 0; a < D; ++a)
                    detail::add_block<T, D, K>(data + std::size_t(a) * Block::kAxisValues, tiles,
                                               tile, a, values[std::size_t(a)]);
            }
        });
}

template <class T, int D, std::size_t K, class Sink>
void gather_from_faces(std::span<const Point<D>> positions, const TileRanges<D>& ranges,
                       const Clamp<D>& clamp, const std::array<const FaceField<T, D>*, K>& fields,
                       Sink&& sink, Context& context) {
    using Block = detail::TransferBlock<T, D, K>;
    using Axes = std::make_index_sequence<D>;
    Stage stage(context, "gather");
    const Tiles<D>& tiles = *ranges.tiles;
    SPUME_CHECK_OP(positions.size(), ==, ranges.size());
    std::array<std::array<const T*, K>, D> values;
    for (std::size_t c = 0; c < K; ++c) {
        SPUME_CHECK(fields[c]->tiles() == ranges.tiles);
        for (int a = 0; a < D; ++a) values[std::size_t(a)][c] = fields[c]->read(a);
    }
    if (ranges.power)
        return detail::gather_power<T, D, K>(*ranges.power, tiles, clamp, values, sink, context);
    for_range(context.arena, std::size_t(tiles.active()), 4, [&](std::size_t b, std::size_t e) {
        if (ranges.first(int(b)) == ranges.last(int(e) - 1)) return;  // no particle in any of them
        Block block;
        T* data = block.data();
        std::memset(data, 0, D * Block::kAxisValues * sizeof(T));
        for (std::size_t t = b; t < e; ++t) {
            const int tile = static_cast<int>(t);
            if (ranges.first(tile) == ranges.last(tile)) continue;
            for (int a = 0; a < D; ++a)
                detail::load_block<T, D, K>(data + std::size_t(a) * Block::kAxisValues, tiles, tile,
                                            a, values[std::size_t(a)]);
            detail::for_stencils<T>(positions, ranges, tile, clamp,
                                    [&](std::size_t i, const detail::Stencil<T, D>& stencil) {
                                        std::array<Vec<T, D>, K> r;
                                        detail::for_axes(
                                            [&](auto axis) {
                                                const auto v = detail::collect<axis, T, int(K), D>(
                                                    data + axis * Block::kAxisValues, stencil);
                                                for (std::size_t c = 0; c < K; ++c)
                                                    r[c][axis] = v[c];
                                            },
                                            Axes{});
                                        sink(i, r);
                                    });
        }
    });
}

}  // namespace spume
