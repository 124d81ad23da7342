// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/methods/guided/cells.h"
#include "spume/physics/motion/advect.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::guided {

enum class Mode { kGuided, kOneWay };

/// What a scene may say in its [guided] section; describe() says what each key does. The reason for
/// a default stands above it; numbers are those of docs/validation/guided.md.
struct Params {
    // One-way bubbles do not lift the water: dense groups rise no faster than lone bubbles.
    Mode mode = Mode::kGuided;
    // A run whose bubbles are taken as they were; only foam is simulated.
    std::string bubbles;
    // Two iterations bring it to where the published schemes need many more.
    Scheme scheme = Scheme::kImplicitDrag;
    int newton_iterations = 2;
    double newton_tolerance = 0;
    // Midway in the range of [WFS22] Eq. 20.
    double compliance = 0.5;
    // The largest of what [WFS22] §3.5 uses.
    double max_fraction = 0.7;
    // The physical law, [WFS22] Eq. 5.
    double drag = 1;
    // [WFS22] §4.
    Border border = Border::kMixed;
    int padding = 1;
    // What a bubble needs to cross a tile of 8 cells at the default `cfl`.
    int patience = 4;
    // Ten times gravity: waves stay below it, impacts that last a single frame do not.
    double acceleration_limit = 100;
    Advection advection = Advection::kMacCormack;
    // Two cells stay within what a back-trace reaches beyond a tile.
    double cfl = 2;
    int min_substeps = 1;
    double pressure_tolerance = 1e-5;
    int pressure_iterations = 200;
    // For looking at the method itself.
    bool write_border = false;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::guided
