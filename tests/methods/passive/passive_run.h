// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <gtest/gtest.h>

#include "kept_state.h"
#include "method_in_motion.h"
#include "spume/methods/passive/method.h"

namespace spume::test {

template <int D>
struct PassiveRun : MethodInMotion<passive::Method, D> {
    using Base = MethodInMotion<passive::Method, D>;
    using Base::last, Base::params, Base::context, Base::world, Base::state;

    PassiveRun(const Scene& s, const passive::Params& p, const Inputs& inputs = {}, int threads = 1)
        : Base(s, p, threads, inputs) {}

    void until(double end) { ASSERT_TRUE(Base::until(end)) << last.why; }
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
