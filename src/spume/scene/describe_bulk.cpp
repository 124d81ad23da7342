// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"
#include "spume/scene/bulk_liquid.h"

namespace spume {
namespace {

constexpr double kFar = 1e6;  // m

NumberSpec place(const char* help) { return {"m", -kFar, kFar, false, help}; }
NumberSpec extent(const char* help) { return {"m", 0, kFar, true, help}; }

void describe_cache(BulkLiquid& b, ParamVisitor& v) {
    v.path("path", b.path,
           "Where the frames are, relative to the scene file: the output directory of the liquid's "
           "own run; for \"vdb\" a folder of VDB files, a Mantaflow cache, or the name of a file "
           "with #### or $F4 for the number; for \"mesh\" the same of .bobj, .ply or .obj files.");
    v.integer("start", b.start, 0, 1000000,
              "Frame of the cache that begins when the scene does; left out: `time.start`, so that "
              "frames of one number belong together.");
    using M = ParamVisitor::Word<MissingFrame>;
    v.choice("missing", b.missing,
             {M{"error", MissingFrame::kError, "stop, naming the first of them"},
              M{"wait", MissingFrame::kWait, "until it is there, `wait` long, then stop"},
              M{"hold", MissingFrame::kHold, "the liquid stands as it was in the last one before"},
              M{"interpolate", MissingFrame::kInterpolate, "between those on either side"}},
             "What to do about a frame that is not there.");
    v.number("wait", b.wait, {"s", 0, 1e6, false, "How long to wait for a frame."});
    using S = ParamVisitor::Word<BulkSide>;
    const std::vector<S> words = {
        S{"auto", BulkSide::kAsMade, "`wall` where the liquid was simulated with one, else `open`"},
        S{"open", BulkSide::kOpen, "it ends there"},
        S{"wall", BulkSide::kWall, "it goes on through it, as if without one"}};
    v.choice("sides", b.sides, words, "What the vertical sides of the liquid's box are.");
    v.choice("bottom", b.bottom, words, "What the bottom of its box is.");
    v.choice("top", b.top, words, "What the top of its box is.");
    const bool cache = b.cached();
    v.needed("path", cache, "kind is \"cache\", \"vdb\" or \"mesh\"");
    for (const char* name : {"path", "start", "missing", "wait", "sides", "bottom", "top"})
        v.unused(name, !cache, "kind is not \"cache\", \"vdb\" or \"mesh\"");
    v.unused("start", cache && b.start < 0, "it is negative");
    v.unused("wait", cache && b.missing != MissingFrame::kWait, "missing is not \"wait\"");
}

void describe_foreign(ForeignVolumes& f, BulkKind kind, ParamVisitor& v) {
    const bool volumes = kind == BulkKind::kVdb, used = volumes || kind == BulkKind::kMesh;
    v.text("surface_grid", f.surface,
           "Name of the level set; left out: surface, phi, sdf or liquid.");
    v.text("velocity_grid", f.velocity,
           "Name of the velocity, or of its components without .x, .y, .z; left out: vel, velocity "
           "or v.");
    using U = ParamVisitor::Word<UpAxis>;
    v.choice("up", f.up,
             {U{"auto", UpAxis::kAutomatic, "z for Mantaflow and .bobj files, y for others"},
              U{"y", UpAxis::kY, "y"}, U{"z", UpAxis::kZ, "z, which becomes our y; y becomes -z"}},
             "Which axis of the files points up.");
    using P = ParamVisitor::Word<VelocityPlaces>;
    v.choice("velocity_at", f.places,
             {P{"auto", VelocityPlaces::kAutomatic, "as the grids say"},
              P{"faces", VelocityPlaces::kFaces, "staggered: on the lower faces of voxels"},
              P{"centres", VelocityPlaces::kCentres, "in the middle of voxels"}},
             "Where the files have their velocities.");
    v.number("unit", f.unit, {"m", 1e-6, 1e6, false, "Length of one unit of the files."});
    v.number("velocity_scale", f.velocity_scale,
             {"", -1e6, 1e6, false, "Factor on velocities, besides those of unit and time_scale."});
    v.vector("offset", f.offset, place("Moves the liquid, after axis and unit."));
    v.number(
        "cache_fps", f.fps,
        {"1/s", 1e-3, 1e5, false,
         "Frames a second of the files; left out: as Mantaflow says, else those of the scene."});
    v.number("time_scale", f.time_scale,
             {"", 1e-6, 1e6, false, "How many times faster it is seen than it was simulated."});
    for (const char* name : {"surface_grid", "velocity_grid", "velocity_at"})
        v.unused(name, !volumes, "kind is not \"vdb\"");
    for (const char* name : {"up", "unit", "velocity_scale", "offset", "cache_fps", "time_scale"})
        v.unused(name, !used, "kind is not \"vdb\" or \"mesh\"");
    v.unused("cache_fps", used && f.fps == 0, "it is 0");
}

void describe_closed_form(BulkLiquid& b, ParamVisitor& v) {
    using W = ParamVisitor::Word<BulkFlow>;
    v.choice(
        "flow", b.flow,
        {W{"stream", BulkFlow::kStream, "all of it at `velocity`, which `acceleration` changes"},
         W{"rotation", BulkFlow::kRotation, "a ball of it turns about an axis along z"},
         W{"standing_wave", BulkFlow::kStandingWave,
           "between walls or in a row, along x; of small `amplitude`"},
         W{"gerstner_wave", BulkFlow::kGerstnerWave, "of deep water, running along x"},
         W{"free_fall", BulkFlow::kFreeFall, "a ball of it under gravity alone"}},
        "How the liquid moves.");
    v.number("voxel", b.voxel,
             {"m", 1e-6, 1e3, false, "Edge of its grid cells; left out: that of the domain."});
    v.number("level", b.level, place("Height of the surface at rest."));
    v.vector("velocity", b.velocity, {"m/s", -1e4, 1e4, false, "Of the liquid at the start."});
    v.vector("acceleration", b.acceleration, {"m/s^2", -1e6, 1e6, false, "Of the stream."});
    v.vector("center", b.center, place("Of the ball, at the start."));
    v.number("radius", b.radius, extent("Of the ball (2D: disc)."));
    v.vector("pivot", b.pivot, place("What the ball turns about."));
    v.number("spin", b.spin, {"rad/s", -1e4, 1e4, false, "How fast, counter-clockwise."});
    v.number("amplitude", b.amplitude, extent("Height of the crests above the middle."));
    v.number("wavelength", b.wavelength, extent("From crest to crest."));
    v.number("depth", b.depth, extent("Of the water; left out: deep."));

    const bool analytic = b.kind == BulkKind::kAnalytic;
    const bool stream = b.kind == BulkKind::kStill || (analytic && b.flow == BulkFlow::kStream);
    const bool turns = analytic && b.flow == BulkFlow::kRotation;
    const bool falls = analytic && b.flow == BulkFlow::kFreeFall;
    const bool stands = analytic && b.flow == BulkFlow::kStandingWave;
    const bool sea = b.kind == BulkKind::kOcean;
    const bool wave = stands || (analytic && b.flow == BulkFlow::kGerstnerWave);
    v.needed("flow", analytic, "kind is \"analytic\"");
    v.needed("level", stream || wave || sea,
             "kind is \"still\" or \"ocean\", or flow is \"stream\" or a wave");
    v.needed("radius", turns || falls, "flow is \"rotation\" or \"free_fall\"");
    v.needed("spin", turns, "flow is \"rotation\"");
    v.needed("amplitude", wave, "flow is a wave");
    v.needed("wavelength", wave, "flow is a wave");
    const auto only = [&](const char* name, bool used) {
        v.unused(name, !used, "kind or flow is another");
    };
    v.unused("flow", !analytic, "kind is not \"analytic\"");
    v.unused("voxel", b.cached(), "kind is \"cache\", \"vdb\" or \"mesh\"");
    v.unused("voxel", !b.cached() && b.voxel == 0, "it is 0");
    only("level", stream || wave || sea);
    only("velocity", stream || falls);
    only("acceleration", analytic && stream);
    only("center", turns || falls);
    only("radius", turns || falls);
    only("pivot", turns);
    only("spin", turns);
    only("amplitude", wave);
    only("wavelength", wave);
    only("depth", stands || sea);
    v.unused("depth", (stands || sea) && b.depth == 0, "it is 0");
}

}  // namespace

void describe(BulkLiquid& b, ParamVisitor& v) {
    using W = ParamVisitor::Word<BulkKind>;
    v.choice(
        "kind", b.kind,
        {W{"still", BulkKind::kStill, "a level surface; the liquid rests or moves as one"},
         W{"analytic", BulkKind::kAnalytic, "a flow with a formula, see `flow`"},
         W{"ocean", BulkKind::kOcean, "waves of a sea under the wind, from a spectrum [Hor15]"},
         W{"cache", BulkKind::kCache, "the frames of a liquid simulated before, at `path`"},
         W{"vdb", BulkKind::kVdb, "the same from another program, as VDB files at `path`"},
         W{"mesh", BulkKind::kMesh,
           "its surface as meshes at `path`, with velocities: enough for foam"}},
        "Where the liquid comes from.");
    describe_cache(b, v);
    describe_foreign(b.foreign, b.kind, v);
    describe_closed_form(b, v);
    describe_ocean(b.ocean, b.kind == BulkKind::kOcean, v);
}

}  // namespace spume
