// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spume/core/describe.h"
#include "spume/physics/foam/bubble_cluster.h"
#include "spume/physics/foam/bubble_merging.h"
#include "spume/scene/shape.h"

namespace spume::passive {

/// Where the pressure that pushes bubbles comes from.
enum class PressureFrom { kMotion, kStored, kStoredOrMotion, kHydrostatic };

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

/// A bubble by hand.
struct HandBubble {
    Vec<double, 3> position{0, 0, 0};
    double radius = 2e-3;
    double time = 0;
};

/// Bubbles to be taken away: in a shape, or by their ids.
struct Removal {
    std::string name;
    bool shaped = false;
    Shape shape;
    std::string ids;
    double start = 0, stop = 1e9;
};

/// What a scene may say in its [passive] section; describe() says what each key does. The reason
/// for a default stands above it. [G04] gives no numbers for its coefficients.
struct Params {
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
    PressureFrom pressure = PressureFrom::kMotion;
    double acceleration_limit = 100;
    double life = 3, wall_life = 6, small_radius = 1e-3, large_radius = 5e-3, life_scale = 1;
    bool pop_in_air = false;
    Merging merging = Merging::kNever;
    double merge_depth = 0.5;
    MarkerParams markers;
    std::vector<HandBubble> bubbles;
    std::vector<Removal> removals;
    double cfl = 2;
    int min_substeps = 1;
};

void describe(Params& params, ParamVisitor& visitor);

/// "3 7-12 40" as ranges from … to, both counted in. False where it is nothing of the kind.
bool parse_ids(const std::string& text,
               std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges);

}  // namespace spume::passive
