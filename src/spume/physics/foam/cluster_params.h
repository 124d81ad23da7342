// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/physics/foam/bubble_merging.h"
#include "spume/physics/foam/cluster_motion.h"
#include "spume/physics/foam/marker_bubbles.h"
#include "spume/scene/document.h"
#include "spume/scene/scene.h"

namespace spume {

// What a scene says of passive bubbles that stick together, [G04] §§4–5, whichever method has them.

enum class Thinning { kVolume, kArea };

/// Coefficients of a region over K_visc of bubbles in the liquid: forces are speeds.
struct RegionParams {
    double repulsion = 0.15;   ///< k_r, m/s: at which two whose centres meet would part
    double attraction = 0.15;  ///< k_a, m/s: at which a pair that just touches draws together
    double friction = 1;       ///< k_v
    double obstacle = 1;       ///< k_of
    double viscous = 1;        ///< K_visc
    double air = 0;            ///< k_air
};

struct MarkerParams {
    bool bubbles = true, drops = true;
    double escape = 1.5;  // [G04] §3.3.4
    bool concave = true, company = true;
    // Enright's range, which [G04] Eq. 16 takes over.
    double marker_min = 0.1, marker_max = 0.5;  ///< in voxels
    double small_mean = 1e-3, small_deviation = 0.4e-3;
    double large_mean = 2.5e-3, large_deviation = 1e-3;
    double radius_min = 0.5e-3, radius_max = 5e-3;
    double density = 0;  ///< 1/m³ (2D: 1/m²) at which all are considered; 0: at any
    double per_cell = 64;
    Thinning thinning = Thinning::kVolume;
};

/// describe() says what each key does. The reason for a default stands above it. [G04] gives no
/// numbers for its coefficients.
struct ClusterParams {
    // Stronger below than at the surface, no attraction and no friction there: [G04] §5.3.1.
    RegionParams below{0.4, 0, 0, 0, 1, 0};
    // A pair overlaps by a third of a radius, a packed layer by an eighth.
    RegionParams touching_below, touching_above;
    // No liquid to rub against: the films do.
    RegionParams above{0.15, 0.15, 1, 2, 0, 0.5};
    double wall_repulsion = 1, wall_attraction = 1;
    // What bubbles of 1 to 5 mm reach in water.
    double rise_speed = 0.25, rise_radius = 2e-3, clip_radius = 2e-3;
    double fall_speed = 0.15;
    double threshold = 0.1;  // [G04] §5.3.1
    SurfaceForces surface = SurfaceForces::kHeld;
    ClusterIntegration integration = ClusterIntegration::kExplicit;
    // A hundredth, as in [G04] §5.4, changes no place by more than a few hundredths of a radius.
    double courant = 0.5, stability = 0.5;
    double acceleration_limit = 100;
    double life = 3, wall_life = 6, small_radius = 1e-3, large_radius = 5e-3, life_scale = 1;
    bool pop_in_air = false;
    Merging merging = Merging::kNever;
    double merge_depth = 0.5;
    MarkerParams markers;
};

void describe_forces(ClusterParams& params, ParamVisitor& visitor);
void describe_regions(ClusterParams& params, ParamVisitor& visitor);
void describe_lives(ClusterParams& params, ParamVisitor& visitor);
void describe_subcycles(ClusterParams& params, ParamVisitor& visitor);
/// Of markers that a cached liquid lost; and what of it goes for those of a liquid's own run.
void describe(MarkerParams& params, ParamVisitor& visitor);
void describe_marker_bubbles(MarkerParams& params, ParamVisitor& visitor);

/// Complains about values that do not go together, as keys of the section `path`.
void check(const ClusterParams& params, const std::string& path, SceneDocument& document);

template <int D>
ClusterLaw<D> cluster_law(const ClusterParams& params, const Physics& physics);
PoppingLaw popping_law(const ClusterParams& params, std::uint64_t seed);
/// Of a liquid's run with this voxel.
MarkerLaw marker_law(const MarkerParams& params, double voxel, int dimensions, std::uint64_t seed);

}  // namespace spume
