// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include "spume/grid/sample.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/physics/free_surface/bubble_pressure.h"
#include "spume/surface/curvature.h"

namespace spume {

/// One projection of a liquid at rest whose surface is a given function: no particles.
template <int D>
struct BubbleBox {
    Context context{1};
    GridDomain<D> domain;
    PlacedSolids<D> bodies;
    typename Tiles<D>::Ptr tiles;
    CutCells<D> open;
    LevelSet<D> phi;
    CellField<std::uint8_t, D> phase;
    AirRegions<D> regions;
    std::vector<SurfaceFace> faces;
    std::vector<RegionRow> rows;
    std::vector<int> dropped;
    std::vector<double> solid_flux;
    FaceField<double, D> velocity;
    FaceField<std::uint8_t, D> valid;
    CellField<double, D> pressure;
    PressureSolver<D> solver;
    SolverOptions options{.tolerance = 1e-13, .max_iterations = 1000};
    LiquidForces<D> forces{.dt = 1e-3, .density = 1000};
    double tension = 0;

    BubbleBox(const Point<D>& lower, const Index<D>& cells, double voxel) {
        domain.transform = {voxel, lower};
        domain.cells = {{}, cells};
        for (auto& axis : domain.wall) axis[0] = axis[1] = true;
    }

    void add(const Solid& solid, double time = 0) {
        bodies.placed.push_back(SolidSet<D>({solid}, {}).at(time).placed[0]);
    }

    /// Call once walls and bodies are in; negative inside the liquid.
    void settle(const std::function<double(const Point<D>&)>& distance) {
        tiles = Tiles<D>::dense(domain.cells, domain.transform);
        open = cut_cells(bodies, domain, tiles, context);
        phi = LevelSet<D>(tiles);
        double* v = phi.write();
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                v[std::size_t(t) * kTileCells<D> + std::size_t(o)] = distance(phi.position(t, o));
        phase = phases_of(phi, open, context);
        OpenBox<D> box;
        box.cells = domain.cells;
        for (int a = 0; a < D; ++a)
            for (int k = 0; k < 2; ++k) box.open[a][k] = !domain.wall[a][k];
        regions = find_air_regions<D>(
            phase, open.area, box, [](const Box<int, D>&) { return true; }, context);
        const auto curvature = tension > 0 ? curvature_of(phi, context) : CellField<double, D>();
        faces = surface_faces<D>(phi, phase, open.area, regions.label, curvature, tension, context);
        rows = constrained_rows(regions, std::span<const SurfaceFace>(faces), open.area, dropped);
        if (bodies.max_speed() > 0) solid_flux = solid_fluxes(regions, open, context);
        velocity = FaceField<double, D>(tiles);
        pressure = CellField<double, D>(tiles);
    }

    /// Gravity for one substep, then the projection.
    BubbleSolve fall(double gravity = 9.81) { return fall(Vec<double, D>::unit(1, -gravity)); }
    BubbleSolve fall(const Vec<double, D>& gravity) {
        for (int a = 0; a < D; ++a) {
            double* u = velocity.write(a);
            for (std::size_t i = 0; i < velocity.component(a).size(); ++i)
                u[i] += gravity[a] * forces.dt;
        }
        return project(velocity, pressure, valid, {phase, open, faces}, {rows, solid_flux}, forces,
                       solver, options, context);
    }

    double fastest() const {
        double most = 0;
        for (int a = 0; a < D; ++a)
            for (std::size_t i = 0; i < velocity.component(a).size(); ++i)
                if (valid.read(a)[i]) most = std::max(most, std::abs(velocity.read(a)[i]));
        return most;
    }
    int region_at(const Point<D>& x) const {
        TileCursor<D> cursor(*tiles);
        return regions.label.read()[cursor(floor_index<D>(domain.transform.to_lattice(x)))];
    }
};

}  // namespace spume
