// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/particle_level_set/particle_level_set.h"

namespace spume::particle_level_set {

/// The liquid at the beginning of a substep.
template <int D>
struct LiquidBefore {
    DenseField<float, D> phi;
    FaceField<double, D> velocity;
};

/// Bubbles move with the liquid through a substep, [G04] §5; then the markers of air that escaped
/// in it, from the `first` in the state's list on, become bubbles, [G04] §4.
template <int D>
void step_bubbles(State<D>& state, const Params& params, const World<D>& world,
                  const LiquidBefore<D>& before, Interval time, std::size_t first,
                  StepReport& report, Context& context);

/// Speed of the fastest bubble, m/s.
template <int D>
double bubble_speed(const LiveBubbles<D>& bubbles, Context& context);

}  // namespace spume::particle_level_set
