// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "pls_run.h"

#include <algorithm>
#include <cmath>

#include "spume/methods/particle_level_set/flow_step.h"

namespace spume {

template <int D>
PlsRun<D>::PlsRun(Scene s, const particle_level_set::Params& p, int threads)
    : scene(std::move(s)),
      params(p),
      context(threads),
      world(particle_level_set::world_of<D>(scene, p, Inputs{})),
      state(particle_level_set::init(world, p, context)) {}

template <int D>
PlsRun<D>::~PlsRun() = default;

template <int D>
bool PlsRun<D>::one_step(double end) {
    last = particle_level_set::step(state, params, world, {state.time, end}, context);
    fastest = std::max(fastest, last.max_speed);
    failed = last.failed || last.stopped;
    ++steps;
    return !failed;
}

template <int D>
bool PlsRun<D>::until(double end) {
    while (!failed && state.time < end * (1 - 1e-12)) {
        const double left = end - state.time;
        const double longest = particle_level_set::max_dt(state, params, world, context).seconds;
        const double count = std::max(1.0, std::ceil(left / longest * (1 - 1e-12)));
        one_step(count <= 1 ? end : state.time + left / count);
    }
    return !failed;
}

template <int D>
double PlsRun<D>::kinetic_energy() const {
    Context ctx(1);
    const auto phi =
        particle_level_set::coarse_level<D>(state.surface.phi, world, state.grid.tiles, ctx);
    double sum = 0;
    for (int t = 0; t < phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            if (phi.at(t, o) < 0)
                for (int a = 0; a < D; ++a)
                    sum += 0.5 * state.velocity.at(a, t, o) * state.velocity.at(a, t, o);
    return sum * scene.physics.water_density * world.domain.cell_volume();
}

template struct PlsRun<2>;
template struct PlsRun<3>;

}  // namespace spume
