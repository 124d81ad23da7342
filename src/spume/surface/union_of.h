// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "spume/core/error.h"
#include "spume/grid/topology.h"
#include "spume/particles/sort.h"

namespace spume {

/// A ball for union_of. Any shape with these three will do.
template <int D>
struct Ball {
    Point<D> centre{};
    double radius = 0;

    double reach() const { return radius; }  ///< farthest point of the shape from its centre
    double distance(const Point<D>& x) const { return length(x - centre) - radius; }
};

namespace detail {

/// Lowers the values of one tile to the distances of a shape.
template <int D, class Shape>
void carve(const Shape& shape, const Transform<D>& transform, const Index<D>& origin, double band,
           float* values) {
    const double reach = (shape.reach() + band) / transform.voxel;
    const Point<D> u = transform.to_lattice(shape.centre) - origin.template as<double>();
    int lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
    for (int a = 0; a < D; ++a) {
        lo[a] = static_cast<int>(std::ceil(std::max(u[a] - reach - 0.5, 0.0)));
        hi[a] = static_cast<int>(std::floor(std::min(u[a] + reach - 0.5, kTileSide<D> - 1.0)));
        if (lo[a] > hi[a]) return;
    }
    // So far inside another shape that no surface can be near: how far does not matter.
    const float deep = static_cast<float>(-2 * transform.voxel);
    Index<D> local{};
    for (int i = lo[0]; i <= hi[0]; ++i)
        for (int j = lo[1]; j <= hi[1]; ++j)
            for (int k = lo[2]; k <= hi[2]; ++k) {
                local[0] = i;
                local[1] = j;
                if constexpr (D == 3) local[2] = k;
                float& value = values[tile_offset<D>(local)];
                if (value < deep) continue;
                const Point<D> x = transform.to_world((origin + local).template as<double>() +
                                                      Point<D>::filled(0.5));
                value = std::min(value, static_cast<float>(shape.distance(x)));
            }
}

}  // namespace detail

/// The union of shapes as a level set: the least of their distances, up to `band`, on the tiles
/// that this reaches. Outside it is as good a distance as the shapes'; inside only its sign counts.
/// Shapes are taken in a fixed order, whatever the number of threads.
template <int D, class Shape>
CellField<float, D> union_of(std::span<const Shape> shapes, const Transform<D>& transform,
                             double band, Context& context) {
    Stage stage(context, "surface");
    const std::size_t n = shapes.size();
    Array<Point<D>> centres;
    Array<std::uint64_t> ids;
    centres.resize_discard(n);
    ids.resize_discard(n);
    auto c = centres.write();
    auto id = ids.write();
    double reach = 0;
    for (std::size_t i = 0; i < n; ++i) {
        c[i] = shapes[i].centre;
        id[i] = i;
        reach = std::max(reach, shapes[i].reach());
    }
    const int margin = static_cast<int>(std::ceil((reach + band) / transform.voxel)) + 1;
    const Box<int, D> everywhere{Index<D>::filled(-(1 << 22)), Index<D>::filled(1 << 22)};
    const auto tiles = Tiles<D>::build(
        tiles_around<D>(centres.read(), transform, margin, 0, everywhere, context), transform);
    const TileOrder<D> sorted = tile_order<D>(centres.read(), ids.read(), tiles, {}, context);

    CellField<float, D> field(tiles, static_cast<float>(band));
    float* out = field.write();
    const int steps = (margin + kTileSide<D> - 1) / kTileSide<D>, wide = 2 * steps + 1;
    for_tiles(context.arena, *tiles, [&](int t) {
        int count = 1;
        for (int a = 0; a < D; ++a) count *= wide;
        for (int code = 0; code < count; ++code) {
            Index<D> key = tiles->key(t);
            for (int a = D - 1, rest = code; a >= 0; --a, rest /= wide)
                key[a] += rest % wide - steps;
            const int source = tiles->find(key);
            if (!tiles->is_active(source)) continue;
            for (std::size_t i = sorted.ranges.first(source); i < sorted.ranges.last(source); ++i)
                detail::carve<D>(shapes[sorted.order.empty() ? i : sorted.order[i]], transform,
                                 tiles->origin(t), band, out + std::size_t(t) * kTileCells<D>);
        }
    });
    return field;
}

}  // namespace spume
