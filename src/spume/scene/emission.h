// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/scene/shape.h"

namespace spume {

/// Which surfaces entrain air: those that bend towards it (troughs, the foot of a jet), or crests
/// too. The sign of [WFS22] Eq. 32.
enum class CurvatureSign { kConcave, kBoth };

/// Where a liquid entrains air and how much it can hold, [WFS22] Eqs. 27–33.
struct Aeration {
    double a_min = 1;           ///< 1 is the onset by Eq. 27
    double a_max = 100;         ///< the most that is usual, [WFS22] Table 3
    double fraction_max = 0.5;  ///< φ_max at a_max: the middle of [WFS22] Table 3
    /// τ, s: as printed the fluctuation is that of one step, and the air depends on the frame rate.
    double tau = 1.0 / 24;
    CurvatureSign curvature = CurvatureSign::kConcave;
};

/// Radii of the bubbles: density ∝ r⁻³, or two slopes that meet at the Hinze radius.
enum class SizeLaw { kInverseCubic, kTwoSlope };

/// Where the emission is stronger or weaker.
struct EmissionRegion {
    std::string name;
    Shape shape;
    double strength = 1;
};

/// Where bubbles are taken away.
struct KillZone {
    std::string name;
    Shape shape;
};

/// Bubbles that the aeration of a bulk makes.
struct Emission {
    bool on = false;  ///< the scene has the section
    SizeLaw distribution = SizeLaw::kInverseCubic;
    double radius_min = 0.5e-3, radius_max = 5e-3;  ///< m, [WFS22] Table 3
    double split_radius = 1e-3;  ///< m, Hinze's: 0.7 … 1.7 mm is observed under breaking waves
    int jitter = 2;              ///< uniform samples added: 1 a box, 2 and 3 B-splines
    double time = 1.0 / 24;      ///< s in which a voxel fills
    double bubble_rate = 0, air_rate = 0;  ///< at most; 0: as many as it takes
    std::string mask;                      ///< a volume of the bulk that multiplies; empty: none
    double outside = 0;                    ///< strength outside of the regions, if there are any
    std::vector<EmissionRegion> regions;   ///< the first one that holds a place counts
    std::vector<KillZone> kills;
};

class ParamVisitor;
/// The sections [aeration] and [emission].
void describe(Aeration& aeration, Emission& emission, int dimensions, ParamVisitor& visitor);

}  // namespace spume
