// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/params.h"

namespace spume::particle_level_set {
namespace {

void describe_markers(Params& p, ParamVisitor& v) {
    v.integer("markers", p.markers, 4, 256,
              "Markers a cell of the level set, in three cells on each side of the surface.");
    v.number("least_radius", p.least_radius,
             {.min = 0.01, .max = 1, .help = "Of markers, in voxels of the level set."});
    v.number("most_radius", p.most_radius,
             {.min = 0.01, .max = 1, .help = "Of markers, in voxels of the level set."});
    v.number("reach", p.reach,
             {.min = 1, .max = 5, .help = "Voxels on each side of the surface that hold markers."});
    v.number("correct_from", p.correct_from,
             {.min = 0,
              .max = 1,
              .help = "A marker on the wrong side by more than so many radii corrects the surface. "
                      "[EFFM02] and [G04] have 1."});
    v.number("escape", p.escape,
             {.min = 1,
              .max = 1e9,
              .help = "A marker of air in the liquid by more than so many radii leaves as a "
                      "bubble. Nearer ones correct the surface."});
    v.number("liquid_escape", p.liquid_escape,
             {.min = 1,
              .max = 1e9,
              .help = "The same of markers of liquid in the air, which leave as drops."});
    using Motion = ParamVisitor::Word<MarkerMotion>;
    v.choice<MarkerMotion>(
        "marker_motion", p.marker_motion,
        {Motion{"third_order", MarkerMotion::kThirdOrder, "Ralston's scheme [Ral62]"},
         Motion{"euler", MarkerMotion::kEuler, "one forward step, as in [G04]"}},
        "How markers move.");
    v.integer("reseed_every", p.reseed_every, 0, 1000000,
              "Frames after which cells with too few or too many markers are put right; those at "
              "the surface stay. 0: never.");
}

void describe_flow(Params& p, ParamVisitor& v) {
    using Way = ParamVisitor::Word<Advection>;
    v.choice<Advection>(
        "advection", p.advection,
        {Way{"maccormack", Advection::kMacCormack, "second order [SFK08]"},
         Way{"semi_lagrangian", Advection::kSemiLagrangian, "first order, as in [G04]: calmer"}},
        "How velocity moves.");
    using Viscous = ParamVisitor::Word<ViscousScheme>;
    v.choice<ViscousScheme>(
        "viscosity", p.viscosity,
        {Viscous{"implicit", ViscousScheme::kImplicit, "stable at any viscosity [BB08]"},
         Viscous{"explicit", ViscousScheme::kExplicit,
                 "clipped where it would be unstable, [G04] Eqs. 6–7: thick liquid is too thin"}},
        "How viscosity acts.");
    v.number("cfl", p.cfl,
             {.min = 0,
              .max = 5,
              .above_min = true,
              .help = "Voxels of the flow that anything may cross in one substep."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
    v.integer("patience", p.patience, 0, 1000, "Substeps a tile stays after the liquid left it.");
    v.number("pressure_tolerance", p.pressure_tolerance,
             {.min = 1e-14, .max = 0.1, .help = "Relative residual at which a solve ends."});
    v.integer("pressure_iterations", p.pressure_iterations, 1, 100000,
              "Most iterations of one pressure solve.");
    v.flag("no_slip_walls", p.no_slip_walls,
           "Viscous liquid sticks to the walls of the box; solids say it of themselves.");
    v.unused("no_slip_walls", p.viscosity == ViscousScheme::kExplicit, "viscosity is \"explicit\"");
}

void describe_bubbles(Params& p, ParamVisitor& v) {
    describe_forces(p.bubbles, v);
    describe_regions(p.bubbles, v);
    describe_lives(p.bubbles, v);
    describe_subcycles(p.bubbles, v);
    v.section("markers", "Which markers of air become bubbles, and how large, [G04] §4.",
              [&](ParamVisitor& w) { describe_marker_bubbles(p.bubbles.markers, w); });
}

}  // namespace

void describe(Params& p, ParamVisitor& v) {
    v.integer("subgrid", p.subgrid, 1, 4,
              "Cells of the level set along an edge of a cell of the flow, [G04] §3.2.");
    describe_markers(p, v);
    v.number(
        "surface_cfl", p.surface_cfl,
        {.min = 0,
         .max = 0.9,
         .above_min = true,
         .help = "Voxels of the level set that the surface crosses in one of its own steps, of "
                 "which a substep has several."});
    v.number("contact", p.contact,
             {.min = 0,
              .max = 1,
              .help = "Part of the liquid that a flow may still squeeze where liquid met liquid; "
                      "if it is more, the flow is found anew within the substep. 1: never."});
    v.integer("redistance_iterations", p.redistance_iterations, 1, 100,
              "Half voxels that the distance is renewed by after each of these steps.");
    using Air = ParamVisitor::Word<Pockets>;
    v.choice<Pockets>(
        "trapped_air", p.trapped_air,
        {Air{"bubbles", Pockets::kBubbles,
             "turns into liquid; its markers escape and carry its volume, [G04] §4.2"},
         Air{"removed", Pockets::kRemoved, "turns into liquid and is gone"},
         Air{"void", Pockets::kVoid, "stays without a pressure until liquid has filled it"}},
        "What becomes of air that the liquid encloses.");
    v.number("region_size", p.region_size,
             {.unit = "m",
              .min = 0,
              .max = 1e6,
              .help = "Trapped air larger than a ball of this diameter stays, with a pressure that "
                      "keeps its volume [GB17], until it is smaller. 0: none does."});
    v.unused("region_size", p.trapped_air == Pockets::kVoid, "trapped_air is \"void\"");
    v.flag(
        "live_bubbles", p.live_bubbles,
        "Markers of air that leave become bubbles of this run, which move as those of the method "
        "`passive`.");
    v.section("bubbles", "Bubbles of this run, where live_bubbles = true.",
              [&](ParamVisitor& w) { describe_bubbles(p, w); });
    v.unused("bubbles", !p.live_bubbles, "live_bubbles is false");
    v.flag("compensation", p.compensation,
           "The surface moves along its normal so that the liquid keeps its volume.");
    describe_flow(p, v);
    v.flag("write_markers", p.write_markers, "Write the markers as points.");
    v.flag("write_mesh", p.write_mesh, "Write the liquid's surface as a triangle mesh (3D).");
}

}  // namespace spume::particle_level_set
