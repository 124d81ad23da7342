// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>
#include <memory>

#include "../tests/methods/mixture/mixture_box.h"
#include "../tests/methods/mixture/mixture_run.h"
#include "physics_report.h"
#include "spume/physics/motion/move_bubbles.h"

// How the schemes come to their end, iteration by iteration, with the places of the bubbles frozen.

namespace spume::bench {

/// A closed column one cell wide, bubbles on a lattice of eight a cell.
inline std::unique_ptr<MixtureBox<3>> closed_column(Scheme scheme, double r, double fraction) {
    const double h = r * std::cbrt(8 * 4.0 / 3 * std::numbers::pi / fraction);
    auto made = std::make_unique<MixtureBox<3>>(Index<3>{1, 32, 1}, h, true);
    made->coupling.dt = 1.0 / 48;
    made->coupling.scheme = scheme;
    if (made->coupling.guided()) made->coupling.max_fraction = 0.9;
    for (int j = 0; j < 64; ++j)
        for (int k = 0; k < 4; ++k)
            made->add({(k % 2 + 0.5) * h / 2, (j + 0.5) * h / 2, (k / 2 + 0.5) * h / 2}, r, 1);
    made->settle();
    return made;
}

/// The uniform state without net flux. [WSB25] multiplies drag by φ_w: the slip is a single
/// bubble's. [WFS22] does not: drag(slip) = (1 − φ) Δρ g V. Either way the bubbles rise with (1 −
/// φ) slip.
inline double swarm_speed(const Coupling<3>& coupling, double r, double fraction) {
    const double gravity = coupling.guided() ? 9.81 * (1 - fraction) : 9.81;
    return (1 - fraction) * terminal_speed(r, 1000, 1, 1e-3, gravity);
}

/// Relative error of the speed half-way up after a second; infinite when the scheme blew up.
inline double swarm_error(Scheme scheme, int iterations, bool hydrostatic) {
    const double r = 1e-3;
    const auto box = closed_column(scheme, r, 0.1);
    struct BlownUp {};
    try {
        for (int n = 0; n < 48; ++n)
            box->substep(iterations, hydrostatic, [&](int) {
                if (!(box->max_water_speed() < 1e3)) throw BlownUp{};
            });
    } catch (const BlownUp&) {
        return std::numeric_limits<double>::infinity();
    }
    double nearest = 1e9, v = 0;
    for (std::size_t q = 0; q < box->bubbles.size(); ++q) {
        const double d = std::abs(box->bubbles.position[q][1] - 16 * box->domain.voxel());
        if (d < nearest) nearest = d, v = box->bubbles.velocity[q][1];
    }
    // Radii are floats: the fraction as it is, half-way up.
    const double phi = box->mixture.bubble.at(1, 1, tile_offset<3>({0, 7, 0}));
    return std::abs(v / swarm_speed(box->coupling, double(float(r)), phi) - 1);
}

inline void swarm_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "swarm", "closed column, phi 0.1, r 1 mm, after 1 s");
    report.plot.x = {"Newton iterations a substep", true};
    report.plot.y = {"relative error of the rise speed", true, 1e-26, 1e4};
    for (bool hydrostatic : {true, false})
        for (Scheme scheme : kAllSchemes) {
            PlotSeries s =
                curve(std::string(name_of(scheme)) + (hydrostatic ? "" : ", start pressure last"),
                      !hydrostatic);
            for (int iterations : {1, 2, 3, 5, 10, 20}) {
                const double error = swarm_error(scheme, iterations, hydrostatic);
                if (std::isinf(error)) {
                    std::printf("%s, %d iterations: unstable\n", s.name.c_str(), iterations);
                    continue;
                }
                s.x.push_back(iterations);
                s.y.push_back(std::max(error, 1e-16));
            }
            if (hydrostatic)
                report.add(s);
            else
                report.add_row(s);
        }
    report.write();
}

/// [WFS22] Fig. 7: voxel 6.25 mm, φ_b = 0.9 on the faces around, 1 m/s upwards, a step of 1/24 s.
inline void velocity_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "newton_velocity", "one bubble, 1 m/s upwards, one step of 1/24 s");
    report.plot.x = {"Newton iteration"};
    report.plot.y = {"velocity of the bubble, m/s", false, 0, 7};
    for (Scheme scheme : kAllSchemes) {
        MixtureBox<3> box(Index<3>::filled(32), 6.25e-3, false);
        box.coupling.dt = 1.0 / 24;
        box.coupling.scheme = scheme;
        box.coupling.compliance = 1;
        if (box.coupling.guided()) box.coupling.max_fraction = 0.95;
        box.options.tolerance = 1e-8;
        const double middle = 16.5 * 6.25e-3;
        box.add({middle, middle, middle}, 4.716e-3, 1, {0, 1, 0});
        box.settle();
        PlotSeries s = curve(name_of(scheme));
        s.x = {0}, s.y = {1};
        box.substep(20, true, [&](int n) {
            s.x.push_back(n + 1);
            s.y.push_back(box.bubbles.velocity[0][1]);
        });
        report.add(s);
    }
    report.write();
}

/// Vertical momenta of a box.
struct Momenta {
    double bubbles = 0, water = 0, walls = 0;  ///< walls: impulse they gave in this substep
    double total() const { return bubbles + water - walls; }
};

inline Momenta momenta(MixtureBox<3>& box) {
    Momenta m;
    const double cell = box.domain.cell_volume(), h = box.domain.voxel();
    m.bubbles = total_momentum(box.bubbles, box.context)[1];
    for (std::size_t i = 0; i < box.water.component(1).size(); ++i)
        m.water += box.mixture.water.read(1)[i] * box.water.read(1)[i] *
                   box.coupling.drag.water_density * cell;
    const int last = box.domain.cells.hi[1] - 1;
    for (int t = 0; t < box.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o) {
            const int j = (box.tiles->origin(t) + tile_local<3>(o))[1];
            const double force = box.pressure.at(t, o) * h * h;
            m.walls += box.coupling.dt * (j == 0 ? force : j == last ? -force : 0);
        }
    return m;
}

/// [WSB25] Fig. 6: a moving bubble in still water, without gravity, in a closed box. What the walls
/// give is taken off the total, which must end where it began.
inline void momentum_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "newton_momentum",
                       "one bubble of 100 kg/m3 and 3 mm in still water");
    report.plot.x = {"Newton iteration"};
    report.plot.y = {"momentum over the bubble's first", false, -2, 16};
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized, Scheme::kInertiaAware,
                          Scheme::kGuidedAware}) {
        MixtureBox<3> box(Index<3>::filled(32), 6.25e-3, true);
        box.coupling.gravity = {};
        box.coupling.dt = 1.0 / 24;
        box.coupling.scheme = scheme;
        if (box.coupling.guided()) box.coupling.max_fraction = 0.95;
        box.options.tolerance = 1e-10;
        const double middle = 16.5 * 6.25e-3;
        box.add({middle, middle, middle}, 3e-3, 100, {0, 1, 0});
        box.settle();
        const double before = momenta(box).bubbles;
        const std::string name = name_of(scheme);
        PlotSeries bubbles = curve(name + ", bubble", true), water = curve(name + ", water", true),
                   total = curve(name + ", total");
        for (PlotSeries* s : {&bubbles, &water, &total}) s->x = {0};
        bubbles.y = total.y = {1}, water.y = {0};
        box.substep(12, true, [&](int n) {
            const Momenta m = momenta(box);
            for (PlotSeries* s : {&bubbles, &water, &total}) s->x.push_back(n + 1);
            bubbles.y.push_back(m.bubbles / before);
            water.y.push_back((m.water - m.walls) / before);
            total.y.push_back(m.total() / before);
        });
        report.add(bubbles, false);
        report.add_row(water);
        report.add(total);
    }
    report.write();
}

}  // namespace spume::bench
