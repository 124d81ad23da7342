// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/describe.h"
#include "spume/scene/shape.h"

namespace spume::cip {

enum class Scheme { kCip, kLinear, kMacCormack, kCubic, kRational, kWeno, kMarkers };
enum class Limiter { kOff, kRegion, kSquare };
enum class Interface { kSmeared, kSharp };
enum class Momentum { kConsistent, kPlain };
enum class Tension { kForce, kDensityScaled };
enum class NoSlip { kOff, kFloorAndCeiling, kAll };
enum class Redistance { kEquation, kSweep, kOff };
enum class Bodies { kCoupled, kMarked };
enum class Mixed { kDifferenced, kTransported };

/// Ink in the water at the start.
struct InkBody {
    Shape shape;
    double amount = 1;  ///< 0 … 1
};

/// A ball that takes the fluid in it along, as a mouse does; it goes from one place to another at
/// an even speed.
struct Hand {
    Vec<double, 3> from{}, to{};
    double start = 0, stop = 1;
    double radius = 0.1, strength = 20;
};

/// What a scene may say in its [cip] section; describe() says what each key does. The reason for a
/// default stands above it; the numbers are those of docs/validation/cip.md.
struct Params {
    // The method of [SSK05].
    Scheme advection = Scheme::kCip;
    // Limited, the single vortex loses 42 % of its area; unlimited it is off by 0.6 %.
    Limiter limit_surface = Limiter::kOff;
    // [SSK05] §4.1: makes no difference that can be seen, and is cheaper.
    Mixed mixed = Mixed::kDifferenced;
    // Velocity that overshoots is energy from nowhere; as good as the region, and 2.7 times as
    // fast.
    Limiter limit_velocity = Limiter::kSquare;
    // [SSK05] §5.1.
    Interface interface = Interface::kSmeared;
    double smearing = 1.5;
    // Without it air takes water's momentum: a drop in still air slows down.
    Momentum momentum = Momentum::kConsistent;
    Tension tension = Tension::kForce;
    // Air at 20 °C.
    double air_viscosity = 1.8e-5;
    // Explicit pushes let light bodies swing, and lose momentum.
    Bodies bodies = Bodies::kCoupled;
    // Boundary layers of water are thinner than a voxel.
    NoSlip no_slip_walls = NoSlip::kOff;
    // [SSK05] Eqs. 18–19.
    Redistance redistance = Redistance::kEquation;
    // Redistancing each step moves the surface; none at all lets φ fold.
    int redistance_every = 10;
    // [SSK05] Eqs. 20–22.
    bool compensation = true;
    // [SSK05] §5: small drops and bubbles live on as particles.
    bool fragments = true;
    // Spheres at Reynolds numbers of hundreds.
    double drag = 0.5;
    // Of a ball; without it bubbles have no inertia to speak of.
    double added_mass = 0.5;
    // A droplet is as fast as this where crowns break; no study chose it.
    double splitting_speed = 2;
    int most_pieces = 8;
    // Twice as long as wide at 5 m/s.
    double elongation = 0.2;
    double foam_life = 0.5;
    // [SSK05] §7: lets one see how the water moves.
    std::vector<InkBody> ink;
    // [SSK05] §4.2: forces from mouse and keyboard.
    std::vector<Hand> hands;
    // [SSK05] §7 for its football; its real-time runs went to 25.
    double cfl = 5;
    int min_substeps = 1;
    // Volume is kept by the level set, not by the pressure: what liquids of this field use.
    double pressure_tolerance = 1e-4;
    int pressure_iterations = 400;
    double viscous_tolerance = 1e-6;
    bool write_mesh = true;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::cip
