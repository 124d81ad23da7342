// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/params.h"

namespace spume::constraint {

void describe(Params& p, ParamVisitor& v) {
    using Mode = ParamVisitor::Word<BubbleMode>;
    v.choice<BubbleMode>(
        "bubbles", p.bubbles,
        {Mode{"constrained", BubbleMode::kConstrained,
              "every closed region of air keeps its volume, [GB17] Eq. 5"},
         Mode{
             "compressible", BubbleMode::kCompressible,
             "every closed region of air is a spring, p V^`gas_exponent` constant: bottles glug in "
             "their own rhythm"},
         Mode{"off", BubbleMode::kOff, "air is void: trapped air collapses, for comparison"}},
        "What trapped air does.");
    using Drift = ParamVisitor::Word<VolumeCorrection>;
    v.choice<VolumeCorrection>(
        "bubble_correction", p.bubble_correction,
        {Drift{"per_bubble", VolumeCorrection::kPerBubble,
               "each region is restored to its rest volume"},
         Drift{"global", VolumeCorrection::kGlobal, "all grow or shrink by the same share"},
         Drift{"off", VolumeCorrection::kOff, "as in [GB17]: the drift is only reported"}},
        "What is done about the drift of bubble volumes that advection leaves.");
    v.unused("bubble_correction", p.bubbles != BubbleMode::kConstrained,
             "bubbles is not \"constrained\"");
    v.number("atmosphere", p.atmosphere,
             {.unit = "Pa",
              .min = 1,
              .max = 1e9,
              .help = "Pressure of the air outside, and of all air at the start."});
    v.number(
        "gas_exponent", p.gas_exponent,
        {.min = 1, .max = 3, .help = "1.4: adiabatic air; 1: air that keeps its temperature."});
    v.unused("atmosphere", p.bubbles != BubbleMode::kCompressible,
             "bubbles is not \"compressible\"");
    v.unused("gas_exponent", p.bubbles != BubbleMode::kCompressible,
             "bubbles is not \"compressible\"");
    v.flag("small_bubbles", p.small_bubbles,
           "The older name of [whitewater], with its defaults: regions too small for the grid live "
           "on as round bubbles that rise through the liquid and lift it; without either their air "
           "joins the air above them at once, or is lost where a solid comes first.");
    v.unused("small_bubbles", p.bubbles == BubbleMode::kOff, "bubbles is \"off\"");
    v.flag("air_particles", p.air_particles,
           "Passive particles in trapped air keep the surface of thin and small bubbles, [GB17] "
           "§5.");
    v.unused("air_particles", p.bubbles == BubbleMode::kOff, "bubbles is \"off\"");
    v.flag("smoke", p.smoke,
           "The air flows too, with the liquid as its boundary, and carries smoke, which starts in "
           "every `hollow`: the volume `smoke`, [GB17] §6.");
    v.flag(
        "liquid_correction", p.liquid_correction,
        "Density correction, [KLTB21]: particles move from cells with too many to cells with too "
        "few, without velocity, so that the liquid keeps its volume everywhere.");
    using Way = ParamVisitor::Word<Transfer>;
    v.choice<Transfer>("transfer", p.transfer,
                       {Way{"apic", Transfer::kApic, "affine, [JSSTS15]: calm, keeps rotation"},
                        Way{"flip", Transfer::kFlip, "changes only, [BR86]: lively, noisy"}},
                       "How velocity goes between particles and grid.");
    v.number("flip", p.flip,
             {.min = 0,
              .max = 1,
              .help = "Share of FLIP in the blend with PIC; 1 loses least, 0 damps most."});
    v.unused("flip", p.transfer != Transfer::kFlip, "transfer is not \"flip\"");
    v.number("fewest_particles", p.fewest_particles,
             {.min = 0,
              .max = 1,
              .help = "Cells inside the liquid with less than this share of the 4 (2D) or 8 (3D) "
                      "particles of the start get some from full cells nearby."});
    v.unused("fewest_particles", !p.liquid_correction, "liquid_correction is false");
    v.number("most_particles", p.most_particles,
             {.min = 1,
              .max = 100,
              .help = "Cells with more than so many times that number lose the youngest."});
    v.integer("smoothing", p.smoothing, 0, 20,
              "Passes of smoothing over the surface of the particles, which long waves and round "
              "bubbles hardly feel; 0 shows every particle.");
    v.number(
        "closing", p.closing,
        {.min = 0,
         .max = 0.6,
         .help = "Hollows that no ball of so many voxels fits into count as liquid; more fills "
                 "gaps between particles, less keeps smaller bubbles. Where surface tension "
                 "outweighs gravity at a voxel, 0.7 of it."});
    v.number(
        "surface_memory", p.surface_memory,
        {.min = 0,
         .max = 10,
         .help = "Liquid that moves by less than so many voxels in a substep keeps the surface "
                 "it had, so that still water rests; four times as fast it shows its "
                 "particles alone. 0: always."});
    v.number(
        "cfl", p.cfl,
        {.min = 0,
         .max = 20,
         .above_min = true,
         .help = "Voxels that anything may cross in one substep; sets the number of substeps."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
    v.integer("patience", p.patience, 0, 1000,
              "Substeps a tile stays after the liquid has left it.");
    v.number(
        "pressure_tolerance", p.pressure_tolerance,
        {.min = 1e-14, .max = 0.1, .help = "Relative residual at which a pressure solve ends."});
    v.integer("pressure_iterations", p.pressure_iterations, 1, 100000,
              "Most iterations of one pressure solve.");
    v.number("viscous_tolerance", p.viscous_tolerance,
             {.min = 1e-8,
              .max = 1,
              .help = "Share of the velocity to which pressure and viscosity have to agree in a "
                      "substep, [LBB17]; liquid so thin that each once does it costs no more."});
    v.integer("viscous_passes", p.viscous_passes, 0, 100,
              "Most passes over both until they agree; 0: each once, and thick liquid flows too "
              "easily in long substeps.");
    v.flag("no_slip_walls", p.no_slip_walls,
           "Viscous liquid sticks to the walls of the box; solids say it of themselves.");
    v.flag("write_particles", p.write_particles, "Write the liquid's particles as points.");
    v.flag("write_mesh", p.write_mesh, "Write the liquid's surface as a triangle mesh (3D).");
}

}  // namespace spume::constraint
