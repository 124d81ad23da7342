// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

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

/// Aeration of a bulk at a time, with the liquid it belongs to. A is square in a difference of
/// velocities, which interpolation between frames makes smaller: between frames it is that of the
/// frames on either side, each found where the liquid was or will be.
template <int D>
struct AeratedBulk {
    struct Part {
        std::shared_ptr<const CellField<double, D>> aeration;  ///< of a frame
        double later = 0;                                      ///< s; after that frame
        double weight = 1;                                     ///< of all parts together one
    };
    BulkFields<D> now;              ///< on all tiles with liquid, and air near it
    CellField<double, D> aeration;  ///< on those of them that have liquid within two voxels of it
    std::vector<Part> parts;

    /// The mean of f(A) over the parts at a cell of the tiles of `aeration`.
    template <class F>
    double mean(int tile, int offset, F&& f) const {
        if (parts.size() == 1 && parts[0].later == 0) return f(aeration.at(tile, offset));
        double sum = 0;
        for (const Part& part : parts) sum += part.weight * f(part_at(part, tile, offset));
        return sum;
    }

  private:
    double part_at(const Part& part, int tile, int offset) const;
    template <int E>
    friend class AerationFrames;
};

/// The aeration of the last frames asked for, kept ready. May be asked from several threads.
template <int D>
class AerationFrames {
  public:
    /// Nothing where t − τ is before the first time of the bulk.
    std::optional<AeratedBulk<D>> at(const Bulk<D>& bulk, double time, const AerationLaw& law,
                                     Context& context);

  private:
    using Field = std::shared_ptr<const CellField<double, D>>;
    Field of_frame(const Bulk<D>& bulk, double time, const AerationLaw& law, Context& context);
    struct Kept {
        double time;
        Field aeration;
    };
    std::mutex mutex_;
    std::vector<Kept> kept_;
};

/// The same without keeping anything.
template <int D>
std::optional<AeratedBulk<D>> aerated(const Bulk<D>& bulk, double time, const AerationLaw& law,
                                      Context& context) {
    return AerationFrames<D>().at(bulk, time, law, context);
}

/// φ_target of [WFS22] Eq. 33, kept within [0, φ_max].
inline double target_fraction(double aeration, const Aeration& range) {
    const double s = (aeration - range.a_min) / (range.a_max - range.a_min);
    return range.fraction_max * (s < 0 ? 0 : s > 1 ? 1 : s);
}

}  // namespace spume
