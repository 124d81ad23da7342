// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

namespace spume {

/// A cell is liquid when its centre lies at least this many voxels below the surface, and air
/// otherwise: a centre on the surface is one of air, whatever rounding makes of its sign. No liquid
/// centre then lies nearer to the surface than this, by the level set itself, and the fraction of a
/// way to the surface needs no floor that would move the surface.
constexpr double kLeastDepth = 1e-3;

/// The one rule for the phase of a cell. Where the zero contour itself is drawn or measured, as for
/// meshes, distances and fractions, a point is inside when its value is negative: there nothing
/// jumps at zero.
inline bool is_liquid_centre(double phi, double voxel) { return phi < -kLeastDepth * voxel; }

/// Fraction θ of the way from a liquid centre to one of air at which the level set is zero. It is
/// more than one where the surface lies beyond a centre that counts as air: the pressure of a
/// liquid at rest is linear, and has its zero there and not at the centre.
inline double way_to_surface(double liquid, double air) { return liquid / (liquid - air); }

}  // namespace spume
