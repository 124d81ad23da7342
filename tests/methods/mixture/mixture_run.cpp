// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "mixture_run.h"

namespace spume {

template <int D>
MixtureRun<D>::MixtureRun(Scene s, const mixture::Params& p, int threads)
    : scene(std::move(s)),
      params(p),
      context(threads),
      world(mixture::world_of<D>(scene, p, Inputs{})),
      state(mixture::init(world, p, context)) {}

template <int D>
MixtureRun<D>::~MixtureRun() = default;

template <int D>
void MixtureRun<D>::add(const Point<D>& x, double radius, double density) {
    Bubbles<D> one;
    resize(one, 1);
    one.position.write()[0] = x;
    one.radius.write()[0] = float(radius);
    one.density.write()[0] = float(density);
    one.id.write()[0] = state.bubbles.next_id;
    const std::uint64_t next = state.bubbles.next_id + 1;
    append(state.bubbles, one);
    state.bubbles.next_id = next;
}

template <int D>
bool MixtureRun<D>::until(double end, double limit) {
    while (!failed && state.time < end * (1 - 1e-12)) {
        const double left = end - state.time;
        const double dt = mixture::max_dt(state, params, world, context).seconds;
        const double count = std::max(1.0, std::ceil(left / dt * (1 - 1e-12)));
        const Interval time{state.time, count <= 1 ? end : state.time + left / count};
        last = mixture::step(state, params, world, time, context);
        fastest = std::max(fastest, last.max_speed);
        voxels = std::max(voxels, static_cast<std::int64_t>(state.water_cells));
        failed = last.failed || !(last.max_speed <= limit);
    }
    return !failed;
}

template <int D>
Point<D> MixtureRun<D>::centroid() const {
    return mean(state.bubbles.position);
}

template <int D>
Vec<double, D> MixtureRun<D>::mean_velocity() const {
    return mean(state.bubbles.velocity);
}

template <int D>
Vec<double, D> MixtureRun<D>::mean(const Array<Vec<double, D>>& of) const {
    Vec<double, D> sum{};
    double volume = 0;
    for (std::size_t q = 0; q < state.bubbles.size(); ++q) {
        const double v = std::pow(double(state.bubbles.radius[q]), D);
        sum += of[q] * v;
        volume += v;
    }
    return sum / volume;
}

template struct MixtureRun<2>;
template struct MixtureRun<3>;

}  // namespace spume
