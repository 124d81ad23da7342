// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/basin.h"
#include "spume/physics/solids.h"

namespace spume {

/// x ← x + Δt u_b, the bubbles' own RK1 ([WSB25] §5.6); they grow older by Δt.
template <int D>
void advance(Bubbles<D>& bubbles, double dt, Context& context);

/// Bubbles inside a solid or beyond a wall are set on its surface and lose the velocity into it.
template <int D>
void keep_out(Bubbles<D>& bubbles, const Bodies<D>& bodies, const Basin<D>& basin,
              Context& context);

/// Bubbles that crossed an open side are removed; returns their volume.
template <int D>
double remove_escaped(Bubbles<D>& bubbles, const Basin<D>& basin, Context& context);

/// Volume and momentum of all bubbles, summed over a fixed tree.
template <int D>
double total_volume(const Bubbles<D>& bubbles, Context& context);
template <int D>
Vec<double, D> total_momentum(const Bubbles<D>& bubbles, Context& context);

/// The fastest of them, m/s.
template <int D>
double max_speed(const Bubbles<D>& bubbles, Context& context);

}  // namespace spume
