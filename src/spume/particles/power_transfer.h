// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>

#include "spume/grid/sample.h"
#include "spume/particles/power_kernel.h"

namespace spume::detail {

// Transfers with the power kernel, [WSB25] Eq. 28: ω_qτ = (1/V_q) ∫ Λ_q N_τ is a sum over samples,
//
//   ω_qτ = Σ_i (scale_q K_qi t_i) N_τ(x_i),
//
// so that they go by way of the samples: particles to samples by K, samples to faces by the hat N.

/// The hat's weight at sample `sample` for the face or centre `place` along `axis`; continued as a
/// constant towards walls as in Clamp.
template <int D>
double hat(const Clamp<D>& clamp, bool across, int axis, int place, int sample) {
    const double u = 0.5 * (sample + 0.5);
    const double d = across ? clamp.normal(u, axis) - place : clamp.side(u, axis) - place - 0.5;
    return std::max(1 - std::abs(d), 0.0);
}

/// Sums of samples at the faces across `axis` of one tile, `only_first`: those on its lower plane.
template <class T, int D, std::size_t K>
void restrict_tile(const Tiles<D>& cells, const Tiles<D>& samples, int tile, int axis,
                   bool only_first, const Clamp<D>& clamp, const std::array<const double*, K>& in,
                   const std::array<T*, K>& out) {
    constexpr int kS = kTileSide<D>, kTaps = 4;
    const Index<D> origin = cells.origin(tile);
    double weight[D][kS][kTaps];
    for (int a = 0; a < D; ++a)
        for (int i = 0; i < kS; ++i)
            for (int k = 0; k < kTaps; ++k) {
                const int place = origin[a] + i;
                weight[a][i][k] =
                    hat(clamp, a == axis, a, place, 2 * place + k - (a == axis ? 2 : 1));
            }
    // Rows of the fine tiles that the samples of this tile's faces lie in.
    TileCursor<D> cursor(samples);
    for (int o = 0; o < kTileCells<D>; ++o) {
        const Index<D> local = tile_local<D>(o);
        if (only_first && local[axis] != 0) continue;
        double sum[K] = {};
        for (int tap = 0; tap < (D == 2 ? 16 : 64); ++tap) {
            Index<D> sample{};
            double w = 1;
            for (int a = 0; a < D; ++a) {
                const int k = tap >> (2 * (D - 1 - a)) & 3;
                sample[a] = 2 * (origin[a] + local[a]) + k - (a == axis ? 2 : 1);
                w *= weight[a][local[a]][k];
            }
            if (w == 0) continue;
            const std::size_t at = cursor(sample);
            for (std::size_t c = 0; c < K; ++c) sum[c] += w * in[c][at];
        }
        for (std::size_t c = 0; c < K; ++c)
            out[c][std::size_t(tile) * kTileCells<D> + std::size_t(o)] = static_cast<T>(sum[c]);
    }
}

/// True when a tile of samples lies below the tile or beside it.
template <int D>
bool near_samples(const Tiles<D>& samples, const Index<D>& key) {
    for (int code = 0; code < (D == 2 ? 16 : 64); ++code) {
        Index<D> k = key * 2;
        for (int a = 0; a < D; ++a) k[a] += (code >> (2 * a) & 3) - 1;
        if (samples.is_active(samples.find(k))) return true;
    }
    return false;
}

template <class T, int D, std::size_t K, class Value>
void scatter_power(const PowerKernel<D>& kernel, const Tiles<D>& cells, const Clamp<D>& clamp,
                   Value&& value, const std::array<std::array<T*, K>, D>& out, Context& context) {
    const Tiles<D>& samples = kernel.samples();
    std::array<Array<double>, K> sums;
    std::array<double*, K> write;
    std::array<const double*, K> read;
    for (std::size_t c = 0; c < K; ++c) {
        sums[c].resize_discard(samples.values());
        read[c] = write[c] = sums[c].write().data();
    }
    for (int axis = 0; axis < D; ++axis) {
        spread_power<D, K>(
            kernel,
            [&](std::size_t q) {
                const auto v = value(q, axis);
                std::array<double, K> r;
                for (std::size_t c = 0; c < K; ++c) r[c] = double(v[c]) * kernel.scale[q];
                return r;
            },
            write, context);
        for_values(context.arena, samples, [&](std::size_t b, std::size_t e) {
            for (std::size_t c = 0; c < K; ++c)
                for (std::size_t i = b; i < e; ++i) write[c][i] *= kernel.room[i];
        });
        // A sample's faces reach from −2 to 2S + 1 of the samples below a tile.
        const auto one = [&](int t, bool border) {
            if (near_samples<D>(samples, cells.key(t)))
                restrict_tile<T, D, K>(cells, samples, t, axis, border, clamp, read,
                                       out[std::size_t(axis)]);
        };
        for_tiles(context.arena, cells, [&](int t) { one(t, false); });
        const auto borders = cells.plus_borders(axis);
        for_range(context.arena, borders.size(), 4, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) one(borders[i], true);
        });
    }
}

/// Face values at the samples of one tile, times their room.
template <class T, int D, std::size_t K>
void prolong_tile(const PowerKernel<D>& kernel, const Tiles<D>& cells, int tile, int axis,
                  const Clamp<D>& clamp, const std::array<const T*, K>& in,
                  const std::array<double*, K>& out) {
    const Index<D> origin = kernel.samples().origin(tile);
    TileCursor<D> cursor(cells);
    for (int o = 0; o < kTileCells<D>; ++o) {
        const std::size_t at = std::size_t(tile) * kTileCells<D> + std::size_t(o);
        const double room = kernel.room[at];
        double sum[K] = {};
        if (room > 0) {
            const Index<D> sample = origin + tile_local<D>(o);
            for (int corner = 0; corner < (1 << D); ++corner) {
                Index<D> face{};
                double w = room;
                for (int a = 0; a < D; ++a) {
                    // Of the two hats over a sample the lower one.
                    const int lower = a == axis ? sample[a] >> 1 : (sample[a] - 1) >> 1;
                    face[a] = lower + (corner >> a & 1);
                    w *= hat(clamp, a == axis, a, face[a], sample[a]);
                }
                if (w == 0) continue;
                const std::size_t from = cursor(face);
                for (std::size_t c = 0; c < K; ++c) sum[c] += w * static_cast<double>(in[c][from]);
            }
        }
        for (std::size_t c = 0; c < K; ++c) out[c][at] = sum[c];
    }
}

template <class T, int D, std::size_t K, class Sink>
void gather_power(const PowerKernel<D>& kernel, const Tiles<D>& cells, const Clamp<D>& clamp,
                  const std::array<std::array<const T*, K>, D>& in, Sink&& sink, Context& context) {
    const Tiles<D>& samples = kernel.samples();
    std::array<Array<double>, K> values;
    std::array<double*, K> write;
    std::array<const double*, K> read;
    for (std::size_t c = 0; c < K; ++c) {
        values[c] = Array<double>(samples.values(), 0.0);
        read[c] = write[c] = values[c].write().data();
    }
    std::vector<std::array<Vec<T, D>, K>> result(kernel.sites.size());
    for (int axis = 0; axis < D; ++axis) {
        for_tiles(context.arena, samples, [&](int t) {
            prolong_tile<T, D, K>(kernel, cells, t, axis, clamp, in[std::size_t(axis)], write);
        });
        collect_power<D, K>(
            kernel, read,
            [&](std::size_t q, const std::array<double, K>& sums) {
                for (std::size_t c = 0; c < K; ++c)
                    result[q][c][axis] = static_cast<T>(sums[c] * kernel.scale[q]);
            },
            context);
    }
    for_range(context.arena, result.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) sink(q, result[q]);
    });
}

}  // namespace spume::detail
