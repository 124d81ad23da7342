// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/deforming_shape.h"
#include "spume/scene/describe_parts.h"

namespace spume {
namespace {

void describe(PulseKey& k, ParamVisitor& v) {
    v.number("time", k.time,
             {"s", 0, kForever, false, "When, counted from `start` or from that of each period."});
    v.number("strength", k.strength, {"", 0, 1, false, "Part of the rate at that time."});
    v.needed("time", true, "there is a pulse");
    v.needed("strength", true, "there is a pulse");
}

void describe_amount(Emitter& e, int dimensions, ParamVisitor& v) {
    using W = ParamVisitor::Word<EmitMode>;
    v.choice("mode", e.mode,
             {W{"rate", EmitMode::kRate, "bubbles all the time, so much air a second"},
              W{"seed", EmitMode::kSeed, "bubbles once, at `start`"}},
             "When bubbles are made.");
    v.number("rate", e.rate,
             {dimensions == 2 ? "m^2/s" : "m^3/s", 0, 1e6, true, "Air a second (2D: an area)."});
    v.number("fraction", e.fraction,
             {"", 0, 1, true, "Seed: share of the shape to fill with air, at random places."});
    v.number("spacing", e.spacing,
             {"m", 1e-9, kFar, false, "Seed: one bubble on each point of a lattice instead."});
    v.integer("count", e.count, 1, 2000000000,
              "Seed: exactly so many bubbles instead, at random places.");
    v.number("start", e.start, moment("When emission starts, counted from the first frame."));
    v.number("stop", e.stop, moment("When emission ends."));
    v.number("period", e.period,
             {"s", 1e-6, kForever, false, "Emit in bursts or pulses, one every period."});
    v.number("burst", e.burst, {"s", 1e-9, kForever, false, "Length of each burst."});
    v.list("pulse", e.pulse,
           "How the rate swells and fades: key frames, linear between, held before and after.",
           [](PulseKey& k, ParamVisitor& w) { describe(k, w); });

    const bool seed = e.mode == EmitMode::kSeed;
    v.unused("rate", seed, "mode is \"seed\"");
    for (const char* name : {"fraction", "spacing", "count"})
        v.unused(name, !seed, "mode is \"rate\"");
    for (const char* name : {"stop", "period", "burst", "pulse"})
        v.unused(name, seed, "mode is \"seed\"");
    v.unused("fraction", seed && (e.spacing > 0 || e.count > 0), "spacing or count is given");
    v.unused("spacing", seed && e.spacing == 0, "it is 0");
    v.unused("count", seed && e.count == 0, "it is 0");
    v.unused("count", seed && e.count > 0 && e.spacing > 0, "spacing is given");
    v.unused("period", !seed && e.period == 0, "it is 0");
    v.unused("burst", !seed && e.period == 0, "period is not given");
    v.unused("burst", !seed && e.period > 0 && !e.pulse.empty(), "pulse is given");
    v.needed("rate", !seed, "mode is \"rate\"");
    v.needed("burst", !seed && e.period > 0 && e.pulse.empty(), "period is given and pulse is not");
}

}  // namespace

void describe(Emitter& e, int dimensions, ParamVisitor& v) {
    v.text("name", e.name, "For messages and output; any text.");
    v.section("shape", "Where bubbles appear.",
              [&](ParamVisitor& w) { describe_deforming(e.shape, w); });
    describe_amount(e, dimensions, v);
    using W = ParamVisitor::Word<RadiusLaw>;
    v.choice("radius_law", e.law,
             {W{"fixed", RadiusLaw::kFixed, "all of `radius`"},
              W{"inverse_cubic", RadiusLaw::kInverseCubic,
                "many small, few large, from `radius_min` to `radius_max` ([WFS22] Eq. 34)"},
              W{"cell_share", RadiusLaw::kCellShare,
                "eight fill a voxel (2D: four): spread them at half a voxel"},
              W{"marker", RadiusLaw::kMarker,
                "half a voxel's diagonal: fills any voxel it is in, [WSB25] §7"}},
             "How bubble sizes are spread.");
    v.number("radius", e.radius, {"m", 1e-7, 10, false, "Radius of every bubble."});
    v.number("radius_min", e.radius_min, {"m", 1e-7, 10, false, "Radius of the smallest bubbles."});
    v.number("radius_max", e.radius_max, {"m", 1e-7, 10, false, "Radius of the largest bubbles."});
    v.number("density", e.density,
             {"kg/m^3", 1e-3, 1e5, false,
              "Mass by volume of their air; left out: `physics.air_density`."});
    v.vector("velocity", e.velocity,
             {"m/s", -1e4, 1e4, false,
              "Velocity of a new bubble against the shape, with which it turns."});
    v.list("keys", e.keys,
           "The emitter moves: smooth between, held before the first and after the last.",
           [](KeyFrame& k, ParamVisitor& w) { describe(k, w); });
    v.text("attach", e.attach, "Name of a solid that carries the emitter along.");
    const bool fixed = e.law == RadiusLaw::kFixed, spread = e.law == RadiusLaw::kInverseCubic;
    v.needed("shape", true, "there is an emitter");
    v.unused("radius", !fixed, "radius_law is not \"fixed\"");
    v.unused("radius_min", !spread, "radius_law is not \"inverse_cubic\"");
    v.unused("radius_max", !spread, "radius_law is not \"inverse_cubic\"");
    v.unused("density", e.density == 0, "it is 0");
}

}  // namespace spume
