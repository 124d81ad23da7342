// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "guided_run.h"

#include <algorithm>
#include <cmath>

namespace spume {

template <int D>
void GuidedRun<D>::add(const Point<D>& x, double radius, double density,
                       const Vec<double, D>& velocity) {
    Bubbles<D> one;
    resize(one, 1);
    one.position.write()[0] = x;
    one.velocity.write()[0] = velocity;
    one.radius.write()[0] = float(radius);
    one.density.write()[0] = float(density);
    append(state.bubbles, one);
}

template <int D>
double GuidedRun<D>::deviation() {
    const Tiles<D>& tiles = *state.grid.tiles;
    const auto bulk = world.bulk->on(state.grid.tiles, state.time, context);
    double most = 0;
    for (int a = 0; a < D; ++a)
        for (int t = 0; t < tiles.active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                most =
                    std::max(most, std::abs(state.water.at(a, t, o) - bulk.velocity.at(a, t, o)));
    return most;
}

template <int D>
Point<D> GuidedRun<D>::centroid() const {
    Point<D> sum{};
    double volume = 0;
    for (std::size_t q = 0; q < state.bubbles.size(); ++q) {
        const double v = std::pow(double(state.bubbles.radius[q]), D);
        sum += state.bubbles.position[q] * v;
        volume += v;
    }
    return sum / volume;
}

template struct MethodInMotion<guided::Method, 2>;
template struct MethodInMotion<guided::Method, 3>;
template struct GuidedRun<2>;
template struct GuidedRun<3>;

}  // namespace spume
