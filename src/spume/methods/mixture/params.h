// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/methods/mixture/power_basis.h"
#include "spume/physics/motion/advect.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

enum class StartPressure { kHydrostatic, kLast };
enum class OpenBorder { kHydrostatic, kStill };

/// What a scene may say in its [mixture] section; describe() says what each key does. The reason
/// for a default stands above it; the numbers are those of docs/validation/mixture.md.
struct Params {
    // At 1:1000 it converges in two iterations where the published schemes need a thousand.
    Scheme scheme = Scheme::kImplicitDrag;
    // The rise of a closed column is then exact to 2e-10, that of a cloud to 2e-6.
    int newton_iterations = 2;
    // All iterations run: two cost the same in every substep.
    double newton_tolerance = 0;
    // Midway in the range of [WFS22] Eq. 20; no study of ours chose it.
    double compliance = 0.5;
    // The power kernel takes up to 80 turns in bodies of air and holds them together no better.
    Basis basis = Basis::kTrilinear;
    // Voxels full of air are allowed; only the schemes of [WFS22] divide by the water's fraction.
    double max_fraction = 1;
    // For comparison with [SWBD20] only.
    bool binary_fraction = false;
    // The physical law, [WFS22] Eq. 5.
    double drag = 1;
    // A border of still water changes the rise of a cloud three times as much.
    OpenBorder border = OpenBorder::kHydrostatic;
    // Changes the rise of a cloud by 0.1 %; none by 1 %, two by 0.03 % at three times the voxels.
    int padding = 1;
    // What a bubble needs to cross a tile of 8 cells at the default `cfl`.
    int patience = 4;
    // As in [WSB25]; with the default scheme the start changes the rise by less than 1e-5.
    StartPressure start_pressure = StartPressure::kHydrostatic;
    // Loses a third of the energy that the semi-Lagrangian scheme loses.
    Advection advection = Advection::kMacCormack;
    // Two cells stay well within the tile of padding; no study chose it.
    double cfl = 2;
    // `cfl` alone decides.
    int min_substeps = 1;
    // Clouds of bubbles smaller than a voxel have no surface on the grid.
    bool surface_tension = false;
    // Without it lone bubbles stick, as in [WSB25] Fig. 10.
    bool fraction_filter = true;
    // Without it a resting bubble drifts 1.6 to 2 times as far.
    bool drift_compensation = true;
    // Without it a static bubble has currents of 29 √(σ/ρR).
    bool tension_on_faces = true;
    // Eq. 46 as printed has a clamp that the pressure does not have: no rest in crowded voxels.
    bool tension_clamp = false;
    // Currents of a drop at rest are a thousandth of those with none; a bubble of 12 voxels in
    // radius has Laplace's pressure within 2.1 %.
    int curvature_smoothing = 4;
    // Without it a body of air flies apart at 1:1000.
    bool resolved_air = true;
    // No study chose between the values above 0.
    double subgrid_velocity_damping = 0.5;
    // The whole of the missing motion: an oscillating cube is then within a tenth of its frequency.
    double interface_velocity_correction = 1;
    // The limit of an explicit force.
    double capillary_cfl = 1;
    // [WSB25] has viscosity in the drag only.
    bool mixture_viscosity = false;
    // Air at room temperature.
    double air_viscosity = 1.8e-5;
    // Boundary layers of water are thinner than a voxel.
    bool no_slip_sides = false;
    bool no_slip_ends = false;
    // [WSB25] leaves it to the future; markers need no merging.
    bool split_merge = false;
    // A ball from a voxel's middle to its corner, √3/2, as in the surface.
    double merge_radius = 0.87;
    // Below the capillary length of water, 2.7 mm: such bubbles are round.
    double split_radius = 1e-3;
    // 6 to 7 iterations a solve.
    double pressure_tolerance = 1e-5;
    // Thirty times what a solve takes: reached only where something is wrong.
    int pressure_iterations = 200;
    // Only grains need them; they take a sixth of the time of a frame with sand.
    bool contacts = false;
    // Sand: an angle of repose of 26.6°.
    double friction = 0.5;
    // Sand in water does not rebound.
    double restitution = 0;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::mixture
