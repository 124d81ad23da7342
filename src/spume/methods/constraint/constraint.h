// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <optional>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/grid/topology.h"
#include "spume/methods/constraint/params.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/foam.h"
#include "spume/particles/tracers.h"
#include "spume/physics/air/track_bubbles.h"
#include "spume/physics/bulk/entrain.h"
#include "spume/physics/bulk/liquid_history.h"
#include "spume/physics/domain/force.h"
#include "spume/physics/domain/liquid_set.h"
#include "spume/physics/free_surface/bubble_pressure.h"
#include "spume/physics/free_surface/rigid.h"
#include "spume/physics/motion/drag.h"
#include "spume/physics/motion/emit.h"

namespace spume::constraint {

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    std::uint64_t steps = 0;  ///< substeps done, for random numbers
    Liquid<D> liquid;
    TileTopology<D> grid;
    FaceField<double, D> velocity;     ///< divergence free, continued into air and solids
    FaceField<float, D> displacement;  ///< metres that the next substep moves particles and
                                       ///< surface once, whatever its length; may be empty
    CellField<double, D> pressure;
    LevelSet<D> phi;
    BubbleTracker<D> air;
    Bubbles<D> small;                          ///< too small for the grid: whitewater
    FaceField<double, D> pressure_gradient;    ///< while there are such bubbles
    Foam<D> foam;                              ///< what of them floats
    double pruned = 0;                         ///< air that came up where foam was packed
    Array<double> owed;                        ///< air that each emitter still owes
    double emitted = 0, seeded = 0, left = 0;  ///< air of bubbles: made, stood for, gone from here
    double volume = 0;                         ///< of the liquid, as the surface encloses it
    double target_volume = 0;                  ///< what was there at the start and came since
    std::vector<RigidState> rigid;             ///< bodies that the liquid moves
    Tracers<D> markers;                        ///< of trapped air, to keep its surface
    Tracers<D> smoke;                          ///< m³ (2D: m²) of smoke at full density
    FaceField<double, D> air_velocity;  ///< where smoke is wanted: of liquid and air together
    double smoke_lost = 0;              ///< left the box, or its bubble is gone
    double outflow = 0;                 ///< of liquid through open sides and into sinks, m³/s
    LiquidHistory<D> history;           ///< where aeration is wanted
};

/// What a scene fixes for the whole run, made ready; the topology is a pure function of the tiles.
template <int D>
struct World {
    Scene scene;
    GridDomain<D> domain;
    SolidSet<D> solids;
    LiquidSet<D> liquids;
    ForceSet<D> forces;
    RigidSet<D> rigid;  ///< those of the solids that the liquid moves
    EmitterSet<D> emitters;
    std::optional<EntrainLaw<D>> entrainment;  ///< none: the liquid makes no bubbles
    std::vector<std::uint8_t> no_slip;         ///< by solid
    std::vector<PlacedBody<D>> patches;        ///< of foam
    MultigridTopology<D> topology;             ///< of the tiles of the last solve

    DragLaw drag() const {
        return {scene.physics.water_density, std::max(scene.physics.viscosity, 1e-9), 1};
    }
    Vec<double, D> gravity() const { return in_plane<D>(scene.physics.gravity); }
};

/// All solids at a time, free bodies where the state has them.
template <int D>
PlacedSolids<D> solids_at(const World<D>& world, std::span<const RigidState> rigid, double time) {
    return world.rigid.among(world.solids, rigid, time);
}

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs);

template <int D>
State<D> init(const World<D>& world, const Params& params, Context& context);

/// The longest substep: no motion crosses more than `cfl` voxels. The displacement has a limit of
/// its own.
template <int D>
StepLimit max_dt(const State<D>& state, const Params& params, const World<D>& world,
                 Context& context);

template <int D>
StepReport step(State<D>& state, const Params& params, World<D>& world, Interval time,
                Context& context);

template <int D>
Frame view(const State<D>& state, const Params& params, const World<D>& world, Context& context);

template <int D>
StateSummary summary(const State<D>& state, const Params& params, const World<D>& world,
                     Context& context);

template <int D>
void describe(State<D>& state, const World<D>& world, StateVisitor& visitor);

/// Bytes that `voxels` cells full of liquid need at the peak of a substep.
double expected_bytes(const Scene& scene, const Params& params, double voxels, double bubbles);

}  // namespace spume::constraint
