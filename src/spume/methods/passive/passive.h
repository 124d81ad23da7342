// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>

#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/methods/passive/params.h"
#include "spume/particles/drops.h"
#include "spume/physics/bulk/bulk_points.h"
#include "spume/physics/bulk/entrain.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/physics/foam/cluster_motion.h"
#include "spume/physics/foam/marker_bubbles.h"
#include "spume/physics/motion/emit.h"

namespace spume::passive {

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    ClusterBubbles<D> bubbles;
    Drops<D> drops;
    Array<double> owed;  ///< air that each emitter still owes
    double carried = 0;  ///< air of pockets that is less than a bubble
    double emitted = 0, seeded = 0, burst = 0, left = 0;  ///< air since the start
    std::int64_t popped = 0, subcycles = 0;               ///< since the start
};

/// Removal made ready.
template <int D>
struct RemovalRule {
    std::optional<PlacedBody<D>> body;
    std::vector<IdRange> ids;
    double start = 0, stop = 1e9;

    bool due(double time) const { return time >= start && time <= stop; }
};

/// What a scene fixes for the whole run, made ready.
template <int D>
struct World {
    Scene scene;
    std::unique_ptr<Bulk<D>> bulk;
    BulkPoints escaped;
    bool stored_pressure = false;
    GridDomain<D> domain;
    SolidSet<D> solids;
    EmitterSet<D> emitters;
    std::optional<EntrainLaw<D>> entrainment;
    ClusterLaw<D> law;
    PoppingLaw popping;
    MarkerLaw markers;
    std::vector<HandBubble> hand;
    std::vector<RemovalRule<D>> removals;
    std::vector<ListedIds> pops;

    Vec<double, D> gravity() const { return in_plane<D>(scene.physics.gravity); }
    /// Cells around bubbles in which the bulk is known during a substep.
    int margin(const Params& p) const { return int(p.cfl) + 3; }
    /// Tiles with these points and so many cells around each.
    typename Tiles<D>::Ptr tiles_at(std::span<const Point<D>> points, int cells,
                                    Context& context) const;
};

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs);
template <int D>
State<D> init(const World<D>& world, const Params& params, Context& context);
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

/// ∇p of the bulk at the bubbles during a step, Pa/m.
template <int D>
std::vector<Vec<double, D>> pressure_gradients(const ClusterBubbles<D>& bubbles,
                                               const BulkFields<D>& before,
                                               const BulkFields<D>& now, const Params& params,
                                               const World<D>& world, Context& context);

/// New bubbles and drops of a substep, as they are at its end; returns what is to be said.
template <int D>
std::vector<std::string> add_bubbles(State<D>& state, const Params& params, World<D>& world,
                                     Interval time, Context& context);

/// Those that the scene's list lets pop by now.
template <int D>
void pop_listed(State<D>& state, const World<D>& world, double time, Context& context);

/// Those that the scene takes away, or that crossed an open side; their air has left.
template <int D>
void remove_bubbles(State<D>& state, const World<D>& world, double time, Context& context);

}  // namespace spume::passive
