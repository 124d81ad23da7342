// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/scene/shape.h"

namespace spume {

/// How long foam lives: [WFS22] §7.2, a normal distribution cut to positive ages, or as the area of
/// whitecaps fades.
enum class FoamLife { kNormal, kExponential, kForever };
/// What new foam is measured by where there is much already, [WFS22] §7.2.
enum class FoamPruning { kArea, kNumber, kOff };
/// What is done about speed that turning into the tangent plane loses, [WFS22] Eq. 58.
enum class FoamRotation { kNone, kPrinted };

/// How pressure and viscosity between bubbles are integrated; see physics/foam/foam_implicit.h.
enum class FoamIntegration { kExplicit, kImplicit };

/// Foam that lies on a liquid from the start on, or is added for a while.
struct FoamPatch {
    std::string name;
    Shape shape;
    double cover = 0.5;  ///< part of the surface that the bubbles' discs cover
    double rate = 0;     ///< of the surface a second, from `start` to `stop`; 0: once, at `start`
    double start = 0, stop = 1e9;                 ///< s
    double radius_min = 2e-3, radius_max = 2e-3;  ///< m; density ∝ r⁻³ between them
    double streaks = 0;      ///< m, size of the holes and strands in it; 0: even
    double sharpness = 0.5;  ///< 0 … 1: how much of it is strands
};

/// Wet foam on the surface of a liquid, [WFS22] §§6–7. Numbers are those of Table 3.
struct WetFoam {
    bool given = false;  ///< the scene has the section
    bool on = true;
    double support = 4;           ///< β: h = βr
    double stiffness = 0.5;       ///< κ, m²/s²
    double viscosity = 0.05;      ///< μ, m/s
    double viscosity_radius = 0;  ///< m: μ belongs to it and goes as 1/r; 0: the same for all
    // The paper's 10 … 100 belong to a kernel that integrates to 1/8.
    double cohesion = 10;       ///< C, m/s²
    double cohesion_range = 5;  ///< β^c
    double capillarity = 0;     ///< attraction by menisci, of what nature has
    double drag = 0.2;          ///< χ^Φ, 1/s
    double density = 1;         ///< ρ_f, kg/m³
    double kept_speed = 0.7;    ///< ζ
    FoamLife life = FoamLife::kNormal;
    double life_mean = 1.75, life_variance = 0.5;  ///< s, s²
    double life_power = 0;                         ///< life ∝ (r / 1 mm)^p
    FoamPruning pruning = FoamPruning::kArea;
    FoamRotation rotation = FoamRotation::kNone;
    FoamIntegration integration = FoamIntegration::kExplicit;
    int newton_iterations = 5;
    double max_correction = 1;  ///< ε in voxels
    int max_substeps = 64;      ///< of the foam in one of the bubbles'
    bool coverage = true;       ///< write the part of the surface that is covered
    std::vector<FoamPatch> patches;
};

class ParamVisitor;
/// The section [foam].
void describe(WetFoam& foam, ParamVisitor& visitor);

}  // namespace spume
