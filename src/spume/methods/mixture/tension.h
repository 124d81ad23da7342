// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/mixture/air_pockets.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

// Surface tension as a force density on the mixture, from the air fraction itself: no interface is
// tracked, [WSB25] §3.1 and §5.4.
//
//   f^σ = σ κ ∇φ,   κ = −∇·(∇φ / |∇φ|)         Eq. 5, the sign such that pressure is higher inside
//
// Each phase receives its share φ f^σ (Eq. 6), that is the acceleration f^σ / ρ.

/// What of [WSB25] §5.4.1 and §5.5 is in use; all of it but `clamped` by default.
struct TensionLaw {
    double coefficient = 0;  ///< σ, N/m; 0: no surface tension
    bool filter = true;      ///< ψ: lone bubbles have no interface on the grid
    bool compensate = true;  ///< χ: no net force on a pocket
    bool on_faces = true;    ///< Eq. 51: the projection sees the force of the faces
    int smoothing = 4;       ///< sweeps over the fraction before its curvature is taken; 0: as
                             ///< printed
    /// φ^c in Eq. 46. Pressure carries no such factor, so that where the fraction is clamped the
    /// two cannot balance on a particle: off.
    bool clamped = false;
};

/// Cells around lone particles, nonzero: the five sweeps of [WSB25] §5.4.1, each over the marks of
/// the one before. ψ = 0 on all faces of these cells.
template <int D>
CellField<std::int32_t, D> isolated_cells(const FaceField<double, D>& bubble, Context& context);

/// φ_i, the mean of ψ φ_b over the faces of a cell, Eq. 41. `isolated` may have no tiles: ψ = 1.
template <int D>
CellField<double, D> cell_fraction(const FaceField<double, D>& bubble,
                                   const CellField<std::int32_t, D>& isolated, Context& context);

/// The fraction after `sweeps` of the filter (1 2 1)/4 along each axis, for its curvature only:
/// ours, in the spirit of [BKZ92]. Solids and walls continue the fraction of the cells beside them.
template <int D>
CellField<double, D> smoothed(CellField<double, D> fraction, int sweeps, const CutCells<D>& open,
                              const GridDomain<D>& domain, Context& context);

/// S φ + S (φ − S φ) with S the sweeps of smoothed(): noise goes as with S, but waves several
/// voxels long keep their height.
template <int D>
CellField<double, D> without_noise(const CellField<double, D>& fraction, int sweeps,
                                   const CutCells<D>& open, const GridDomain<D>& domain,
                                   Context& context);

/// κ_i, |κ| ≤ 2/h, from central differences, averaged along the other axes so that they prefer
/// none, or bare as printed. Solids and walls continue the fraction of the cells beside them, so
/// that air meets them at a right angle.
template <int D>
CellField<double, D> curvature(const CellField<double, D>& fraction, bool averaged,
                               const CutCells<D>& open, const GridDomain<D>& domain,
                               Context& context);

/// M κ + M (κ − M κ), M the mean over the cells two around with the weight |∇φ|²: the curvature as
/// it is where `fraction` is steepest, the same on both sides of the surface, of which waves along
/// it lose little. Where the fraction has almost levelled out its curvature is noise, yet Eq. 42
/// takes it at full weight. Ours.
template <int D>
CellField<double, D> steep_mean(const CellField<double, D>& curvature,
                                const CellField<double, D>& fraction, const CutCells<D>& open,
                                const GridDomain<D>& domain, Context& context);

/// f^σ on faces between two fluid cells, Eq. 42.
template <int D>
FaceField<double, D> tension_on_faces(const CellField<double, D>& fraction,
                                      const CellField<double, D>& curvature, double coefficient,
                                      const CutCells<D>& open, Context& context);

/// Takes χ_ν off f^σ on the faces of each pocket, Eqs. 43–45, one sum an axis. Returns χ by pocket.
/// A pocket that touches a wall or a solid is left alone: there the wall holds the balance.
template <int D>
std::vector<Vec<double, D>> compensate_drift(FaceField<double, D>& force, const Pockets<D>& pockets,
                                             const CutCells<D>& open, Context& context);

/// All of it: Alg. 1 line 4. No tiles in the result where σ is 0.
template <int D>
FaceField<double, D> surface_tension(const MixtureFaces<D>& mixture, const TensionLaw& law,
                                     const CutCells<D>& open, const GridDomain<D>& domain,
                                     Context& context);

/// A force density on faces as both phases will meet it, Eqs. 6, 46 and 51.
template <int D>
MixtureForce<D> shared_force(FaceField<double, D> force, const TensionLaw& law,
                             const Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                             const TileRanges<D>& ranges, const GridDomain<D>& domain,
                             Context& context);

}  // namespace spume::mixture
