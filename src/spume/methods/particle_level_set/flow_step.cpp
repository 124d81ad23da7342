// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/flow_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/physics/domain/constrain_velocity.h"
#include "spume/physics/domain/guard.h"
#include "spume/physics/domain/liquid_tiles.h"
#include "spume/physics/free_surface/liquid_viscosity.h"
#include "spume/physics/free_surface/outflow.h"
#include "spume/physics/free_surface/rigid_pressure.h"
#include "spume/physics/free_surface/surface_cells.h"
#include "spume/surface/curvature.h"
#include "spume/surface/extrapolate.h"
#include "spume/surface/fraction.h"
#include "spume/surface/level_sample.h"

namespace spume::particle_level_set {
namespace {

/// Tiles with liquid, or with air near it, and all around them.
template <int D>
std::vector<Index<D>> wanted_tiles(const State<D>& s, const World<D>& w, Context& context) {
    const Box<int, D> cells = storable(w.domain, 1);
    Box<int, D> keys{tile_of<D>(cells.lo), tile_of<D>(cells.hi - Index<D>::filled(1))};
    for (int a = 0; a < D; ++a) keys.hi[a] += 1;
    const Index<D> size = keys.size();
    const auto count = std::size_t(product(size));
    const auto key_of = [&](std::size_t n) {
        Index<D> k{};
        for (int a = D - 1; a >= 0; --a) {
            k[a] = keys.lo[a] + int(n % std::size_t(size[a]));
            n /= std::size_t(size[a]);
        }
        return k;
    };
    if (w.scene.domain.dense) {
        std::vector<Index<D>> all;
        for (std::size_t n = 0; n < count; ++n) all.push_back(key_of(n));
        return all;
    }
    std::vector<std::uint8_t> has(count, 0);
    const float* f = s.surface.phi.read();
    const double ratio = w.subgrid();
    for_range(context.arena, count, 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            const Index<D> origin = key_of(n) * kTileSide<D> - w.domain.cells.lo;
            for (int o = 0; o < kTileCells<D> && !has[n]; ++o) {
                const Point<D> x = (origin + tile_local<D>(o)).template as<double>();
                has[n] =
                    sample_level<D>(f, s.surface.phi.shape, (x + Point<D>::filled(0.5)) * ratio) <
                    float(w.motion.distance.width);
            }
        }
    });
    std::vector<Index<D>> wanted;
    for (std::size_t n = 0; n < count; ++n) {
        if (!has[n]) continue;
        for (int c = 0; c < kTileNeighbours<D>; ++c) {
            Index<D> k = key_of(n);
            bool inside = true;
            for (int a = 0, rest = c; a < D; ++a, rest /= 3) {
                k[a] += rest % 3 - 1;
                inside = inside && k[a] >= keys.lo[a] && k[a] < keys.hi[a];
            }
            if (inside) wanted.push_back(k);
        }
    }
    return wanted;
}

/// Does a face across `axis` lie beyond a wall?
template <int D>
bool is_beyond_wall(const GridDomain<D>& domain, const Index<D>& face, int axis) {
    for (int a = 0; a < D; ++a) {
        const int last = domain.cells.hi[a] - (a == axis ? 0 : 1);
        if ((domain.wall[a][0] && face[a] < domain.cells.lo[a]) ||
            (domain.wall[a][1] && face[a] > last))
            return true;
    }
    return false;
}

/// Outside air, whose pressure is zero, and the large pockets, whose pressures keep their volumes,
/// [GB17] Eq. 8.
template <int D>
void find_regions(const State<D>& s, const Params& p, const World<D>& w,
                  const PlacedSolids<D>& solids, FlowGeometry<D>& g, Context& context) {
    g.region = CellField<std::int32_t, D>(s.grid.tiles, 0);
    g.rows.assign(1, RegionRow{});
    if (p.region_size == 0 || p.trapped_air == Pockets::kVoid) return;
    const DenseShape<D>& shape = s.surface.phi.shape;
    const TrappedAir<D> air = large_pockets<D>(
        trapped_air(s, w, solid_lattice(w, solids, context), context), shape, region_voxels(p, w));
    if (air.pockets.empty()) return;
    g.rows.resize(1 + air.pockets.size(), RegionRow{.constrained = true});
    std::int32_t* out = g.region.write();
    const int ratio = w.subgrid();
    for_tiles(context.arena, *s.grid.tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> i = s.grid.tiles->origin(t) + tile_local<D>(o) - w.domain.cells.lo;
            bool inside = true;
            for (int a = 0; a < D; ++a)
                inside = inside && i[a] >= 0 && (i[a] + 1) * ratio <= shape.size[a];
            if (!inside) continue;
            const auto found =
                air.pocket_of.find(shape.at(i * ratio + Index<D>::filled(ratio / 2)));
            if (found != air.pocket_of.end())
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = found->second + 1;
        }
    });
}

/// The velocity beyond the surface and along solids. The surface passes through the cells beside
/// the liquid within the next substep: there it is free of divergence too.
template <int D>
void continue_velocity(State<D>& s, const Params& p, const World<D>& w, const FlowGeometry<D>& g,
                       const PlacedSolids<D>& solids, FaceField<std::uint8_t, D> valid, double dt,
                       Context& context) {
    const FaceField<std::uint8_t, D> known = valid;
    extrapolate(s.velocity, valid, 1, context, Continuation::kSloped, &g.open.parting, dt);
    close_surface_cells<D>(s.velocity, known, g.faces, g.open, context);
    extrapolate(s.velocity, valid, layers_beyond(p) - 1, context, Continuation::kEven,
                &g.open.parting);
    const WallSide<D> side{valid, g.phi};
    constrain_velocity(s.velocity, &side, g.open, solids, w.no_slip, w.domain, context);
}

template <int D>
std::vector<SurfaceFace> faces_of(const FlowGeometry<D>& g, const World<D>& w, Context& context) {
    const double tension = w.scene.physics.surface_tension;
    const auto curvature = tension > 0 ? curvature_of<D>(g.phi, context) : CellField<double, D>();
    return surface_faces<D>(g.phi, g.phase, g.open.area, g.region, curvature, tension, context);
}

}  // namespace

int layers_beyond(const Params& p) {
    return int(std::ceil(p.cfl)) + 3 + int(std::ceil((p.reach + 3) / p.subgrid));
}

template <int D>
LevelSet<D> coarse_level(const DenseField<float, D>& phi, const World<D>& w,
                         const typename Tiles<D>::Ptr& tiles, Context& context) {
    auto r = LevelSet<D>::unwritten(tiles);
    double* out = r.write();
    const double ratio = w.subgrid(), h = w.lattice.voxel;
    std::fill(out + std::size_t(tiles->active()) * kTileCells<D>,
              out + std::size_t(tiles->zero()) * kTileCells<D>, 0.0);
    for_tiles(context.arena, *tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> i = tiles->origin(t) + tile_local<D>(o) - w.domain.cells.lo;
            const Point<D> u = (i.template as<double>() + Point<D>::filled(0.5)) * ratio;
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                h * double(sample_level<D>(phi.read(), phi.shape, u));
        }
    });
    return r;
}

template <int D>
FlowGeometry<D> flow_geometry(State<D>& s, const Params& p, const World<D>& w,
                              const PlacedSolids<D>& solids, Context& context) {
    if (s.grid.rebuild(wanted_tiles(s, w, context), p.patience, w.domain.transform)) {
        Stage stage(context, "topology");
        s.velocity = s.velocity.tiles() ? carried<double, D>(s.velocity, s.grid.tiles, 0.0, context)
                                        : FaceField<double, D>(s.grid.tiles);
        s.pressure = s.pressure.tiles() ? carried<double, D>(s.pressure, s.grid.tiles, 0.0, context)
                                        : CellField<double, D>(s.grid.tiles);
    }
    FlowGeometry<D> g;
    g.open = cut_cells(solids, w.domain, s.grid.tiles, context);
    g.phi = coarse_level<D>(s.surface.phi, w, s.grid.tiles, context);
    g.phase = phases_of(g.phi, g.open, context);
    find_regions(s, p, w, solids, g, context);
    g.faces = faces_of(g, w, context);
    return g;
}

template <int D>
void project_velocity(State<D>& s, const Params& p, World<D>& w, FlowGeometry<D>& g,
                      PlacedSolids<D>& solids, double dt, StepReport& report, Context& context) {
    PressureSolver<D> solver(w.topology);
    const LiquidForces<D> forces{dt, w.scene.physics.water_density};
    const SolverOptions options{.tolerance = p.pressure_tolerance,
                                .max_iterations = p.pressure_iterations};
    FaceField<std::uint8_t, D> valid;
    const auto solve = [&](RigidCoupling<D>* rigid) {
        const BubbleSolve r = project(s.velocity, s.pressure, valid, {g.phase, g.open, g.faces},
                                      {g.rows}, forces, solver, options, context, rigid);
        report.add(r.solve);
        report.max_divergence = r.divergence;
    };
    if (w.rigid.empty()) {
        solve(nullptr);
    } else {
        const FaceField<double, D> before = s.velocity;
        RigidCoupling<D> coupling(
            w.rigid, s.rigid, solids, w.domain, g.open, g.phase, g.region, g.rows.size(),
            [](const Point<D>&) { return false; }, context);
        solve(&coupling);
        w.rigid.place(solids, s.rigid);
        if (!report.failed && !report.stopped &&
            w.rigid.stop_at_contacts(s.rigid, solids, w.domain, dt)) {
            w.rigid.place(solids, s.rigid);
            coupling.write_velocities();
            s.velocity = before;
            solve(nullptr);
        }
    }
    if (report.failed || report.stopped) return;
    if (!all_finite(s.pressure, "pressure", "pressure", report, context) ||
        !all_finite(s.velocity, "velocity", "pressure", report, context))
        return;
    s.target_volume -=
        dt * outflow_of<D>(s.velocity, g.open.area, g.faces, LiquidFlow<D>{}, w.domain);
    continue_velocity(s, p, w, g, solids, std::move(valid), dt, context);
}

template <int D>
void add_viscosity(State<D>& s, const Params& p, const World<D>& w, const FlowGeometry<D>& g,
                   const PlacedSolids<D>& solids, double dt, StepReport& report, Context& context) {
    const Physics& physics = w.scene.physics;
    const double h = w.domain.voxel(),
                 number = physics.viscosity * dt / (physics.water_density * h * h);
    if (number < 1e-3) return;
    Stage stage(context, "viscosity");
    if (p.viscosity == ViscousScheme::kImplicit) {
        const CellField<float, D> fraction = liquid_fractions<D>(g.phi, context, &g.open.parting);
        const ViscousSystem<D> viscous(
            fraction, g.open, solids, w.no_slip, w.domain,
            {dt, physics.water_density, physics.viscosity, p.no_slip_walls, {}}, context);
        std::vector<double> u = viscous.gather(s.velocity);
        const SolveReport solved = viscous.solve(u, 1e-6, false, context);
        if (!solved.good())
            report.warnings.push_back(fmt::format("viscosity: {} at residual {:.2e}",
                                                  to_text(solved.end), solved.residual));
        viscous.scatter(u, s.velocity);
        return;
    }
    // Clipped: more than the mean of the faces around would not be stable, [FF01].
    const double part = std::min(number, 1.0 / (2 * D));
    const FaceField<double, D> before = s.velocity;
    for (int a = 0; a < D; ++a) {
        double* u = s.velocity.write(a);
        for_tiles(context.arena, *s.grid.tiles, [&](int t) {
            HaloBlock<double, D, 1> block;
            load_halo(before.read(a), *s.grid.tiles, t, block);
            for (int o = 0; o < kTileCells<D>; ++o) {
                const int at = block.at(tile_local<D>(o));
                const Index<D> i = s.grid.tiles->origin(t) + tile_local<D>(o);
                double sum = 0;
                for (int b = 0; b < D; ++b)
                    for (const int side : {-1, 1})  // walls let it slip
                        if (!is_beyond_wall<D>(w.domain, i + Index<D>::unit(b, side), a))
                            sum += block.v[at + side * block.stride(b)] - block.v[at];
                u[std::size_t(t) * kTileCells<D> + std::size_t(o)] += part * sum;
            }
        });
    }
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template LevelSet<D> coarse_level<D>(const DenseField<float, D>&, const World<D>&,       \
                                         const typename Tiles<D>::Ptr&, Context&);           \
    template FlowGeometry<D> flow_geometry<D>(State<D>&, const Params&, const World<D>&,     \
                                              const PlacedSolids<D>&, Context&);             \
    template void project_velocity<D>(State<D>&, const Params&, World<D>&, FlowGeometry<D>&, \
                                      PlacedSolids<D>&, double, StepReport&, Context&);      \
    template void add_viscosity<D>(State<D>&, const Params&, const World<D>&,                \
                                   const FlowGeometry<D>&, const PlacedSolids<D>&, double,   \
                                   StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
