// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <numbers>

#include "mixture_box.h"

namespace spume {

// A ball of bubbles so small that drag locks them to the water, let go from rest. It starts like a
// ball of density ρ_m = φ ρ_b + (1 − φ) ρ_w that must push water aside: the flow outside is a
// dipole, and with p′ = 0 on a concentric sphere of radius R2
//
//   a = (ρ_w − ρ_m) g / (ρ_m + C ρ_w),   3D: C = (R2³ − R1³) / (2 R2³ + R1³)
//                                        2D: C = (R2² − R1²) / (R2² + R1²)
//
// In open water C is ½ (2D: 1). For air this is φ g / (1 − φ + C).
struct LockedCloud {
    double cells = 16;  ///< R1 / h
    double reach = 2;   ///< R2 / R1
    double fraction = 0.1;
    double radius = 10e-6;  ///< the slip settles within 2e-5 s, well inside a substep
    Scheme scheme = Scheme::kImplicitDrag;
    int iterations = 6;
    double dt = 2e-3;
    double tolerance = 1e-9;  ///< of the pressure
};

template <int D>
double added_mass(const LockedCloud& c) {
    const double q = std::pow(c.reach, D);
    return D == 3 ? (q - 1) / (2 * q + 1) : (q - 1) / (q + 1);
}

inline double locked_acceleration(const LockedCloud& c, double added) {
    const double mixture = c.fraction * 1 + (1 - c.fraction) * 1000;
    return (1000 - mixture) * 9.81 / (mixture + added * 1000);
}

struct LockedResult {
    // From the first substep's end to the second's: the slip is there, and stays.
    double all = 0;     ///< mean acceleration of all bubbles, m/s²
    double core = 0;    ///< of those within R1/2; in the exact solution the same
    double change = 0;  ///< of the last Newton iteration, m/s
    std::size_t bubbles = 0;
};

/// Planes of symmetry are walls: a quarter of the ball in 3D, half of the disc in 2D.
template <int D>
LockedResult released(const LockedCloud& c) {
    const double disc = std::numbers::pi * c.radius * c.radius;
    const double volume = D == 2 ? disc : 4.0 / 3 * disc * c.radius;
    const double h = std::pow((1 << D) * volume / c.fraction, 1.0 / D);
    const int half = static_cast<int>(std::ceil(c.cells * c.reach)) + 1;
    Index<D> size = Index<D>::filled(half);
    size[1] = 2 * half;
    auto box = std::make_unique<MixtureBox<D>>(size, h, false);
    for (int a = 0; a < D; ++a) box->domain.wall[a][0] = a != 1;
    box->coupling.dt = c.dt;
    box->coupling.scheme = c.scheme;
    box->options.tolerance = c.tolerance;

    Point<D> middle{};
    middle[1] = half * h;
    const Index<D> ends = size * 2;
    std::vector<Point<D>> places;
    for (int j = 0; j < ends[1]; ++j)
        for (int i = 0; i < ends[0]; ++i)
            for (int k = 0; k < (D == 3 ? ends[0] : 1); ++k) {
                Point<D> x{};
                x[0] = (i + 0.5) * h / 2, x[1] = (j + 0.5) * h / 2;
                if (D == 3) x[D - 1] = (k + 0.5) * h / 2;
                if (length(x - middle) < c.cells * h) places.push_back(x);
            }
    resize(box->bubbles, places.size());
    std::copy(places.begin(), places.end(), box->bubbles.position.write().begin());
    std::ranges::fill(box->bubbles.radius.write(), float(c.radius));
    std::ranges::fill(box->bubbles.density.write(), 1.0f);
    auto ids = box->bubbles.id.write();
    for (std::size_t q = 0; q < ids.size(); ++q) ids[q] = q;
    box->settle();
    std::uint8_t* kind = box->open.kind.write();
    for (int t = 0; t < box->tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            if (length(box->open.kind.position(t, o) - middle) > c.cells * c.reach * h)
                kind[std::size_t(t) * kTileCells<D> + std::size_t(o)] = kNoCell;

    const auto speed = [&](double within) {
        double sum = 0, count = 0;
        for (std::size_t q = 0; q < box->bubbles.size(); ++q)
            if (length(box->bubbles.position[q] - middle) < within * c.cells * h)
                sum += box->bubbles.velocity[q][1], count += 1;
        return sum / count;
    };
    LockedResult r;
    box->substep(c.iterations);
    const double all = speed(1), core = speed(0.5);
    r.change = box->substep(c.iterations);
    r.all = (speed(1) - all) / c.dt;
    r.core = (speed(0.5) - core) / c.dt;
    r.bubbles = box->bubbles.size();
    return r;
}

}  // namespace spume
