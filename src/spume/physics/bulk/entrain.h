// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spume/geometry/mesh_library.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/bulk/aeration.h"
#include "spume/physics/bulk/radius_distribution.h"
#include "spume/physics/domain/solids.h"

namespace spume {

/// What a scene fixes about the bubbles that a bulk entrains, made ready.
template <int D>
struct EntrainLaw {
    struct Region {
        PlacedBody<D> body;
        double strength;
    };
    AerationLaw aeration;
    Aeration range;
    RadiusDistribution sizes;
    int jitter = 2;
    double time = 1.0 / 24;                ///< τ_e, s
    double bubble_rate = 0, air_rate = 0;  ///< 0: no limit
    double air_density = 1;
    std::uint64_t seed = 1;
    Box<double, D> bounds{};  ///< of the scene's domain: none are made outside
    std::string mask;         ///< a volume of the bulk
    std::vector<Region> regions;
    double outside = 1;  ///< strength outside of the regions
    std::vector<PlacedBody<D>> kills;
    bool mark_sources = false;  ///< Bubbles::source: 0, or −n in region n
    /// What several substeps of a frame share; decides nothing.
    std::shared_ptr<AerationFrames<D>> frames = std::make_shared<AerationFrames<D>>();
};
template <int D>
EntrainLaw<D> entrain_law(const Scene& scene, const MeshLibrary& meshes);

struct Entrained {
    double volume = 0;  ///< of the new bubbles, m³ (2D: m²)
    std::size_t bubbles = 0;
    double demand = 0;    ///< what was asked for, after budgets
    double returned = 0;  ///< of it found no place in the liquid
    std::vector<std::string> warnings;
};

/// New bubbles of a substep, as they are at its end: to be made after those that are there have
/// moved. A voxel within 2 Δx of the surface wants
///
///   (φ_target − φ_b)₊ Δx³ min(1, Δt/τ_e)
///
/// of air, φ_target of [WFS22] Eq. 33, and gets ⌊λ⌋ bubbles and one more with the probability of
/// the rest, λ = demand / ⟨V⟩: filling “until full” would put the large ones on top. Radii are of
/// [WFS22] Eq. 34 or two slopes; a place is the voxel's centre plus 1 … 3 uniform offsets, whose
/// density is a B-spline. Places in air or solids are drawn again; after some attempts the demand
/// stays, and the next substep finds it. New bubbles move with the liquid.
///
/// `fraction` is φ_b in cells of any lattice; no tile, no bubbles. All random numbers depend on the
/// seed, the voxel and the time alone; ids are given in the order of tiles and cells.
template <int D>
Entrained entrain(Bubbles<D>& bubbles, const CellField<double, D>& fraction, const Bulk<D>& bulk,
                  const PlacedSolids<D>& solids, const EntrainLaw<D>& law, Interval time,
                  Context& context);

/// The same in a liquid whose aeration at the end of the substep is known. `mask`, on the tiles of
/// the aeration, multiplies the strength; nullptr: nothing does.
template <int D>
Entrained entrain(Bubbles<D>& bubbles, const CellField<double, D>& fraction,
                  const AeratedBulk<D>& liquid, const CellField<double, D>* mask,
                  const PlacedSolids<D>& solids, const EntrainLaw<D>& law, Interval time,
                  Context& context);

/// Takes bubbles in kill zones away. Returns their air, which has left.
template <int D>
double remove_in_kill_zones(Bubbles<D>& bubbles, const EntrainLaw<D>& law, Context& context);

}  // namespace spume
