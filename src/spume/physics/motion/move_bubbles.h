// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>

#include "spume/core/context.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/domain/thin_walls.h"

namespace spume {

inline constexpr double kAnyDensity = std::numeric_limits<double>::infinity();

/// x ← x + Δt u_b, the bubbles' own RK1 ([WSB25] §5.6); they grow older by Δt.
template <int D>
void advance(Bubbles<D>& bubbles, double dt, Context& context);

/// Bubbles inside a solid or beyond a wall are set on its surface and lose the velocity into it.
/// With `before`, where bubbles and bodies were, none crosses a wall, however thin.
template <int D>
void keep_out(Bubbles<D>& bubbles, const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
              Context& context, const Departure<D>* before = nullptr);

/// Bubbles that crossed an open side are removed; returns the volume of those up to a density:
/// what is denser is no air.
template <int D>
double remove_escaped(Bubbles<D>& bubbles, const GridDomain<D>& domain, Context& context,
                      double densest = kAnyDensity);

/// Volume and momentum of all bubbles, summed over a fixed tree; the volume again up to a density.
template <int D>
double total_volume(const Bubbles<D>& bubbles, Context& context, double densest = kAnyDensity);
template <int D>
Vec<double, D> total_momentum(const Bubbles<D>& bubbles, Context& context);

/// The fastest of them, m/s.
template <int D>
double max_speed(const Bubbles<D>& bubbles, Context& context);

}  // namespace spume
