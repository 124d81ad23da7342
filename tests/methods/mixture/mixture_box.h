// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/physics/two_fluid/project.h"

namespace spume {

/// A box of water with bubbles whose places are frozen: the Newton loop of a substep alone, with
/// the verbs of the library.
template <int D>
struct MixtureBox {
    Context context{1};
    GridDomain<D> domain;
    Coupling<D> coupling;
    Bubbles<D> bubbles;
    typename Tiles<D>::Ptr tiles;
    TileRanges<D> ranges;
    CutCells<D> open;
    MixtureFaces<D> mixture;
    MixtureForce<D> force;
    FaceField<double, D> water;
    CellField<double, D> pressure;
    PressureSolver<D> solver;
    SolverOptions options{.tolerance = 1e-13, .max_iterations = 400};
    SolveReport last_solve;
    double divergence = 0;

    MixtureBox(const Index<D>& cells, double voxel, bool closed) {
        domain.transform = {voxel, {}};
        domain.cells = {{}, cells};
        for (auto& axis : domain.wall) axis[0] = axis[1] = closed;
        coupling.dt = 1e-3;
        coupling.gravity[1] = -9.81;
    }

    void add(const Point<D>& x, double radius, double density,
             const Vec<double, D>& velocity = {}) {
        Bubbles<D> one;
        resize(one, 1);
        one.position.write()[0] = x;
        one.velocity.write()[0] = velocity;
        one.radius.write()[0] = float(radius);
        one.density.write()[0] = float(density);
        append(bubbles, one);
    }

    void add_all(const std::vector<Point<D>>& places, double radius, double density) {
        Bubbles<D> many;
        resize(many, places.size());
        std::copy(places.begin(), places.end(), many.position.write().begin());
        for (float& r : many.radius.write()) r = float(radius);
        for (float& d : many.density.write()) d = float(density);
        append(bubbles, many);
    }

    /// Call once all bubbles are in.
    void settle() {
        tiles = Tiles<D>::dense(domain.cells, domain.transform);
        ranges = sort_by_tile(bubbles, tiles, context, domain.clamp());
        open = cut_cells(PlacedSolids<D>{}, domain, tiles, context);
        mixture = rasterized(bubbles, ranges, domain, coupling, context);
        water = FaceField<double, D>(tiles);
        pressure = CellField<double, D>(tiles);
    }

    /// One substep without advection. `after` sees each iteration. Returns the last change, m/s.
    template <class After>
    double substep(int iterations, bool hydrostatic_start, After&& after) {
        const auto water0 = water;
        const auto bubbles0 = bubbles.velocity;
        auto felt = hydrostatic_start ? CellField<double, D>(tiles) : pressure;
        double change = 0;
        for (int n = 0; n < iterations; ++n) {
            const auto gradient = pressure_gradient(felt, open, coupling, context);
            const auto pushed =
                push_bubbles(bubbles, bubbles0, water, felt_by_bubbles(gradient, force, context),
                             mixture, ranges, domain, coupling, context);
            const auto forces = rasterized(pushed, bubbles, mixture, ranges, domain, context);
            const auto prediction =
                predicted(water0, water, forces, gradient, force, mixture, coupling, context);
            const auto done = project(water, pressure, prediction, mixture, open, coupling, solver,
                                      options, context);
            felt = pressure;
            last_solve = done.solve;
            divergence = done.divergence;
            change = pushed.largest_change;
            after(n);
        }
        if (coupling.scheme == Scheme::kImplicitDrag)
            push_bubbles(bubbles, bubbles0, water,
                         felt_by_bubbles(pressure_gradient(pressure, open, coupling, context),
                                         force, context),
                         mixture, ranges, domain, coupling, context);
        return change;
    }
    double substep(int iterations, bool hydrostatic_start = false) {
        return substep(iterations, hydrostatic_start, [](int) {});
    }

    double max_water_speed() const {
        double m = 0;
        for (int a = 0; a < D; ++a)
            for (double u : water.component(a)) m = std::max(m, std::abs(u));
        return m;
    }
};

}  // namespace spume
