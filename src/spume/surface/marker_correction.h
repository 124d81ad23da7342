// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/dense.h"
#include "spume/grid/tile.h"
#include "spume/particles/markers.h"

namespace spume {

// Markers on both sides of a level set over a box, [EFFM02] and [G04] §3.3. The level set counts in
// voxels of its own lattice, of which the transform says where it lies; cell 0 begins at its
// origin.

struct MarkerRule {
    double least_radius = 0.1, most_radius = 0.5;  ///< voxels of the level set, [G04] Eq. 16
    /// A marker on the wrong side by more than so many radii corrects the level set. [EFFM02] takes
    /// 1, which leaves twice the least radius between the surface and where the markers want it.
    double correct_from = 0;
    /// By more than so many it no longer does, and leaves, [G04] §3.3.4.
    double escape = 1.5;
    /// The same of markers of liquid: thin sheets hold on to theirs for longer.
    double liquid_escape = 3;
    int per_cell = 32;
    double reach = 3;  ///< voxels on each side of the surface that hold markers

    /// Is a marker of this radius, which carries its sign, too deep on the wrong side?
    bool leaves(float depth, float radius) const {
        return radius > 0 ? depth > radius * float(escape) : depth > -radius * float(liquid_escape);
    }
};

/// [G04] Eq. 15: every marker on the wrong side brings its ball, φ_p(x) = s (r − |x − x_p|), to the
/// 2^D cells around it; of the largest by markers of air and the smallest by those of liquid the
/// one nearer to the surface stays. Returns how many markers were as far on the wrong side.
template <int D>
std::size_t correct_with_markers(DenseField<float, D>& phi, const Markers<D>& markers,
                                 const Transform<D>& lattice, const MarkerRule& rule,
                                 Context& context);

/// Radii by the distance from the surface, [G04] Eq. 16. Takes out and returns the markers that are
/// on the wrong side by more than `escape` radii; they keep their ids.
template <int D>
Markers<D> adjust_markers(Markers<D>& markers, const DenseField<float, D>& phi,
                          const Transform<D>& lattice, const MarkerRule& rule, Context& context);

/// Markers in all cells within reach of the surface, at random places; none nearer to the surface
/// than the least radius.
template <int D>
void seed_markers(Markers<D>& markers, const DenseField<float, D>& phi, const Transform<D>& lattice,
                  const MarkerRule& rule, std::uint64_t seed, std::uint32_t step, Context& context);

/// [G04] §3.3.2: markers farther from the surface than their reach go; cells with too few get new
/// ones, those with too many lose the farthest, never one that touches the surface or is beyond it.
/// `tiles` cover the lattice.
template <int D>
void reseed_markers(Markers<D>& markers, const DenseField<float, D>& phi,
                    const typename Tiles<D>::Ptr& tiles, const MarkerRule& rule, std::uint64_t seed,
                    std::uint32_t step, Context& context);

}  // namespace spume
