// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/air_flow.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/level_set.h"

namespace spume::constraint {
namespace {

/// Carried back along the flow before, where air stays air; elsewhere the liquid's.
template <int D>
void carry_air(FaceField<double, D>& air, const LiquidVelocity<D>& liquid, const CutCells<D>& open,
               const GridDomain<D>& domain, double dt, Context& context) {
    const FaceField<double, D> before = air;
    const Tiles<D>& tiles = *air.tiles();
    const double step = dt / tiles.voxel();
    for (int a = 0; a < D; ++a) {
        double* u = air.write(a);
        const auto visit = [&](VelocitySampler<D>& sampler, int t, int o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (open.area.read(a)[at] == 0) {
                u[at] = open.velocity.read(a)[at];
            } else if (liquid.valid.read(a)[at]) {
                u[at] = liquid.velocity.read(a)[at];
            } else {
                const Point<D> x = tiles.transform().to_lattice(air.position(a, t, o));
                u[at] = sampler(x - sampler(x) * step)[a];
            }
        };
        for_tiles(context.arena, tiles, [&](int t) {
            VelocitySampler<D> sampler(before, domain.clamp());
            for (int o = 0; o < kTileCells<D>; ++o) visit(sampler, t, o);
        });
        VelocitySampler<D> sampler(before, domain.clamp());
        for (const int t : tiles.plus_borders(a))
            for (int o = 0; o < kTileCells<D>; ++o)
                if (tile_local<D>(o)[a] == 0) visit(sampler, t, o);
    }
}

template <int D>
double divergence(const FaceField<double, D>& u, const CutCells<D>& open, int t, int o) {
    const Tiles<D>& tiles = *u.tiles();
    double sum = 0;
    for (int side = 0; side < 2 * D; ++side) {
        const std::size_t f = face_place<D>(tiles, t, o, side);
        const double area = double(open.area.read(side / 2)[f]);
        sum += (side % 2 ? 1 : -1) *
               (area * u.read(side / 2)[f] + (1 - area) * open.velocity.read(side / 2)[f]);
    }
    return sum / tiles.voxel();
}

/// What lies beyond a side of an air cell.
enum class Beyond { kAir, kLiquid, kWall, kStillAir };

template <int D>
Beyond beyond(const CellField<std::uint8_t, D>& phase, const CutCells<D>& open, int t, int o,
              int side) {
    const Tiles<D>& tiles = *phase.tiles();
    if (open.area.read(side / 2)[face_place<D>(tiles, t, o, side)] == 0) return Beyond::kWall;
    const Neighbour<D> n = neighbour_of<D>(tiles, t, o, side);
    if (!tiles.is_active(n.tile)) return Beyond::kStillAir;
    const auto there = phase.at(n.tile, n.offset);
    return there == kAirPhase      ? Beyond::kAir
           : there == kLiquidPhase ? Beyond::kLiquid
                                   : Beyond::kStillAir;  // an open face towards no cell: outside
}

template <int D>
PressureSystem<D> air_system(const FaceField<double, D>& u, const CellField<std::uint8_t, D>& phase,
                             const CutCells<D>& open, Context& context) {
    const typename Tiles<D>::Ptr tiles = u.tiles();
    PressureSystem<D> system(tiles);
    system.diagonal_extra = CellField<double, D>(tiles);
    std::uint8_t* kind = system.kind.write();
    double *rhs = system.rhs.write(), *extra = system.diagonal_extra.write();
    for (int a = 0; a < D; ++a) {
        const float* area = open.area.read(a);
        double* c = system.coefficient.write(a);
        for_values(context.arena, *tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) c[i] = double(area[i]);
        });
    }
    for_tiles(context.arena, *tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (phase.at(t, o) != kAirPhase) continue;
            kind[at] = kFluidCell;
            rhs[at] = -divergence(u, open, t, o);
            for (int side = 0; side < 2 * D; ++side)
                if (beyond(phase, open, t, o, side) == Beyond::kStillAir)
                    extra[at] +=
                        double(open.area.read(side / 2)[face_place<D>(*tiles, t, o, side)]);
        }
    });
    return system;
}

template <int D>
void push_air(FaceField<double, D>& u, const CellField<double, D>& pressure,
              const CellField<std::uint8_t, D>& phase, const CutCells<D>& open, Context& context) {
    const Tiles<D>& tiles = *u.tiles();
    const double h = tiles.voxel();
    double* v[D];
    for (int a = 0; a < D; ++a) v[a] = u.write(a);
    // Each face between air cells from the cell above it; those towards still air from their own.
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (phase.at(t, o) != kAirPhase) continue;
            for (int side = 0; side < 2 * D; ++side) {
                const Beyond there = beyond(phase, open, t, o, side);
                if (there != Beyond::kStillAir && (there != Beyond::kAir || side % 2)) continue;
                const Neighbour<D> n = neighbour_of<D>(tiles, t, o, side);
                const double other = there == Beyond::kAir ? pressure.at(n.tile, n.offset) : 0.0;
                v[side / 2][face_place<D>(tiles, t, o, side)] +=
                    (side % 2 ? 1 : -1) * h * (pressure.at(t, o) - other);
            }
        }
    });
}

/// The largest deviation of an air cell's divergence from the mean of its region, and in closed
/// regions alone: still air takes up the rest.
template <int D>
double worst_divergence(const FaceField<double, D>& u, const AirRegions<D>& regions,
                        const CutCells<D>& open, Context& context) {
    const Tiles<D>& tiles = *u.tiles();
    std::vector<double> sum(regions.regions.size(), 0.0), cells(sum.size(), 0.0);
    CellField<double, D> each(u.tiles());
    double* out = each.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o)
            if (regions.label.at(t, o) >= 0)
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = divergence(u, open, t, o);
    });
    for (std::size_t i = 0; i < std::size_t(tiles.active()) * kTileCells<D>; ++i)
        if (const std::int32_t k = regions.label.read()[i]; k >= 0)
            sum[std::size_t(k)] += out[i], cells[std::size_t(k)] += 1;
    double worst = 0;
    for (std::size_t i = 0; i < std::size_t(tiles.active()) * kTileCells<D>; ++i)
        if (const std::int32_t k = regions.label.read()[i]; k >= 0) {
            const auto& region = regions.regions[std::size_t(k)];
            const bool closed = !region.outside && region.far_cells == 0;
            const double mean = closed ? sum[std::size_t(k)] / cells[std::size_t(k)] : 0.0;
            worst = std::max(worst, std::abs(out[i] - mean));
        }
    return worst;
}

}  // namespace

template <int D>
AirFlowReport flow_air(FaceField<double, D>& air, const LiquidVelocity<D>& liquid,
                       const CellField<std::uint8_t, D>& phase, const AirRegions<D>& regions,
                       const CutCells<D>& open, const GridDomain<D>& domain, double dt,
                       PressureSolver<D>& solver, const SolverOptions& options, Context& context) {
    Stage stage(context, "air");
    carry_air(air, liquid, open, domain, dt, context);
    const PressureSystem<D> system = air_system(air, phase, open, context);
    CellField<double, D> pressure(air.tiles());
    AirFlowReport r;
    r.solve = solver.solve(system, pressure, options, context);
    push_air(air, pressure, phase, open, context);
    r.divergence = dt * worst_divergence(air, regions, open, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template AirFlowReport flow_air<D>(FaceField<double, D>&, const LiquidVelocity<D>&,         \
                                       const CellField<std::uint8_t, D>&, const AirRegions<D>&, \
                                       const CutCells<D>&, const GridDomain<D>&, double,        \
                                       PressureSolver<D>&, const SolverOptions&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
