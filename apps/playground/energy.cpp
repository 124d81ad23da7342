// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "playground.h"
#include "spume/methods/cip/fragments.h"
#include "spume/methods/cip/phases.h"

namespace spume::playground {
namespace {

/// ½ m v² + ½ ω·Iω of the bodies that the fluid moves, and their weight less that of the air in
/// their place.
void add_bodies(const State& s, const World& w, const Point<2>& lower, Energy& r) {
    const auto bodies = w.rigid.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const RigidState& now = s.rigid[i];
        const double mass = bodies[i].mass;
        r.kinetic += 0.5 * mass * dot(now.velocity, now.velocity) +
                     0.5 * dot(now.spin, times(bodies[i].inertia_at(now), now.spin));
        r.potential -= mass * dot(w.gravity(), Point<2>{now.position[0], now.position[1]} - lower);
    }
}

/// Drops are not on the grid; where bubbles are, the grid has water.
void add_fragments(const State& s, double water_density, const Point<2>& lower,
                   const Vec<double, 2>& g, double excess, Energy& r) {
    const auto& f = s.fragments;
    for (std::size_t i = 0; i < f.size(); ++i) {
        const bool drop = f.kind[i] == cip::kDrop;
        if (drop)
            r.kinetic += 0.5 * water_density * f.volume[i] * dot(f.velocity[i], f.velocity[i]);
        r.potential -=
            (drop ? excess : -excess) * f.volume[i] * dot(g, Point<2>(f.position[i]) - lower);
    }
}

}  // namespace

Energy energy_of(const State& s, const cip::Params& p, const World& w, Context& context) {
    const cip::Phases<2> phases = cip::phases_of(s.phi, w, p, context);
    const cip::DenseCutCells<2> open =
        cip::solid_geometry(w, w.solids_at(s.time, s.rigid), context).dense;
    const Physics& physics = w.scene.physics;
    const double volume = w.domain.cell_volume();
    const double excess = physics.water_density - physics.air_density;
    const Vec<double, 2> g = w.gravity();
    const Point<2> lower = w.position({0, 0});
    Energy r;
    for (int a = 0; a < 2; ++a) {
        const auto& shape = s.velocity[a].f.shape;
        for (std::size_t row = 0; row < shape.rows(); ++row) {
            const std::size_t at = shape.at(shape.row(row));
            for (std::size_t i = at; i < at + std::size_t(shape.size[1]); ++i) {
                const double u = s.velocity[a].f.values[i];
                const double part = open.solid ? double(open.area[a].values[i]) : 1;
                r.kinetic += 0.5 * part * physics.water_density * volume * u * u /
                             phases.inverse_density_ratio[a].values[i];
            }
        }
    }
    const auto& cells = s.phi.f.shape;
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        Index<2> i = cells.row(row);
        std::size_t at = cells.at(i);
        for (int n = 0; n < cells.size[1]; ++n, ++at, ++i[1]) {
            const Point<2> x = w.position(i.as<double>() + Vec<double, 2>::filled(0.5));
            const double part = open.solid ? double(open.part.values[at]) : 1;
            const double mass =
                part * excess * phases.water.values[at] - (1 - part) * physics.air_density;
            r.potential -= mass * volume * dot(g, x - lower);
        }
    }
    add_fragments(s, physics.water_density, lower, g, excess, r);
    add_bodies(s, w, lower, r);
    return r;
}

}  // namespace spume::playground
