// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/physics/liquid_transfer.h"

namespace spume::constraint {

enum class BubbleMode { kOff, kConstrained, kCompressible };
enum class VolumeCorrection { kOff, kGlobal, kPerBubble };

/// What a scene may say in its [constraint] section. Each default has its reason in describe().
struct Params {
    BubbleMode bubbles = BubbleMode::kConstrained;
    VolumeCorrection bubble_correction = VolumeCorrection::kPerBubble;
    double atmosphere = 101325;
    double gas_exponent = 1.4;
    bool small_bubbles = false;
    bool air_particles = false;
    bool smoke = false;
    bool liquid_correction = true;
    Transfer transfer = Transfer::kApic;
    double flip = 0.95;
    double fewest_particles = 0.4;
    double most_particles = 4;
    int smoothing = 2;
    double closing = 0.35;
    double surface_memory = 0.05;
    double cfl = 2;
    int min_substeps = 1;
    int patience = 4;
    double pressure_tolerance = 1e-5;
    int pressure_iterations = 400;
    double viscous_tolerance = 0.01;
    int viscous_passes = 8;
    bool no_slip_walls = false;
    bool write_particles = false;
    bool write_mesh = true;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::constraint
