// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <type_traits>

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/grid/sample.h"
#include "spume/particles/liquid.h"
#include "spume/particles/sort.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/domain/thin_walls.h"
#include "spume/physics/motion/carrier.h"

namespace spume {

/// The way through the carrier with the third-order scheme of Ralston [Ral62]; its fields are
/// frozen and multilinear. Particles must be sorted.
template <int D>
void advance(Liquid<D>& liquid, const TileRanges<D>& ranges,
             const std::type_identity_t<Carrier<D>>& carrier, const Clamp<D>& clamp, double dt,
             Context& context);

/// Particles inside solids or beyond walls go to the nearest point outside, and lose the velocity
/// that would bring them back. With `before`, where the particles and bodies were, none crosses a
/// wall, however thin (physics/domain/thin_walls.h).
template <int D>
void push_out(Liquid<D>& liquid, const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
              Context& context, const Departure<D>* before = nullptr);

/// Is it beyond an open side?
template <int D>
bool has_escaped(const Point<D>& x, const GridDomain<D>& domain);

/// Removes what has crossed an open side of the box; returns how many.
template <int D>
std::size_t remove_escaped(Liquid<D>& liquid, const GridDomain<D>& domain, Context& context);

template <int D>
double max_speed(const Liquid<D>& liquid, Context& context);
/// Σ v ρ/ρ₀, m/s.
template <int D>
Vec<double, D> total_velocity(const Liquid<D>& liquid, Context& context);

/// Velocity at any point, u + d/Δt of a carrier, through the tile table; walls as in advance(). The
/// fields must outlive it.
template <int D>
class VelocitySampler {
  public:
    VelocitySampler(const FaceField<double, D>& flow, const Clamp<D>& clamp);
    VelocitySampler(const Carrier<D>& carrier, const Clamp<D>& clamp);
    Vec<double, D> operator()(const Point<D>& lattice);

  private:
    const double* values_[D];
    const float* displacement_[D] = {};  ///< none: null
    double rate_ = 0;                    ///< 1/Δt
    Clamp<D> clamp_;
    TileCursor<D> cursor_;
};

}  // namespace spume
