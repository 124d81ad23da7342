// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/bulk_motion.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "spume/grid/components.h"
#include "spume/methods/guided/linear_halo.h"

namespace spume::guided {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Copies the tiles that `to` shares with the storage of another set of tiles.
template <int D, class T>
void copy_tiles(const Array<T>& from, const Tiles<D>& its, const Tiles<D>& own, T* to,
                Context& context) {
    for_range(context.arena, std::size_t(own.zero()), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t) {
            const int source = its.find(own.key(int(t)));
            if (source != its.zero())
                std::copy_n(from.data() + std::size_t(source) * kTileCells<D>, kTileCells<D>,
                            to + t * kTileCells<D>);
        }
    });
}
template <int D>
void copy_tiles(const BulkFields<D>& from, BulkFields<D>& to, Context& context) {
    const Tiles<D>&its = *from.phi.tiles(), &own = *to.phi.tiles();
    copy_tiles<D>(from.phi.values(), its, own, to.phi.write(), context);
    for (int a = 0; a < D; ++a)
        copy_tiles<D>(from.velocity.component(a), its, own, to.velocity.write(a), context);
}

/// A velocity field around a tile.
template <int D>
struct VelocityBlock {
    using Block = HaloBlock<double, D, 1>;
    Block v[D];
};

/// sum[k] += Σ_b w_b (factor · 2h ∂_b u_a) on the row of faces across a that begins at `at`, along
/// the last axis; each bracket is kept within ± `most` first. Row by row, so that it is done by
/// whole registers.
template <int D>
void add_carried_slopes(const VelocityBlock<D>& w, const VelocityBlock<D>& u, int a, int at,
                        double factor, double most, double (&sum)[kTileSide<D>]) {
    using Block = HaloBlock<double, D, 1>;
    for (int b = 0; b < D; ++b) {
        const int up = Block::stride(b), back = Block::stride(a);
        const double *field = u.v[a].v + at, *other = w.v[b].v + at;
        double beside[kTileSide<D>];
        for (int k = 0; k < kTileSide<D>; ++k)
            beside[k] = a == b ? other[k]
                               : 0.25 * ((other[k] + other[k + up]) +
                                         (other[k - back] + other[k + up - back]));
        for (int k = 0; k < kTileSide<D>; ++k) {
            const double slope = (field[k + up] - field[k - up]) * factor;
            const double low = slope < -most ? -most : slope;
            sum[k] += beside[k] * (low > most ? most : low);
        }
    }
}

/// The values of the last layer go on to the faces on the upper border of the tiles.
template <int D>
void continue_to_borders(FaceField<double, D>& field, Context& context) {
    const typename Tiles<D>::Ptr tiles = field.tiles();
    for (int a = 0; a < D; ++a) {
        double* v = field.write(a);
        const auto borders = tiles->plus_borders(a);
        const std::size_t lift = std::size_t((kTileSide<D> - 1) * tile_stride<D>(a));
        for_range(context.arena, borders.size(), 16, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const int under = tiles->find(tiles->key(borders[i]) - Index<D>::unit(a));
                for_plane<D>(a, 0, [&](int o) {
                    v[std::size_t(borders[i]) * kTileCells<D> + std::size_t(o)] =
                        v[std::size_t(under) * kTileCells<D> + std::size_t(o) + lift];
                });
            }
        });
    }
}

}  // namespace

template <int D>
BulkFields<D> BulkWindow<D>::at(const Bulk<D>& bulk, const typename Tiles<D>::Ptr& tiles,
                                double time, Context& context) {
    Stage stage(context, "bulk");
    const BulkFields<D>* near = nullptr;
    for (BulkFields<D>& one : last_) {
        if (!one.phi.tiles() || one.time != time) continue;
        if (one.phi.tiles() == tiles) return one;
        near = &one;
    }
    BulkFields<D> r;
    std::vector<Index<D>> fresh;
    for (int t = 0; near && t < tiles->zero(); ++t)
        if (near->phi.tiles()->find(tiles->key(t)) == near->phi.tiles()->zero())
            fresh.push_back(tiles->key(t));
    if (!near || 2 * fresh.size() > std::size_t(tiles->zero())) {
        r = bulk.on(tiles, time, context);
    } else {
        r = {time, CellField<double, D>::unwritten(tiles), FaceField<double, D>::unwritten(tiles)};
        copy_tiles(*near, r, context);
        if (!fresh.empty())
            copy_tiles(bulk.on(Tiles<D>::build(fresh, tiles->transform()), time, context), r,
                       context);
    }
    std::swap(last_[0], last_[1]);
    last_[1] = r;
    return r;
}

template <int D>
FaceField<double, D> material_acceleration(const BulkFields<D>& before, const BulkFields<D>& now,
                                           double dt, double limit, Context& context) {
    Stage stage(context, "acceleration");
    const typename Tiles<D>::Ptr tiles = now.velocity.tiles();
    auto r = FaceField<double, D>(tiles);
    if (limit == 0) return r;
    double* out[D];
    for (int a = 0; a < D; ++a) out[a] = r.write(a);
    const double per_two = 0.5 / tiles->voxel();
    using Block = HaloBlock<double, D, 1>;
    for_tiles(context.arena, *tiles, [&](int t) {
        VelocityBlock<D> mean;
        for (int a = 0; a < D; ++a) {
            Block early;
            load_faces_linear(before.velocity.read(a), *tiles, t, a, early);
            load_faces_linear(now.velocity.read(a), *tiles, t, a, mean.v[a]);
            for (int i = 0; i < Block::kSize; ++i)
                mean.v[a].v[i] = 0.5 * (mean.v[a].v[i] + early.v[i]);
        }
        for (int a = 0; a < D; ++a) {
            const double *u0 = before.velocity.tile(a, t), *u1 = now.velocity.tile(a, t);
            double* to = out[a] + std::size_t(t) * kTileCells<D>;
            for (int o = 0; o < kTileCells<D>; o += kTileSide<D>) {
                double sum[kTileSide<D>];
                for (int k = 0; k < kTileSide<D>; ++k) sum[k] = (u1[o + k] - u0[o + k]) / dt;
                add_carried_slopes(mean, mean, a, Block::at(tile_local<D>(o)), per_two, kNoLimit,
                                   sum);
                for (int k = 0; k < kTileSide<D>; ++k)
                    to[o + k] = std::clamp(sum[k], -limit, limit);
            }
        }
    });
    continue_to_borders(r, context);
    return r;
}

template <int D>
FaceField<double, D> moved_deviation(const FaceField<double, D>& water, const BulkFields<D>& bulk,
                                     const GridDomain<D>& domain, double dt, Advection scheme,
                                     Context& context) {
    const typename Tiles<D>::Ptr& tiles = water.tiles();
    FaceField<double, D> d = water;
    for (int a = 0; a < D; ++a) {
        double* to = d.write(a);
        const double* u = bulk.velocity.read(a);
        for_values(context.arena, *tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) to[i] -= u[i];
        });
    }
    FaceField<double, D> r = advected_along(water, d, domain, dt, scheme, context);
    Stage stage(context, "advect");
    const FaceField<double, D> moved = r;
    double* out[D];
    for (int a = 0; a < D; ++a) out[a] = r.write(a);
    const double per_two = 0.5 / tiles->voxel();
    using Block = HaloBlock<double, D, 1>;
    for_tiles(context.arena, *tiles, [&](int t) {
        VelocityBlock<D> own, flow;
        bool still = true;
        for (int a = 0; a < D; ++a) {
            load_halo(moved.read(a), *tiles, t, own.v[a]);
            for (double v : own.v[a].v) still = still && v == 0;
        }
        if (still) return;
        for (int a = 0; a < D; ++a)
            load_faces_linear(bulk.velocity.read(a), *tiles, t, a, flow.v[a]);
        for (int a = 0; a < D; ++a)
            for (int o = 0; o < kTileCells<D>; o += kTileSide<D>) {
                double sum[kTileSide<D>] = {};  // explicit: slopes beyond 1/dt would turn d round
                add_carried_slopes(own, flow, a, Block::at(tile_local<D>(o)), dt * per_two, 1.0,
                                   sum);
                double* to = out[a] + std::size_t(t) * kTileCells<D> + std::size_t(o);
                for (int k = 0; k < kTileSide<D>; ++k) to[k] -= sum[k];
            }
    });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template class BulkWindow<D>;                                                                \
    template FaceField<double, D> material_acceleration<D>(                                      \
        const BulkFields<D>&, const BulkFields<D>&, double, double, Context&);                   \
    template FaceField<double, D> moved_deviation<D>(const FaceField<double, D>&,                \
                                                     const BulkFields<D>&, const GridDomain<D>&, \
                                                     double, Advection, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided
