// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <span>

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/grid/halo.h"
#include "spume/particles/sort.h"

namespace spume {

// The power kernel of [QLDJ22] as [WSB25] §5.1.1 uses it: each particle's air is spread over the
// space around it so that nowhere is more air than space. Space is sampled twice a voxel; with
//
//   K_qi = exp(−|x_i − x_q|² / ε),  ε = (h/3)²,  zero beyond 3h/2
//
// scales s_q of particles and t_i ≤ 1 of samples are found such that Λ_q(x_i) = s_q K_qi t_i obeys
//
//   Σ_i Λ_q(x_i) V_i = V_q  for every particle,   Σ_q Λ_q(x_i) ≤ 1  at every sample:
//
// partial optimal transport, by turns  t_i = min(1, 1/Σ_q s_q K_qi)  and
// s_q = V_q / Σ_i t_i K_qi V_i. The last turn is the particles': their volumes hold to round-off,
// the fractions up to a tolerance.
//
//   samples of one voxel, 2D          they lie a quarter voxel from faces and centres, so that a
//     +-------+-------+               hat about either weighs the four nearest along an axis by
//     |   o   |   o   |               ¼ ¾ ¾ ¼
//     +-------+-------+               A sample behind a wall of the domain has no room: t = 0.
//     |   o   |   o   |
//     +-------+-------+

template <int D>
struct PowerKernel {
    static constexpr int kWide = 6;  ///< samples along an axis within the cut-off
    static constexpr int kReach = 3;

    /// Where a particle lies among the samples of its tile, and its K as a product over axes.
    struct Site {
        double factor[D][kWide];
        double offset[D];  ///< of the particle above the third of its samples
        int place[D];      ///< first sample, counted from the tile's; −3 at least
    };
    using Block = HaloBlock<double, D, kReach>;

    TileRanges<D> ranges;        ///< particles by tile of samples
    Array<std::uint32_t> order;  ///< of particles, in which `sites` stand; empty: their own
    Array<Site> sites;
    Array<double> scale;  ///< by particle: s_q V_i / V_q, so that its weights sum to one
    Array<double> room;   ///< by sample: t_i

    const Tiles<D>& samples() const { return *ranges.tiles; }
    std::size_t particle(std::size_t site) const { return order.empty() ? site : order[site]; }
};

/// How well the samples could take the air.
struct PowerReport {
    int iterations = 0;
    double excess = 0;  ///< largest Σ_q Λ_q − 1
    double volume = 0;  ///< air beyond a fraction of one, m³: not zero where particles crowd
};

struct PowerOptions {
    double tolerance = 1e-3;  ///< on the excess
    int max_iterations = 400;
};

/// The kernel of particles sorted by tile. Every particle must lie inside the walls of `clamp` and
/// four cells away from where tiles end otherwise.
template <int D>
std::shared_ptr<const PowerKernel<D>> power_kernel(std::span<const Point<D>> positions,
                                                   std::span<const double> volumes,
                                                   const TileRanges<D>& ranges,
                                                   const Clamp<D>& clamp,
                                                   const PowerOptions& options, PowerReport& report,
                                                   Context& context);

/// c_q = Σ_i Λ_q(x_i) x_i V_i / V_q: where particles go, [WSB25] §5.1.1.
template <int D>
Array<Point<D>> centroids(const PowerKernel<D>& kernel, Context& context);

namespace detail {

typedef double PowerFour __attribute__((vector_size(32)));
typedef double PowerTwo __attribute__((vector_size(16)));

/// f(place in the block, weights of four samples, weights of the next two) for each row of samples
/// within the cut-off.
template <int D, class F>
inline void for_power_rows(const typename PowerKernel<D>::Site& site, F&& f) {
    using Kernel = PowerKernel<D>;
    constexpr double kCut = Kernel::kReach * Kernel::kReach;
    const auto square = [&](int axis, int k) {
        const double d = k - 2 - site.offset[axis];
        return d * d;
    };
    const double* last = site.factor[D - 1];
    const PowerFour four = {last[0], last[1], last[2], last[3]};
    const PowerTwo two = {last[4], last[5]};
    const PowerFour square4 = {square(D - 1, 0), square(D - 1, 1), square(D - 1, 2),
                               square(D - 1, 3)};
    const PowerTwo square2 = {square(D - 1, 4), square(D - 1, 5)};
    const auto row = [&](int place, double factor, double left) {
        const PowerFour none4 = {};
        const PowerTwo none2 = {};
        f(place, square4 <= left ? four * factor : none4, square2 <= left ? two * factor : none2);
    };
    Index<D> local{};
    for (int a = 0; a < D; ++a) local[a] = site.place[a];
    const int first = Kernel::Block::at(local);
    for (int i = 0; i < Kernel::kWide; ++i) {
        const double left = kCut - square(0, i);
        if constexpr (D == 2)
            row(first + i * Kernel::Block::stride(0), site.factor[0][i], left);
        else
            for (int j = 0; j < Kernel::kWide; ++j) {
                const double rest = left - square(1, j);
                if (rest >= 0)
                    row(first + i * Kernel::Block::stride(0) + j * Kernel::Block::stride(1),
                        site.factor[0][i] * site.factor[1][j], rest);
            }
    }
}

/// Σ_i K_qi v_i over a block of values.
template <int D>
inline double collect_power(const typename PowerKernel<D>::Site& site, const double* block) {
    PowerFour sum4 = {};
    PowerTwo sum2 = {};
    for_power_rows<D>(site, [&](int place, const PowerFour& w4, const PowerTwo& w2) {
        PowerFour v4;
        PowerTwo v2;
        std::memcpy(&v4, block + place, sizeof v4);
        std::memcpy(&v2, block + place + 4, sizeof v2);
        sum4 += w4 * v4;
        sum2 += w2 * v2;
    });
    return (sum4[0] + sum4[1]) + (sum4[2] + sum4[3]) + (sum2[0] + sum2[1]);
}

/// block_i += K_qi · value.
template <int D>
inline void deposit_power(const typename PowerKernel<D>::Site& site, double value, double* block) {
    for_power_rows<D>(site, [&](int place, const PowerFour& w4, const PowerTwo& w2) {
        PowerFour v4;
        PowerTwo v2;
        std::memcpy(&v4, block + place, sizeof v4);
        std::memcpy(&v2, block + place + 4, sizeof v2);
        v4 += w4 * value;
        v2 += w2 * value;
        std::memcpy(block + place, &v4, sizeof v4);
        std::memcpy(block + place + 4, &v2, sizeof v2);
    });
}

/// Adds a tile's block, with its halo, to the samples. What falls outside the tiles has no room
/// there and is dropped.
template <int D>
void add_power_block(const double* block, const Tiles<D>& tiles, int tile, double* out);

/// out_i = Σ_q K_qi value(q)[c] for each channel. Tiles of one parity class share no sample.
template <int D, std::size_t C, class Value>
void spread_power(const PowerKernel<D>& kernel, Value&& value, const std::array<double*, C>& out,
                  Context& context) {
    using Block = typename PowerKernel<D>::Block;
    const Tiles<D>& tiles = kernel.samples();
    for (std::size_t c = 0; c < C; ++c)
        for_range(context.arena, tiles.values(), std::size_t(1) << 15,
                  [&](std::size_t b, std::size_t e) { std::fill(out[c] + b, out[c] + e, 0.0); });
    for (const std::vector<int>& same : parity_classes(kernel.ranges))
        for_range(context.arena, same.size(), 2, [&](std::size_t b, std::size_t e) {
            std::vector<double> block(C * Block::kSize);
            for (std::size_t n = b; n < e; ++n) {
                std::fill(block.begin(), block.end(), 0.0);
                const int t = same[n];
                for (std::size_t i = kernel.ranges.first(t); i < kernel.ranges.last(t); ++i) {
                    const std::array<double, C> v = value(kernel.particle(i));
                    for (std::size_t c = 0; c < C; ++c)
                        deposit_power<D>(kernel.sites[i], v[c], block.data() + c * Block::kSize);
                }
                for (std::size_t c = 0; c < C; ++c)
                    add_power_block<D>(block.data() + c * Block::kSize, tiles, t, out[c]);
            }
        });
}

/// sink(q, sums) with sums[c] = Σ_i K_qi in[c]_i.
template <int D, std::size_t C, class Sink>
void collect_power(const PowerKernel<D>& kernel, const std::array<const double*, C>& in,
                   Sink&& sink, Context& context) {
    using Block = typename PowerKernel<D>::Block;
    const Tiles<D>& tiles = kernel.samples();
    for_range(context.arena, std::size_t(tiles.active()), 4, [&](std::size_t b, std::size_t e) {
        std::vector<Block> block(C);
        for (std::size_t n = b; n < e; ++n) {
            const int t = static_cast<int>(n);
            if (kernel.ranges.first(t) == kernel.ranges.last(t)) continue;
            for (std::size_t c = 0; c < C; ++c)
                load_halo<double, D, PowerKernel<D>::kReach>(in[c], tiles, t, block[c]);
            for (std::size_t i = kernel.ranges.first(t); i < kernel.ranges.last(t); ++i) {
                std::array<double, C> sums;
                for (std::size_t c = 0; c < C; ++c)
                    sums[c] = collect_power<D>(kernel.sites[i], block[c].v);
                sink(kernel.particle(i), sums);
            }
        }
    });
}

}  // namespace detail

}  // namespace spume
