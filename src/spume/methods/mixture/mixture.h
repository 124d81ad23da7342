// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <utility>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/grid/topology.h"
#include "spume/methods/mixture/params.h"
#include "spume/physics/domain/force.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/physics/motion/emit.h"

namespace spume::mixture {

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    Bubbles<D> bubbles;
    TileTopology<D> grid;
    FaceField<double, D> water;     ///< u_w
    CellField<double, D> pressure;  ///< p′, the deviation from hydrostatic
    Array<double> owed;             ///< air that each emitter still owes
    double emitted = 0, left = 0;   ///< air volumes of particles since the start
    double seeded = 0;              ///< the air that they stand for
    double held_back = 0;           ///< most air that had no room in its emitter or voxel
    double water_cells = 0;         ///< cells with a pressure in the last substep
    PowerMemory power;              ///< of the power kernel, if in use
};

/// What a scene fixes for the whole run, made ready; the solver keeps only work space.
template <int D>
struct World {
    Scene scene;
    GridDomain<D> domain;
    SolidSet<D> solids;
    EmitterSet<D> emitters;
    ForceSet<D> forces;
    PressureSolver<D> solver;

    Vec<double, D> gravity() const { return in_plane<D>(scene.physics.gravity); }
};

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs);

template <int D>
State<D> init(const World<D>& world, const Params& params, Context& context);

/// Largest air fraction on the grid. Once an emitter of bubbles was over-full they crowd, and are
/// as close as spheres can be: without water between them nothing would hold them back.
template <int D>
double most_air(const State<D>& state, const Params& params, const World<D>& world);

/// The longest substep that keeps every motion below `cfl` voxels.
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

/// Both, with the bubbles on the grid once for the two.
template <int D>
std::pair<StateSummary, Frame> observe(const State<D>& state, const Params& params,
                                       const World<D>& world, Context& context);

template <int D>
void describe(State<D>& state, const World<D>& world, StateVisitor& visitor);

/// Bytes that `voxels` cells and `bubbles` bubbles need at the peak of a substep.
double expected_bytes(const Scene& scene, const Params& params, double voxels, double bubbles);

}  // namespace spume::mixture
