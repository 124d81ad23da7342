// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "kept_state.h"
#include "spume/methods/passive/method.h"

namespace spume::test {

/// The method on a scene written in code, a substep a call of `until`'s loop, without retry.
template <int D>
struct PassiveRun {
    passive::Params params;
    Context context;
    passive::World<D> world;
    passive::State<D> state;
    StepReport last;

    PassiveRun(const Scene& scene, const passive::Params& p, const Inputs& inputs = {},
               int threads = 1)
        : params(p),
          context(threads),
          world(passive::world_of<D>(scene, p, inputs)),
          state(passive::init(world, p, context)) {}

    void until(double end) {
        while (state.time < end * (1 - 1e-12)) {
            const double left = end - state.time;
            const double dt = passive::max_dt(state, params, world, context).seconds;
            const double count = std::max(1.0, std::ceil(left / dt * (1 - 1e-12)));
            last =
                passive::step(state, params, world,
                              {state.time, count <= 1 ? end : state.time + left / count}, context);
            ASSERT_FALSE(last.failed) << last.why;
        }
    }
    StateSummary summary() { return passive::summary(state, params, world, context); }
};

template <int D>
KeptState state_of(PassiveRun<D>& run) {
    KeptState kept;
    passive::describe(run.state, run.world, kept);
    return kept;
}

/// A pool with a surface at 0.3 m and a bed of bubbles.
inline Scene pool(int dimensions) {
    Scene s;
    s.method = "passive";
    s.domain.dimensions = dimensions;
    s.domain.voxel = 0.02;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = {0.4, 0.5, 0.4};
    s.bulk.present = true;
    s.bulk.kind = BulkKind::kStill;
    s.bulk.level = 0.3;
    Emitter e;
    e.shape.center = {0.2, 0.2, 0.2};
    e.shape.size = {0.1, 0.05, 0.1};
    e.law = RadiusLaw::kInverseCubic;
    e.radius_min = 2e-3;
    e.radius_max = 5e-3;
    e.rate = dimensions == 2 ? 5e-3 : 1e-4;
    s.emitters = {e};
    return s;
}

}  // namespace spume::test
