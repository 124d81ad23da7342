// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/core/context.h"
#include "spume/core/step_limit.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/foam.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/domain/thin_walls.h"
#include "spume/physics/foam/foam_transitions.h"
#include "spume/physics/foam/manifold.h"
#include "spume/scene/scene.h"

namespace spume {

// Foam during a substep of the liquid under it, whoever says what that does.

/// What a scene says about foam, and where it is.
template <int D>
struct FoamSetting {
    const WetFoam& law;
    const Physics& physics;
    const GridDomain<D>& domain;
    std::uint64_t seed = 1;
    double cfl = 2;  ///< voxels that foam may cross in a substep

    FoamSetting(const Scene& scene, const GridDomain<D>& where, double voxels_a_substep)
        : law(scene.foam),
          physics(scene.physics),
          domain(where),
          seed(scene.seed),
          cfl(voxels_a_substep) {}
    Vec<double, D> gravity() const { return in_plane<D>(physics.gravity); }
    TransitionLaw transitions() const;
};

/// Tiles of cells around points on which foam may look at the surface during a substep: what it
/// crosses, up to `cfl` voxels, what it is corrected by, and two for differences. Also beyond
/// walls: what is read beside them must be there.
template <int D>
typename Tiles<D>::Ptr tiles_of_surface(std::span<const Point<D>> points,
                                        const FoamSetting<D>& setting, double cfl,
                                        Context& context);

/// The same, `reach` cells around.
template <int D>
typename Tiles<D>::Ptr tiles_of_surface(std::span<const Point<D>> points,
                                        const FoamSetting<D>& setting, int reach, Context& context);

/// Air that a substep takes from foam.
struct FoamLoss {
    double left = 0, burst = 0;  ///< m³ (2D: m²)
    bool broken = false;         ///< something was no number: the rest is not done
};

/// Foam moves along the surface under its own forces, in as many steps as they ask for ([WFS22]
/// §6), stays out of solids, ages and bursts. At open sides it leaves; what the surface has gone
/// away from is among the bubbles again or has left. `departure`: where foam and solids were.
template <int D>
FoamLoss move_foam(Foam<D>& foam, Bubbles<D>& bubbles, const MovingSurface<D>& surface,
                   const FoamSetting<D>& setting, const PlacedSolids<D>& solids,
                   const Departure<D>& departure, Interval time, Context& context);

/// What foam asks of the length of a substep.
template <int D>
StepLimit foam_max_dt(const Foam<D>& foam, const FoamSetting<D>& setting, const Reach& reach,
                      Context& context);

}  // namespace spume
