// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/grid/sample.h"
#include "spume/particles/liquid.h"
#include "spume/particles/sort.h"
#include "spume/physics/solids.h"
#include "spume/physics/thin_walls.h"

namespace spume {

/// dx/dt = u(x) with the third-order scheme of Ralston [Ral62]; u is frozen and multilinear.
/// Particles must be sorted.
template <int D>
void advance(Liquid<D>& liquid, const TileRanges<D>& ranges, const FaceField<double, D>& velocity,
             const Clamp<D>& clamp, double dt, Context& context);

/// Particles inside solids or beyond walls go to the nearest point outside, and lose the velocity
/// that would bring them back. With `before`, where the particles and bodies were, none crosses a
/// wall, however thin (physics/thin_walls.h).
template <int D>
void push_out(Liquid<D>& liquid, const Bodies<D>& bodies, const Basin<D>& basin, Context& context,
              const Departure<D>* before = nullptr);

/// Is it beyond an open side?
template <int D>
bool has_escaped(const Point<D>& x, const Basin<D>& basin);

/// Removes what has crossed an open side of the box; returns how many.
template <int D>
std::size_t remove_escaped(Liquid<D>& liquid, const Basin<D>& basin, Context& context);

template <int D>
double max_speed(const Liquid<D>& liquid, Context& context);
/// Σ v ρ/ρ₀, m/s.
template <int D>
Vec<double, D> total_velocity(const Liquid<D>& liquid, Context& context);

/// Velocity at any point, through the tile table; walls as in advance().
template <int D>
class VelocitySampler {
  public:
    VelocitySampler(const FaceField<double, D>& field, const Clamp<D>& clamp);
    Vec<double, D> operator()(const Point<D>& lattice);

  private:
    const double* values_[D];
    Clamp<D> clamp_;
    TileCursor<D> cursor_;
};

}  // namespace spume
