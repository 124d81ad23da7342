// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/cip/cip.h"

namespace spume::cip {

// A state changed by hand between two substeps. What a change adds to the water or takes from it
// also changes `target_volume`: the compensation of [SSK05] Eqs. 20–22 keeps what was poured.

/// A ball (2D: disc) that a hand moves.
template <int D>
struct Brush {
    Point<D> center{};
    double radius = 0;          ///< m
    Vec<double, D> velocity{};  ///< m/s
};

/// Fills the brush with water (else air) that moves as it does. Returns the change of the water's
/// volume, m³ (2D: m²).
template <int D>
double pour(State<D>& state, const World<D>& world, const Params& params, const Brush<D>& brush,
            bool water, Context& context);

/// u ← u + s (1 − r²/R²)² (v − u): the fluid in the brush follows it, at s = 1 wholly in the
/// middle.
template <int D>
void drag(State<D>& state, const World<D>& world, const Brush<D>& brush, double strength,
          Context& context);

/// u ← u + ω × r (1 − r²/R²)² in the plane of the first two axes; spin is ω in rad/s.
template <int D>
void stir(State<D>& state, const World<D>& world, const Brush<D>& brush, double spin,
          Context& context);

/// Ink in the brush, densest in the middle: what is there already stays.
template <int D>
void add_ink(State<D>& state, const World<D>& world, const Brush<D>& brush, double amount,
             Context& context);

/// Other solids in place of the world's. Water under new ones is gone, room under old ones is
/// filled by what is around it.
template <int D>
void replace_solids(State<D>& state, World<D>& world, const Params& params,
                    const std::vector<Solid>& solids, const Inputs& inputs, Context& context);

/// The state on another grid over the same box: fields sampled, drops and bubbles as they are. The
/// water keeps its volume.
template <int D>
State<D> resampled(const State<D>& state, const World<D>& from, const World<D>& to,
                   const Params& params, Context& context);

}  // namespace spume::cip
