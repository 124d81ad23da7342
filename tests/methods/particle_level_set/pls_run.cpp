// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "pls_run.h"

#include "spume/methods/particle_level_set/flow_step.h"

namespace spume {

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

template struct MethodInMotion<particle_level_set::Method, 2>;
template struct MethodInMotion<particle_level_set::Method, 3>;
template struct PlsRun<2>;
template struct PlsRun<3>;

}  // namespace spume
