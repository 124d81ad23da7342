// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spume/methods/method.h"

namespace spume {

/// A whole method on a scene written in code, with the session's substeps but without retry, so
/// that an instability shows. Each method's file …run.cpp compiles it once: State and World cost
/// every test file seconds otherwise.
template <class M, int D>
struct MethodInMotion {
    Scene scene;
    typename M::Params params;
    Context context;
    WorldOf<M, D> world;
    StateOf<M, D> state;
    StepReport last;
    std::vector<BubbleEvent> events;
    double fastest = 0;  ///< m/s, since the start
    int steps = 0;
    bool failed = false;

    MethodInMotion(Scene s, const typename M::Params& p, int threads = 1,
                   const Inputs& inputs = {});
    ~MethodInMotion();

    /// Goes on until `end`; `each` sees the state after every substep. False when one failed.
    template <class Each>
    bool until(double end, Each&& each) {
        while (!failed && state.time < end * (1 - 1e-12)) {
            one_step(next_time(end));
            each();
        }
        return !failed;
    }
    bool until(double end) {
        return until(end, [] {});
    }
    bool one_step(double end);
    /// Where the next of the substeps up to `end` ends.
    double next_time(double end);
};

template <class M, int D>
MethodInMotion<M, D>::MethodInMotion(Scene s, const typename M::Params& p, int threads,
                                     const Inputs& inputs)
    : scene(std::move(s)),
      params(p),
      context(threads),
      world(world_of<D>(scene, p, inputs)),
      state(init<D>(world, p, context)) {}

template <class M, int D>
MethodInMotion<M, D>::~MethodInMotion() = default;

template <class M, int D>
bool MethodInMotion<M, D>::one_step(double end) {
    last = step(state, params, world, {state.time, end}, context);
    events.insert(events.end(), last.events.begin(), last.events.end());
    fastest = std::max(fastest, last.max_speed);
    failed = last.failed || last.stopped;
    ++steps;
    return !failed;
}

template <class M, int D>
double MethodInMotion<M, D>::next_time(double end) {
    const double left = end - state.time;
    const double longest = max_dt(state, params, world, context).seconds;
    const double count = std::max(1.0, std::ceil(left / longest * (1 - 1e-12)));
    return count <= 1 ? end : state.time + left / count;
}

}  // namespace spume
