// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <numbers>

#include "mixture_box.h"
#include "spume/methods/mixture/tension.h"
#include "spume/physics/domain/capillary_limit.h"

namespace spume {

/// Radius of a particle that fills its share of a voxel when there are `side`^D of them.
template <int D>
double share_radius(double voxel, int side = 2) {
    const double edge = voxel / side;
    return D == 2 ? edge / std::sqrt(std::numbers::pi)
                  : edge * std::cbrt(3 / (4 * std::numbers::pi));
}

/// A ball of air in the middle of a box of water without gravity and drag, `side`^D particles a
/// voxel.
template <int D>
struct TensionBall {
    MixtureBox<D> box;
    mixture::TensionLaw law;
    Point<D> middle;
    double reach;  ///< particles sit within it

    TensionBall(int cells, double radius_in_voxels, double voxel, double sigma, double air,
                double water, int side = 2)
        : box(Index<D>::filled(cells), voxel, false),
          middle(Point<D>::filled(0.5 * cells * voxel)),
          reach(radius_in_voxels * voxel) {
        box.coupling.gravity = {};
        box.coupling.drag = {water, 1e-3, 0};
        law.coefficient = sigma;
        box.coupling.dt = 0.5 * capillary_limit(water + air, voxel, sigma);
        const int points = side * cells;
        const double spacing = voxel / side, r = share_radius<D>(voxel, side);
        const int count = D == 2 ? points * points : points * points * points;
        std::vector<Point<D>> inside;
        for (int n = 0; n < count; ++n) {
            Point<D> x{};
            for (int a = 0, rest = n; a < D; ++a, rest /= points)
                x[a] = (rest % points + 0.5) * spacing;
            if (length(x - middle) < reach) inside.push_back(x);
        }
        box.add_all(inside, r, air);
        box.settle();
    }

    /// Force from the fraction on the grid; `curved` replaces κ where it is not 0.
    void pull(double curved = 0) {
        FaceField<double, D> f;
        if (curved != 0) {
            const auto phi = mixture::cell_fraction(box.mixture.bubble, {}, box.context);
            f = mixture::tension_on_faces(phi, CellField<double, D>(box.tiles, curved),
                                          law.coefficient, box.open, box.context);
        } else {
            f = mixture::surface_tension(box.mixture, law, box.open, box.domain, box.context);
        }
        box.coupling.on_faces = law.on_faces;
        box.force = mixture::shared_force(f, law, box.bubbles, box.mixture, box.ranges, box.domain,
                                          box.context);
    }

    /// Of the ball with the air that the grid sees.
    double radius() const {
        double volume = 0;
        for (int a = 0; a < D; ++a)
            for (double phi : box.mixture.bubble.component(a))
                volume += phi * box.domain.cell_volume() / D;
        return D == 2 ? std::sqrt(volume / std::numbers::pi)
                      : std::cbrt(3 * volume / (4 * std::numbers::pi));
    }

    /// Pressure in the middle (mean of the cells within half a radius) less that at the rim of the
    /// box.
    double jump() const {
        double inside = 0, outside = 0, n_inside = 0, n_outside = 0;
        for (int t = 0; t < box.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (!box.domain.cells.contains(box.tiles->origin(t) + tile_local<D>(o))) continue;
                const double r = length(box.pressure.position(t, o) - middle);
                if (r < 0.5 * reach) inside += box.pressure.at(t, o), n_inside += 1;
                if (r > 1.4 * reach) outside += box.pressure.at(t, o), n_outside += 1;
            }
        return inside / n_inside - outside / n_outside;
    }

    double fastest() const {
        double m = box.max_water_speed();
        for (const auto& v : box.bubbles.velocity) m = std::max(m, length(v));
        return m;
    }
};

}  // namespace spume
