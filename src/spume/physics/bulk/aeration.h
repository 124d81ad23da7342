// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/core/context.h"
#include "spume/physics/bulk/bulk.h"
#include "spume/scene/scene.h"

namespace spume {

/// What turns motion and curvature into aeration.
struct AerationLaw {
    double density = 1000;   ///< ρ_w, kg/m³
    double tension = 0.072;  ///< γ, N/m
    double tau = 1.0 / 24;   ///< s between the two velocities
    CurvatureSign curvature = CurvatureSign::kConcave;
};
AerationLaw aeration_law(const Scene& scene);

/// Air is drawn in where the stress of the fluctuating velocity beats that of surface tension:
///
///   A = 2 H a ρ_w |[u]|² / (π γ),   a = Δx²                                   [WFS22] Eq. 27
///   [u] = ½ (u(t) − u(t − τ)) at cell centres, from the 2 D faces              [WFS22] Eq. 31
///   H = −½ ∇·(∇Φ/|∇Φ|),   |H| ≤ 1/Δx                                           [WFS22] Eq. 32
///
/// (‖[u] ⊗ [u]‖_F is |[u]|².) As printed, [u] is over one step and depends on the frame rate; here
/// τ is fixed. H > 0 where the surface bends towards the air; elsewhere A is zero, or of |H| for
/// both signs. A plane scene is a slice of a flow that is the same in all slices: one of the two
/// principal curvatures is zero, so |H| ≤ 1/2Δx, and the rest stays as it is.
///
/// On the tiles of `before`, which must be among those of `now`; zero farther than two voxels from
/// the surface.
template <int D>
CellField<double, D> aeration(const BulkFields<D>& now, const BulkFields<D>& before,
                              const AerationLaw& law, Context& context);

/// Aeration of a bulk at a time, with the liquid it belongs to.
template <int D>
struct AeratedBulk {
    BulkFields<D> now;             ///< on all tiles with liquid, and air near it
    CellField<double, D> aeration;  ///< on those of them that have liquid within two voxels of it
};
/// Nothing where t − τ is before the first time of the bulk.
template <int D>
std::optional<AeratedBulk<D>> aerated(const Bulk<D>& bulk, double time, const AerationLaw& law,
                                      Context& context);

/// φ_target of [WFS22] Eq. 33, kept within [0, φ_max].
inline double target_fraction(double aeration, const Aeration& range) {
    const double s = (aeration - range.a_min) / (range.a_max - range.a_min);
    return range.fraction_max * (s < 0 ? 0 : s > 1 ? 1 : s);
}

}  // namespace spume
