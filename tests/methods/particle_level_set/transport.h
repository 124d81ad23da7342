// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <functional>

#include "spume/core/math.h"
#include "spume/physics/motion/particle_level_set.h"
#include "spume/surface/level_sample.h"

namespace spume::transport {

/// A shape in a unit box, carried by a given flow.
template <int D>
struct Case {
    int cells = 64;
    std::function<double(const Point<D>&)> shape;             ///< distance or the like, m
    std::function<Vec<double, D>(const Point<D>&)> velocity;  ///< m/s
    std::function<double(double)> strength;                   ///< of the velocity, by time
    double duration = 1;
    double cfl = 0.5;
    bool markers_of_air = true;  ///< false: those of liquid alone
};

/// Measured against the shape of the start, as parts of its size.
struct Loss {
    double net = 0, difference = 0;
    std::size_t markers = 0;
};

template <int D>
DenseField<float, D> level_of(const Case<D>& c, const Transform<D>& lattice, Context& context) {
    DenseField<float, D> phi(DensePlace<D>::centres(Index<D>::filled(c.cells)).shape);
    float* f = phi.write();
    for (std::size_t r = 0; r < phi.shape.rows(); ++r) {
        Index<D> i = phi.shape.row(r);
        for (int n = 0; n < c.cells; ++n, ++i[D - 1])
            f[phi.shape.at(i)] =
                float(c.shape(lattice.to_world(i.template as<double>() + Point<D>::filled(0.5))) /
                      lattice.voxel);
    }
    const bool even[D] = {};
    mirror_ghosts<float, D>(f, DensePlace<D>::centres(phi.shape.size), even);
    redistance_band(phi, {.width = 6, .iterations = 12, .anew = true}, context);
    return phi;
}

/// Net and symmetric difference between a level set and the shape, by points inside each cell.
template <int D>
Loss loss_of(const Case<D>& c, const DenseField<float, D>& phi, const Transform<D>& lattice) {
    const int fine = D == 2 ? 6 : 3;
    double whole = 0, now = 0, unlike = 0;
    for (std::size_t r = 0; r < phi.shape.rows(); ++r) {
        Index<D> i = phi.shape.row(r);
        for (int n = 0; n < c.cells; ++n, ++i[D - 1]) {
            const float here = phi.at(i);
            const double meant =
                c.shape(lattice.to_world(i.template as<double>() + Point<D>::filled(0.5))) /
                lattice.voxel;
            if (std::abs(here) > 2 && std::abs(meant) > 2 && (here < 0) == (meant < 0)) {
                if (here < 0) whole += 1, now += 1;
                continue;
            }
            int points = 1;
            for (int a = 0; a < D; ++a) points *= fine;
            for (int k = 0; k < points; ++k) {
                Point<D> u = i.template as<double>();
                for (int a = 0, rest = k; a < D; ++a, rest /= fine)
                    u[a] += (rest % fine + 0.5) / fine;
                const bool is = sample_level<D>(phi.read(), phi.shape, u) < 0;
                const bool was = c.shape(lattice.to_world(u)) < 0;
                whole += was / double(points), now += is / double(points);
                unlike += (is != was) / double(points);
            }
        }
    }
    return {now / whole - 1, unlike / whole, 0};
}

template <int D>
Transform<D> lattice_of(const Case<D>& c) {
    return {1.0 / c.cells, Point<D>{}};
}

/// Carries the shape through the flow.
template <int D>
ParticleLevelSet<D> at_the_end(const Case<D>& c, const SurfaceMotion& how, Context& context) {
    const Transform<D> lattice = lattice_of(c);
    ParticleLevelSet<D> s;
    s.phi = level_of(c, lattice, context);
    if (how.with_markers) seed_markers(s.markers, s.phi, lattice, how.markers, 1, 0, context);
    if (!c.markers_of_air) {
        const Array<float> radius = s.markers.radius;
        remove_if(s.markers, context, [&](std::size_t i) { return radius[i] > 0; });
    }
    const DenseFlow<D> flow = dense_flow_of<D>(lattice, Index<D>::filled(c.cells), c.velocity);
    const double crossed = crossed_voxels(flow, lattice.voxel, context);
    const auto strength_at = [&](double t) { return c.strength ? c.strength(t) : 1.0; };
    for (double t = 0, dt = 0; t < c.duration * (1 - 1e-9); t += dt) {
        // As long as the flow is strong; what is slow is carried in fewer steps.
        const double longest = c.cfl / crossed / std::max(0.25, std::abs(strength_at(t)));
        dt = (c.duration - t) / std::ceil((c.duration - t) / longest - 1e-9);
        const double strength = strength_at(t + dt / 2);
        DenseFlow<D> now = flow;
        if (c.strength)
            for (int a = 0; a < D; ++a)
                for (float& u : now.u[a].values.write()) u *= float(strength);
        carry_surface(s, now, lattice, how, dt, context);
        settle_surface(s, lattice, how, context);
    }
    return s;
}

/// The same, compared with the start.
template <int D>
Loss carried(const Case<D>& c, const SurfaceMotion& how, Context& context) {
    const ParticleLevelSet<D> s = at_the_end(c, how, context);
    Loss r = loss_of(c, s.phi, lattice_of(c));
    r.markers = s.markers.size();
    return r;
}

/// Rotation by one turn about the middle, as [EFFM02] has it: a ball of 0.15 with a slot.
template <int D>
Case<D> zalesak(int cells) {
    Case<D> c;
    c.cells = cells;
    c.shape = [](const Point<D>& x) {
        Point<D> middle = Point<D>::filled(0.5);
        middle[1] = 0.75;
        const double ball = length(x - middle) - 0.15;
        const double depth = D == 2 ? 0.25 : 0.125;  // of the slot, from the bottom of the ball
        const double slot = std::max(std::abs(x[0] - 0.5) - 0.025, x[1] - (0.6 + depth));
        return std::max(ball, -slot);
    };
    const double turn = 2 * math::kPi;
    c.velocity = [=](const Point<D>& x) {
        Vec<double, D> u{};
        u[0] = turn * (0.5 - x[1]);
        u[1] = turn * (x[0] - 0.5);
        return u;
    };
    return c;
}

/// [G04] Figs. 3 and 4: a column two voxels thick, of liquid or of air in liquid, is turned once.
inline Case<2> column(int cells, bool of_liquid) {
    Case<2> c = zalesak<2>(cells);
    c.shape = [=](const Point<2>& x) {
        const double beside = std::abs(x[0] - 0.5) - 1.0 / cells;
        const double beyond = std::abs(x[1] - 0.75) - 0.15;
        const double inside = std::max(beside, beyond);
        return of_liquid ? inside : -inside;
    };
    return c;
}

/// The single vortex, there and back.
inline Case<2> vortex(int cells, double period) {
    Case<2> c;
    c.cells = cells;
    c.duration = period;
    c.shape = [](const Point<2>& x) { return length(x - Point<2>{0.5, 0.75}) - 0.15; };
    c.velocity = [](const Point<2>& x) {
        const double sx = math::sin(math::kPi * x[0]), sy = math::sin(math::kPi * x[1]);
        return Vec<double, 2>{-sx * sx * math::sin(2 * math::kPi * x[1]),
                              sy * sy * math::sin(2 * math::kPi * x[0])};
    };
    c.strength = [=](double t) { return math::cos(math::kPi * t / period); };
    return c;
}

/// Enright's deformation of a ball, there and back.
inline Case<3> deformation(int cells, double period) {
    Case<3> c;
    c.cells = cells;
    c.duration = period;
    c.shape = [](const Point<3>& x) { return length(x - Point<3>::filled(0.35)) - 0.15; };
    c.velocity = [](const Point<3>& x) {
        Vec<double, 3> s, t;
        for (int a = 0; a < 3; ++a) {
            s[a] = math::sin(math::kPi * x[a]);
            t[a] = math::sin(2 * math::kPi * x[a]);
        }
        return Vec<double, 3>{2 * s[0] * s[0] * t[1] * t[2], -t[0] * s[1] * s[1] * t[2],
                              -t[0] * t[1] * s[2] * s[2]};
    };
    c.strength = [=](double t) { return math::cos(math::kPi * t / period); };
    return c;
}

}  // namespace spume::transport
