// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/physics/bulk/analytic_bulk.h"
#include "spume/physics/bulk/cache_bulk.h"
#include "spume/physics/bulk/ocean_bulk.h"

namespace spume {

template <int D>
std::unique_ptr<Bulk<D>> bulk_of(const Scene& scene, const Inputs& inputs) {
    SPUME_CHECK(scene.bulk.present);
    SPUME_CHECK_OP(scene.domain.dimensions, ==, D);
    if (scene.bulk.cached()) return std::make_unique<CacheBulk<D>>(scene, inputs);
    if (scene.bulk.kind == BulkKind::kOcean) return std::make_unique<OceanBulk<D>>(scene);
    return std::make_unique<AnalyticBulk<D>>(scene);
}

template <int D>
Alignment<D> alignment(const Transform<D>& lattice, const Transform<D>& bulk) {
    constexpr double kClose = 1e-4;  // of a voxel: files hold positions to seven digits or better
    Alignment<D> r;
    const double ratio = lattice.voxel / bulk.voxel;
    r.ratio = static_cast<int>(std::lround(std::clamp(ratio, 0.0, 3.0)));
    // Over the widest of domains the lattices may not part by more than that.
    if (r.ratio < 1 || r.ratio > 2 || std::abs(ratio - r.ratio) > 1e-3 * kClose)
        throw UserError(
            fmt::format("a voxel of {:.6g} m is {:.6g} of the bulk's, {:.6g} m", lattice.voxel,
                        ratio, bulk.voxel),
            fmt::format("set domain.voxel to {:.9g} or {:.9g}", bulk.voxel, 2 * bulk.voxel));
    const Point<D> at = bulk.to_lattice(lattice.origin);
    for (int a = 0; a < D; ++a) {
        const double nearest = std::round(at[a]);
        if (std::abs(at[a] - nearest) > kClose)
            throw UserError(
                fmt::format("domain.lower lies {:.3g} of a voxel off the bulk's grid along {}",
                            at[a] - nearest, "xyz"[a]),
                fmt::format("move it to {:.9g}", bulk.origin[a] + nearest * bulk.voxel));
        r.offset[a] = static_cast<int>(nearest);
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                   \
    template std::unique_ptr<Bulk<D>> bulk_of<D>(const Scene&, const Inputs&); \
    template Alignment<D> alignment<D>(const Transform<D>&, const Transform<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
