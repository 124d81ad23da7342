// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/bubble_pressure.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/free_surface/rigid_pressure.h"
#include "spume/surface/phase.h"

namespace spume {
namespace {

/// Outward flux per volume of a tile's cells: open part with the liquid, closed part with the
/// solid.
template <int D>
void divergence(const FaceField<double, D>& u, const CutCells<D>& open, int t,
                double (&out)[kTileCells<D>]) {
    const Tiles<D>& tiles = *u.tiles();
    double velocity[kTileCells<D>], solid[kTileCells<D>];
    float area[kTileCells<D>];
    std::fill_n(out, kTileCells<D>, 0.0);
    const auto flux = [](double part, double liquid, double wall) {
        return part * liquid + (1 - part) * wall;
    };
    for (int a = 0; a < D; ++a) {
        load_upper_faces<double, D>(u.read(a), tiles, t, a, velocity);
        load_upper_faces<double, D>(open.velocity.read(a), tiles, t, a, solid);
        load_upper_faces<float, D>(open.area.read(a), tiles, t, a, area);
        const double *u0 = u.tile(a, t), *s0 = open.velocity.tile(a, t);
        const float* a0 = open.area.tile(a, t);
        for (int o = 0; o < kTileCells<D>; ++o)
            out[o] +=
                flux(double(area[o]), velocity[o], solid[o]) - flux(double(a0[o]), u0[o], s0[o]);
    }
    for (double& d : out) d /= tiles.voxel();
}

/// The row of every region, y eliminated.
template <int D>
void sum_rows(BubbleSystem<D>& r, std::span<const SurfaceFace> faces,
              std::span<const RegionRow> rows, std::span<const double> solid_flux,
              const FaceField<double, D>& u, const CutCells<D>& open, double dt) {
    r.rows.assign(rows.size(), {});
    const double h = u.tiles()->voxel();
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= h;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const SurfaceFace& f = faces[i];
        if (f.region < 0) continue;
        auto& row = r.rows[std::size_t(f.region)];
        const double area = double(open.area.read(f.axis())[f.face]);
        row.sum += r.weight[i];
        row.offset +=
            area * f.sign() * u.read(f.axis())[f.face] / h - r.weight[i] * f.jump * r.scale;
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        auto& row = r.rows[k];
        row.offset += rows[k].growth / cell - (solid_flux.empty() ? 0.0 : solid_flux[k]);
        if (rows[k].stiffness > 0) {
            const double give = 1 / (rows[k].stiffness * dt * cell);
            row.sum += give / r.scale;
            row.offset += give * rows[k].pressure;
        }
    }
}

template <int D>
FaceField<double, D> liquid_coefficients(const CutCells<D>& open, const LiquidForces<D>& forces,
                                         Context& context) {
    const typename Tiles<D>::Ptr tiles = open.area.tiles();
    auto r = FaceField<double, D>::unwritten(tiles);
    for (int a = 0; a < D; ++a) {
        const float* area = open.area.read(a);
        const double* light =
            forces.inverse_density_ratio.tiles() ? forces.inverse_density_ratio.read(a) : nullptr;
        double* c = r.write(a);
        for_values(context.arena, *tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) c[i] = double(area[i]);
            if (light)
                for (std::size_t i = b; i < e; ++i) c[i] *= light[i];
        });
    }
    return r;
}

/// Unknowns and divergence of the liquid alone.
template <int D>
PressureSystem<D> liquid_system(const FaceField<double, D>& u,
                                const CellField<std::uint8_t, D>& phase, const CutCells<D>& open,
                                const LiquidForces<D>& forces, Context& context) {
    const typename Tiles<D>::Ptr tiles = u.tiles();
    PressureSystem<D> system;
    system.tiles = tiles;
    system.kind = CellField<std::uint8_t, D>::unwritten(tiles);
    system.rhs = CellField<double, D>::unwritten(tiles);
    std::uint8_t* kind = system.kind.write();
    double* rhs = system.rhs.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        double flux[kTileCells<D>];
        divergence(u, open, t, flux);
        const std::uint8_t* is = phase.tile(t);
        const float* grows = forces.growth.tiles() ? forces.growth.tile(t) : nullptr;
        const std::size_t first = std::size_t(t) * kTileCells<D>;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const bool liquid = is[o] == kLiquidPhase;
            kind[first + std::size_t(o)] = liquid ? kFluidCell : kNoCell;
            rhs[first + std::size_t(o)] = liquid ? -flux[o] : 0.0;
            if (liquid && grows) rhs[first + std::size_t(o)] += double(grows[o]);
        }
    });
    return system;
}

/// The unknown of each region above that of one cell beside it, `base`: what flows through a face
/// is a large weight times a small difference, which must not be lost to the size of both.
template <int D>
std::vector<double> region_unknowns(const BubbleSystem<D>& bubbles,
                                    std::span<const SurfaceFace> faces,
                                    std::span<const RegionRow> rows, const CellField<double, D>& x,
                                    std::vector<double>& base) {
    std::vector<double> r(rows.size(), 0.0), weight(rows.size(), 0.0);
    base.assign(rows.size(), 0.0);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        if (faces[i].region < 0 || !rows[std::size_t(faces[i].region)].constrained) continue;
        const std::size_t k = std::size_t(faces[i].region);
        if (weight[k] == 0) base[k] = x.values()[faces[i].cell];
        weight[k] += bubbles.weight[i];
        r[k] += bubbles.weight[i] * (x.values()[faces[i].cell] - base[k]);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!rows[k].constrained) continue;
        const auto& row = bubbles.rows[k];
        r[k] = (r[k] + row.offset - (row.sum - weight[k]) * base[k]) / row.sum;
    }
    return r;
}

/// [GB17] Eq. 7, first row: the velocities between liquid cells.
template <int D>
void update_inside(FaceField<double, D>& velocity, FaceField<std::uint8_t, D>& valid,
                   const CellField<double, D>& pressure, const CellField<std::uint8_t, D>& phase,
                   const CutCells<D>& open, const LiquidForces<D>& forces, Context& context) {
    const Tiles<D>& tiles = *velocity.tiles();
    const double* p = pressure.read();
    const std::uint8_t* is = phase.read();
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        std::uint8_t* mark = valid.write(a);
        const float* area = open.area.read(a);
        const double* solid = open.velocity.read(a);
        for_face_pairs(context.arena, tiles, a, [&](std::size_t i, std::size_t below) {
            mark[i] = 0;
            if (area[i] == 0) {
                u[i] = solid[i];
            } else if (is[i] == kLiquidPhase && is[below] == kLiquidPhase) {
                u[i] -= tiles.voxel() * forces.inverse_density_ratio_at(a, i) * (p[i] - p[below]);
                mark[i] = 1;
            }
        });
    }
}

}  // namespace

template <int D>
BubbleSystem<D> bubble_system(const FaceField<double, D>& velocity, const FreeSurface<D>& surface,
                              const RegionRows& regions, const LiquidForces<D>& forces,
                              Context& context, RigidCoupling<D>* rigid, bool same_matrix) {
    Stage stage(context, "assemble");
    const CutCells<D>& open = surface.open;
    const std::span<const SurfaceFace> faces = surface.faces;
    const double h = velocity.tiles()->voxel();
    BubbleSystem<D> r;
    r.scale = forces.dt / (forces.density * h * h);
    r.weight.resize(faces.size());
    for (std::size_t i = 0; i < faces.size(); ++i)
        r.weight[i] = double(open.area.read(faces[i].axis())[faces[i].face]) *
                      forces.inverse_density_ratio_at(faces[i].axis(), faces[i].face) /
                      faces[i].theta;
    sum_rows(r, faces, regions.rows, regions.solid_flux, velocity, open, forces.dt);
    r.system = liquid_system(velocity, surface.phase, open, forces, context);
    double* rhs = r.system.rhs.write();
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const SurfaceFace& f = faces[i];
        rhs[f.cell] += r.weight[i] * f.jump * r.scale;
        if (!regions.is_unknown(f.region)) continue;
        const auto& row = r.rows[std::size_t(f.region)];
        rhs[f.cell] += r.weight[i] * (row.offset / row.sum);
    }
    if (same_matrix) return r;
    r.system.coefficient = liquid_coefficients(open, forces, context);
    r.system.diagonal_extra = CellField<double, D>(velocity.tiles());
    double* extra = r.system.diagonal_extra.write();
    std::vector<int> term(regions.rows.size(), -1);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const SurfaceFace& f = faces[i];
        extra[f.cell] += r.weight[i];
        if (!regions.is_unknown(f.region)) continue;
        const auto& row = r.rows[std::size_t(f.region)];
        int& k = term[std::size_t(f.region)];
        if (k < 0) {
            k = int(r.system.low_rank.size());
            r.system.low_rank.push_back({-1 / row.sum, {}, {}});
        }
        r.system.low_rank[std::size_t(k)].cells.push_back(f.cell);
        r.system.low_rank[std::size_t(k)].weights.push_back(r.weight[i]);
    }
    if (rigid) rigid->add_to(r, faces, regions.rows, forces.density);
    return r;
}

template <int D>
BubbleSolve project(FaceField<double, D>& velocity, CellField<double, D>& pressure,
                    FaceField<std::uint8_t, D>& valid, const FreeSurface<D>& surface,
                    const RegionRows& regions, const LiquidForces<D>& forces,
                    PressureSolver<D>& solver, const SolverOptions& options, Context& context,
                    RigidCoupling<D>* rigid) {
    const CellField<std::uint8_t, D>& phase = surface.phase;
    const CutCells<D>& open = surface.open;
    const std::span<const SurfaceFace> faces = surface.faces;
    const std::span<const RegionRow> rows = regions.rows;
    const BubbleSystem<D> bubbles =
        bubble_system(velocity, surface, regions, forces, context, rigid, options.same_matrix);
    Stage stage(context, "project");
    const Tiles<D>& tiles = *velocity.tiles();
    const double h = tiles.voxel(), scale = bubbles.scale;
    const auto multiply_by = [&](double factor) {
        double* p = pressure.write();
        for_values(context.arena, tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) p[i] *= factor;
        });
    };
    BubbleSolve r;
    multiply_by(scale);
    r.solve = solver.solve(bubbles.system, pressure, options, context);

    std::vector<double> base;
    std::vector<double> inside = region_unknowns<D>(bubbles, faces, rows, pressure, base);
    if (rigid) rigid->finish(pressure.read(), inside);

    if (valid.tiles() != velocity.tiles()) valid = FaceField<std::uint8_t, D>(velocity.tiles());
    update_inside(velocity, valid, pressure, phase, open, forces, context);
    r.flux.assign(rows.size(), 0.0);
    double face_area = 1;
    for (int a = 0; a < D - 1; ++a) face_area *= h;
    double* u[D];
    std::uint8_t* mark[D];
    for (int a = 0; a < D; ++a) u[a] = velocity.write(a), mark[a] = valid.write(a);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const SurfaceFace& f = faces[i];
        const double area = double(open.area.read(f.axis())[f.face]);
        const std::size_t k = std::size_t(f.region);
        const double start = f.region < 0 ? 0.0 : base[k];
        const double outside = f.region < 0 ? 0.0 : inside[k] + f.jump * scale;
        double& v = u[f.axis()][f.face];
        v += f.sign() * h * forces.inverse_density_ratio_at(f.axis(), f.face) / f.theta *
             (pressure.values()[f.cell] - start - outside);
        mark[f.axis()][f.face] = 1;
        if (f.region >= 0) r.flux[std::size_t(f.region)] += f.sign() * area * v * face_area;
    }
    multiply_by(1 / scale);
    for (std::size_t k = 0; k < rows.size(); ++k)
        r.pressure.push_back((base[k] + inside[k]) / scale);
    r.divergence = forces.dt * reduce_tiles<D>(
                                   context.arena, tiles, 0.0,
                                   [&](int t) {
                                       double most = 0, flux[kTileCells<D>];
                                       divergence(velocity, open, t, flux);
                                       const std::uint8_t* is = phase.tile(t);
                                       if (forces.growth.tiles())
                                           for (int o = 0; o < kTileCells<D>; ++o)
                                               flux[o] -= double(forces.growth.at(t, o));
                                       for (int o = 0; o < kTileCells<D>; ++o)
                                           if (is[o] == kLiquidPhase)
                                               most = std::max(most, std::abs(flux[o]));
                                       return most;
                                   },
                                   [](double a, double b) { return std::max(a, b); });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template BubbleSystem<D> bubble_system<D>(const FaceField<double, D>&, const FreeSurface<D>&,  \
                                              const RegionRows&, const LiquidForces<D>&, Context&, \
                                              RigidCoupling<D>*, bool);                            \
    template BubbleSolve project<D>(FaceField<double, D>&, CellField<double, D>&,                  \
                                    FaceField<std::uint8_t, D>&, const FreeSurface<D>&,            \
                                    const RegionRows&, const LiquidForces<D>&, PressureSolver<D>&, \
                                    const SolverOptions&, Context&, RigidCoupling<D>*);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
