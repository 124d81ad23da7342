// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/grid/filter.h"
#include "spume/methods/mixture/tension.h"

// The curvature of a fraction that particles make, and the filters that keep their noise out of it.

namespace spume::mixture {
namespace {

constexpr int kHalo = 2;
constexpr double kFlat = 1e-9;  // a fraction that changes less from cell to cell has no direction

template <int D>
using FractionBlock = HaloBlock<double, D, kHalo>;

/// Which cells of a block no water can enter: beyond walls, in solids. Returns whether any is.
template <int D, int R>
bool find_closed(const CutCells<D>& open, const GridDomain<D>& domain, int tile,
                 HaloBlock<std::uint8_t, D, R>& closed) {
    const Tiles<D>& tiles = *open.kind.tiles();
    load_halo(open.kind.read(), tiles, tile, closed);
    bool any = false;
    for (const std::uint8_t kind : closed.v) any = any || kind != kFluidCell;
    if (!any) return false;
    any = false;
    const Index<D> origin = tiles.origin(tile);
    for_halo<D, R>([&](const Index<D>& local) {
        Index<D> step{};
        bool beyond = false;
        for (int a = 0; a < D; ++a) {
            step[a] = local[a] < 0 ? -1 : local[a] >= kTileSide<D> ? 1 : 0;
            const int i = origin[a] + local[a];
            beyond = beyond || (domain.wall[a][0] && i < domain.cells.lo[a]) ||
                     (domain.wall[a][1] && i >= domain.cells.hi[a]);
        }
        std::uint8_t& kind = closed.v[closed.at(local)];
        const bool stored = tiles.is_active(tiles.neighbour(tile, step));
        kind = beyond || (stored && kind != kFluidCell);
        any = any || kind != 0;
    });
    return any;
}

/// Closed cells take the mean of the open ones beside them, or else of those around: the fraction
/// does not change towards a wall.
template <int D>
void continue_into_closed(FractionBlock<D>& phi, const HaloBlock<std::uint8_t, D, kHalo>& closed) {
    const FractionBlock<D> before = phi;
    for_halo<D, 1>([&](const Index<D>& local) {
        const int at = closed.at(local);
        if (!closed.v[at]) return;
        double near = 0, around = 0;
        int near_count = 0, around_count = 0;
        for (int n = 0; n < kTileNeighbours<D>; ++n) {
            int shift = 0, steps = 0;
            for (int a = D - 1, rest = n; a >= 0; --a, rest /= 3) {
                shift += (rest % 3 - 1) * phi.stride(a);
                steps += rest % 3 != 1;
            }
            if (closed.v[at + shift]) continue;
            around += before.v[at + shift], ++around_count;
            if (steps == 1) near += before.v[at + shift], ++near_count;
        }
        phi.v[at] = near_count > 0     ? near / near_count
                    : around_count > 0 ? around / around_count
                                       : 0;
    });
}

/// What each of the 3^D cells around one counts in the derivatives in its middle, times the voxel:
/// central differences, averaged along the other axes with (a, 1 − 2a, a), a = `of_first` or
/// `of_second`.
///
/// Bare differences (a = 0) prefer the axes. Across a flat surface, φ = f(n·x), their second-order
/// errors leave f⁗ s/4 in nᵀ H n − tr H, s = Σ_{a<b} n_a² n_b²: a curvature where there is none,
/// of opposite signs on the two sides. With averages 1 + τ ∂²/12 of ∂_a² and 1 + υ ∂² of ∂_a ∂_b
/// it is f⁗/12 [(3 − τ) s + (72 υ − 9 − 3 τ) q], q = n_x² n_y² n_z², and vanishes for τ = 3,
/// υ = ¼: both are (1 2 1)/4. Of the first differences (1 4 1)/6 makes the gradient of φ + ∇²φ/6,
/// the same in all directions.
template <int D>
struct Differences {
    double first[kTileNeighbours<D>][D], second[kTileNeighbours<D>][D][D];

    constexpr Differences(double of_first, double of_second) : first{}, second{} {
        const auto mean = [](double side, int step) { return step == 0 ? 1 - 2 * side : side; };
        for (int n = 0; n < kTileNeighbours<D>; ++n) {
            int step[D] = {};
            for (int a = D - 1, rest = n; a >= 0; --a, rest /= 3) step[a] = rest % 3 - 1;
            for (int a = 0; a < D; ++a) {
                first[n][a] = 0.5 * step[a];
                for (int b = 0; b < D; ++b) {
                    if (b != a) first[n][a] *= mean(of_first, step[b]);
                    second[n][a][b] = a != b ? 0.25 * step[a] * step[b] : (step[a] == 0 ? -2 : 1);
                    for (int c = 0; c < D; ++c)
                        if (c != a && c != b) second[n][a][b] *= mean(of_second, step[c]);
                }
            }
        }
    }
};

/// −∇·(∇φ/|∇φ|) times the voxel, by the chain rule from gradient g and Hessian H:
/// −(tr H − gᵀ H g / |g|²) / |g|.
template <int D>
double curvature_at(const Differences<D>& by, const double* phi) {
    double g[D] = {}, hessian[D][D] = {}, squared = 0, trace = 0, along = 0;
    for (int n = 0; n < kTileNeighbours<D>; ++n) {
        int shift = 0;
        for (int a = D - 1, rest = n; a >= 0; --a, rest /= 3)
            shift += (rest % 3 - 1) * FractionBlock<D>::stride(a);
        for (int a = 0; a < D; ++a) {
            g[a] += by.first[n][a] * phi[shift];
            for (int b = 0; b <= a; ++b) hessian[a][b] += by.second[n][a][b] * phi[shift];
        }
    }
    for (int a = 0; a < D; ++a) {
        squared += g[a] * g[a];
        trace += hessian[a][a];
        for (int b = 0; b <= a; ++b) along += (a == b ? 1 : 2) * g[a] * hessian[a][b] * g[b];
    }
    if (squared < kFlat * kFlat) return 0;
    return std::clamp((along / squared - trace) / std::sqrt(squared), -2.0, 2.0);
}

/// |∇φ|² times the voxel squared.
template <int D>
double steepness_at(const double* phi) {
    double sum = 0;
    for (int a = 0; a < D; ++a) {
        const int s = FractionBlock<D>::stride(a);
        const double g = 0.5 * (phi[s] - phi[-s]);
        sum += g * g;
    }
    return sum;
}

/// f(values around a cell) for each cell near air.
template <int D, class F>
CellField<double, D> by_stencil(const CellField<double, D>& fraction, const CutCells<D>& open,
                                const GridDomain<D>& domain, Context& context, F&& f) {
    Stage stage(context, "tension");
    const auto& tiles = fraction.tiles();
    CellField<double, D> r(tiles);
    double* out = r.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        FractionBlock<D> phi;
        load_halo(fraction.read(), *tiles, t, phi);
        if (std::all_of(phi.v, phi.v + phi.kSize, [](double v) { return v == 0; })) return;
        HaloBlock<std::uint8_t, D, kHalo> closed;
        if (find_closed(open, domain, t, closed)) continue_into_closed(phi, closed);
        for (int o = 0; o < kTileCells<D>; ++o)
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                f(phi.v + phi.at(tile_local<D>(o)));
    });
    return r;
}

/// f(a, b) in every cell.
template <int D, class F>
CellField<double, D> combined(const CellField<double, D>& a, const CellField<double, D>& b, F&& f,
                              Context& context) {
    Stage stage(context, "tension");
    auto r = CellField<double, D>::unwritten(a.tiles());
    double* out = r.write();
    const double *x = a.read(), *y = b.read();
    for_values(context.arena, *a.tiles(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = f(x[i], y[i]);
    });
    return r;
}

}  // namespace

template <int D>
CellField<double, D> curvature(const CellField<double, D>& fraction, bool averaged,
                               const CutCells<D>& open, const GridDomain<D>& domain,
                               Context& context) {
    static constexpr Differences<D> kBare(0, 0), kRound(1. / 6, 1. / 4);
    const double per_voxel = 1 / fraction.tiles()->voxel();
    return by_stencil(fraction, open, domain, context, [=](const double* phi) {
        return per_voxel * curvature_at(averaged ? kRound : kBare, phi);
    });
}

template <int D>
CellField<double, D> smoothed(CellField<double, D> fraction, int sweeps, const CutCells<D>& open,
                              const GridDomain<D>& domain, Context& context) {
    Stage stage(context, "tension");
    const auto between_open_cells = [&](int t, ExchangeFaces<double, D>& faces) {
        HaloBlock<std::uint8_t, D, 1> closed;
        if (!find_closed(open, domain, t, closed)) return false;
        faces.set([&](int a, int i) { return !closed.v[i] && !closed.v[i - closed.stride(a)]; });
        return true;
    };
    for (int n = 0; n < sweeps; ++n)
        fraction = filtered(fraction, 0.25, between_open_cells, context);
    return fraction;
}

template <int D>
CellField<double, D> without_noise(const CellField<double, D>& fraction, int sweeps,
                                   const CutCells<D>& open, const GridDomain<D>& domain,
                                   Context& context) {
    if (sweeps == 0) return fraction;
    auto soft = smoothed(fraction, sweeps, open, domain, context);
    auto rest = combined(
        fraction, soft, [](double phi, double s) { return phi - s; }, context);
    rest = smoothed(std::move(rest), sweeps, open, domain, context);
    return combined(
        soft, rest, [](double s, double r) { return s + r; }, context);
}

template <int D>
CellField<double, D> steep_mean(const CellField<double, D>& curvature,
                                const CellField<double, D>& fraction, const CutCells<D>& open,
                                const GridDomain<D>& domain, Context& context) {
    constexpr int kAround = 2;
    const auto weight = by_stencil(fraction, open, domain, context, steepness_at<D>);
    const auto total = smoothed(weight, kAround, open, domain, context);
    const auto mean = [&](const CellField<double, D>& kappa) {
        const auto sum = combined(
            kappa, weight, [](double k, double w) { return k * w; }, context);
        return combined(
            smoothed(sum, kAround, open, domain, context), total,
            [](double s, double w) { return w > kFlat * kFlat ? s / w : 0; }, context);
    };
    const auto once = mean(curvature);
    const auto lost = mean(combined(
        curvature, once, [](double kappa, double m) { return kappa - m; }, context));
    return combined(
        once, lost, [](double m, double l) { return m + l; }, context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template CellField<double, D> curvature<D>(                                                  \
        const CellField<double, D>&, bool, const CutCells<D>&, const GridDomain<D>&, Context&);  \
    template CellField<double, D> smoothed<D>(CellField<double, D>, int, const CutCells<D>&,     \
                                              const GridDomain<D>&, Context&);                   \
    template CellField<double, D> without_noise<D>(                                              \
        const CellField<double, D>&, int, const CutCells<D>&, const GridDomain<D>&, Context&);   \
    template CellField<double, D> steep_mean<D>(const CellField<double, D>&,                     \
                                                const CellField<double, D>&, const CutCells<D>&, \
                                                const GridDomain<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
