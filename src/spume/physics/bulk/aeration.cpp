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

/// The tiles that meet the bulk's box.
template <int D>
Box<int, D> tiles_in_box(const Bulk<D>& bulk, double time) {
    const Transform<D>& lattice = bulk.transform();
    const Box<double, D> box = bulk.box(time);
    const auto half = Point<D>::filled(0.5);  // sides lie between cells: their middles tell
    return {tile_of<D>(floor_index<D>(lattice.to_lattice(box.lo) + half)),
            tile_of<D>(floor_index<D>(lattice.to_lattice(box.hi) - half)) + Index<D>::filled(1)};
}

/// Tiles with liquid, and beside them those just outside of the box: where a tile is missing the
/// surface would seem to bend at the box's side.
template <int D>
typename Tiles<D>::Ptr liquid_tiles_at(const Bulk<D>& bulk, double time, Context& context) {
    const Box<int, D> inside = tiles_in_box(bulk, time);
    std::vector<Index<D>> keys = bulk.liquid_tiles(time, kMargin * bulk.transform().voxel, context);
    for (std::size_t i = 0, n = keys.size(); i < n; ++i)
        for (int code = 0; code < kTileNeighbours<D>; ++code) {
            Index<D> other = keys[i];
            for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) other[a] += rest % 3 - 1;
            if (!inside.contains(other)) keys.push_back(other);
        }
    return Tiles<D>::build(std::move(keys), bulk.transform());
}

/// Those in the box with liquid within two voxels of its surface.
template <int D>
typename Tiles<D>::Ptr near_tiles(const CellField<double, D>& phi, const Box<int, D>& inside) {
    const Tiles<D>& all = *phi.tiles();
    std::vector<Index<D>> near;
    for (int t = 0; t < all.active(); ++t)
        if (inside.contains(all.key(t)) &&
            std::any_of(phi.tile(t), phi.tile(t) + kTileCells<D>,
                        [&](double d) { return d < 0 && d > -kBand * all.voxel(); }))
            near.push_back(all.key(t));
    return Tiles<D>::build(std::move(near), all.transform());
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
double AeratedBulk<D>::part_at(const Part& part, int tile, int offset) const {
    const Point<D> x = aeration.position(tile, offset);
    const Tiles<D>& all = *now.velocity.tiles();
    const int own = all.find(aeration.tiles()->key(tile));
    Vec<double, D> u{};
    for (int a = 0; a < D; ++a)
        u[a] = 0.5 * (now.velocity.read(a)[face_place<D>(all, own, offset, 2 * a)] +
                      now.velocity.read(a)[face_place<D>(all, own, offset, 2 * a + 1)]);
    const Tiles<D>& tiles = *part.aeration->tiles();
    const Index<D> cell = floor_index<D>(tiles.transform().to_lattice(x - u * part.later));
    const int at = tiles.find(tile_of<D>(cell));
    return tiles.is_active(at) ? part.aeration->at(at, tile_offset<D>(local_of<D>(cell))) : 0.0;
}

template <int D>
typename AerationFrames<D>::Field AerationFrames<D>::of_frame(const Bulk<D>& bulk, double time,
                                                              const AerationLaw& law,
                                                              Context& context) {
    constexpr std::size_t kMostKept = 3;
    const std::lock_guard lock(mutex_);
    for (const Kept& kept : kept_)
        if (kept.time == time) return kept.aeration;
    // The frames' times are sums: a frame's own time must not fall out by its last bit.
    const double earlier = time - law.tau, slack = 1e-9 * std::max(1.0, std::abs(time));
    if (earlier < bulk.times().begin - slack) return nullptr;
    const auto all = liquid_tiles_at(bulk, time, context);
    const BulkFields<D> now = bulk.on(all, time, context);
    const auto tiles = near_tiles(now.phi, tiles_in_box(bulk, time));
    const BulkFields<D> before = velocity_before(
        bulk, now.phi, tiles, std::max(earlier, bulk.times().begin), law.tau, context);
    if (kept_.size() >= kMostKept) kept_.erase(kept_.begin());
    kept_.push_back(
        {time, std::make_shared<const CellField<double, D>>(aeration(now, before, law, context))});
    return kept_.back().aeration;
}

template <int D>
std::optional<AeratedBulk<D>> AerationFrames<D>::at(const Bulk<D>& bulk, double time,
                                                    const AerationLaw& law, Context& context) {
    const std::vector<double> times = bulk.times_around(time);
    AeratedBulk<D> r;
    double sum = 0;
    for (const double t : times) {
        const Field field = of_frame(bulk, t, law, context);
        const double weight =
            times.size() == 1 ? 1 : 1 - std::abs(time - t) / (times[1] - times[0]);
        // What is unknown then is left to the other one.
        if (field) r.parts.push_back({field, time - t, weight}), sum += weight;
    }
    if (!(sum > 0)) return std::nullopt;
    for (auto& part : r.parts) part.weight /= sum;
    r.now = bulk.on(liquid_tiles_at(bulk, time, context), time, context);
    auto& only = r.parts.front();
    if (r.parts.size() == 1 && std::abs(only.later) < 1e-9) {
        only.later = 0;
        r.aeration = *only.aeration;
        return r;
    }
    r.aeration = CellField<double, D>(near_tiles(r.now.phi, tiles_in_box(bulk, time)));
    const auto& tiles = *r.aeration.tiles();
    CellField<double, D> values(r.aeration.tiles());
    double* out = values.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o)
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                r.mean(t, o, [](double a) { return a; });
    });
    r.aeration = values;
    return r;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template CellField<double, D> aeration<D>(const BulkFields<D>&, const BulkFields<D>&, \
                                              const AerationLaw&, Context&);              \
    template struct AeratedBulk<D>;                                                       \
    template class AerationFrames<D>;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
