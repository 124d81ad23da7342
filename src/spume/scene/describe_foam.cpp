// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"
#include "spume/scene/wet_foam.h"

namespace spume {
namespace {

void describe(FoamPatch& p, ParamVisitor& v) {
    v.text("name", p.name, "For messages and output; any text.");
    v.section("shape", "The surface inside it gets foam.",
              [&](ParamVisitor& w) { describe(p.shape, w); });
    v.number("cover", p.cover,
             {"", 0, 0.9, true, "Part of the surface that the bubbles cover; at most packed."});
    v.number("rate", p.rate,
             {"1/s", 0, 1e3, false,
              "Part of the surface that new bubbles cover a second; 0: `cover`, once."});
    v.number("start", p.start, {"s", 0, 1e9, false, "When it begins, from the first frame."});
    v.number("stop", p.stop, {"s", 0, 1e9, false, "When it ends."});
    v.number("radius_min", p.radius_min, {"m", 1e-6, 1, false, "Radius of the smallest bubbles."});
    v.number("radius_max", p.radius_max,
             {"m", 1e-6, 1, false, "Radius of the largest; density as r^-3 between."});
    v.number("streaks", p.streaks,
             {"m", 0, 1e4, false, "Size of holes and strands in the patch; 0: even."});
    v.number("sharpness", p.sharpness,
             {"", 0, 1, false, "Part of the patch that is holes, if there are strands."});
    v.needed("shape", true, "there is a patch");
    v.unused("stop", p.rate == 0, "rate is 0");
    v.unused("cover", p.rate > 0, "rate is given");
    v.unused("sharpness", p.streaks == 0, "streaks is 0");
}

void describe_forces(WetFoam& f, ParamVisitor& v) {
    v.number("support", f.support,
             {"", 2.2, 8, false, "Support radius of the kernel in bubble radii, [WFS22] beta."});
    v.number("stiffness", f.stiffness,
             {"m^2/s^2", 0, 1e4, true, "Of the pressure between bubbles, [WFS22] Eq. 36."});
    v.number("viscosity", f.viscosity,
             {"m/s", 0, 100, false,
              "Damps bubbles that approach each other, [WFS22] Eq. 42; 0.05 to 5."});
    v.number("viscosity_radius", f.viscosity_radius,
             {"m", 0, 1, false,
              "Radius that `viscosity` belongs to: smaller bubbles flow less; 0: all alike."});
    v.number("cohesion", f.cohesion,
             {"m/s^2", 0, 1e4, false,
              "How strongly bubbles draw together, [WFS22] Eq. 43 with the normalised kernel: its "
              "10 to 100 are 1.25 to 12.5 here."});
    v.number("cohesion_range", f.cohesion_range,
             {"", 2.2, 24, false, "Bubble radii over which they do: larger clumps; 5 to 12."});
    v.number("capillarity", f.capillarity,
             {"", 0, 100, false,
              "Attraction of bubbles by the menisci around them, [VM05]: 1 is that of water, with "
              "its added mass and viscous drag; 0: none."});
    v.number("drag", f.drag,
             {"1/s", 0, 1e3, false,
              "Rate at which foam takes on the liquid's velocity; 0.05 slides, 0.5 sticks."});
    v.number("density", f.density,
             {"kg/m^3", 0, 1e4, true, "Of packed foam; only pressure notices."});
    v.unused("cohesion_range", f.cohesion == 0, "cohesion is 0");
    v.unused("viscosity_radius", f.viscosity == 0, "viscosity is 0");
}

void describe_life(WetFoam& f, ParamVisitor& v) {
    using Life = ParamVisitor::Word<FoamLife>;
    v.choice<FoamLife>("life", f.life,
                       {Life{"normal", FoamLife::kNormal, "spread about `life_mean`, [WFS22] §7.2"},
                        Life{"exponential", FoamLife::kExponential, "as whitecaps fade"},
                        Life{"forever", FoamLife::kForever, "foam does not burst"}},
                       "How long foam lives.");
    v.number("life_mean", f.life_mean, {"s", 0, 1e6, true, "Mean life; 1.5 to 2."});
    v.number("life_variance", f.life_variance, {"s^2", 0, 1e9, false, "Of the life."});
    v.number(
        "life_power", f.life_power,
        {"", -4, 4, false, "Life goes with this power of the radius, 1 at 1 mm; 0: does not."});
    using Prune = ParamVisitor::Word<FoamPruning>;
    v.choice<FoamPruning>(
        "pruning", f.pruning,
        {Prune{"area", FoamPruning::kArea, "by the part of the surface that is covered"},
         Prune{"number", FoamPruning::kNumber, "by the number of bubbles, [WFS22] §7.2"},
         Prune{"off", FoamPruning::kOff, "all stay"}},
        "Which of the bubbles that surface where foam is packed already vanish.");
    v.unused("life_mean", f.life == FoamLife::kForever, "life is \"forever\"");
    v.unused("life_variance", f.life != FoamLife::kNormal, "life is not \"normal\"");
    v.unused("life_power", f.life == FoamLife::kForever, "life is \"forever\"");
}

}  // namespace

void describe(WetFoam& foam, ParamVisitor& visitor) {
    if (visitor.given("foam")) foam.given = true;
    visitor.section("foam", "Foam on the surface of a bulk, [WFS22] §§6-7.", [&](ParamVisitor& v) {
        WetFoam& f = foam;
        v.flag("on", f.on, "Bubbles that reach the surface become foam; otherwise they are gone.");
        describe_forces(f, v);
        v.number(
            "kept_speed", f.kept_speed,
            {"", 0, 1, false, "Part of its speed against the liquid that a bubble keeps as foam."});
        describe_life(f, v);
        using Turn = ParamVisitor::Word<FoamRotation>;
        v.choice<FoamRotation>(
            "rotation", f.rotation,
            {Turn{"none", FoamRotation::kNone, "velocity is that of the way taken"},
             Turn{"printed", FoamRotation::kPrinted,
                  "[WFS22] Eq. 58: for surfaces that do not move"}},
            "What is done about speed lost by projection to the surface.");
        using Step = ParamVisitor::Word<FoamIntegration>;
        v.choice<FoamIntegration>(
            "integration", f.integration,
            {Step{"explicit", FoamIntegration::kExplicit,
                  "many short steps where bubbles are small or viscosity is large"},
             Step{"implicit", FoamIntegration::kImplicit,
                  "backward Euler: long steps, for radii that differ much"}},
            "How pressure and viscosity between bubbles are stepped.");
        v.integer("newton_iterations", f.newton_iterations, 1, 100,
                  "At most so many to find the surface.");
        v.number("max_correction", f.max_correction,
                 {"", 0, 100, true,
                  "Voxels that foam may be moved to meet the surface, [WFS22] Eq. 61."});
        v.integer("max_substeps", f.max_substeps, 1, 100000,
                  "Most steps of the foam in one of the bubbles.");
        v.flag("coverage", f.coverage,
               "Write the volume `coverage`: the part of the surface that foam covers.");
        v.list("patch", f.patches, "Foam that is there from the start, or is added.",
               [](FoamPatch& p, ParamVisitor& w) { describe(p, w); });
        for (const char* name :
             {"support",        "stiffness",      "viscosity",   "viscosity_radius",
              "cohesion",       "cohesion_range", "drag",        "density",
              "kept_speed",     "life",           "life_mean",   "life_variance",
              "life_power",     "pruning",        "rotation",    "newton_iterations",
              "max_correction", "max_substeps",   "capillarity", "integration",
              "coverage",       "patch"})
            v.unused(name, !f.on, "on is false");
    });
}

}  // namespace spume
