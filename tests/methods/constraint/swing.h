// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "finite_swing.h"
#include "run.h"
#include "spume/surface/fraction.h"

namespace spume {

/// Puts a surface in place of the one that was laid around the particles.
template <int D>
void set_surface(LevelSet<D>& phi, const std::function<double(const Point<D>&)>& distance) {
    double* v = phi.write();
    for (int t = 0; t < phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            v[std::size_t(t) * kTileCells<D> + std::size_t(o)] = distance(phi.position(t, o));
}

/// Shape of mode n: around the origin in the plane, around the upright axis in space.
template <int D>
double swing_shape(int n, const Point<D>& x) {
    if constexpr (D == 2) return std::cos(n * std::atan2(x[1], x[0]));
    return std::legendre(unsigned(n), x[1] / length(x));
}

/// Moves the liquid around a ball of radius 1 so that it fits around one of the same volume with
/// the surface R(1 + swing · shape), as the flow of mode n would, and keeps every volume: with P =
/// r^D/D and q the angle (in space cos θ) it is the canonical map of the generating function q'P +
/// G(q') r^(−n), where G' is what P changes by on the surface.
template <int D>
class SwingMap {
  public:
    SwingMap(int n, double swing) : n_(n), table_(kCount + 1, 0.0) {
        const auto grown = [&](int i) {
            const double q = kFirst + (i + 0.5) * kStep;
            Point<D> x{};
            if constexpr (D == 2)
                x = {std::cos(q), std::sin(q)};
            else
                x = {std::sqrt(1 - q * q), q, 0};
            return std::pow(1 + swing * swing_shape<D>(n, x), double(D));
        };
        double mean = 0;
        for (int i = 0; i < kCount; ++i) mean += grown(i) / kCount;
        radius_ = std::pow(mean, -1.0 / D);
        for (int i = 0; i < kCount; ++i)
            table_[i + 1] = table_[i] + (grown(i) / mean - 1) / D * kStep;
    }
    double radius() const { return radius_; }  ///< R

    Point<D> operator()(const Point<D>& x) const {
        const double r = length(x), fall = std::pow(r, -n_);
        const double q = D == 2 ? std::atan2(x[1], x[0]) : x[1] / r;
        // q = q' − n r^(−n−D) G(q'), by Newton
        double next = q;
        for (int i = 0; i < 8; ++i) {
            const double size = n_ * fall / std::pow(r, D);
            next -= (next - size * sum(next) - q) / (1 - size * rate(next));
        }
        const double grown = std::pow(std::pow(r, D) + D * fall * rate(next), 1.0 / D);
        if constexpr (D == 2) {
            return Point<D>{std::cos(next), std::sin(next)} * grown;
        } else {
            next = std::clamp(next, -1.0, 1.0);
            const double across = std::sqrt((1 - next * next) / std::max(1 - q * q, 1e-12));
            return {x[0] / r * across * grown, next * grown, x[2] / r * across * grown};
        }
    }

  private:
    static constexpr int kCount = 1 << 16;
    static constexpr double kFirst = D == 2 ? -std::numbers::pi : -1.0;
    static constexpr double kStep = -2 * kFirst / kCount;
    int place(double q) const {
        return std::clamp(static_cast<int>((q - kFirst) / kStep), 0, kCount - 1);
    }
    double rate(double q) const { return (table_[place(q) + 1] - table_[place(q)]) / kStep; }
    double sum(double q) const {
        return table_[place(q)] + (q - kFirst - place(q) * kStep) * rate(q);
    }

    int n_;
    double radius_ = 1;
    std::vector<double> table_;  ///< G
};

/// A massless bubble of the volume of a ball of radius 1 in a tank `width` wide, by the whole
/// method: times when mode n is zero, in Lamb's periods; fewer if it was lost. `place` in voxels
/// from a corner of the grid.
template <int D>
std::vector<double> swing_zeros(int n, int cells_per_diameter, const Point<D>& place, double swing,
                                std::size_t count, double width = 8) {
    const double h = 2.0 / cells_per_diameter;
    Scene scene = tank(D, h, {width, width, D == 2 ? 1 : width});
    scene.physics.gravity = {0, 0, 0};
    scene.physics.water_density = 1;
    scene.physics.surface_tension = 1;
    scene.physics.viscosity = 0;
    const Point<D> middle = Point<D>::filled(width / 2) + place * h;
    Vec<double, 3> centre{};
    for (int a = 0; a < D; ++a) centre[a] = middle[a];
    scene.liquids = {liquid_box({-1, -1, -1}, {width + 1, width + 1, width + 1}),
                     liquid_ball(centre, 1, LiquidMode::kHollow)};
    ConstraintRun<D> run(scene, {});
    const SwingMap<D> moved(n, swing);
    for (auto& x : run.state.liquid.position.write()) {
        x = middle + moved(x - middle);
        for (int a = 0; a < D; ++a) x[a] = std::clamp(x[a], 1e-3 * h, width - 1e-3 * h);
    }
    set_surface<D>(run.state.phi, [&](const Point<D>& x) {
        const Point<D> from = x - middle;
        const double r = length(from);
        return r > 0.3 ? moved.radius() * (1 + swing * swing_shape<D>(n, from)) - r : 0.7;
    });
    // ∫ of the shape over what the bubble has and a round one lacks, less the reverse; each ray is
    // weighed so that a bulge counts once. Cells inside both would only add the grid's own noise.
    const auto mode = [&] {
        LevelSet<D> round = run.state.phi;
        set_surface<D>(round, [&](const Point<D>& x) { return 1 - length(x - middle); });
        const auto part = liquid_fractions<D>(run.state.phi, run.context);
        const auto base = liquid_fractions<D>(round, run.context);
        double sum = 0;
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Point<D> x = part.position(t, o) - middle;
                const double r = length(x);
                if (r < 1.6 && r > 0.4)
                    sum += double(base.at(t, o) - part.at(t, o)) * swing_shape<D>(n, x) /
                           std::pow(r, D - 1);
            }
        return sum;
    };
    const double exact = FiniteSwing<D>::lamb_period(n);
    double last = mode(), last_time = 0;
    std::vector<double> zeros;  // in exact periods
    while (run.state.time < 2.5 * exact && zeros.size() < count && !run.failed) {
        run.one_step(run.state.time +
                     constraint::max_dt(run.state, run.params, run.world, run.context).seconds);
        const double now = mode();
        if (last * now < 0)
            zeros.push_back((last_time + (run.state.time - last_time) * last / (last - now)) /
                            exact);
        last = now, last_time = run.state.time;
    }
    return zeros;
}

}  // namespace spume
