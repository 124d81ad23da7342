// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/aeration.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/grid/stencil.h"
#include "spume/physics/bulk/continued_velocity.h"
#include "spume/surface/curvature.h"

namespace spume {
namespace {

constexpr double kBand = 2;  // voxels: entrainment is near the surface, [WFS22] §5.2
/// Air that is known beside the surface, in voxels: bubbles may be thrown 1.5 out of their voxel,
/// and interpolation there reads one more.
constexpr double kMargin = 4;

/// Adds the square of a component of [u] to each cell of a tile.
template <int D>
void add_square(const FaceField<double, D>& now, int now_tile, const FaceField<double, D>& before,
                int before_tile, int axis, double (&sum)[kTileCells<D>]) {
    double now_upper[kTileCells<D>], before_upper[kTileCells<D>];
    load_upper_faces<double, D>(now.read(axis), *now.tiles(), now_tile, axis, now_upper);
    load_upper_faces<double, D>(before.read(axis), *before.tiles(), before_tile, axis,
                                before_upper);
    const double *now_lower = now.tile(axis, now_tile),
                 *before_lower = before.tile(axis, before_tile);
    for (int o = 0; o < kTileCells<D>; ++o) {
        const double u =
            0.25 * ((now_lower[o] + now_upper[o]) - (before_lower[o] + before_upper[o]));
        sum[o] += u * u;
    }
}

/// The velocity at an earlier time on tiles near the surface of now. A surface that came from
/// farther than the bulk continues its velocity would be taken for one that fluctuates: there it is
/// continued as far as the liquid moves in between.
template <int D>
BulkFields<D> velocity_before(const Bulk<D>& bulk, const CellField<double, D>& phi_now,
                              const typename Tiles<D>::Ptr& tiles, double time, double tau,
                              Context& context) {
    BulkFields<D> before = bulk.on(tiles, time, context);
    const double h = tiles->voxel();
    const Tiles<D>& all = *phi_now.tiles();
    const bool came = reduce_tiles(
        context.arena, *tiles, false,
        [&](int t) {
            const double *now = phi_now.tile(all.find(tiles->key(t))), *then = before.phi.tile(t);
            for (int o = 0; o < kTileCells<D>; ++o)
                if (now[o] < 0 && now[o] > -kBand * h && then[o] > h) return true;
            return false;
        },
        [](bool a, bool b) { return a || b; });
    if (!came) return before;
    std::vector<Index<D>> keys = bulk.liquid_tiles(time, h, context);
    keys.insert(keys.end(), tiles->active_keys().begin(), tiles->active_keys().end());
    const auto wide = Tiles<D>::build(std::move(keys), tiles->transform());
    before.velocity = continued_velocity(bulk.on(wide, time, context), tiles, tau, context);
    return before;
}

}  // namespace

AerationLaw aeration_law(const Scene& scene) {
    return {scene.physics.water_density, scene.physics.surface_tension, scene.aeration.tau,
            scene.aeration.curvature};
}

template <int D>
CellField<double, D> aeration(const BulkFields<D>& now, const BulkFields<D>& before,
                              const AerationLaw& law, Context& context) {
    Stage stage(context, "aeration");
    const Tiles<D>&all = *now.phi.tiles(), &tiles = *before.velocity.tiles();
    const double h = tiles.voxel();
    SPUME_CHECK(all.transform() == tiles.transform());
    const CellField<double, D> curvature = curvature_of<D>(now.phi, context);
    // H = −κ/2.
    const double factor = -h * h * law.density / (math::kPi * law.tension);
    const bool both = law.curvature == CurvatureSign::kBoth;
    CellField<double, D> r(before.velocity.tiles());
    double* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        const int own = all.find(tiles.key(t));
        SPUME_CHECK(all.is_active(own));
        double squares[kTileCells<D>] = {};
        for (int a = 0; a < D; ++a)
            add_square<D>(now.velocity, own, before.velocity, t, a, squares);
        const double* kappa = curvature.tile(own);
        double* a = out + std::size_t(t) * kTileCells<D>;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double value = factor * kappa[o] * squares[o];
            a[o] = both ? std::abs(value) : std::max(value, 0.0);
        }
    });
    return r;
}

template <int D>
std::optional<AeratedBulk<D>> aerated(const Bulk<D>& bulk, double time, const AerationLaw& law,
                                      Context& context) {
    // The frames' times are sums: a frame's own time must not fall out by its last bit.
    const double earlier = time - law.tau, slack = 1e-9 * std::max(1.0, std::abs(time));
    if (earlier < bulk.times().begin - slack) return std::nullopt;
    const double h = bulk.transform().voxel;
    const auto all =
        Tiles<D>::build(bulk.liquid_tiles(time, kMargin * h, context), bulk.transform());
    AeratedBulk<D> r;
    r.now = bulk.on(all, time, context);
    std::vector<Index<D>> near;
    for (int t = 0; t < all->active(); ++t) {
        const double* phi = r.now.phi.tile(t);
        if (std::any_of(phi, phi + kTileCells<D>,
                        [&](double d) { return d < 0 && d > -kBand * h; }))
            near.push_back(all->key(t));
    }
    const auto tiles = Tiles<D>::build(std::move(near), bulk.transform());
    const BulkFields<D> before = velocity_before(
        bulk, r.now.phi, tiles, std::max(earlier, bulk.times().begin), law.tau, context);
    r.aeration = aeration(r.now, before, law, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template CellField<double, D> aeration<D>(const BulkFields<D>&, const BulkFields<D>&,    \
                                              const AerationLaw&, Context&);                 \
    template std::optional<AeratedBulk<D>> aerated<D>(const Bulk<D>&, double,                \
                                                      const AerationLaw&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
