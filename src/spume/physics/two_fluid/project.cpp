// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/two_fluid/project.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spume/grid/face_values.h"
#include "spume/solve/lanes.h"

namespace spume {
namespace {

// Where there is less water than this, its velocity is the air's: left alone it would fall freely
// in air that is at rest, and reach the water around.
constexpr double kDry = 1e-3;

/// Outward flux per volume of all cells of a tile, from the fluxes on its faces.
template <int D>
void cell_fluxes(const FaceField<double, D>& flux, int tile, double* out) {
    constexpr int kS = kTileSide<D>;
    const Tiles<D>& tiles = *flux.tiles();
    const double per_voxel = 1 / tiles.voxel();
    std::fill_n(out, kTileCells<D>, 0.0);
    for (int a = 0; a < D; ++a) {
        const int stride = tile_stride<D>(a), block = stride * kS;
        const double* own = flux.tile(a, tile);
        const double* next = flux.tile(a, tiles.neighbour(tile, Index<D>::unit(a)));
        // Blocks of `block` values run along the axis and faster ones; their last layer looks into
        // the next tile.
        for (int first = 0; first < kTileCells<D>; first += block) {
            const int last = first + block - stride;
            for (int o = first; o < last; ++o) out[o] += own[o + stride] - own[o];
            for (int o = last; o < last + stride; ++o)
                out[o] += next[o - (kS - 1) * stride] - own[o];
        }
    }
    for (int o = 0; o < kTileCells<D>; ++o) out[o] *= per_voxel;
}

/// Flux of the mixture before the projection, hydrostatic pressure already taken off, and the
/// coefficient with which the flux answers a pressure difference; faces across one axis.
struct AssembleFaces {
    double theta, dt, rest, scale;
    const float* area;
    const double *solid, *u_w, *rho_w, *u_b, *rho_b, *phi_b, *phi_w;
    double *flux, *coefficient;

    void operator()(std::size_t begin, std::size_t end) const {
        const AssembleFaces f = *this;  // what the loop writes must not seem to change it
#pragma GCC ivdep
        for (std::size_t i = begin; i < end; ++i) {
            const double open = double(f.area[i]);
            const double mobility = f.theta * f.phi_b[i] / f.rho_b[i] + f.phi_w[i] / f.rho_w[i];
            const double mixed =
                f.phi_b[i] * f.u_b[i] + f.phi_w[i] * f.u_w[i] - f.dt * mobility * f.rest;
            f.flux[i] = open * mixed + (1 - open) * f.solid[i];
            f.coefficient[i] = open * mobility * f.scale;
        }
    }
};

/// Per active tile: are all its cells fluid?
template <int D>
std::vector<std::uint8_t> full_tiles(const CellField<std::uint8_t, D>& kind, Context& context) {
    std::vector<std::uint8_t> full(std::size_t(kind.tiles()->active()));
    for_tiles(context.arena, *kind.tiles(), [&](int t) {
        const std::uint8_t* k = kind.tile(t);
        bool all = true;
        for (int o = 0; o < kTileCells<D>; ++o) all &= k[o] == kFluidCell;
        full[std::size_t(t)] = all;
    });
    return full;
}

/// Sums, over the faces of the cells of one tile, the coefficients towards cells that are not
/// fluid; `out` is zero before.
template <int D>
void sum_border(const PressureSystem<D>& system, const std::vector<std::uint8_t>& full, int t,
                double* out) {
    const Tiles<D>& tiles = *system.tiles;
    const auto is_full = [&](int n) { return tiles.is_active(n) && full[std::size_t(n)]; };
    const auto fluid = [&](int n, int o) {
        return tiles.is_active(n) && system.kind.at(n, o) == kFluidCell;
    };
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            const int stride = tile_stride<D>(a), block = stride * kTileSide<D>;
            const int step = side ? stride : -stride, wrap = side ? -block : block;
            const int next = tiles.neighbour(t, Index<D>::unit(a, side ? 1 : -1));
            const auto add = [&](int o, int n, int at) {
                if (fluid(t, o) && !fluid(n, at))
                    out[o] +=
                        side ? system.coefficient.at(a, n, at) : system.coefficient.at(a, t, o);
            };
            for (int first = 0; first < kTileCells<D>; first += block) {
                const int layer = side ? first + block - stride : first;  // beside the next tile
                for (int o = layer; o < layer + stride && !(is_full(t) && is_full(next)); ++o)
                    add(o, next, o + step + wrap);
                const int inner = side ? first : first + stride;
                for (int o = inner; o < inner + block - stride && !is_full(t); ++o)
                    add(o, t, o + step);
            }
        }
}

/// Open faces without a fluid cell on the other side look at water at rest: p′ = 0 there.
template <int D>
void add_border(PressureSystem<D>& system, const std::vector<std::uint8_t>& full,
                Context& context) {
    system.diagonal_extra = CellField<double, D>::unwritten(system.tiles);
    double* extra = system.diagonal_extra.write();
    for_tiles(context.arena, *system.tiles, [&](int t) {
        double* out = extra + std::size_t(t) * kTileCells<D>;
        std::fill_n(out, kTileCells<D>, 0.0);
        sum_border(system, full, t, out);
    });
}

/// What the projections of a loop share, but for coefficients and right-hand side.
template <int D>
void begin_system(ProjectionSystem<D>& r, const CutCells<D>& open, Context& context) {
    PressureSystem<D>& system = r.system;
    system.tiles = open.kind.tiles();
    system.kind = open.kind;
    system.coefficient = FaceField<double, D>::unwritten(system.tiles);
    system.rhs = CellField<double, D>::unwritten(system.tiles);
    r.full = full_tiles(open.kind, context);
}

/// Outward flux per volume that crowded air asks for. Where particles hold φ̄_b > φ_max, the grid
/// cuts the excess off, and nothing would ever part them: with ∇·u = s (φ̄_b − φ_max) / φ_max their
/// fraction falls to φ_max at the rate s. Mean over the cell's faces; all cells of a tile.
template <int D>
void add_spreading(const MixtureFaces<D>& mixture, const Coupling<D>& coupling, int tile,
                   double factor, double* out) {
    constexpr int kS = kTileSide<D>;
    const Tiles<D>& tiles = *mixture.bubble.tiles();
    const double scale = factor * coupling.spreading / (coupling.max_fraction * 2 * D);
    for (int a = 0; a < D; ++a) {
        const int stride = tile_stride<D>(a);
        const int next = tiles.neighbour(tile, Index<D>::unit(a));
        const auto excess = [&](int t, int o) {
            return mixture.unclamped.at(a, t, o) - mixture.bubble.at(a, t, o);
        };
        for (int o = 0; o < kTileCells<D>; ++o) {
            const bool edge = tile_local<D>(o)[a] == kS - 1;
            out[o] += scale * (excess(tile, o) + (edge ? excess(next, o - (kS - 1) * stride)
                                                       : excess(tile, o + stride)));
        }
    }
}

/// Flux before the projection, and from it the right-hand side; coefficients and diagonal.
template <int D>
FaceField<double, D> assembled(ProjectionSystem<D>& r, const Prediction<D>& prediction,
                               const MixtureFaces<D>& mixture, const CutCells<D>& open,
                               const Coupling<D>& coupling, bool same_matrix, Context& context) {
    PressureSystem<D>& system = r.system;
    auto flux = zero_borders<double, D>(system.tiles, context);
    const double h = system.tiles->voxel();
    for (int a = 0; a < D; ++a)
        for_face_values(
            context.arena, *system.tiles, a,
            AssembleFaces{coupling.inertia(), coupling.dt, coupling.hydrostatic_gradient()[a],
                          coupling.dt / (h * h), open.area.read(a), open.velocity.read(a),
                          prediction.water.read(a), prediction.water_density.read(a),
                          prediction.bubble.read(a), prediction.bubble_density.read(a),
                          mixture.bubble.read(a), mixture.water.read(a), flux.write(a),
                          system.coefficient.write(a)});
    if (!same_matrix) add_border(system, r.full, context);
    double* b = system.rhs.write();
    for_tiles(context.arena, *system.tiles, [&](int t) {
        double* rhs = b + std::size_t(t) * kTileCells<D>;
        cell_fluxes(flux, t, rhs);
        for (int o = 0; o < kTileCells<D>; ++o) rhs[o] = -rhs[o];
        if (coupling.spreading > 0) add_spreading(mixture, coupling, t, 1.0, rhs);
    });
    return flux;
}

/// Pressure taken off the mixture's flux and off the water; faces across one axis.
struct ProjectFaces {
    double h, dt, rest;
    const float* area;
    const double *p, *coefficient, *solid, *u_w, *rho_w, *u_b, *rho_b, *phi_w;
    double *water, *flux;

    /// Faces from `begin`: `below` and `touches` (1 where a cell beside the face is fluid) count
    /// from there.
    template <bool kBodies>
    void run(std::size_t begin, std::size_t end, const double* below, const double* touches) const {
        std::size_t i = begin;
        for (; i + kDoubleLanes <= end; i += kDoubleLanes) {
            const Doubles open = __builtin_convertvector(half_lanes(area + i), Doubles);
            step<kBodies>(
                i, open, lanes(below + (i - begin)), lanes(touches + (i - begin)),
                [](auto* at) -> auto& { return lanes(at); });
        }
        for (; i < end; ++i)
            step<kBodies>(
                i, double(area[i]), below[i - begin], touches[i - begin],
                [](auto* at) -> auto& { return *at; });
    }

  private:
    /// One face, or as many as a register holds: at(pointer) is the value or values there.
    template <bool kBodies, class Real, class At>
    inline __attribute__((always_inline)) void step(std::size_t i, const Real& open,
                                                    const Real& under, const Real& touched,
                                                    At&& at) const {
        const Real none = Real{}, one = none + 1.0, wet = at(phi_w + i);
        const Real difference = at(p + i) - under;
        at(flux + i) -= at(coefficient + i) * h * difference;
        const Real gradient = rest + difference / h;
        const Real by_air = at(u_b + i) - dt / at(rho_b + i) * gradient;
        const Real by_water = at(u_w + i) - dt / at(rho_w + i) * gradient;
        const Real own = touched > none ? by_water : none;
        Real degree = none;
        if constexpr (kBodies) {
            // The same as in dry faces, by degrees, for bodies of air that the grid resolves. The
            // pressure hardly sees the little water in faces full of air, and nothing else holds
            // it. See resolved_share.
            const Real air = 1.0 - wet, above = air > one / 2 ? 2.0 * air - 1.0 : none;
            degree = above * above;
        }
        const Real with_air = wet < one * kDry ? one : degree;
        const Real moving = own + with_air * (by_air - own);
        at(water + i) = open == none ? at(solid + i) : moving;
    }
};

template <int D>
void take_off_pressure(FaceField<double, D>& water, FaceField<double, D>& flux,
                       const CellField<double, D>& deviation, const PressureSystem<D>& system,
                       const Prediction<D>& prediction, const MixtureFaces<D>& mixture,
                       const CutCells<D>& open, const Coupling<D>& coupling,
                       const std::vector<std::uint8_t>& full, Context& context) {
    const Tiles<D>& tiles = *system.tiles;
    constexpr std::size_t kCells = kTileCells<D>;
    const std::uint8_t* kind = open.kind.read();
    for (int a = 0; a < D; ++a) {
        const ProjectFaces faces{tiles.voxel(),
                                 coupling.dt,
                                 coupling.hydrostatic_gradient()[a],
                                 open.area.read(a),
                                 deviation.read(),
                                 system.coefficient.read(a),
                                 open.velocity.read(a),
                                 prediction.water.read(a),
                                 prediction.water_density.read(a),
                                 prediction.bubble.read(a),
                                 prediction.bubble_density.read(a),
                                 mixture.water.read(a),
                                 water.write(a),
                                 flux.write(a)};
        const auto project_run = [&](std::size_t begin, std::size_t end, const double* below) {
            double touches[kCells];
            std::fill_n(touches, end - begin, 1.0);
            const int t = int(begin / kCells);
            if (tiles.is_active(t) && !full[std::size_t(t)]) {
                std::uint8_t lower[kCells];
                load_below<std::uint8_t, D>(kind, tiles, t, a, lower);
                for (std::size_t i = 0; i < kCells; ++i)
                    touches[i] = kind[begin + i] == kFluidCell || lower[i] == kFluidCell;
            } else if (!tiles.is_active(t)) {
                const int under = tiles.find(tiles.key(t) - Index<D>::unit(a));
                const std::size_t up = std::size_t((kTileSide<D> - 1) * tile_stride<D>(a));
                const std::uint8_t* lower =
                    kind + std::size_t(under) * kCells + begin % kCells + up;
                for (std::size_t i = 0; i < end - begin; ++i)
                    touches[i] = kind[begin + i] == kFluidCell || lower[i] == kFluidCell;
            }
            coupling.resolved_air ? faces.template run<true>(begin, end, below, touches)
                                  : faces.template run<false>(begin, end, below, touches);
        };
        for_faces_above(context.arena, tiles, a, deviation.read(), project_run);
    }
}

template <int D>
double largest_flux(const FaceField<double, D>& flux, const CellField<std::uint8_t, D>& kind,
                    const MixtureFaces<D>& mixture, const Coupling<D>& coupling, Context& context) {
    return reduce_tiles<D>(
        context.arena, *flux.tiles(), 0.0,
        [&](int t) {
            double out[kTileCells<D>], most = 0;
            cell_fluxes(flux, t, out);
            if (coupling.spreading > 0) add_spreading(mixture, coupling, t, -1.0, out);
            for (int o = 0; o < kTileCells<D>; ++o)
                most = std::max(most, kind.at(t, o) == kFluidCell ? std::abs(out[o]) : 0.0);
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
}

}  // namespace

template <int D>
ProjectionReport<D> project(FaceField<double, D>& water, CellField<double, D>& deviation,
                            const Prediction<D>& prediction, const MixtureFaces<D>& mixture,
                            const CutCells<D>& open, const Coupling<D>& coupling,
                            ProjectionSystem<D>& last, PressureSolver<D>& solver,
                            const SolverOptions& options, Context& context) {
    Stage stage(context, "assemble");
    if (!last.system.tiles) begin_system(last, open, context);
    SolverOptions own = options;
    own.same_matrix = last.solved && coupling.plain_densities();
    auto flux = assembled(last, prediction, mixture, open, coupling, own.same_matrix, context);
    ProjectionReport<D> r;
    r.solve = solver.solve(last.system, deviation, own, context);
    last.solved = true;
    take_off_pressure(water, flux, deviation, last.system, prediction, mixture, open, coupling,
                      last.full, context);
    r.divergence = largest_flux(flux, open.kind, mixture, coupling, context) * coupling.dt;
    r.mixed = std::move(flux);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template ProjectionReport<D> project<D>(                                                  \
        FaceField<double, D>&, CellField<double, D>&, const Prediction<D>&,                   \
        const MixtureFaces<D>&, const CutCells<D>&, const Coupling<D>&, ProjectionSystem<D>&, \
        PressureSolver<D>&, const SolverOptions&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
