// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/tension.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "spume/grid/halo.h"
#include "spume/particles/transfer.h"

namespace spume {
namespace {

constexpr int kHalo = 2;
constexpr double kFlat = 1e-9;  // a fraction that changes less from cell to cell has no direction

template <int D>
using FractionBlock = HaloBlock<double, D, kHalo>;

/// f(local index) over a tile and `layers` of cells around it.
template <int D, class F>
void for_block(int layers, F&& f) {
    const int width = kTileSide<D> + 2 * layers,
              count = D == 2 ? width * width : width * width * width;
    for (int n = 0; n < count; ++n) {
        Index<D> local{};
        for (int a = D - 1, rest = n; a >= 0; --a, rest /= width) local[a] = rest % width - layers;
        f(local);
    }
}

/// Which cells of a block no water can enter: beyond walls, in solids. Returns whether any is.
template <int D>
bool find_closed(const Openings<D>& open, const Basin<D>& basin, int tile,
                 HaloBlock<std::uint8_t, D, kHalo>& closed) {
    const Tiles<D>& tiles = *open.kind.tiles();
    load_halo(open.kind.read(), tiles, tile, closed);
    bool any = false;
    for (const std::uint8_t kind : closed.v) any = any || kind != kFluidCell;
    if (!any) return false;
    any = false;
    const Index<D> origin = tiles.origin(tile);
    for_block<D>(kHalo, [&](const Index<D>& local) {
        Index<D> step{};
        bool beyond = false;
        for (int a = 0; a < D; ++a) {
            step[a] = local[a] < 0 ? -1 : local[a] >= kTileSide<D> ? 1 : 0;
            const int i = origin[a] + local[a];
            beyond = beyond || (basin.wall[a][0] && i < basin.cells.lo[a]) ||
                     (basin.wall[a][1] && i >= basin.cells.hi[a]);
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
    for_block<D>(1, [&](const Index<D>& local) {
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

/// −∇·(∇φ/|∇φ|) times the voxel, by the chain rule from gradient g and Hessian H:
/// −(tr H − gᵀ H g / |g|²) / |g|.
template <int D>
double curvature_at(const double* phi) {
    using Block = FractionBlock<D>;
    Vec<double, D> g{};
    double hessian[D][D], trace = 0;
    for (int a = 0; a < D; ++a) {
        const int s = Block::stride(a);
        g[a] = 0.5 * (phi[s] - phi[-s]);
        hessian[a][a] = phi[s] - 2 * phi[0] + phi[-s];
        trace += hessian[a][a];
        for (int b = 0; b < a; ++b) {
            const int r = Block::stride(b);
            hessian[a][b] = hessian[b][a] =
                0.25 * (phi[s + r] - phi[s - r] - phi[r - s] + phi[-s - r]);
        }
    }
    const double squared = dot(g, g);
    if (squared < kFlat * kFlat) return 0;
    double along = 0;
    for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) along += g[a] * hessian[a][b] * g[b];
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

/// The filter (1 2 1)/4 along each axis.
template <int D>
double mean_around(const double* phi) {
    double sum = 0;
    for (int n = 0; n < kTileNeighbours<D>; ++n) {
        int shift = 0;
        double weight = 1;
        for (int a = D - 1, rest = n; a >= 0; --a, rest /= 3) {
            shift += (rest % 3 - 1) * FractionBlock<D>::stride(a);
            weight *= rest % 3 == 1 ? 0.5 : 0.25;
        }
        sum += weight * phi[shift];
    }
    return sum;
}

/// f(values around a cell) for each cell near air.
template <int D, class F>
CellField<double, D> by_stencil(const CellField<double, D>& fraction, const Openings<D>& open,
                                const Basin<D>& basin, Context& context, F&& f) {
    Stage stage(context, "tension");
    const auto& tiles = fraction.tiles();
    CellField<double, D> r(tiles);
    double* out = r.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        FractionBlock<D> phi;
        load_halo(fraction.read(), *tiles, t, phi);
        if (std::all_of(phi.v, phi.v + phi.kSize, [](double v) { return v == 0; })) return;
        HaloBlock<std::uint8_t, D, kHalo> closed;
        if (find_closed(open, basin, t, closed)) continue_into_closed(phi, closed);
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

/// Sums over the faces of a pocket, or over those in one tile.
template <int D>
struct PocketSum {
    std::int32_t pocket = 0;
    Vec<double, D> force{}, faces{};
    bool held = false;  ///< touches something closed

    void add(const PocketSum& other) {
        force += other.force, faces += other.faces;
        held = held || other.held;
    }
};

}  // namespace

double max_tension_dt(double coefficient, double water_density, double air_density, double voxel) {
    if (coefficient <= 0) return std::numeric_limits<double>::infinity();
    return std::sqrt((water_density + air_density) * voxel * voxel * voxel /
                     (4 * std::numbers::pi * coefficient));
}

template <int D>
CellField<double, D> curvature(const CellField<double, D>& fraction, const Openings<D>& open,
                               const Basin<D>& basin, Context& context) {
    const double per_voxel = 1 / fraction.tiles()->voxel();
    return by_stencil(fraction, open, basin, context,
                      [=](const double* phi) { return per_voxel * curvature_at<D>(phi); });
}

template <int D>
CellField<double, D> smoothed(CellField<double, D> fraction, int sweeps, const Openings<D>& open,
                              const Basin<D>& basin, Context& context) {
    for (int n = 0; n < sweeps; ++n)
        fraction = by_stencil(fraction, open, basin, context, mean_around<D>);
    return fraction;
}

template <int D>
CellField<double, D> without_noise(const CellField<double, D>& fraction, int sweeps,
                                   const Openings<D>& open, const Basin<D>& basin,
                                   Context& context) {
    if (sweeps == 0) return fraction;
    auto soft = smoothed(fraction, sweeps, open, basin, context);
    auto rest = combined(
        fraction, soft, [](double phi, double s) { return phi - s; }, context);
    rest = smoothed(std::move(rest), sweeps, open, basin, context);
    return combined(
        soft, rest, [](double s, double r) { return s + r; }, context);
}

template <int D>
CellField<double, D> steep_mean(const CellField<double, D>& curvature,
                                const CellField<double, D>& fraction, const Openings<D>& open,
                                const Basin<D>& basin, Context& context) {
    constexpr int kAround = 2;
    auto weight = by_stencil(fraction, open, basin, context, steepness_at<D>);
    auto sum = combined(
        curvature, weight, [](double kappa, double w) { return kappa * w; }, context);
    sum = smoothed(std::move(sum), kAround, open, basin, context);
    weight = smoothed(std::move(weight), kAround, open, basin, context);
    return combined(
        sum, weight, [](double s, double w) { return w > kFlat * kFlat ? s / w : 0; }, context);
}

template <int D>
FaceField<double, D> tension_on_faces(const CellField<double, D>& fraction,
                                      const CellField<double, D>& curvature, double coefficient,
                                      const Openings<D>& open, Context& context) {
    Stage stage(context, "tension");
    const auto& tiles = fraction.tiles();
    FaceField<double, D> r(tiles);
    const double *phi = fraction.read(), *kappa = curvature.read();
    const std::uint8_t* kind = open.kind.read();
    const double scale = coefficient / (2 * tiles->voxel());
    for (int a = 0; a < D; ++a) {
        double* out = r.write(a);
        for_face_pairs(context.arena, *tiles, a, [&](std::size_t at, std::size_t below) {
            if (kind[at] == kFluidCell && kind[below] == kFluidCell)
                out[at] = scale * (kappa[at] + kappa[below]) * (phi[at] - phi[below]);
        });
    }
    return r;
}

template <int D>
std::vector<Vec<double, D>> compensate_drift(FaceField<double, D>& force, const Pockets<D>& pockets,
                                             const Openings<D>& open, Context& context) {
    Stage stage(context, "pockets");
    const Tiles<D>& tiles = *force.tiles();
    std::vector<std::vector<PocketSum<D>>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        auto& own = parts[std::size_t(t)];
        for_pocket_faces(pockets, t, [&](int axis, std::size_t face, std::int32_t pocket) {
            auto sum = std::find_if(own.rbegin(), own.rend(),
                                    [&](const PocketSum<D>& s) { return s.pocket == pocket; });
            PocketSum<D>& to = sum != own.rend() ? *sum : own.emplace_back();
            to.pocket = pocket;
            to.force[axis] += force.read(axis)[face];
            to.faces[axis] += 1;
            to.held = to.held || open.area.read(axis)[face] < 1;
        });
    });
    std::vector<PocketSum<D>> sums(std::size_t(pockets.count) + 1);
    for (const auto& own : parts)
        for (const PocketSum<D>& part : own) sums[std::size_t(part.pocket)].add(part);

    std::vector<Vec<double, D>> chi(sums.size());
    for (std::size_t n = 1; n < sums.size(); ++n)
        for (int a = 0; a < D && !sums[n].held; ++a)
            chi[n][a] = sums[n].force[a] / sums[n].faces[a];
    double* out[D];
    for (int a = 0; a < D; ++a) out[a] = force.write(a);
    for_tiles(context.arena, tiles, [&](int t) {
        for_pocket_faces(pockets, t, [&](int axis, std::size_t face, std::int32_t pocket) {
            out[axis][face] -= chi[std::size_t(pocket)][axis];
        });
    });
    return chi;
}

template <int D>
FaceField<double, D> surface_tension(const MixtureFaces<D>& mixture, const TensionLaw& law,
                                     const Openings<D>& open, const Basin<D>& basin,
                                     Context& context) {
    if (law.coefficient <= 0) return {};
    const auto isolated =
        law.filter ? isolated_cells(mixture.bubble, context) : CellField<std::int32_t, D>{};
    const auto fraction = cell_fraction(mixture.bubble, isolated, context);
    const auto soft = without_noise(fraction, law.smoothing, open, basin, context);
    auto bend = curvature(soft, open, basin, context);
    if (law.smoothing > 0) bend = steep_mean(bend, soft, open, basin, context);
    auto force = tension_on_faces(fraction, bend, law.coefficient, open, context);
    if (law.compensate) compensate_drift(force, pockets_of(fraction, context), open, context);
    return force;
}

template <int D>
MixtureForce<D> shared_force(FaceField<double, D> force, const TensionLaw& law,
                             const Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                             const TileRanges<D>& ranges, const Basin<D>& basin, Context& context) {
    if (!force.tiles()) return {};
    Stage stage(context, "tension");
    MixtureForce<D> r{force, force, force};
    if (law.clamped)
        for (int a = 0; a < D; ++a) {
            const double *bar = mixture.unclamped.read(a), *phi = mixture.bubble.read(a);
            double* f = r.bubbles.write(a);
            for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
                for (std::size_t i = b; i < e; ++i) f[i] *= bar[i] > 0 ? phi[i] / bar[i] : 1;
            });
        }
    if (law.on_faces) return r;

    // Eq. 22 instead of Eq. 51: the force comes back to the faces by way of the particles.
    Array<Vec<double, D>> pull;
    pull.resize_discard(bubbles.size());
    auto at = pull.write();
    gather_from_faces<double, D>(
        bubbles.position.read(), ranges, basin.clamp(), r.bubbles,
        [&](std::size_t q, const Vec<double, D>& f) { at[q] = f; }, context);
    std::array<FaceField<double, D>, 1> sums;
    const double per_face = 1 / basin.cell_volume();
    scatter_to_faces<double, D, 1>(
        bubbles.position.read(), ranges, basin.clamp(),
        [&](std::size_t q, int axis) {
            return std::array<double, 1>{mixture.volume[q] * per_face * at[q][axis]};
        },
        sums, context);
    r.carried = std::move(sums[0]);
    for (int a = 0; a < D; ++a) {
        const double* bar = mixture.unclamped.read(a);
        double* f = r.carried.write(a);
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) f[i] = bar[i] > 0 ? f[i] / bar[i] : 0;
        });
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template CellField<double, D> curvature<D>(const CellField<double, D>&, const Openings<D>&,    \
                                               const Basin<D>&, Context&);                         \
    template CellField<double, D> smoothed<D>(CellField<double, D>, int, const Openings<D>&,       \
                                              const Basin<D>&, Context&);                          \
    template CellField<double, D> without_noise<D>(const CellField<double, D>&, int,               \
                                                   const Openings<D>&, const Basin<D>&, Context&); \
    template CellField<double, D> steep_mean<D>(const CellField<double, D>&,                       \
                                                const CellField<double, D>&, const Openings<D>&,   \
                                                const Basin<D>&, Context&);                        \
    template FaceField<double, D> tension_on_faces<D>(const CellField<double, D>&,                 \
                                                      const CellField<double, D>&, double,         \
                                                      const Openings<D>&, Context&);               \
    template std::vector<Vec<double, D>> compensate_drift<D>(                                      \
        FaceField<double, D>&, const Pockets<D>&, const Openings<D>&, Context&);                   \
    template FaceField<double, D> surface_tension<D>(                                              \
        const MixtureFaces<D>&, const TensionLaw&, const Openings<D>&, const Basin<D>&, Context&); \
    template MixtureForce<D> shared_force<D>(FaceField<double, D>, const TensionLaw&,              \
                                             const Bubbles<D>&, const MixtureFaces<D>&,            \
                                             const TileRanges<D>&, const Basin<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
