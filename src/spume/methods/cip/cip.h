// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/methods/cip/fragment_set.h"
#include "spume/methods/cip/params.h"
#include "spume/particles/markers.h"
#include "spume/physics/domain/force.h"
#include "spume/physics/domain/liquid_set.h"
#include "spume/physics/free_surface/rigid.h"
#include "spume/physics/motion/cip.h"
#include "spume/solve/box_pressure.h"
#include "spume/solve/pressure.h"

namespace spume::cip {

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    std::uint64_t steps = 0;
    CipField<double, D> phi;                  ///< in voxels, negative in water
    CipField<double, D> velocity[D];          ///< m/s; derivatives by the voxel
    DenseField<double, D> pressure;           ///< Pa
    CipField<double, D> ink;                  ///< 0 … 1; without values where there is none
    Markers<D> markers;                       ///< beside the surface; `advection = "markers"` only
    std::vector<RigidState> rigid;            ///< bodies that the fluid moves
    double volume = 0;                        ///< of the water, by H_ε; m³ (2D: m²)
    double target_volume = 0;                 ///< what was there at the start, drops and all
    Fragments<D> fragments;                   ///< drops, bubbles, foam
    double water_found = 0, water_given = 0;  ///< taken from the grid as drops, and given back
    double air_found = 0, air_given = 0;      ///< the same of bubbles and foam
};

/// Parts of a substep, in their order.
enum class Part {
    kMoveSurface,
    kRedistance,
    kFindFragments,
    kMoveVelocity,
    kViscosity,
    kForces,
    kProject,
    kMoveFragments,
    kKeepVolume,
    kEnd
};

/// Looks at a substep from within: told when a part begins, with the state that the one before it
/// left. It may change the state, which is how parts are switched off.
template <int D>
using Onlooker = std::function<void(Part part, State<D>& state)>;

/// What a scene fixes for the whole run, made ready; the solver's work space.
template <int D>
struct World {
    Scene scene;
    GridDomain<D> domain;
    SolidSet<D> solids;
    RigidSet<D> rigid;  ///< those of the solids that the fluid moves
    LiquidSet<D> liquids;
    ForceSet<D> forces;
    std::vector<std::uint8_t> no_slip;              ///< by solid
    typename Tiles<D>::Ptr tiles;                   ///< over the whole box, for the pressure
    std::shared_ptr<PressureSolver<D>> solver;      ///< in 3D
    std::shared_ptr<BoxPressureSolver> box_solver;  ///< in 2D
    std::optional<double> imposed_curvature;        ///< 1/m, for tests of balance; else computed
    NoSlip hold = NoSlip::kOff;                     ///< walls of the box that hold the fluid

    /// A liquid of the scene, for the velocity it starts with.
    struct StartBody {
        bool fill;
        Vec<double, D> velocity;
        PlacedBody<D> body;
    };
    std::vector<StartBody> bodies;
    struct Ink {
        double amount;
        PlacedBody<D> body;
    };
    std::vector<Ink> ink;
    Vec<double, D> start_velocity(const Point<D>& x) const;

    /// All solids at a time, free bodies where they are.
    PlacedSolids<D> solids_at(double time, std::span<const RigidState> states) const {
        return rigid.among(solids, states, time);
    }

    Onlooker<D> onlooker = {};
    bool mixed = false;   ///< the level set carries its mixed derivatives
    bool marked = false;  ///< free bodies are marked cells, [SSK05] §6.3, not cut out of the grid
    double skirt = 0;     ///< m beyond the surface where faces hold water's mass

    double voxel() const { return domain.voxel(); }
    Index<D> cells() const { return domain.cells.size(); }
    Vec<double, D> gravity() const { return in_plane<D>(scene.physics.gravity); }
    /// Position of a lattice coordinate of the box.
    Point<D> position(const Vec<double, D>& x) const {
        return domain.transform.to_world(x + domain.cells.lo.template as<double>());
    }
    Vec<double, D> lattice(const Point<D>& x) const {
        return domain.transform.to_lattice(x) - domain.cells.lo.template as<double>();
    }
};

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs);
/// Fields of the box without values, as a checkpoint needs them to read into.
template <int D>
State<D> empty_state(const World<D>& world);
template <int D>
State<D> init(const World<D>& world, const Params& params, Context& context);
/// No motion crosses more than `cfl` voxels; explicit tension stays stable.
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
double expected_bytes(const Scene& scene, const Params& params, double voxels, double bubbles);

/// Room for ink, all clear, where a state has none yet.
template <int D>
void make_room_for_ink(State<D>& state);
template <int D>
bool has_ink(const State<D>& state) {
    return state.ink.f.values.size() > 0;
}

/// Largest component of velocity on any face, m/s.
template <int D>
double max_speed(const State<D>& state, Context& context);

}  // namespace spume::cip
