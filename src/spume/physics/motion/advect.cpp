// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/advect.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "spume/grid/face_values.h"
#include "spume/physics/motion/sample_rows.h"

namespace spume {
namespace {

/// A row of faces of a tile as the two passes see it.
template <int D, int kStep>
struct FaceRow {
    static constexpr int kCount = kTileSide<D>;
    std::size_t at;  ///< place of the first in flat storage; the others follow every kStep values
    int axis;
    RowPoints<D, kCount> points;
    double v[D][kCount];  ///< velocities there

    std::size_t place(int n) const { return at + std::size_t(n) * kStep; }
};

/// Where the water at the faces was (steps > 0) or will be (steps < 0); steps = dt / voxel.
/// Midpoint rule.
template <int D, int kStep>
RowPoints<D, kTileSide<D>> trace(NearSampler<D>& flow, const FaceRow<D, kStep>& row, double steps) {
    constexpr int kCount = kTileSide<D>;
    RowPoints<D, kCount> middle, end;
    for (int a = 0; a < D; ++a)
        for (int n = 0; n < kCount; ++n)
            middle.x[a][n] = row.points.x[a][n] - row.v[a][n] * (0.5 * steps);
    double v[D][kCount];
    flow.sample(middle, v);
    for (int a = 0; a < D; ++a)
        for (int n = 0; n < kCount; ++n) end.x[a][n] = row.points.x[a][n] - v[a][n] * steps;
    return end;
}

/// Faces across `axis` from `first` on, along the axis whose stride is kStep; places seen from the
/// origin of a tile, values stored in `tile`: that one, or the next where the first lie on its end.
template <int D, int kStep>
FaceRow<D, kStep> row_at(int tile, int axis, const Index<D>& first) {
    FaceRow<D, kStep> row;
    row.at = std::size_t(tile) * kTileCells<D> + std::size_t(tile_offset<D>(local_of<D>(first)));
    row.axis = axis;
    for (int a = 0; a < D; ++a) {
        const double begin = first[a] + (a == axis ? 0 : 0.5);
        for (int n = 0; n < row.kCount; ++n)
            row.points.x[a][n] = begin + (tile_stride<D>(a) == kStep ? n : 0);
    }
    return row;
}

/// f(row) for the faces across `axis` on the plus side of a tile, which are stored in `next`.
template <int D, int kStep, class F>
void for_end_faces(int next, int axis, NearSampler<D>& near, F&& f) {
    for (int m = 0; m < (D == 2 ? 1 : kTileSide<D>); ++m) {
        Index<D> first{};
        first[axis] = kTileSide<D>;
        if constexpr (D == 3) first[axis == 0 ? 1 : 0] = m;
        auto row = row_at<D, kStep>(next, axis, first);
        near.sample(row.points, row.v);
        f(row);
    }
}

/// A field and what carries it: itself, or another.
template <int D>
struct Carried {
    const FaceField<double, D>& flow;
    const FaceField<double, D>& field;
    Clamp<D> clamp;
    double steps;  ///< dt / voxel

    bool along_itself() const { return &flow == &field; }
    NearSampler<D> flow_near(int tile) const {
        NearSampler<D> r(flow, clamp, tile);
        if (!along_itself()) r.continue_beyond(*flow.tiles(), tile);
        return r;
    }
    /// Does nothing move here, or nothing come here that could be carried?
    bool leaves(const NearSampler<D>& near, int tile) const {
        if (near.still()) return along_itself();
        return !along_itself() && near.fastest() * std::abs(steps) < kSampleHalo &&
               NearSampler<D>(field, clamp, tile).still();
    }
};

/// f(row, flow, others…) for every row of faces, with samplers of the fields made once a tile.
/// Where there is nothing to carry, the values `out` of a tile become zero instead.
template <int D, class F, class... Field>
void for_moving_faces(const Carried<D>& what, Context& context, double* const (&out)[D], F&& f,
                      const Field&... others) {
    const Tiles<D>& tiles = *what.flow.tiles();
    for_tiles(context.arena, tiles, [&](int t) {
        NearSampler<D> near = what.flow_near(t);
        if (what.leaves(near, t)) {
            for (double* values : out)
                std::fill_n(values + std::size_t(t) * kTileCells<D>, kTileCells<D>, 0.0);
            return;
        }
        std::tuple samplers{NearSampler<D>(others, what.clamp, t)...};
        const auto pass = [&](const auto& row) {
            std::apply([&](auto&... s) { f(row, near, s...); }, samplers);
        };
        for (int axis = 0; axis < D; ++axis) {
            for (int o = 0; o < kTileCells<D>; o += kTileSide<D>) {
                auto row = row_at<D, 1>(t, axis, tile_local<D>(o));
                near.at_faces(axis, tile_local<D>(o), row.v);
                pass(row);
            }
            const int next = tiles.neighbour(t, Index<D>::unit(axis));
            if (tiles.is_active(next)) continue;
            if (axis == D - 1)
                for_end_faces<D, kTileSide<D>>(next, axis, near, pass);
            else
                for_end_faces<D, 1>(next, axis, near, pass);
        }
    });
}

template <int D>
FaceField<double, D> carried_along(const Carried<D>& what, Advection scheme, Context& context) {
    Stage stage(context, "advect");
    const auto& tiles = what.field.tiles();
    const double steps = what.steps;
    const bool corrects = scheme == Advection::kMacCormack;

    auto forward = zero_borders<double, D>(tiles, context);
    FaceField<double, D> low, high;
    if (corrects) {  // read only where the first pass wrote
        low = FaceField<double, D>::unwritten(tiles);
        high = FaceField<double, D>::unwritten(tiles);
    }
    double *out[D], *lo[D] = {}, *hi[D] = {};
    for (int a = 0; a < D; ++a) {
        out[a] = forward.write(a);
        if (corrects) lo[a] = low.write(a), hi[a] = high.write(a);
    }
    constexpr int kCount = kTileSide<D>;
    const auto carry = [&](const auto& row, auto& flow, auto& field) {
        const int a = row.axis;
        RowSamples<kCount> s;
        field.template sample<kCount, true>(a, trace(flow, row, steps), s);
        for (int n = 0; n < kCount; ++n) out[a][row.place(n)] = s.value[n];
        if (!corrects) return;
        for (int n = 0; n < kCount; ++n) lo[a][row.place(n)] = s.lo[n];
        for (int n = 0; n < kCount; ++n) hi[a][row.place(n)] = s.hi[n];
    };
    const auto carry_itself = [&](const auto& row, auto& flow) { carry(row, flow, flow); };
    if (what.along_itself())
        for_moving_faces<D>(what, context, out, carry_itself);
    else
        for_moving_faces<D>(what, context, out, carry, what.field);
    if (!corrects) return forward;

    auto result = zero_borders<double, D>(tiles, context);
    const double *u[D], *moved_u[D];
    for (int a = 0; a < D; ++a)
        out[a] = result.write(a), u[a] = what.field.read(a), moved_u[a] = forward.read(a);
    const auto correct = [&](const auto& row, auto& flow, auto& moved) {
        const int a = row.axis;
        RowSamples<kCount> back;
        moved.template sample<kCount, false>(a, trace(flow, row, -steps), back);
        // Read, then computed, then written: between them nothing can seem to change.
        double before[kCount], once[kCount], least[kCount], most[kCount], cut[kCount];
        for (int n = 0; n < kCount; ++n) before[n] = u[a][row.place(n)];
        for (int n = 0; n < kCount; ++n) once[n] = moved_u[a][row.place(n)];
        for (int n = 0; n < kCount; ++n) least[n] = lo[a][row.place(n)];
        for (int n = 0; n < kCount; ++n) most[n] = hi[a][row.place(n)];
        for (int n = 0; n < kCount; ++n) {
            const double better = once[n] + 0.5 * (before[n] - back.value[n]);
            const double above = better < least[n] ? least[n] : better;
            cut[n] = most[n] < above ? most[n] : above;
        }
        for (int n = 0; n < kCount; ++n) out[a][row.place(n)] = cut[n];
    };
    for_moving_faces<D>(what, context, out, correct, forward);
    return result;
}

}  // namespace

template <int D>
FaceField<double, D> advected(const FaceField<double, D>& velocity, const GridDomain<D>& domain,
                              double dt, Advection scheme, Context& context) {
    return carried_along<D>({velocity, velocity, domain.clamp(), dt / domain.voxel()}, scheme,
                            context);
}

template <int D>
FaceField<double, D> advected_along(const FaceField<double, D>& flow,
                                    const FaceField<double, D>& field, const GridDomain<D>& domain,
                                    double dt, Advection scheme, Context& context) {
    return carried_along<D>({flow, field, domain.clamp(), dt / domain.voxel()}, scheme, context);
}

template <int D>
double max_face_speed(const FaceField<double, D>& velocity, Context& context) {
    double most = 0;
    for (int a = 0; a < D; ++a)
        most = std::max(most, reduce_tiles<D>(
                                  context.arena, *velocity.tiles(), 0.0,
                                  [&](int t) {
                                      const double* u = velocity.tile(a, t);
                                      double lane[8] = {};
                                      for (int o = 0; o < kTileCells<D>; o += 8)
                                          for (int k = 0; k < 8; ++k) {
                                              const double v = std::abs(u[o + k]);
                                              lane[k] = v > lane[k] ? v : lane[k];
                                          }
                                      return *std::max_element(lane, lane + 8);
                                  },
                                  [](double x, double y) { return std::max(x, y); }));
    return most;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template FaceField<double, D> advected<D>(const FaceField<double, D>&, const GridDomain<D>&, \
                                              double, Advection, Context&);                      \
    template FaceField<double, D> advected_along<D>(                                             \
        const FaceField<double, D>&, const FaceField<double, D>&, const GridDomain<D>&, double,  \
        Advection, Context&);                                                                    \
    template double max_face_speed<D>(const FaceField<double, D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
