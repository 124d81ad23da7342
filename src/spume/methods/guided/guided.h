// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/grid/topology.h"
#include "spume/methods/guided/bulk_motion.h"
#include "spume/methods/guided/params.h"
#include "spume/particles/foam.h"
#include "spume/physics/bulk/cached_bubbles.h"
#include "spume/physics/bulk/entrain.h"
#include "spume/physics/domain/force.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/physics/motion/emit.h"

namespace spume::guided {

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    Bubbles<D> bubbles;
    Foam<D> foam;
    TileTopology<D> grid;
    FaceField<double, D> water;     ///< u; one-way: the bulk's
    CellField<double, D> pressure;  ///< q = p − p_bulk; zero one-way
    Array<double> owed;             ///< air that each emitter still owes
    double emitted = 0, left = 0;   ///< air volumes of bubbles since the start
    double burst = 0, pruned = 0;   ///< air of foam that burst, or came where it was packed
    double seeded = 0;              ///< the air that they stand for
    Array<std::uint64_t> taken;     ///< cached bubbles that became foam here; ascending
    double water_cells = 0;         ///< cells with a pressure in the last substep
    double net_flux = 0;            ///< GuidedCells::largest_net_flux of the last substep, 1/s
};

/// What a scene fixes for the whole run, made ready; solver and window keep only work space.
template <int D>
struct World {
    Scene scene;
    std::unique_ptr<Bulk<D>> bulk;
    GridDomain<D> domain;
    SolidSet<D> solids;
    EmitterSet<D> emitters;
    std::optional<EntrainLaw<D>> entrainment;  ///< none: the bulk makes no bubbles
    ForceSet<D> forces;
    PressureSolver<D> solver;
    BulkWindow<D> window, foam_window;
    std::vector<PlacedBody<D>> patches;        ///< of foam
    double foam_cfl = 2;                       ///< voxels that foam may cross in a substep
    std::shared_ptr<CachedBubbles<D>> cached;  ///< bubbles of an earlier run, if only foam is new

    Vec<double, D> gravity() const { return in_plane<D>(scene.physics.gravity); }
    /// The axis that gravity points along, most of all; y without gravity.
    int down() const;
    BulkFields<D> bulk_at(const typename Tiles<D>::Ptr& tiles, double time, Context& context) {
        return window.at(*bulk, tiles, time, context);
    }
};

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs);

template <int D>
State<D> init(const World<D>& world, const Params& params, Context& context);

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

template <int D>
void describe(State<D>& state, const World<D>& world, StateVisitor& visitor);

/// Bytes that `voxels` cells and `bubbles` bubbles need at the peak of a substep.
double expected_bytes(const Scene& scene, const Params& params, double voxels, double bubbles);

}  // namespace spume::guided
