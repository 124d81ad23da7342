// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/project.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/face_values.h"

namespace spume {
namespace {

// Where there is less water than this, its velocity is the air's: left alone it would fall freely
// in air that is at rest, and reach the water around.
constexpr double kDry = 1e-3;

/// The same by degrees, for bodies of air that the grid resolves. The pressure hardly sees the
/// little water in faces full of air, and nothing else holds it.
double carried_along(double phi_w) { return phi_w < kDry ? 1 : body_share(1 - phi_w); }

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
/// coefficient with which the flux answers a pressure difference.
template <int D>
void assemble_faces(PressureSystem<D>& system, FaceField<double, D>& flux,
                    const Prediction<D>& prediction, const MixtureFaces<D>& mixture,
                    const Openings<D>& open, const Coupling<D>& coupling, Context& context) {
    const double h = system.tiles->voxel(), dt = coupling.dt, theta = coupling.inertia();
    for (int a = 0; a < D; ++a) {
        const double rest = coupling.hydrostatic_gradient()[a];
        const float* area = open.area.read(a);
        const double *solid = open.velocity.read(a), *u_w = prediction.water.read(a),
                     *rho_w = prediction.water_density.read(a), *u_b = prediction.bubble.read(a),
                     *phi_b = mixture.bubble.read(a), *phi_w = mixture.water.read(a),
                     *rho_b = prediction.bubble_density.read(a);
        double *out = flux.write(a), *coefficient = system.coefficient.write(a);
        const double scale = dt / (h * h);
        for_face_values(context.arena, *system.tiles, a, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const double mobility = theta * phi_b[i] / rho_b[i] + phi_w[i] / rho_w[i];
                const double mixed = phi_b[i] * u_b[i] + phi_w[i] * u_w[i] - dt * mobility * rest;
                out[i] = double(area[i]) * mixed + (1 - double(area[i])) * solid[i];
                coefficient[i] = double(area[i]) * mobility * scale;
            }
        });
    }
}

/// Are all cells of a tile and of those that share a face with it fluid?
template <int D>
bool surrounded(const CellField<std::uint8_t, D>& kind, int tile) {
    const Tiles<D>& tiles = *kind.tiles();
    const auto full = [&](int t) {
        return tiles.is_active(t) && std::all_of(kind.tile(t), kind.tile(t) + kTileCells<D>,
                                                 [](std::uint8_t k) { return k == kFluidCell; });
    };
    bool all = full(tile);
    for (int a = 0; a < D && all; ++a)
        all = full(tiles.neighbour(tile, Index<D>::unit(a))) &&
              full(tiles.neighbour(tile, Index<D>::unit(a, -1)));
    return all;
}

/// Open faces without a fluid cell on the other side look at water at rest: p′ = 0 there.
template <int D>
void add_border(PressureSystem<D>& system, Context& context) {
    const Tiles<D>& tiles = *system.tiles;
    system.diagonal_extra = CellField<double, D>(system.tiles);
    double* extra = system.diagonal_extra.write();
    const auto fluid = [&](int t, int o) {
        return tiles.is_active(t) && system.kind.at(t, o) == kFluidCell;
    };
    for_tiles(context.arena, tiles, [&](int t) {
        if (surrounded(system.kind, t)) return;
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (system.kind.at(t, o) != kFluidCell) continue;
            double sum = 0;
            for (int a = 0; a < D; ++a) {
                const int stride = tile_stride<D>(a), local = tile_local<D>(o)[a];
                constexpr int kLast = kTileSide<D> - 1;
                const int before = local == 0 ? tiles.neighbour(t, Index<D>::unit(a, -1)) : t;
                const int after = local == kLast ? tiles.neighbour(t, Index<D>::unit(a)) : t;
                const int o_before = local == 0 ? o + kLast * stride : o - stride;
                const int o_after = local == kLast ? o - kLast * stride : o + stride;
                if (!fluid(before, o_before)) sum += system.coefficient.at(a, t, o);
                if (!fluid(after, o_after)) sum += system.coefficient.at(a, after, o_after);
            }
            extra[std::size_t(t) * kTileCells<D> + std::size_t(o)] = sum;
        }
    });
}

template <int D>
double largest_flux(const FaceField<double, D>& flux, const CellField<std::uint8_t, D>& kind,
                    Context& context) {
    return reduce_tiles<D>(
        context.arena, *flux.tiles(), 0.0,
        [&](int t) {
            double out[kTileCells<D>], most = 0;
            cell_fluxes(flux, t, out);
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
                            const Openings<D>& open, const Coupling<D>& coupling,
                            PressureSolver<D>& solver, const SolverOptions& options,
                            Context& context) {
    Stage stage(context, "assemble");
    const typename Tiles<D>::Ptr tiles = water.tiles();
    PressureSystem<D> system;
    system.tiles = tiles;
    system.kind = open.kind;
    system.coefficient = FaceField<double, D>::unwritten(tiles);
    system.rhs = CellField<double, D>::unwritten(tiles);
    auto flux = zero_borders<double, D>(tiles);
    assemble_faces(system, flux, prediction, mixture, open, coupling, context);
    add_border(system, context);
    double* b = system.rhs.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        double* rhs = b + std::size_t(t) * kTileCells<D>;
        cell_fluxes(flux, t, rhs);
        for (int o = 0; o < kTileCells<D>; ++o) rhs[o] = -rhs[o];
    });

    ProjectionReport<D> r;
    r.solve = solver.solve(system, deviation, options, context);

    const double h = tiles->voxel();
    const double* p = deviation.read();
    const std::uint8_t* kind = open.kind.read();
    for (int a = 0; a < D; ++a) {
        const double rest = coupling.hydrostatic_gradient()[a];
        const double *u = prediction.water.read(a), *rho = prediction.water_density.read(a),
                     *coefficient = system.coefficient.read(a), *solid = open.velocity.read(a),
                     *phi_w = mixture.water.read(a), *u_b = prediction.bubble.read(a),
                     *rho_b = prediction.bubble_density.read(a);
        const float* area = open.area.read(a);
        double *out = water.write(a), *f = flux.write(a);
        const double dt = coupling.dt;
        const bool bodies = coupling.bodies;
        for_face_runs(context.arena, *tiles, a, [=](std::size_t face, std::size_t below, int n) {
            for (std::size_t i = face, j = below; i < face + std::size_t(n); ++i, ++j) {
                const bool touches = kind[i] == kFluidCell || kind[j] == kFluidCell;
                const double difference = p[i] - p[j];
                f[i] -= coefficient[i] * h * difference;
                const double gradient = rest + difference / h;
                const double with_air =
                    bodies ? carried_along(phi_w[i]) : (phi_w[i] < kDry ? 1.0 : 0.0);
                const double by_air = u_b[i] - dt / rho_b[i] * gradient;
                const double by_water = u[i] - dt / rho[i] * gradient;
                const double own = touches ? by_water : 0.0;
                const double moving = own + with_air * (by_air - own), still = solid[i];
                out[i] = area[i] == 0 ? still : moving;
            }
        });
    }
    r.divergence = largest_flux(flux, open.kind, context) * coupling.dt;
    r.mixed = std::move(flux);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template ProjectionReport<D> project<D>(FaceField<double, D>&, CellField<double, D>&, \
                                            const Prediction<D>&, const MixtureFaces<D>&, \
                                            const Openings<D>&, const Coupling<D>&,       \
                                            PressureSolver<D>&, const SolverOptions&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
