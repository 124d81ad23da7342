// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/foam.h"
#include "spume/physics/foam/foam_cells.h"
#include "spume/scene/wet_foam.h"

namespace spume {

/// Where foam is packed already, most of what surfaces there vanishes, [WFS22] §7.2: a newcomer is
/// removed if
///
///   N_avg(β) / N(x_p, h_p) < X           by number
///   cover_packed / Σ r_q²/h_p² < X       by area; 2D: Σ r_q/h_p
///
/// X uniform in [0, 1) by its id, sums over all centres within h_p = βr_p, of foam that is there
/// and of all newcomers, itself among them: the order does not matter. Returns the volume removed.
template <int D>
double prune(Foam<D>& newcomers, const Foam<D>& foam, const WetFoam& law, std::uint64_t seed,
             Context& context);

}  // namespace spume
