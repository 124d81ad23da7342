// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spume/core/vec.h"
#include "spume/scene/bulk_liquid.h"
#include "spume/scene/emission.h"
#include "spume/scene/shape.h"
#include "spume/scene/wet_foam.h"
#include "spume/scene/whitewater.h"

namespace spume {

class ParamVisitor;

// What a scene *says*: plain values in SI units, y up. No meaning beyond what is written; meshes
// are paths here and become data only in Inputs. Every member is declared in describe(Scene&, …).
// In a 2D scene the third component of every vector is ignored.

enum class Motion { kFixed, kKeyed, kDynamic };

struct KeyFrame {
    double time = 0;
    Vec<double, 3> position{0, 0, 0};  ///< offset from the shape's centre
    Vec<double, 3> rotation{0, 0, 0};  ///< degrees about x, then y, then z, on top of the shape's
};

/// In pictures only. Automatic: vessels, which are shells, of glass, the rest opaque.
enum class SolidLook { kAutomatic, kMatte, kGlass };

struct Solid {
    std::string name;
    Shape shape;
    Motion motion = Motion::kFixed;
    std::vector<KeyFrame> keys;  ///< smooth between (cubic), held before and after
    bool no_slip = false;
    double density = 500;              ///< dynamic bodies
    Vec<double, 3> velocity{0, 0, 0};  ///< dynamic: at the start, m/s
    Vec<double, 3> spin{0, 0, 0};      ///< dynamic: at the start, rad/s about x, y, z
    SolidLook look = SolidLook::kAutomatic;
    Vec<double, 3> color{0.85, 0.46, 0.24};  ///< opaque ones: linear, red, green, blue
};

/// Fills a shape with liquid at the start, empties it, keeps it full of moving liquid, or swallows
/// what enters it. For methods with a free surface.
enum class LiquidMode { kFill, kHollow, kSource, kSink };

struct LiquidBody {
    std::string name;
    Shape shape;
    LiquidMode mode = LiquidMode::kFill;
    Vec<double, 3> velocity{0, 0, 0};  ///< fill, source: m/s; of a source against its shape
    std::vector<KeyFrame> keys;        ///< source, sink: as of a solid; `velocity` turns with them
    std::string attach;                ///< source, sink: the solid that carries it; empty: none
    double density = 0;                ///< fill, source: kg/m³; 0: the scene's water density
    double start = 0, stop = 1e9;      ///< source, sink: s
};

enum class RadiusLaw { kFixed, kInverseCubic, kCellShare, kMarker };

/// How strongly an emitter blows at a time, as part of its rate.
struct PulseKey {
    double time = 0;      ///< s, from the emitter's start or from the start of each period
    double strength = 1;  ///< 0 … 1
};

/// Makes bubbles inside a shape: continuously by rate, or once, at the time `start` (seed).
enum class EmitMode { kRate, kSeed };

struct Emitter {
    std::string name;
    Shape shape;
    EmitMode mode = EmitMode::kRate;
    double rate = 1e-4;           ///< air volume per second, m³/s (m²/s in 2D)
    double fraction = 0.1;        ///< seed: air fraction to fill the shape with, random places
    double spacing = 0;           ///< seed: > 0 puts one bubble on each point of a lattice instead
    int count = 0;                ///< seed: > 0 puts just so many bubbles instead
    double start = 0;             ///< s
    double stop = 1e9;            ///< s
    double period = 0;            ///< > 0: bursts, repeated every period …
    double burst = 0;             ///< … each this long
    std::vector<PulseKey> pulse;  ///< swells and fades: linear between keys, held outside
    RadiusLaw law = RadiusLaw::kFixed;
    double radius = 1e-3;        ///< kFixed
    double radius_min = 0.5e-3;  ///< kInverseCubic, [WFS22] Eq. 34
    double radius_max = 5e-3;
    double density = 0;                ///< of the air; 0: the scene's air density
    Vec<double, 3> velocity{0, 0, 0};  ///< against its shape, with which it turns
    std::vector<KeyFrame> keys;        ///< as of a solid
    std::string attach;                ///< the solid that carries it; empty: none
};

/// Radii that an emitter gives, and the air one bubble stands for in what the emitter owes: the
/// voxel's share h^D / 2^D where the law goes by the voxel, else 0, the bubble's own volume.
struct RadiusSpan {
    double min = 0, max = 0;
    double stands_for = 0;
};
RadiusSpan radius_span(const Emitter& emitter, int dimensions, double voxel);

/// An acceleration on all matter inside a shape (or everywhere), for a while.
enum class ForceKind { kUniform, kSwirl };

struct Force {
    ForceKind kind = ForceKind::kUniform;
    bool everywhere = true;
    Shape region;
    Vec<double, 3> acceleration{0, 0, 0};  ///< kUniform
    double strength = 0;                   ///< kSwirl: tangential acceleration at the radius, m/s²
    double radius = 0.1;                   ///< kSwirl: about the region's y axis
    double start = 0, stop = 1e9;
};

struct TimeSpan {
    double fps = 24;
    int frames = 48;
    int start = 1;         ///< number of the first frame
    int max_substeps = 0;  ///< limit a frame; beyond it the run stops with status 3; 0: by length
};

enum class Border { kOpen, kWall };

/// Which water is simulated. `box` gives the limits; in it the grid is sparse around the bubbles
/// unless `dense`. Each side is a wall or open water.
struct Domain {
    int dimensions = 3;
    Vec<double, 3> lower{-0.5, 0, -0.5};
    Vec<double, 3> upper{0.5, 1, 0.5};
    double voxel = 0;    ///< m; 0: from divisions
    int divisions = 64;  ///< of the longest side, when voxel is 0
    bool dense = false;
    Border sides = Border::kOpen, bottom = Border::kOpen, top = Border::kOpen;
};

struct Physics {
    Vec<double, 3> gravity{0, -9.81, 0};
    double water_density = 1000, air_density = 1;
    double viscosity = 1e-3;         ///< dynamic, Pa·s
    double surface_tension = 0.072;  ///< N/m
};

struct CameraKey {
    double time = 0;
    Vec<double, 3> position{0, 0.5, 3};
    Vec<double, 3> target{0, 0.5, 0};
    double field_of_view = 0;  ///< degrees; 0: the camera's
};

struct Camera {
    bool automatic = true;  ///< frame the domain
    Vec<double, 3> position{0, 0.5, 3};
    Vec<double, 3> target{0, 0.5, 0};
    double field_of_view = 40;    ///< degrees, vertical
    std::vector<CameraKey> keys;  ///< smooth between, held before and after
};

/// The camera at a moment, without keys.
Camera camera_at(const Camera& camera, double time);

struct Output {
    bool vdb = true, ply = true, vtk = false;
    bool velocity = true, pressure = false, density = true;
    bool aeration = false;         ///< where a liquid would entrain air
    bool source = false;           ///< of each bubble: what made it
    bool surface = false;          ///< bubbles that touch as one surface: level set and mesh
    int surface_scale = 2;         ///< voxels of the surface a voxel of the simulation
    int every = 1;                 ///< write each n-th frame
    int checkpoint_every = 10;     ///< frames; 0: only when stopped
    bool half = false;             ///< half floats in volumes
    std::string preview = "last";  ///< pictures: none, last, all
};

struct Scene {
    int version = 1;
    std::string title;
    std::string method;  ///< empty: not named, which is for the table of methods to decide
    TimeSpan time;
    Domain domain;
    Physics physics;
    std::vector<Solid> solids;
    std::vector<LiquidBody> liquids;
    std::vector<Emitter> emitters;
    std::vector<Force> forces;
    BulkLiquid bulk;
    Aeration aeration;
    Emission emission;
    WetFoam foam;
    Whitewater whitewater;
    Camera camera;
    Output output;
    std::uint64_t seed = 1;

    double voxel() const;  ///< the voxel size in use, m
    /// Voxels along each axis, rounded up; 1 in z in 2D. Doubles: an absurd scene must not
    /// overflow.
    Vec<double, 3> cells() const;
};

/// Declares every key of a scene except the section of the method.
void describe(Scene& scene, ParamVisitor& visitor);

}  // namespace spume
