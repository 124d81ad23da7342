// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/physics/free_surface/liquid_transfer.h"

namespace spume::constraint {

enum class BubbleMode { kOff, kConstrained, kCompressible };
enum class VolumeCorrection { kOff, kGlobal, kPerBubble };

/// What a scene may say in its [constraint] section; describe() says what each key does. The reason
/// for a default stands above it; the numbers are those of docs/validation/constraint.md.
struct Params {
    // The method of [GB17].
    BubbleMode bubbles = BubbleMode::kConstrained;
    // In 0.4 s bubbles drift by 4.7 % with `off`, single ones by 2.3 % with `global`.
    VolumeCorrection bubble_correction = VolumeCorrection::kPerBubble;
    // The standard atmosphere.
    double atmosphere = 101325;
    // Adiabatic: regions of centimetres swing too fast to exchange heat.
    double gas_exponent = 1.4;
    // The older name of the scene's section [whitewater].
    bool small_bubbles = false;
    // Bubbles of 1.5 voxels in radius last without them; they cost particles in all trapped air.
    bool air_particles = false;
    // A second pressure solve, for the air.
    bool smoke = false;
    // Without it particles crowd and the liquid loses volume.
    bool liquid_correction = true;
    // Keeps 97.7 % of a standing wave over five periods and is the calmer of the two.
    Transfer transfer = Transfer::kApic;
    // Some PIC against noise: with 0.99 a standing wave gains, 101 % after five periods.
    double flip = 0.95;
    // Less than half of a full cell is a hole, not scatter; no study chose the number.
    double fewest_particles = 0.4;
    // Films flat on a floor are crowded: with 2 the water cooler lost its particles there.
    double most_particles = 4;
    // What one particle shows is gone; 2S − S² costs waves and bubbles only to fourth order.
    int smoothing = 2;
    // With 0.5 mode 4 of a bubble is 3.9 % slow, with 0.2 mode 2 is 3.7 % fast.
    double closing = 0.35;
    // Periods of waves from 0.25 to 3 voxels high are within 1 % at any level; with 0.05 those of
    // 0.64 voxels are off by −2 to +1.4, without memory by −2.4 to +3.8 %, with 0.5 those of 3 by
    // 0.6.
    double surface_memory = 0.15;
    // As in the mixture method; no study chose it.
    double cfl = 2;
    // `cfl` alone decides.
    int min_substeps = 1;
    // What a particle needs to cross a tile of 8 cells at the default `cfl`.
    int patience = 4;
    // Fluxes of trapped air are exact at any tolerance; 9 iterations a solve.
    double pressure_tolerance = 1e-5;
    // Forty times what a solve takes: reached only where something is wrong.
    int pressure_iterations = 400;
    // The speed of a bubble in syrup is then the same in any substep within 2 %.
    double viscous_tolerance = 0.01;
    // At ν Δt/h² = 70 four are needed; beside floating bodies and compressible air more.
    int viscous_passes = 8;
    // Boundary layers of water are thinner than a voxel.
    bool no_slip_walls = false;
    // Most shots want the surface only.
    bool write_particles = false;
    bool write_mesh = true;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::constraint
