// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/params.h"

namespace spume::mixture {
namespace {

void describe_tension(Params& p, ParamVisitor& v) {
    v.flag("surface_tension", p.surface_tension,
           "Let `physics.surface_tension` act between voxels. Off: bubbles smaller than a voxel "
           "are held round by their own, and clouds of them have no surface; switch it on where "
           "air fills voxels.");
    v.flag("fraction_filter", p.fraction_filter,
           "Lone bubbles have no surface on the grid, [WSB25] §5.4.1; without it they stick.");
    v.flag("drift_compensation", p.drift_compensation,
           "Surface tension moves no pocket of air as a whole, [WSB25] Eqs. 43-46.");
    v.flag("tension_on_faces", p.tension_on_faces,
           "The projection sees surface tension as it is on faces, [WSB25] Eq. 51.");
    v.flag("tension_clamp", p.tension_clamp,
           "Bubbles in crowded voxels feel less surface tension, as [WSB25] Eq. 46 is printed; "
           "pressure then cannot balance it.");
    v.integer("curvature_smoothing", p.curvature_smoothing, 0, 20,
              "Sweeps that smooth the air fraction before its curvature is taken, and give long "
              "waves their height back: less of the currents that noise in it drives; 0 is "
              "[WSB25].");
    // `evening = 0` of old scenes left all that is done for resolved air out.
    const bool old_name = v.renamed("evening", "subgrid_velocity_damping");
    v.number("subgrid_velocity_damping", p.subgrid_velocity_damping,
             {.min = 0,
              .max = 1,
              .help = "Share that resolved air loses, each substep, of the relative velocity of "
                      "bubbles within a voxel, which the grid does not see; 0 is [WSB25]."});
    if (old_name && p.subgrid_velocity_damping == 0) p.resolved_air = false;
    v.flag("resolved_air", p.resolved_air,
           "Where air fills voxels, light air at its surface moves with the mixture and holds "
           "together at 1:1000; off is [WSB25], without damping and correction too.");
    v.renamed("surface_lead", "interface_velocity_correction");
    v.number("interface_velocity_correction", p.interface_velocity_correction,
             {.min = 0,
              .max = 1,
              .help = "Bubbles at the surface of resolved air end up to 0.8 voxels inside of it "
                      "and move too slowly; share of the difference that is added to their "
                      "motion. Light air of less than 9 voxels in radius gets none; 0 is "
                      "[WSB25]."});
    v.number("capillary_cfl", p.capillary_cfl,
             {.min = 0,
              .max = 10,
              .above_min = true,
              .help = "Longest substep over the one that resolves capillary waves of a voxel; "
                      "[WSB25] went up to 2."});
    for (const char* name : {"fraction_filter", "drift_compensation", "tension_on_faces",
                             "tension_clamp", "curvature_smoothing", "capillary_cfl"})
        v.unused(name, !p.surface_tension, "surface_tension is off");
}

void describe_viscosity(Params& p, ParamVisitor& v) {
    v.flag("mixture_viscosity", p.mixture_viscosity,
           "Viscous stress in the mixture, implicit; off: viscosity acts in drag only, as in "
           "[WSB25].");
    v.number("air_viscosity", p.air_viscosity,
             {.unit = "Pa*s", .min = 0, .max = 1e4, .help = "Dynamic viscosity of air."});
    v.flag("no_slip_sides", p.no_slip_sides, "Water sticks to walls at the sides.");
    v.flag("no_slip_ends", p.no_slip_ends, "Water sticks to walls at the bottom and the top.");
    for (const char* name : {"air_viscosity", "no_slip_sides", "no_slip_ends"})
        v.unused(name, !p.mixture_viscosity, "mixture_viscosity is off");
}

}  // namespace

void describe(Params& p, ParamVisitor& v) {
    using Word = ParamVisitor::Word<Scheme>;
    v.choice<Scheme>(
        "scheme", p.scheme,
        {Word{"implicit_drag", Scheme::kImplicitDrag,
              "ours: drag inside the projection; converges in 2-3 iterations also in closed tanks"},
         Word{"stabilized", Scheme::kStabilized,
              "[WSB25] Eqs. 21-26 with Eq. 23 corrected: exact rest"},
         Word{"stabilized_printed", Scheme::kStabilizedPrinted,
              "Eq. 23 as printed, for comparison"},
         Word{"inertia_aware", Scheme::kInertiaAware,
              "[WSB25] Eqs. 15-20, its account of the older scheme"},
         Word{"guided_aware", Scheme::kGuidedAware, "[WFS22] Eqs. 19-26 with `compliance`"},
         Word{"guided_unaware", Scheme::kGuidedUnaware,
              "[WFS22] Eqs. 16-18: bubbles immovable in the projection"}},
        "How bubbles and water are coupled.");
    v.integer("newton_iterations", p.newton_iterations, 1, 1000,
              "Newton iterations a substep; the papers use 1 to 3.");
    v.number(
        "newton_tolerance", p.newton_tolerance,
        {.unit = "m/s",
         .min = 0,
         .max = 1,
         .help = "Stop iterating once no bubble's velocity changes by more; 0 runs them all."});
    v.number(
        "compliance", p.compliance,
        {.min = 0,
         .max = 1,
         .help = "Theta of [WFS22] Eq. 20: how much of the bubbles' inertia the projection sees "
                 "(guided_aware only)."});
    using Weigh = ParamVisitor::Word<Basis>;
    v.choice<Basis>(
        "basis", p.basis,
        {Weigh{"trilinear", Basis::kTrilinear,
               "the hat at the bubble; where bubbles crowd, the fraction is clamped"},
         Weigh{"power", Basis::kPower,
               "air is spread over nearby space until it fits, [WSB25] §5.1.1; slower"}},
        "How a bubble's air is seen by the grid.");
    v.number(
        "max_fraction", p.max_fraction,
        {.min = 0.01,
         .max = 1,
         .help =
             "Largest air fraction on the grid; [WFS22] schemes need less than 1 (0.3 to 0.7)."});
    v.flag("binary_fraction", p.binary_fraction,
           "A face is air or water, whichever has more of it, and nothing between: bubbles as mere "
           "markers, in the manner of [SWBD20].");
    v.number(
        "drag", p.drag,
        {.min = 0, .max = 1000, .help = "Multiplies the drag law; 1 is physical, [WFS22] Eq. 5."});
    using Side = ParamVisitor::Word<OpenBorder>;
    v.choice<OpenBorder>("border", p.border,
                         {Side{"hydrostatic", OpenBorder::kHydrostatic,
                               "pressure of still water, [WSB25] Eq. 49: flow may cross"},
                          Side{"still", OpenBorder::kStill,
                               "zero velocity: holds the bubbles back, needs more padding"}},
                         "What lies beyond the simulated tiles and open sides.");
    v.integer("padding", p.padding, 0, 4, "Whole tiles of water kept around the bubbles.");
    v.integer("patience", p.patience, 0, 1000,
              "Substeps a tile stays after the bubbles have left it.");
    using Start = ParamVisitor::Word<StartPressure>;
    v.choice<StartPressure>(
        "start_pressure", p.start_pressure,
        {Start{"hydrostatic", StartPressure::kHydrostatic, "still water, as in [WSB25] §5.5"},
         Start{"last", StartPressure::kLast,
               "that of the substep before: no kick for resolved air"}},
        "Pressure that the bubbles feel in the first Newton iteration.");
    using Carry = ParamVisitor::Word<Advection>;
    v.choice<Advection>(
        "advection", p.advection,
        {Carry{"maccormack", Advection::kMacCormack, "second order, limited, [SFK08]"},
         Carry{"semi_lagrangian", Advection::kSemiLagrangian, "first order, smoother"}},
        "How the water carries its own velocity.");
    v.number(
        "cfl", p.cfl,
        {.min = 0,
         .max = 100,
         .above_min = true,
         .help = "Voxels that anything may cross in one substep; sets the number of substeps."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
    describe_tension(p, v);
    describe_viscosity(p, v);
    v.flag("split_merge", p.split_merge,
           "Merge bubbles in bodies of air, split those on their own; keeps air and momentum.");
    v.number("merge_radius", p.merge_radius,
             {.min = 0.05,
              .max = 2,
              .help = "Voxels; in a body of air bubbles merge up to about this radius."});
    v.number("split_radius", p.split_radius,
             {.unit = "m",
              .min = 1e-6,
              .max = 1,
              .help = "On their own bubbles split down to about this radius."});
    v.unused("merge_radius", !p.split_merge, "split_merge is false");
    v.unused("split_radius", !p.split_merge, "split_merge is false");
    v.number(
        "pressure_tolerance", p.pressure_tolerance,
        {.min = 1e-14, .max = 0.1, .help = "Relative residual at which a pressure solve ends."});
    v.integer("pressure_iterations", p.pressure_iterations, 1, 100000,
              "Most iterations of one pressure solve.");
    v.flag("contacts", p.contacts,
           "Particles touch each other and solids instead of passing through, as in [Dav20]. What "
           "is denser than water is a grain and rubs; bubbles slide.");
    v.number("friction", p.friction,
             {.min = 0,
              .max = 10,
              .help = "Coulomb's coefficient of grains, on each other and on solids."});
    v.number("restitution", p.restitution,
             {.min = 0, .max = 1, .help = "How much of their approach two particles give back."});
    for (const char* name : {"friction", "restitution"})
        v.unused(name, !p.contacts, "contacts is off");
}

}  // namespace spume::mixture
