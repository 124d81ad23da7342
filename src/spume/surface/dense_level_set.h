// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/grid/dense.h"

namespace spume {

// Level sets over a whole box, negative in water, at cell centres; all lengths in voxels. Ghosts of
// a level set are filled (mirror images in the walls).

/// H_ε, [SSK05] Eq. 15, its integral from −∞ on, and its derivative, Eq. 9: from 0 at −ε to 1 at ε.
double smeared_step(double x, double epsilon);
double integral_of_smeared_step(double x, double epsilon);
/// The mean of H_ε between two places.
double mean_smeared_step(double a, double b, double epsilon);
double smeared_delta(double x, double epsilon);

/// φ / |∇φ| from the derivatives that a field carries: the distance to first order also where φ is
/// no distance. |∇φ| counts as ½ … 2, so that folds keep their sign and size.
template <class T, int D>
inline T scaled_distance(T phi, const T (&gradient)[D]) {
    T square = 0;
    for (int a = 0; a < D; ++a) square += gradient[a] * gradient[a];
    return phi / std::min(std::max(std::sqrt(square), T(0.5)), T(2));
}

/// Cells with |φ| < band, in the order of memory.
template <class T, int D>
std::vector<std::size_t> band_cells(const DenseField<T, D>& phi, double band, Context& context);

/// ∂φ/∂τ + sgn(φ) (|∇φ| − 1) = 0, [SSK05] Eqs. 18–19, within the band, by second-order ENO upwind
/// differences, and in cells as near by their number; cells beside the surface keep their distance
/// to the zero of the start [RS00], in thin parts φ times a smooth 1/|∇φ|, so that the surface
/// stays where it is. `iterations` of ½ voxel each; values are cut at the band.
template <class T, int D>
void redistance(DenseField<T, D>& phi, double band, int iterations, Context& context);

/// κ = ∇·(∇φ/|∇φ|), [SSK05] Eq. 8, on the surface nearest to each cell of the band: of the level
/// through the centres by central differences, then interpolated at x − φ∇φ. Per voxel; (D − 1)/R
/// around a ball of water, cut at ±(D − 1). Zero beyond the band.
template <class T, int D>
DenseField<T, D> surface_curvature(const DenseField<T, D>& phi, double band, Context& context);

}  // namespace spume
