// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/markers.h"
#include "spume/physics/motion/dense_flow.h"
#include "spume/surface/level_band.h"
#include "spume/surface/marker_correction.h"

namespace spume {

/// How markers move through a flow: by the third-order scheme of [Ral62], or by one step of
/// Euler's.
enum class MarkerMotion { kThirdOrder, kEuler };

template <int D>
void move_markers(Markers<D>& markers, const DenseFlow<D>& flow, double dt, MarkerMotion motion,
                  Context& context);

/// A level set and the markers that correct it, [EFFM02].
template <int D>
struct ParticleLevelSet {
    DenseField<float, D> phi;  ///< voxels of its own lattice, negative in the liquid
    Markers<D> markers;
};

struct SurfaceMotion {
    MarkerRule markers;
    Redistancing distance;
    MarkerMotion motion = MarkerMotion::kThirdOrder;
    bool with_markers = true;
};

/// How many voxels of the level set the flow crosses in a second at most, summed over the axes of
/// each cell: what bounds a step of WENO.
template <int D>
double crossed_voxels(const DenseFlow<D>& flow, double voxel, Context& context);

/// Level set and markers go with the flow for a time in which nothing crosses a voxel, and markers
/// on the wrong side correct it.
template <int D>
void carry_surface(ParticleLevelSet<D>& surface, const DenseFlow<D>& flow,
                   const Transform<D>& lattice, const SurfaceMotion& how, double dt,
                   Context& context);

/// The level set becomes a distance again, is corrected once more, and the radii follow. Returns
/// the markers that have escaped.
template <int D>
Markers<D> settle_surface(ParticleLevelSet<D>& surface, const Transform<D>& lattice,
                          const SurfaceMotion& how, Context& context);

}  // namespace spume
