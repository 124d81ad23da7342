// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <type_traits>

#include "spume/particles/tracers.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/motion/carrier.h"
#include "spume/surface/level_set.h"

namespace spume {

/// The way through the carrier, third order [Ral62], then out of solids and walls. Returns the
/// amount that left through open sides. With `earlier`, the bodies when the substep began, none
/// crosses a wall, however thin.
template <int D>
double advance(Tracers<D>& tracers, const std::type_identity_t<Carrier<D>>& carrier,
               const PlacedSolids<D>& bodies, const GridDomain<D>& domain, double dt,
               Context& context, const PlacedSolids<D>* earlier = nullptr);

/// Those that got into the liquid go back to the air along the level set's gradient. Those deeper
/// than `deepest` are removed; returns their amount.
template <int D>
double keep_in_air(Tracers<D>& tracers, const LevelSet<D>& phi, double deepest, Context& context);

/// Σ amount.
template <int D>
double total_amount(const Tracers<D>& tracers, Context& context);

/// Amount by volume at cell centres, spread over the cells around each tracer: the sum over cells
/// times a cell's volume is the amount, but for what falls on cells that are not stored.
template <int D>
CellField<float, D> density_of(const Tracers<D>& tracers, const typename Tiles<D>::Ptr& tiles,
                               Context& context);

/// f(place, part) for each of the 2^D parts of the cell: its middle.
template <int D, class F>
void for_parts(const Transform<D>& transform, const Index<D>& cell, F&& f) {
    for (int k = 0; k < (1 << D); ++k) {
        Point<D> x = cell.template as<double>();
        for (int a = 0; a < D; ++a) x[a] += (k >> a & 1) ? 0.75 : 0.25;
        f(transform.to_world(x), k);
    }
}

}  // namespace spume
