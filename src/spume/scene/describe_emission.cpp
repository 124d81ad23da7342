// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"
#include "spume/scene/emission.h"

namespace spume {
namespace {

void describe(Aeration& a, ParamVisitor& v) {
    v.number("a_min", a.a_min,
             {"", 0, 1e12, false,
              "Aeration, [WFS22] Eq. 27, from which on air is entrained; 1 is the onset."});
    v.number("a_max", a.a_max,
             {"", 0, 1e12, true, "Aeration at which a voxel holds `fraction_max` of air."});
    v.number("fraction_max", a.fraction_max,
             {"", 0, 1, true, "Most air that a voxel is filled with, as a part of it."});
    v.number("tau", a.tau,
             {"s", 1e-6, 1e3, false,
              "Time between the two velocities whose half difference is the fluctuation; do not "
              "tie it to the frame rate."});
    using W = ParamVisitor::Word<CurvatureSign>;
    v.choice("curvature", a.curvature,
             {W{"concave", CurvatureSign::kConcave, "the surface bends towards the air: troughs"},
              W{"both", CurvatureSign::kBoth, "crests and drops too, about 2.6 times the air"}},
             "Which surfaces entrain air.");
}

void describe(EmissionRegion& r, ParamVisitor& v) {
    v.text("name", r.name, "For messages and output; any text.");
    v.section("shape", "Where.", [&](ParamVisitor& w) { describe(r.shape, w); });
    v.number("strength", r.strength,
             {"", 0, 1e6, false, "Factor on the air that is entrained there; 0: none."});
    v.needed("shape", true, "there is a region");
}

void describe(KillZone& k, ParamVisitor& v) {
    v.text("name", k.name, "For messages and output; any text.");
    v.section("shape", "Where.", [&](ParamVisitor& w) { describe(k.shape, w); });
    v.needed("shape", true, "there is a kill zone");
}

void describe(Emission& e, int dimensions, ParamVisitor& v) {
    using W = ParamVisitor::Word<SizeLaw>;
    v.choice("distribution", e.distribution,
             {W{"inverse_cubic", SizeLaw::kInverseCubic,
                "many small, few large, from `radius_min` to `radius_max` ([WFS22] Eq. 34)"},
              W{"two_slope", SizeLaw::kTwoSlope,
                "r^-3/2 below `split_radius`, r^-10/3 above, as under breaking waves [DMP16]"}},
             "How radii are spread.");
    v.number("radius_min", e.radius_min, {"m", 1e-7, 10, false, "Radius of the smallest bubbles."});
    v.number("radius_max", e.radius_max, {"m", 1e-7, 10, false, "Radius of the largest bubbles."});
    v.number("split_radius", e.split_radius,
             {"m", 1e-7, 10, false, "The Hinze radius, at which the two slopes meet."});
    v.integer("jitter", e.jitter, 1, 3,
              "Random offsets added to a bubble's place: 1 shows the voxels, 2 and 3 blur them.");
    v.number("time", e.time, {"s", 1e-6, 1e3, false, "Time in which a voxel fills."});
    v.number("bubble_rate", e.bubble_rate,
             {"1/s", 1e-6, 1e12, false, "At most so many on average; the rest is thinned evenly."});
    v.number("air_rate", e.air_rate,
             {dimensions == 2 ? "m^2/s" : "m^3/s", 1e-15, 1e6, false,
              "At most so much air (2D: an area) on average; the rest is thinned evenly."});
    v.text("mask", e.mask, "Name of a volume of the bulk that multiplies the air entrained.");
    v.number("outside", e.outside,
             {"", 0, 1e6, false, "Factor on the air that is entrained outside of all regions."});
    v.list("region", e.regions,
           "Where air is entrained, with a factor; the first that holds a place counts.",
           [](EmissionRegion& r, ParamVisitor& w) { describe(r, w); });
    v.list("kill", e.kills, "Where bubbles are taken away; they count as left.",
           [](KillZone& k, ParamVisitor& w) { describe(k, w); });
    v.unused("split_radius", e.distribution != SizeLaw::kTwoSlope,
             "distribution is not \"two_slope\"");
    v.unused("bubble_rate", e.bubble_rate == 0, "it is 0");
    v.unused("air_rate", e.air_rate == 0, "it is 0");
    v.unused("outside", e.regions.empty(), "there is no region");
}

}  // namespace

void describe(Aeration& a, Emission& e, int dimensions, ParamVisitor& v) {
    v.section("aeration", "Where a liquid entrains air, [WFS22] §5.1.",
              [&](ParamVisitor& w) { describe(a, w); });
    if (v.given("emission")) e.on = true;
    v.section("emission", "Bubbles where a bulk entrains air, [WFS22] §5.2; left out: none.",
              [&](ParamVisitor& w) { describe(e, dimensions, w); });
    v.unused("emission", !e.on, "there is no emission");
}

}  // namespace spume
