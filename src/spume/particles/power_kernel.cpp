// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/particles/power_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/grid/topology.h"
#include "spume/particles/power_resume.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 4096;

/// Tiles of samples near a particle, below active tiles of the simulation.
template <int D>
typename Tiles<D>::Ptr sample_tiles(std::span<const Point<D>> positions, const Tiles<D>& cells,
                                    Context& context) {
    const Transform<D> fine{cells.voxel() / 2, cells.transform().origin};
    const Box<int, D> everywhere{Index<D>::filled(-(1 << 22)), Index<D>::filled(1 << 22)};
    auto keys =
        tiles_around<D>(positions, fine, PowerKernel<D>::kReach + 1, 0, everywhere, context);
    std::erase_if(keys, [&](const Index<D>& k) {
        Index<D> above{};
        for (int a = 0; a < D; ++a) above[a] = k[a] >> 1;
        return !cells.is_active(cells.find(above));
    });
    return Tiles<D>::build(std::move(keys), fine);
}

template <int D>
typename PowerKernel<D>::Site site_of(const Point<D>& x, const Tiles<D>& samples, int tile) {
    // K = exp(−(d h/2)² / (h/3)²), d in samples.
    constexpr double kSteep = 9.0 / 4;
    typename PowerKernel<D>::Site r;
    const Point<D> u = samples.transform().to_lattice(x);
    const Index<D> origin = samples.origin(tile);
    for (int a = 0; a < D; ++a) {
        const double below = std::floor(u[a] - 0.5);
        r.offset[a] = u[a] - 0.5 - below;
        r.place[a] = static_cast<int>(below) - 2 - origin[a];
        // Rounding may set a particle just beyond the tile it was sorted into.
        r.place[a] = std::clamp(r.place[a], -3, kTileSide<D> - 3);
        for (int k = 0; k < PowerKernel<D>::kWide; ++k) {
            const double d = k - 2 - r.offset[a];
            r.factor[a][k] = math::exp(-kSteep * d * d);
        }
    }
    return r;
}

template <int D>
Array<typename PowerKernel<D>::Site> sites_of(std::span<const Point<D>> positions,
                                              const PowerKernel<D>& kernel, Context& context) {
    Array<typename PowerKernel<D>::Site> sites;
    sites.resize_discard(positions.size());
    auto* out = sites.write().data();
    for_tiles(context.arena, kernel.samples(), [&](int t) {
        for (std::size_t i = kernel.ranges.first(t); i < kernel.ranges.last(t); ++i)
            out[i] = site_of<D>(positions[kernel.particle(i)], kernel.samples(), t);
    });
    return sites;
}

/// One where air may be, zero behind walls.
template <int D>
Array<double> free_room(const Tiles<D>& samples, const Clamp<D>& clamp, Context& context) {
    Array<double> room(samples.values(), 0.0);
    double* out = room.write().data();
    for_tiles(context.arena, samples, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> i = samples.origin(t) + tile_local<D>(o);
            bool inside = true;
            for (int a = 0; a < D; ++a) {
                const double u = 0.5 * (i[a] + 0.5);  // in cells
                inside = inside && u > clamp.lo[a] && u < clamp.hi[a];
            }
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = inside;
        }
    });
    return room;
}

/// s_q = V_q / Σ_i t_i K_qi V_i; kept as s_q V_i / V_q, which makes no use of the volumes.
template <int D>
void scale_particles(PowerKernel<D>& kernel, Context& context) {
    double* scale = kernel.scale.write().data();
    detail::collect_power<D, 1>(
        kernel, {kernel.room.data()},
        [&](std::size_t q, const std::array<double, 1>& sum) {
            scale[q] = sum[0] > 0 ? 1 / sum[0] : 0;
        },
        context);
}

/// From t towards min(1, 1/Σ), and beyond: t (wanted/t)^ω with ω = 7/4. Over-relaxation in the
/// logarithm saves four turns of ten; its end is the same.
double relaxed(double t, double wanted) {
    const double change = wanted / t, root = std::sqrt(change);
    return std::min(1.0, wanted * root * std::sqrt(root));
}

struct Fullness {
    double most = 0, over = 0;
};

constexpr double kBelieved = 0.75;  // of an earlier scale

/// Scales and room from those of an earlier kernel: t_i = min(1, 1/Σ_q s_q K_qi), then s_q.
template <int D>
void resume(PowerKernel<D>& kernel, std::span<const float> start, std::span<const double> volumes,
            double sample, Array<double>& taken, Context& context) {
    double* scale = kernel.scale.write().data();
    for_range(context.arena, start.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q)
            if (start[q] > 0) scale[q] += kBelieved * (double(start[q]) - scale[q]);
    });
    double* sum = taken.write().data();
    detail::spread_power<D, 1>(
        kernel,
        [&](std::size_t q) { return std::array<double, 1>{scale[q] * volumes[q] / sample}; }, {sum},
        context);
    double* room = kernel.room.write().data();
    for_values(context.arena, kernel.samples(), [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) room[i] = sum[i] > 1 ? room[i] / sum[i] : room[i];
    });
    scale_particles(kernel, context);
}

}  // namespace

template <int D>
void detail::add_power_block(const double* block, const Tiles<D>& tiles, int tile, double* out) {
    using Block = typename PowerKernel<D>::Block;
    constexpr int kS = kTileSide<D>, kR = PowerKernel<D>::kReach;
    for (int code = 0; code < kTileNeighbours<D>; ++code) {
        const int to = tiles.neighbours(tile)[code];
        if (!tiles.is_active(to)) continue;
        int from[3] = {0, 0, 0}, at[3] = {0, 0, 0}, count[3] = {1, 1, 1};
        for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) {
            const int step = rest % 3 - 1;
            from[a] = step < 0 ? 0 : step == 0 ? kR : kS + kR;
            at[a] = step < 0 ? kS - kR : 0;
            count[a] = step == 0 ? kS : kR;
        }
        double* target = out + std::size_t(to) * kTileCells<D>;
        for (int i = 0; i < count[0]; ++i)
            for (int j = 0; j < (D == 2 ? 1 : count[1]); ++j) {
                const int source =
                    D == 2 ? (from[0] + i) * Block::kSide + from[1]
                           : ((from[0] + i) * Block::kSide + from[1] + j) * Block::kSide + from[2];
                const int place =
                    D == 2 ? (at[0] + i) * kS + at[1] : ((at[0] + i) * kS + at[1] + j) * kS + at[2];
                for (int k = 0; k < count[D - 1]; ++k) target[place + k] += block[source + k];
            }
    }
}

template <int D>
std::shared_ptr<const PowerKernel<D>> resumed_power_kernel(
    std::span<const Point<D>> positions, std::span<const double> volumes,
    std::span<const float> start, const TileRanges<D>& ranges, const Clamp<D>& clamp,
    const PowerOptions& options, PowerReport& report, Context& context) {
    Stage stage(context, "power");
    auto kernel = std::make_shared<PowerKernel<D>>();
    const auto samples = sample_tiles<D>(positions, *ranges.tiles, context);
    Array<std::uint64_t> ids;  // particles are sorted already: their places are names enough
    ids.resize_discard(positions.size());
    auto id = ids.write();
    for (std::size_t q = 0; q < id.size(); ++q) id[q] = q;
    // In samples: the walls lie twice as far.
    const Clamp<D> fine{clamp.lo * 2.0, clamp.hi * 2.0};
    TileOrder<D> sorted = tile_order<D>(positions, ids.read(), samples, fine, context);
    kernel->order = std::move(sorted.order);
    kernel->ranges = std::move(sorted.ranges);
    kernel->sites = sites_of<D>(positions, *kernel, context);
    kernel->scale.resize_discard(positions.size());
    kernel->room = free_room<D>(*samples, clamp, context);
    const Array<double> free = kernel->room;
    Array<double> taken(samples->values(), 0.0);

    const double sample = [&] {
        double v = 1;
        for (int a = 0; a < D; ++a) v *= samples->voxel();
        return v;
    }();
    scale_particles(*kernel, context);
    if (std::any_of(start.begin(), start.end(), [](float s) { return s > 0; }))
        resume(*kernel, start, volumes, sample, taken, context);
    for (report.iterations = 1;; ++report.iterations) {
        double* sum = taken.write().data();
        const double* scale = kernel->scale.data();
        detail::spread_power<D, 1>(
            *kernel,
            [&](std::size_t q) { return std::array<double, 1>{scale[q] * volumes[q] / sample}; },
            {sum}, context);
        double* room = kernel->room.write().data();
        const Fullness full = reduce_tiles<D>(
            context.arena, *samples, Fullness{},
            [&](int t) {
                Fullness f;
                for (int o = 0; o < kTileCells<D>; ++o) {
                    const std::size_t i = std::size_t(t) * kTileCells<D> + std::size_t(o);
                    const double fraction = sum[i] * room[i];
                    f.most = std::max(f.most, fraction);
                    f.over += std::max(fraction - 1, 0.0);
                }
                return f;
            },
            [](const Fullness& a, const Fullness& b) {
                return Fullness{std::max(a.most, b.most), a.over + b.over};
            });
        report.excess = std::max(full.most - 1, 0.0);
        report.volume = full.over * sample;
        if (report.excess <= options.tolerance || report.iterations > options.max_iterations) break;
        for_values(context.arena, *samples, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                if (free[i] > 0) room[i] = relaxed(room[i], sum[i] > 1 ? 1 / sum[i] : 1);
        });
        scale_particles(*kernel, context);
    }
    return kernel;
}

template <int D>
std::shared_ptr<const PowerKernel<D>> power_kernel(std::span<const Point<D>> positions,
                                                   std::span<const double> volumes,
                                                   const TileRanges<D>& ranges,
                                                   const Clamp<D>& clamp,
                                                   const PowerOptions& options, PowerReport& report,
                                                   Context& context) {
    return resumed_power_kernel<D>(positions, volumes, {}, ranges, clamp, options, report, context);
}

template <int D>
Array<Point<D>> centroids(const PowerKernel<D>& kernel, Context& context) {
    Stage stage(context, "power");
    const Tiles<D>& samples = kernel.samples();
    Array<double> moment[D];
    std::array<const double*, D> in;
    for (int a = 0; a < D; ++a) {
        moment[a] = Array<double>(samples.values(), 0.0);
        double* out = moment[a].write().data();
        in[std::size_t(a)] = out;
        for_tiles(context.arena, samples, [&](int t) {
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::size_t i = std::size_t(t) * kTileCells<D> + std::size_t(o);
                const double u = samples.origin(t)[a] + tile_local<D>(o)[a] + 0.5;
                out[i] = kernel.room[i] * (samples.transform().origin[a] + u * samples.voxel());
            }
        });
    }
    Array<Point<D>> result;
    result.resize_discard(kernel.sites.size());
    auto out = result.write();
    detail::collect_power<D, D>(
        kernel, in,
        [&](std::size_t q, const std::array<double, D>& sum) {
            for (int a = 0; a < D; ++a) out[q][a] = sum[std::size_t(a)] * kernel.scale[q];
        },
        context);
    return result;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template void detail::add_power_block<D>(const double*, const Tiles<D>&, int, double*);        \
    template std::shared_ptr<const PowerKernel<D>> power_kernel<D>(                                \
        std::span<const Point<D>>, std::span<const double>, const TileRanges<D>&, const Clamp<D>&, \
        const PowerOptions&, PowerReport&, Context&);                                              \
    template std::shared_ptr<const PowerKernel<D>> resumed_power_kernel<D>(                        \
        std::span<const Point<D>>, std::span<const double>, std::span<const float>,                \
        const TileRanges<D>&, const Clamp<D>&, const PowerOptions&, PowerReport&, Context&);       \
    template Array<Point<D>> centroids<D>(const PowerKernel<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
