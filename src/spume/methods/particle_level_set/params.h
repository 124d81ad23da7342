// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/physics/foam/cluster_params.h"
#include "spume/physics/motion/advect.h"
#include "spume/physics/motion/particle_level_set.h"

namespace spume::particle_level_set {

enum class Pockets { kBubbles, kRemoved, kVoid };
enum class ViscousScheme { kImplicit, kExplicit };

/// What a scene may say in its [particle_level_set] section; describe() says what each key does.
/// The reason for a default stands above it; the numbers are those of
/// docs/validation/particle_level_set.md.
struct Params {
    // Twice the flow's resolution shows splashes that the flow's own grid loses.
    int subgrid = 1;
    // [EFFM02]: 16 to a cell in the plane, 64 in space; half of it holds the tests.
    int markers = 32;
    // [EFFM02], [G04] Eq. 16.
    double least_radius = 0.1, most_radius = 0.5;
    double reach = 3;
    // [EFFM02] has 1: twice of what is resolved is lost, and more of sheets thinner than a voxel.
    double correct_from = 0;
    // [G04] §3.3.4.
    double escape = 1.5;
    // The same: where one side corrects for longer than the other, the liquid grows or shrinks.
    double liquid_escape = 1.5;
    MarkerMotion marker_motion = MarkerMotion::kThirdOrder;
    // [G04] §3.3.2.
    int reseed_every = 20;
    // Half a voxel a stage keeps WENO far from its limit.
    double surface_cfl = 0.5;
    int redistance_iterations = 6;
    // Without it an impact loses half the voxels that a substep crosses, times its area.
    double contact = 1e-4;
    // [G04] §4.2.
    Pockets trapped_air = Pockets::kBubbles;
    double region_size = 0;
    bool live_bubbles = false;
    ClusterParams bubbles;
    // Splashes lose a little; an animator wants the pool as full as it was.
    bool compensation = true;
    Advection advection = Advection::kMacCormack;
    ViscousScheme viscosity = ViscousScheme::kImplicit;
    // [G04] takes 5; fronts of dam breaks are sharper at 2.
    double cfl = 2;
    int min_substeps = 1;
    int patience = 4;
    double pressure_tolerance = 1e-5;
    int pressure_iterations = 400;
    bool no_slip_walls = false;
    bool write_markers = false;
    bool write_mesh = true;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::particle_level_set
