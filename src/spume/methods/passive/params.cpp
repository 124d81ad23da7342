// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/passive/params.h"

namespace spume::passive {
namespace {

NumberSpec size(const char* help) { return {"m", 1e-7, 10, false, help}; }
NumberSpec moment(const char* help) { return {"s", 0, 1e9, false, help}; }

void describe_pressure(Params& p, ParamVisitor& v) {
    using From = ParamVisitor::Word<PressureFrom>;
    v.choice("pressure", p.pressure,
             {From{"motion", PressureFrom::kMotion, "from how the bulk moves, ρ (g − Du/Dt)"},
              From{"stored", PressureFrom::kStored, "the bulk's volume `pressure`; else refuse"},
              From{"stored_or_motion", PressureFrom::kStoredOrMotion,
                   "the bulk's volume, or from its motion where it has none"},
              From{"hydrostatic", PressureFrom::kHydrostatic, "of water at rest"}},
             "The pressure that pushes bubbles.");
    v.unused("acceleration_limit", p.pressure == PressureFrom::kHydrostatic,
             "pressure is \"hydrostatic\"");
}

void describe(HandBubble& b, ParamVisitor& v) {
    v.vector("position", b.position, {"m", -1e6, 1e6, false, "Of its centre."});
    v.number("radius", b.radius, size("Of the bubble."));
    v.number("time", b.time, moment("When it appears."));
    v.needed("position", true, "there is a bubble");
}

void describe(Removal& r, ParamVisitor& v) {
    v.text("name", r.name, "For messages; any text.");
    if (v.given("shape")) r.shaped = true;
    v.section("shape", "Bubbles in it are removed.",
              [&](ParamVisitor& w) { describe(r.shape, w); });
    v.text("ids", r.ids, "Bubbles to remove by their ids: \"3 7-12\".");
    v.number("start", r.start, moment("From when on."));
    v.number("stop", r.stop, moment("Until when."));
    v.unused("shape", !r.shaped, "there is none");
}

}  // namespace

void describe(Params& p, ParamVisitor& v) {
    describe_forces(p, v);
    describe_pressure(p, v);
    describe_regions(p, v);
    describe_lives(p, v);
    describe_subcycles(p, v);
    v.number("cfl", p.cfl, {"", 0, 8, true, "Voxels that anything may cross in one substep."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
    v.section("markers", "Bubbles and drops from the markers that a cached liquid lost, [G04] §4.",
              [&](ParamVisitor& w) { describe(p.markers, w); });
    v.path(
        "list", p.list,
        "Text file with bubbles to add, to remove and to pop, a line each, relative to the scene "
        "file: `bubble X Y Z RADIUS [TIME]`, `remove IDS [FROM [UNTIL]]`, `pop IDS TIME`.");
    v.list("bubble", p.bubbles, "Bubbles by hand.",
           [](HandBubble& b, ParamVisitor& w) { describe(b, w); });
    v.list("remove", p.removals, "Bubbles to take away, by shape or by id; they count as left.",
           [](Removal& r, ParamVisitor& w) { describe(r, w); });
}

}  // namespace spume::passive
