// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/mixture/marker_size.h"
#include "spume/solve/pressure.h"

namespace spume::mixture {

/// Makes bodies of air on the grid as large as their particles say, after the volume control of
/// [KLLJR07]. In each pocket the air on the grid, G = Σ φ_b, is to become what the particles in it
/// hold, H = Σ φ̂: crowded particles are cut by the clamp, G < H, and where they have loosened a
/// sharpened fraction makes more of them, G > H. The bubbles are moved by −∇ψ,
///
///   −∇²ψ = share · w (H − G) / Σ w,
///
/// inwards all over the body where the grid makes too much of them, w = χ = 1 − swarm_share(φ_b),
/// and apart most where they are crowded, w = max(φ̂ − 1, 0) + χ/10; `share` of the difference, a
/// tenth of the body at most. No velocity or pressure feels it. Clouds are left alone, and so are
/// bodies within a thousandth of what they should be, and those that touch a wall or solid. Returns
/// the largest |H − G| / H.
template <int D>
double correct_body_volume(Bubbles<D>& bubbles, const AirOnGrid<D>& air,
                           const TileRanges<D>& ranges, const CutCells<D>& open,
                           const GridDomain<D>& domain, double share, PressureSolver<D>& solver,
                           Context& context);

}  // namespace spume::mixture
