// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/params.h"

namespace spume::cip {
namespace {

void describe_advection(Params& p, ParamVisitor& v) {
    using Way = ParamVisitor::Word<Scheme>;
    v.choice<Scheme>(
        "advection", p.advection,
        {Way{"cip", Scheme::kCip, "values and derivatives by the cubic of [SSK05] Eq. 4"},
         Way{"linear", Scheme::kLinear, "values alone, [Sta99]: for comparison, damps and loses"},
         Way{"maccormack", Scheme::kMacCormack, "[SFK08], for comparison"},
         Way{"cubic", Scheme::kCubic, "monotone cubic through four values, [FSJ01]"},
         Way{"rational", Scheme::kRational, "rational CIP, [XYI96]"},
         Way{"weno", Scheme::kWeno, "the level set by WENO5, [JP00], the velocity by CIP"},
         Way{"markers", Scheme::kMarkers,
             "the level set by WENO5 and markers on both sides, [EFFM02], in steps of half a "
             "voxel; the velocity by CIP, [SSK05] §8"}},
        "How level set and velocity are carried along.");
    using Limit = ParamVisitor::Word<Limiter>;
    const std::vector<Limit> limits = {
        Limit{"off", Limiter::kOff, "the cubic as it is: third order, may overshoot"},
        Limit{"region", Limiter::kRegion,
              "derivatives within the region of monotone cubics, "
              "[SSK05] Appendix"},
        Limit{"square", Limiter::kSquare, "derivatives between 0 and 3Δ: cheaper, a part of it"}};
    v.choice<Limiter>("limit_surface", p.limit_surface, limits,
                      "Limiter of the level set; it flattens thin sheets.");
    using Cross = ParamVisitor::Word<Mixed>;
    v.choice<Mixed>(
        "mixed_derivatives", p.mixed,
        {Cross{"differenced", Mixed::kDifferenced, "differences of first ones, [SSK05] §4.1"},
         Cross{"transported", Mixed::kTransported, "carried along like first ones, at more cost"}},
        "Where the level set's mixed derivatives come from.");
    v.unused("mixed_derivatives", p.advection != Scheme::kCip || p.limit_surface != Limiter::kOff,
             "the level set is not carried by unlimited CIP");
    v.choice<Limiter>("limit_velocity", p.limit_velocity, limits, "Limiter of the velocity.");
    const bool velocity = p.advection == Scheme::kCip || p.advection == Scheme::kWeno ||
                          p.advection == Scheme::kMarkers;
    v.unused("limit_surface", p.advection != Scheme::kCip, "advection is not \"cip\"");
    v.unused("limit_velocity", !velocity, "advection is not \"cip\", \"weno\" or \"markers\"");
    using Carry = ParamVisitor::Word<Momentum>;
    v.choice<Momentum>("momentum", p.momentum,
                       {Carry{"consistent", Momentum::kConsistent,
                              "water and air each carry their own velocity, joined by mass"},
                        Carry{"plain", Momentum::kPlain, "one velocity for both, as [SSK05]"}},
                       "How velocity crosses the surface.");
}

void describe_interface(Params& p, ParamVisitor& v) {
    using Kind = ParamVisitor::Word<Interface>;
    v.choice<Interface>("interface", p.interface,
                        {Kind{"smeared", Interface::kSmeared, "over `smearing`, [SSK05] Eq. 15"},
                         Kind{"sharp", Interface::kSharp, "ghost fluid, [KFL00]"}},
                        "How density, viscosity and tension change from water to air.");
    v.number("smearing", p.smearing,
             {.min = 0.5, .max = 5, .help = "ε of H_ε and δ_ε, in voxels."});
    using Scale = ParamVisitor::Word<Tension>;
    v.choice<Tension>(
        "tension", p.tension,
        {Scale{"force", Tension::kForce, "σ κ ∇H, N/m³"},
         Scale{"density_scaled", Tension::kDensityScaled,
               "times ρ over the mean density, [SSK05] Eq. 7 with σ in N/m: less speed in air"}},
        "Form of the continuum surface force.");
    v.unused("tension", p.interface == Interface::kSharp, "interface is \"sharp\"");
    using Renew = ParamVisitor::Word<Redistance>;
    v.choice<Redistance>("redistance", p.redistance,
                         {Renew{"equation", Redistance::kEquation, "[SSK05] Eqs. 18–19"},
                          Renew{"sweep", Redistance::kSweep, "|∇φ| = 1 outwards from the surface"},
                          Renew{"off", Redistance::kOff, "never"}},
                         "How the level set is made a distance again.");
    v.integer("redistance_every", p.redistance_every, 1, 100000, "Substeps between.");
    v.unused("redistance_every", p.redistance == Redistance::kOff, "redistance is \"off\"");
    for (const char* key : {"redistance", "redistance_every"})
        v.unused(key, p.advection == Scheme::kMarkers, "advection \"markers\" has its own");
    v.flag("compensation", p.compensation,
           "Global volume compensation, [SSK05] Eqs. 20–22: the surface moves by the same length "
           "everywhere until the water has its volume.");
}

void describe_fragments(Params& p, ParamVisitor& v) {
    v.flag("fragments", p.fragments,
           "Drops and bubbles of a cell or two become particles, [SSK05] §5, and cells that no "
           "back-trace refers to.");
    v.number("drag", p.drag, {.min = 0, .max = 100, .help = "C_D of fragments."});
    v.number("added_mass", p.added_mass,
             {.min = 0, .max = 10, .help = "Part of the displaced fluid that moves along."});
    v.number("splitting_speed", p.splitting_speed,
             {.unit = "m/s",
              .min = 0,
              .above_min = true,
              .help = "A fragment is born as one more piece for each of these."});
    v.integer("most_pieces", p.most_pieces, 1, 64, "At most so many; 1: never several.");
    v.number("elongation", p.elongation,
             {.unit = "s/m",
              .min = 0,
              .max = 100,
              .help = "How much longer a fragment is drawn "
                      "along its velocity, by the speed."});
    v.number("foam_life", p.foam_life,
             {.unit = "s",
              .min = 0,
              .max = 1e6,
              .help = "Of a bubble half a voxel in radius at the surface; smaller ones live longer "
                      "in inverse proportion, [SSK05] §5.4. 0: they burst at once."});
    for (const char* key :
         {"drag", "added_mass", "splitting_speed", "most_pieces", "elongation", "foam_life"})
        v.unused(key, !p.fragments, "fragments is false");
}

void describe(InkBody& ink, ParamVisitor& v) {
    v.section("shape", "Where.", [&](ParamVisitor& w) { describe(ink.shape, w); });
    v.number("amount", ink.amount, {.min = 0, .max = 1, .help = "From clear to black."});
    v.needed("shape", true, "there is ink");
}

void describe(Hand& hand, ParamVisitor& v) {
    const auto place = [](const char* help) {
        return NumberSpec{.unit = "m", .min = -1e6, .max = 1e6, .help = help};
    };
    const auto moment = [](const char* help) {
        return NumberSpec{.unit = "s", .min = 0, .max = 1e9, .help = help};
    };
    v.vector("from", hand.from, place("Its middle at `start`."));
    v.vector("to", hand.to, place("Its middle at `stop`."));
    v.number("start", hand.start, moment("When it takes hold."));
    v.number("stop", hand.stop, moment("When it lets go."));
    v.number("radius", hand.radius,
             {.unit = "m", .min = 0, .max = 1e6, .above_min = true, .help = "Its reach."});
    v.number("strength", hand.strength,
             {.unit = "1/s",
              .min = 0,
              .max = 1e6,
              .help = "How fast the fluid in its middle takes on its velocity; beside it less, by "
                      "(1 − r²/R²)²."});
    v.needed("from", true, "there is a hand");
    v.needed("to", true, "there is a hand");
}

}  // namespace

void describe(Params& p, ParamVisitor& v) {
    describe_advection(p, v);
    describe_interface(p, v);
    describe_fragments(p, v);
    v.number(
        "air_viscosity", p.air_viscosity,
        {.unit = "Pa*s", .min = 0, .max = 1e6, .help = "Dynamic; the water's is in [physics]."});
    using Body = ParamVisitor::Word<Bodies>;
    v.choice<Bodies>("bodies", p.bodies,
                     {Body{"coupled", Bodies::kCoupled,
                           "cut cells, their velocities unknowns of the pressure solve, [BBB07]"},
                      Body{"marked", Bodies::kMarked,
                           "fluid goes through them but not into them, and its pressure pushes "
                           "them, [SSK05] §6.3: cheaper, for comparison"}},
                     "How fluid and free bodies move each other.");
    using Slip = ParamVisitor::Word<NoSlip>;
    v.choice<NoSlip>(
        "no_slip_walls", p.no_slip_walls,
        {Slip{"off", NoSlip::kOff, "both fluids slide"},
         Slip{"floor_and_ceiling", NoSlip::kFloorAndCeiling, "they stick to walls across y"},
         Slip{"all", NoSlip::kAll, "they stick to all walls of the box"}},
        "Walls of the box that hold the fluid; solids say it of themselves.");
    v.number("cfl", p.cfl,
             {.min = 0,
              .max = 100,
              .above_min = true,
              .help = "Voxels that anything may cross in one substep; sets their number."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
    v.number(
        "pressure_tolerance", p.pressure_tolerance,
        {.min = 1e-14, .max = 0.1, .help = "Relative residual at which a pressure solve ends."});
    v.integer("pressure_iterations", p.pressure_iterations, 1, 100000,
              "Most iterations of one pressure solve.");
    v.number("viscous_tolerance", p.viscous_tolerance,
             {.min = 1e-14, .max = 0.1, .help = "Relative residual at which viscosity ends."});
    v.list("ink", p.ink,
           "Ink that the water carries along, [SSK05] §7; later ones lie over earlier ones.",
           [](InkBody& ink, ParamVisitor& w) { describe(ink, w); });
    v.list("hand", p.hands,
           "Balls that take the fluid along from one place to another, as a mouse does, [SSK05] "
           "§4.2.",
           [](Hand& hand, ParamVisitor& w) { describe(hand, w); });
    v.flag("write_mesh", p.write_mesh, "Write the water's surface as a triangle mesh (3D).");
}

}  // namespace spume::cip
