// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "run.h"

namespace spume {

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

template struct MethodInMotion<constraint::Method, 2>;
template struct MethodInMotion<constraint::Method, 3>;
template struct ConstraintRun<2>;
template struct ConstraintRun<3>;

}  // namespace spume
