// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/physics/advect.h"
#include "spume/physics/power_basis.h"
#include "spume/physics/two_fluid.h"

namespace spume::mixture {

enum class StartPressure { kHydrostatic, kLast };
enum class OpenBorder { kHydrostatic, kStill };

/// What a scene may say in its [mixture] section. Each default has its reason in describe().
struct Params {
    Scheme scheme = Scheme::kImplicitDrag;
    int newton_iterations = 2;
    double newton_tolerance = 0;
    double compliance = 0.5;
    Basis basis = Basis::kTrilinear;
    double max_fraction = 1;
    bool binary_fraction = false;
    double drag = 1;
    OpenBorder border = OpenBorder::kHydrostatic;
    int padding = 1;
    int patience = 4;
    StartPressure start_pressure = StartPressure::kHydrostatic;
    Advection advection = Advection::kMacCormack;
    double cfl = 2;
    int min_substeps = 1;
    bool surface_tension = false;
    bool fraction_filter = true;
    bool drift_compensation = true;
    bool tension_on_faces = true;
    bool tension_clamp = false;
    int curvature_smoothing = 4;
    double evening = 0.5;
    double surface_lead = 1;
    double capillary_cfl = 1;
    bool mixture_viscosity = false;
    double air_viscosity = 1.8e-5;
    bool no_slip_sides = false;
    bool no_slip_ends = false;
    bool split_merge = false;
    double merge_radius = 0.87;
    double split_radius = 1e-3;
    double pressure_tolerance = 1e-5;
    int pressure_iterations = 200;
    bool contacts = false;
    double friction = 0.5;
    double restitution = 0;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::mixture
