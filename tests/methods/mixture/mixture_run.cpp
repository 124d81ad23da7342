// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "mixture_run.h"

namespace spume {

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
    return Base::until(end, [&] {
        voxels = std::max(voxels, static_cast<std::int64_t>(state.water_cells));
        failed = failed || !(last.max_speed <= limit);
    });
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

template struct MethodInMotion<mixture::Method, 2>;
template struct MethodInMotion<mixture::Method, 3>;
template struct MixtureRun<2>;
template struct MixtureRun<3>;

}  // namespace spume
