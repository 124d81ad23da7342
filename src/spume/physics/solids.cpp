// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/solids.h"

#include <algorithm>
#include <limits>

namespace spume {
namespace {

constexpr float kSliver = 1e-3f;  // smaller openings are shut: they only spoil the conditioning

template <int D>
Index<D> corner_step(int axis, int k) {
    // The corners of the face across `axis`, counter-clockwise.
    constexpr int kRing[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    Index<D> s{};
    if constexpr (D == 2) {
        s[1 - axis] = k;
    } else {
        s[(axis + 1) % 3] = kRing[k][0];
        s[(axis + 2) % 3] = kRing[k][1];
    }
    return s;
}

template <int D>
bool near_any_body(const Bodies<D>& bodies, const Box<double, D>& box) {
    for (const auto& body : bodies.placed)
        if (!box.intersected(body.bounds()).empty()) return true;
    return false;
}

template <int D>
double open_part(const Bodies<D>& bodies, const Transform<D>& transform, int axis,
                 const Index<D>& face) {
    const auto at = [&](int k) {
        // On a face that is cut, no corner is farther from the surface than the face's diagonal.
        return bodies.distance_within(
            transform.to_world((face + corner_step<D>(axis, k)).template as<double>()),
            2 * transform.voxel);
    };
    if constexpr (D == 2) {
        return positive_part(at(0), at(1));
    } else {
        const double corners[4] = {at(0), at(1), at(2), at(3)};
        return positive_part(corners);
    }
}

}  // namespace

double positive_part(double a, double b) {
    if (a > 0 && b > 0) return 1;
    if (a <= 0 && b <= 0) return 0;
    return std::max(a, b) / (std::max(a, b) - std::min(a, b));
}

double positive_part(const double (&corner)[4]) {
    constexpr double kX[4] = {0, 1, 1, 0}, kY[4] = {0, 0, 1, 1};
    double x[8], y[8];
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        if (corner[i] > 0) x[n] = kX[i], y[n++] = kY[i];
        if ((corner[i] > 0) != (corner[j] > 0)) {
            const double t = corner[i] / (corner[i] - corner[j]);
            x[n] = kX[i] + t * (kX[j] - kX[i]);
            y[n++] = kY[i] + t * (kY[j] - kY[i]);
        }
    }
    double twice = 0;
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n;
        twice += x[i] * y[j] - x[j] * y[i];
    }
    return std::clamp(twice / 2, 0.0, 1.0);
}

template <int D>
double Bodies<D>::distance(const Point<D>& x) const {
    double d = std::numeric_limits<double>::infinity();
    for (const auto& body : placed) d = std::min(d, body.distance(x));
    return d;
}

template <int D>
double Bodies<D>::distance_within(const Point<D>& x, double band) const {
    double d = std::numeric_limits<double>::infinity();
    for (const auto& body : placed) d = std::min(d, body.distance_within(x, band));
    return d;
}

template <int D>
double Bodies<D>::max_speed() const {
    double most = 0;
    for (const auto& body : placed) {
        const Point<D> centre = flattened<D>(body.pose().position);
        const Point<D> far = max(body.bounds().hi - centre, centre - body.bounds().lo);
        most = std::max(most,
                        length(body.twist().linear) + length(body.twist().angular) * length(far));
    }
    return most;
}

template <int D>
const PlacedBody<D>& Bodies<D>::nearest(const Point<D>& x) const {
    if (placed.size() == 1) return placed[0];
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (const double d = placed[i].distance(x); d < least) least = d, best = i;
    return placed[best];
}

template <int D>
Openings<D> openings(const Bodies<D>& bodies, const Basin<D>& basin,
                     const typename Tiles<D>::Ptr& tiles, Context& context) {
    Stage stage(context, "solids");
    Openings<D> r{CellField<std::uint8_t, D>(tiles), FaceField<float, D>(tiles),
                  FaceField<double, D>(tiles), 0};
    const Transform<D>& transform = tiles->transform();
    const double h = transform.voxel;
    for (int axis = 0; axis < D; ++axis) {
        float* area = r.area.write(axis);
        double* velocity = r.velocity.write(axis);
        const auto stored = [&](const Index<D>& cell) {
            return basin.cells.contains(cell) && tiles->is_active(tiles->find(tile_of<D>(cell)));
        };
        const auto shut = [&](const Index<D>& face) {
            return basin.is_wall(axis, face) ||
                   (basin.still && stored(face) != stored(face - Index<D>::unit(axis)));
        };
        const auto open_tile = [&](int t, auto&& wanted) {
            const Index<D> first = tiles->origin(t);
            const Box<double, D> box{
                transform.to_world(first.template as<double>()) - Point<D>::filled(h),
                transform.to_world(
                    (first + Index<D>::filled(kTileSide<D> + 1)).template as<double>())};
            const bool bodies_near = near_any_body(bodies, box);
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> face = first + tile_local<D>(o);
                if (!wanted(tile_local<D>(o))) continue;
                const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
                area[at] = shut(face) ? 0.0f : 1.0f;
                if (!bodies_near || area[at] == 0) continue;
                const float part = static_cast<float>(open_part<D>(bodies, transform, axis, face));
                area[at] = part < kSliver ? 0.0f : part;
                const Point<D> x = r.velocity.position(axis, t, o);
                if (part < 1) velocity[at] = bodies.nearest(x).velocity(x)[axis];
            }
        };
        for_tiles(context.arena, *tiles, [&](int t) { open_tile(t, [](auto&&) { return true; }); });
        const auto borders = tiles->plus_borders(axis);
        for_range(context.arena, borders.size(), 4, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                open_tile(borders[i], [&](const Index<D>& local) { return local[axis] == 0; });
        });
    }

    std::uint8_t* kind = r.kind.write();
    r.water_cells = reduce_tiles<D>(
        context.arena, *tiles, 0.0,
        [&](int t) {
            double count = 0;
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> local = tile_local<D>(o);
                bool open = basin.cells.contains(tiles->origin(t) + local);
                bool any = false;
                for (int axis = 0; axis < D && open; ++axis) {
                    const bool last = local[axis] == kTileSide<D> - 1;
                    const int t1 = last ? tiles->neighbour(t, Index<D>::unit(axis)) : t;
                    const int o1 = last ? o - (kTileSide<D> - 1) * tile_stride<D>(axis)
                                        : o + tile_stride<D>(axis);
                    any = any || r.area.at(axis, t, o) > 0 || r.area.at(axis, t1, o1) > 0;
                }
                open = open && any;
                kind[std::size_t(t) * kTileCells<D> + std::size_t(o)] = open ? kFluidCell : kNoCell;
                count += open;
            }
            return count;
        },
        [](double a, double b) { return a + b; });
    return r;
}

template struct Bodies<2>;
template struct Bodies<3>;
template Openings<2> openings<2>(const Bodies<2>&, const Basin<2>&, const Tiles<2>::Ptr&, Context&);
template Openings<3> openings<3>(const Bodies<3>&, const Basin<3>&, const Tiles<3>::Ptr&, Context&);

}  // namespace spume
