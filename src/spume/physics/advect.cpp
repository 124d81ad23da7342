// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/advect.h"

#include <algorithm>
#include <tuple>

#include "spume/physics/sample_rows.h"

namespace spume {
namespace {

/// A row of faces as the two passes see it.
template <int D, int N>
struct FaceRow {
    std::size_t at;  ///< place of the first in flat storage; the others follow
    int axis;
    RowPoints<D, N> points;
    double v[D][N];  ///< velocities there
};

/// Where the water at the faces was (steps > 0) or will be (steps < 0); steps = dt / voxel.
/// Midpoint rule.
template <int D, int N, class Sampler>
RowPoints<D, N> trace(Sampler& flow, const FaceRow<D, N>& row, double steps) {
    RowPoints<D, N> middle, end;
    for (int a = 0; a < D; ++a)
        for (int n = 0; n < N; ++n)
            middle.x[a][n] = row.points.x[a][n] - row.v[a][n] * (0.5 * steps);
    for (int a = 0; a < D; ++a) {
        RowSamples<N> s;
        flow.template sample<N, false>(a, middle, s);
        for (int n = 0; n < N; ++n) end.x[a][n] = row.points.x[a][n] - s.value[n] * steps;
    }
    return end;
}

/// N faces across `axis` from `first` on, seen from the origin of their tile.
template <int D, int N>
FaceRow<D, N> row_at(int tile, int axis, const Index<D>& first) {
    FaceRow<D, N> row;
    row.at = std::size_t(tile) * kTileCells<D> + std::size_t(tile_offset<D>(first));
    row.axis = axis;
    for (int a = 0; a < D; ++a)
        for (int n = 0; n < N; ++n)
            row.points.x[a][n] = first[a] + (a == D - 1 ? n : 0) + (a == axis ? 0 : 0.5);
    return row;
}

/// Faces on the plus side of the stored tiles, one by one: there are few, far from everything.
template <int D, class F, class... Field>
void for_border_faces(const FaceField<double, D>& flow, const Clamp<D>& clamp, Context& context,
                      F&& f, const Field&... others) {
    const Tiles<D>& tiles = *flow.tiles();
    for (int axis = 0; axis < D; ++axis) {
        const auto borders = tiles.plus_borders(axis);
        for_range(context.arena, borders.size(), 8, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const Index<D> origin = tiles.origin(borders[i]);
                FarSampler<D> far(flow, clamp, origin);
                std::tuple samplers{FarSampler<D>(others, clamp, origin)...};
                for (int o = 0; o < kTileCells<D>; ++o) {
                    if (tile_local<D>(o)[axis] != 0) continue;
                    auto row = row_at<D, 1>(borders[i], axis, tile_local<D>(o));
                    for (int a = 0; a < D; ++a) {
                        RowSamples<1> s;
                        far.template sample<1, false>(a, row.points, s);
                        row.v[a][0] = s.value[0];
                    }
                    std::apply([&](auto&... s) { f(row, far, s...); }, samplers);
                }
            }
        });
    }
}

/// f(row, flow, others…) for every row of faces, with samplers of the fields made once a tile.
/// Tiles where nothing moves are left out: their values stay zero.
template <int D, class F, class... Field>
void for_moving_faces(const FaceField<double, D>& flow, const Clamp<D>& clamp, Context& context,
                      F&& f, const Field&... others) {
    constexpr int kRow = kTileSide<D>;
    for_tiles(context.arena, *flow.tiles(), [&](int t) {
        NearSampler<D> near(flow, clamp, t);
        if (near.still()) return;
        std::tuple samplers{NearSampler<D>(others, clamp, t)...};
        for (int axis = 0; axis < D; ++axis)
            for (int o = 0; o < kTileCells<D>; o += kRow) {
                const Index<D> first = tile_local<D>(o);
                auto row = row_at<D, kRow>(t, axis, first);
                near.at_faces(axis, first, row.v);
                std::apply([&](auto&... s) { f(row, near, s...); }, samplers);
            }
    });
    for_border_faces<D>(flow, clamp, context, f, others...);
}

}  // namespace

template <int D>
FaceField<double, D> advected(const FaceField<double, D>& velocity, const Basin<D>& basin,
                              double dt, Advection scheme, Context& context) {
    Stage stage(context, "advect");
    const Clamp<D> clamp = basin.clamp();
    const double steps = dt / basin.voxel();
    const bool corrects = scheme == Advection::kMacCormack;

    FaceField<double, D> forward(velocity.tiles()), low, high;
    if (corrects) {  // read only where the first pass wrote
        low = FaceField<double, D>::unwritten(velocity.tiles());
        high = FaceField<double, D>::unwritten(velocity.tiles());
    }
    double *out[D], *lo[D] = {}, *hi[D] = {};
    for (int a = 0; a < D; ++a) {
        out[a] = forward.write(a);
        if (corrects) lo[a] = low.write(a), hi[a] = high.write(a);
    }
    const auto carry = [&]<int N>(const FaceRow<D, N>& row, auto& flow) {
        RowSamples<N> s;
        flow.template sample<N, true>(row.axis, trace(flow, row, steps), s);
        std::copy_n(s.value, N, out[row.axis] + row.at);
        if (!corrects) return;
        std::copy_n(s.lo, N, lo[row.axis] + row.at);
        std::copy_n(s.hi, N, hi[row.axis] + row.at);
    };
    for_moving_faces<D>(velocity, clamp, context, carry);
    if (!corrects) return forward;

    FaceField<double, D> result(velocity.tiles());
    const double *u[D], *moved_u[D];
    for (int a = 0; a < D; ++a)
        out[a] = result.write(a), u[a] = velocity.read(a), moved_u[a] = forward.read(a);
    const auto correct = [&]<int N>(const FaceRow<D, N>& row, auto& flow, auto& moved) {
        const int a = row.axis;
        RowSamples<N> back;
        moved.template sample<N, false>(a, trace(flow, row, -steps), back);
        for (int n = 0; n < N; ++n) {
            const std::size_t i = row.at + std::size_t(n);
            const double better = moved_u[a][i] + 0.5 * (u[a][i] - back.value[n]);
            out[a][i] = std::clamp(better, lo[a][i], hi[a][i]);
        }
    };
    for_moving_faces<D>(velocity, clamp, context, correct, forward);
    return result;
}

template <int D>
double max_face_speed(const FaceField<double, D>& velocity, Context& context) {
    double most = 0;
    for (int a = 0; a < D; ++a)
        most = std::max(most, reduce_tiles<D>(
                                  context.arena, *velocity.tiles(), 0.0,
                                  [&](int t) {
                                      double m = 0;
                                      for (int o = 0; o < kTileCells<D>; ++o)
                                          m = std::max(m, std::abs(velocity.at(a, t, o)));
                                      return m;
                                  },
                                  [](double x, double y) { return std::max(x, y); }));
    return most;
}

template FaceField<double, 2> advected<2>(const FaceField<double, 2>&, const Basin<2>&, double,
                                          Advection, Context&);
template FaceField<double, 3> advected<3>(const FaceField<double, 3>&, const Basin<3>&, double,
                                          Advection, Context&);
template double max_face_speed<2>(const FaceField<double, 2>&, Context&);
template double max_face_speed<3>(const FaceField<double, 3>&, Context&);

}  // namespace spume
