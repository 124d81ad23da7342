// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "spume/core/context.h"
#include "spume/particles/clamp.h"
#include "spume/physics/motion/carrier.h"
#include "spume/surface/level_set.h"
#include "spume/surface/parting.h"

namespace spume::constraint {

// A surface reconstructed from particles shows where each of them stands: bumps of a tenth of a
// voxel on which gravity acts, so that still water never comes to rest. The particles say where the
// surface is to about that much, but how it moves they say far better: so the surface of the last
// substep, carried along with the flow, is as good a guess until the particles have moved on.
//
//   φ  ←  φ_p − clamp(s (φ_p − φ_c), ±τ)
//
// φ_p is the particles' surface, φ_c the carried one. The share s is one where the liquid moves by
// less than m voxels in a substep and falls to zero at 4 m: fast liquid shows its particles alone.
// Nowhere do the two part by more than τ. To let φ follow φ_p slowly instead feeds waves: a surface
// that comes late pushes back late.

/// Largest distance between the surface and that of its particles, τ in voxels.
inline constexpr double kLargestBlend = 0.3;

/// Leads `phi`, made from particles, towards the surface `before` moved by the carrier for dt; both
/// may live on other tiles. Closed cells are left alone. Memory zero changes nothing.
/// Beside walls that part the surface is not carried, only remembered: what lies up the flow may be
/// on their other side.
template <int D>
void blend_with_advected_surface(LevelSet<D>& phi, const LevelSet<D>& before,
                                 const std::type_identity_t<Carrier<D>>& carrier,
                                 const CellField<std::uint8_t, D>& open, const Clamp<D>& clamp,
                                 double dt, double memory, Context& context,
                                 const Parting<D>* parting = nullptr);

/// The same with a surface that is known exactly: distance(x) at points of space.
template <int D, class Distance>
void blend_with_exact_surface(LevelSet<D>& phi, const CellField<std::uint8_t, D>& open,
                              const Distance& distance, Context& context) {
    const double most = kLargestBlend * phi.tiles()->voxel(), near = 2 * phi.tiles()->voxel();
    double* out = phi.write();
    for_tiles(context.arena, *phi.tiles(), [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            double& v = out[std::size_t(t) * kTileCells<D> + std::size_t(o)];
            if (!open.at(t, o) || !(std::abs(v) < near)) continue;
            v = std::clamp(distance(phi.position(t, o)), v - most, v + most);
        }
    });
}

}  // namespace spume::constraint
