// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/params.h"

namespace spume::guided {
namespace {

void describe_coupling(Params& p, ParamVisitor& v) {
    using Word = ParamVisitor::Word<Scheme>;
    v.choice<Scheme>(
        "scheme", p.scheme,
        {Word{"implicit_drag", Scheme::kImplicitDrag, "ours: drag inside the projection"},
         Word{"guided_aware", Scheme::kGuidedAware, "[WFS22] Eqs. 19-26 with `compliance`"},
         Word{"guided_unaware", Scheme::kGuidedUnaware,
              "[WFS22] Eqs. 16-18: bubbles immovable in the projection"}},
        "How bubbles and water are coupled.");
    v.integer("newton_iterations", p.newton_iterations, 1, 1000,
              "Newton iterations a substep; [WFS22] uses 3.");
    v.number(
        "newton_tolerance", p.newton_tolerance,
        {.unit = "m/s",
         .min = 0,
         .max = 1,
         .help = "Stop iterating once no bubble's velocity changes by more; 0 runs them all."});
    v.number("compliance", p.compliance,
             {.min = 0,
              .max = 1,
              .help = "Theta of [WFS22] Eq. 20: how much of the bubbles' inertia the projection "
                      "sees."});
    v.number("max_fraction", p.max_fraction,
             {.min = 0.01,
              .max = 1,
              .help = "Largest air fraction on the grid, [WFS22] §3.5 (0.3 to 0.7)."});
    v.unused("compliance", p.scheme != Scheme::kGuidedAware, "scheme is not \"guided_aware\"");
}

void describe_tiles(Params& p, ParamVisitor& v) {
    using Side = ParamVisitor::Word<Border>;
    v.choice<Border>(
        "border", p.border,
        {Side{"mixed", Border::kMixed,
              "[WFS22] §4: the bulk's velocity at the sides, its pressure below and above"},
         Side{"pressure", Border::kPressure, "its pressure all round: flow may cross anywhere"},
         Side{"velocity", Border::kVelocity, "its velocity all round: holds the bubbles back"}},
        "What the bulk gives to the water that is simulated, where that ends.");
    v.integer("padding", p.padding, 0, 4, "Whole tiles of water kept around the bubbles.");
    v.integer("patience", p.patience, 0, 1000,
              "Substeps a tile stays after the bubbles have left it.");
    using Carry = ParamVisitor::Word<Advection>;
    v.choice<Advection>(
        "advection", p.advection,
        {Carry{"maccormack", Advection::kMacCormack, "second order, limited, [SFK08]"},
         Carry{"semi_lagrangian", Advection::kSemiLagrangian, "first order, smoother"}},
        "How the water carries what differs from the bulk's velocity.");
    v.number(
        "pressure_tolerance", p.pressure_tolerance,
        {.min = 1e-14, .max = 0.1, .help = "Relative residual at which a pressure solve ends."});
    v.integer("pressure_iterations", p.pressure_iterations, 1, 100000,
              "Most iterations of one pressure solve.");
    v.flag("write_border", p.write_border,
           "Write the volume `border`: 1 in simulated tiles, 2 in voxels with a face that takes "
           "the bulk's velocity, 3 in pressure voxels. Pictures of scenes in the plane show it.");
}

}  // namespace

void describe(Params& p, ParamVisitor& v) {
    using How = ParamVisitor::Word<Mode>;
    v.choice<Mode>("mode", p.mode,
                   {How{"guided", Mode::kGuided, "water around the bubbles is simulated anew"},
                    How{"one_way", Mode::kOneWay,
                        "bubbles in the bulk as it is, which does not feel them: fast"}},
                   "Do bubbles move the water?");
    v.path("bubbles", p.bubbles,
           "Output directory of an earlier run with bubbles, relative to the scene file: they are "
           "taken as they were, and only the foam that they become is simulated. Left out: bubbles "
           "are simulated.");
    describe_coupling(p, v);
    v.number(
        "drag", p.drag,
        {.min = 0, .max = 1000, .help = "Multiplies the drag law; 1 is physical, [WFS22] Eq. 5."});
    describe_tiles(p, v);
    v.number(
        "acceleration_limit", p.acceleration_limit,
        {.unit = "m/s^2",
         .min = 0,
         .max = 1e6,
         .help = "The bulk's acceleration, which is part of the pressure that bubbles feel, is "
                 "cut to this along each axis; 0 is hydrostatic pressure."});
    v.number(
        "cfl", p.cfl,
        {.min = 0,
         .max = 100,
         .above_min = true,
         .help = "Voxels that anything may cross in one substep; sets the number of substeps."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
    for (const char* name : {"scheme", "newton_iterations", "newton_tolerance", "compliance",
                             "max_fraction", "border", "padding", "patience", "advection",
                             "pressure_tolerance", "pressure_iterations", "write_border"})
        v.unused(name, p.mode == Mode::kOneWay, "mode is \"one_way\"");
}

}  // namespace spume::guided
