// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/air.h"
#include "spume/methods/constraint/whitewater.h"
#include "spume/physics/foam/foam_motion.h"
#include "spume/physics/foam/grid_surface.h"

namespace spume::constraint {

// Foam on the liquid as it is simulated, [WFS22] §§6–7, Fig. 14: bubbles of [whitewater] that come
// up float until they burst, below air that is open to the outside; in a tank that is shut, below
// the largest region. What comes up below other trapped air joins it.
//
// In a tank that is shut foam is part of what stands above the liquid: the rest volume of that
// region has the air of its foam from the moment on when it comes up, and to burst changes nothing.

template <int D>
bool has_foam(const Params& params, const World<D>& world) {
    return world.scene.whitewater.on && world.scene.foam.on && has_whitewater(params, world);
}

/// No air gets in or out.
template <int D>
bool is_sealed(const World<D>& world) {
    const auto& liquids = world.scene.liquids;
    return world.domain.closed() &&
           std::none_of(liquids.begin(), liquids.end(),
                        [](const LiquidBody& l) { return l.mode == LiquidMode::kSink; });
}

template <int D>
FoamSetting<D> foam_setting(const Params& params, const World<D>& world) {
    return {world.scene, world.domain, params.cfl};
}

/// A surface and a flow on other tiles; beyond walls as beside them, far from all liquid air.
template <int D>
SurfaceFields<D> surface_on(const typename Tiles<D>::Ptr& tiles, double time,
                            const LevelSet<D>& phi, const FaceField<double, D>& flow,
                            const GridDomain<D>& domain, Context& context);

/// Foam goes along the surface from where it was, `before`, to where it is now, ages and bursts;
/// what sinks is a bubble again, with momentum that the liquid gives it.
template <int D>
void move_foam(State<D>& state, const Params& params, const World<D>& world,
               const LevelSet<D>& before, const FaceField<double, D>& flow,
               const PlacedSolids<D>& solids_before, const PlacedSolids<D>& solids, Interval time,
               SmallDebts<D>& debts, StepReport& report, Context& context);

/// Bubbles below that air become foam, unless it is packed there; the liquid gets their momentum.
/// Patches of the scene add theirs. Regions of air are known already.
template <int D>
void surface_bubbles(State<D>& state, const Params& params, const World<D>& world,
                     const FaceField<double, D>& flow, const PlacedSolids<D>& solids, Interval time,
                     std::vector<Impulse<D>>& owed, Context& context);

/// Patches of the scene that begin with it.
template <int D>
void first_foam(State<D>& state, const Params& params, const World<D>& world,
                const PlacedSolids<D>& solids, Context& context);

/// The surface around foam, as far as its cover and normals need it.
template <int D>
SurfaceFields<D> surface_under_foam(const State<D>& state, const Params& params,
                                    const World<D>& world, Context& context);

}  // namespace spume::constraint
