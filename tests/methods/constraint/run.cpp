// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "run.h"

namespace spume {

template <int D>
ConstraintRun<D>::ConstraintRun(Scene s, const constraint::Params& p, int threads)
    : scene(std::move(s)),
      params(p),
      context(threads),
      world(constraint::world_of<D>(scene, p, Inputs{})),
      state(constraint::init(world, p, context)) {}

template <int D>
ConstraintRun<D>::~ConstraintRun() = default;

template <int D>
bool ConstraintRun<D>::one_step(double end) {
    last = constraint::step(state, params, world, {state.time, end}, context);
    events.insert(events.end(), last.events.begin(), last.events.end());
    fastest = std::max(fastest, last.max_speed);
    failed = last.failed || last.stopped;
    ++steps;
    return !failed;
}

template <int D>
double ConstraintRun<D>::next_time(double end) {
    const double left = end - state.time;
    const double longest = constraint::max_dt(state, params, world, context).seconds;
    const double count = std::max(1.0, std::ceil(left / longest * (1 - 1e-12)));
    return count <= 1 ? end : state.time + left / count;
}

template <int D>
int ConstraintRun<D>::region_at(const Point<D>& x) const {
    TileCursor<D> cursor(*state.air.label.tiles());
    const auto at = cursor(floor_index<D>(state.air.label.tiles()->transform().to_lattice(x)));
    return state.air.label.tiles()->is_active(cursor.tile()) ? state.air.label.read()[at] : -1;
}

template <int D>
double ConstraintRun<D>::trapped() const {
    double sum = 0;
    for (const AirBubble& b : state.air.bubbles) sum += b.outside ? 0 : b.volume;
    return sum;
}

template struct ConstraintRun<2>;
template struct ConstraintRun<3>;

}  // namespace spume
