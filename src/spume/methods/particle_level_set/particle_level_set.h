// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/grid/topology.h"
#include "spume/methods/particle_level_set/escaped.h"
#include "spume/methods/particle_level_set/params.h"
#include "spume/particles/drops.h"
#include "spume/physics/domain/force.h"
#include "spume/physics/domain/liquid_set.h"
#include "spume/physics/foam/cluster_params.h"
#include "spume/physics/free_surface/rigid.h"
#include "spume/solve/pressure.h"

namespace spume::particle_level_set {

/// Bubbles of the liquid's own run, and what became of their air, m³ (2D: m²).
template <int D>
struct LiveBubbles {
    ClusterBubbles<D> set;
    double carried = 0;  ///< air of pockets that is less than a bubble
    double emitted = 0, burst = 0, left = 0;
    std::int64_t popped = 0, subcycles = 0;
};

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    std::uint64_t steps = 0;
    std::int64_t frame = 0;       ///< whose markers `escaped` holds: numbered from the start
    ParticleLevelSet<D> surface;  ///< over the whole box
    Escaped<D> escaped;           ///< since the last frame
    Drops<D> drops;               ///< of markers of liquid that the surface has lost
    LiveBubbles<D> live;          ///< of markers of air
    TileTopology<D> grid;
    FaceField<double, D> velocity;  ///< divergence free, continued into air and solids
    CellField<double, D> pressure;
    std::vector<RigidState> rigid;  ///< bodies that the liquid moves
    double volume = 0;              ///< of the liquid, drops and all, m³ (2D: m²)
    double target_volume = 0;       ///< what was there at the start and came since
    double pocket_air = 0;          ///< m³ of trapped air that turned into liquid
    std::int64_t pockets = 0;       ///< how many there were
};

/// What a scene fixes for the whole run, made ready; the topology is a pure function of the tiles.
template <int D>
struct World {
    Scene scene;
    GridDomain<D> domain;
    SolidSet<D> solids;
    LiquidSet<D> liquids;
    ForceSet<D> forces;
    RigidSet<D> rigid;
    std::vector<std::uint8_t> no_slip;       ///< by solid
    Transform<D> lattice;                    ///< of the level set: cell 0 begins at its origin
    typename Tiles<D>::Ptr lattice_tiles{};  ///< over all of it
    SurfaceMotion motion;
    ClusterLaw<D> cluster;  ///< of live bubbles, as the two below
    PoppingLaw popping;
    MarkerLaw marker_law;
    MultigridTopology<D> topology{};  ///< of the tiles of the last solve

    /// A liquid of the scene, for the velocity it starts with.
    struct StartBody {
        bool fill;
        Vec<double, D> velocity;
        PlacedBody<D> body;
    };
    std::vector<StartBody> bodies;

    int subgrid() const { return int(domain.voxel() / lattice.voxel + 0.5); }
    /// Of the level set.
    Index<D> cells() const { return domain.cells.size() * subgrid(); }
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

}  // namespace spume::particle_level_set
