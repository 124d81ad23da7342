// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/advect.h"

#include <algorithm>
#include <tuple>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"

namespace spume {
namespace {

struct Sample {
    double value, lo, hi;
};

/// Weights and corner values → value and range.
template <int D, class Corner>
Sample interpolate(const double (&w)[D], Corner&& corner) {
    double c[1 << D], lo = 0, hi = 0;
    for (int k = 0; k < (1 << D); ++k) {
        c[k] = corner(k);
        lo = k == 0 ? c[k] : std::min(lo, c[k]);
        hi = k == 0 ? c[k] : std::max(hi, c[k]);
    }
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < (1 << (D - a - 1)); ++k)
            c[k] = c[2 * k] * (1 - w[a]) + c[2 * k + 1] * w[a];
    return {c[0], lo, hi};
}

/// Lattice point → coordinate in samples of the faces across `axis`, held inside the walls.
template <int D>
Point<D> face_sample(const Clamp<D>& clamp, int axis, const Point<D>& x) {
    Point<D> u{};
    for (int a = 0; a < D; ++a)
        u[a] = a == axis ? clamp.normal(x[a], a) : clamp.side(x[a], a) - 0.5;
    return u;
}

/// Samples anywhere, through the tile table.
template <int D>
class FarSampler {
  public:
    FarSampler(const FaceField<double, D>& field, const Clamp<D>& clamp)
        : field_(field), clamp_(clamp), cursor_(*field.tiles()) {}

    /// At lattice point x (cell i spans [i, i + 1)).
    Sample operator()(int axis, const Point<D>& x) {
        const Point<D> u = face_sample<D>(clamp_, axis, x);
        const Index<D> base = floor_index<D>(u);
        double w[D];
        for (int a = 0; a < D; ++a) w[a] = u[a] - base[a];
        const double* values = field_.read(axis);
        return interpolate<D>(w, [&](int k) {
            Index<D> i = base;
            for (int a = 0; a < D; ++a) i[a] += k >> a & 1;
            return values[cursor_(i)];
        });
    }

  private:
    const FaceField<double, D>& field_;
    const Clamp<D>& clamp_;
    TileCursor<D> cursor_;
};

/// Samples near one tile from a copy with halo, far ones through the tile table.
template <int D>
class NearSampler {
  public:
    static constexpr int kHalo = 2;
    using Block = HaloBlock<double, D, kHalo>;

    NearSampler(const FaceField<double, D>& field, const Clamp<D>& clamp, int tile)
        : origin_(field.tiles()->origin(tile)), clamp_(clamp), far_(field, clamp) {
        for (int a = 0; a < D; ++a) load_halo(field.read(a), *field.tiles(), tile, block_[a]);
    }

    Sample operator()(int axis, const Point<D>& x) {
        const Point<D> u = face_sample<D>(clamp_, axis, x);
        int at = 0;
        double w[D];
        bool near = true;
        for (int a = 0; a < D; ++a) {
            const double f = std::floor(u[a]);
            const int i = static_cast<int>(f) - origin_[a] + kHalo;
            near = near && i >= 0 && i + 1 < Block::kSide;
            w[a] = u[a] - f;
            at = at * Block::kSide + i;
        }
        if (!near) return far_(axis, x);
        const double* v = block_[axis].v + at;
        return interpolate<D>(w, [&](int k) {
            int o = 0;
            for (int a = 0; a < D; ++a) o += (k >> a & 1) * Block::stride(a);
            return v[o];
        });
    }

  private:
    Index<D> origin_;
    const Clamp<D>& clamp_;
    FarSampler<D> far_;
    Block block_[D];
};

template <int D, class Sampler>
Vec<double, D> velocity_at(Sampler& sampler, const Point<D>& x) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a) r[a] = sampler(a, x).value;
    return r;
}

/// Where the water at x was (steps > 0) or will be (steps < 0); steps = dt / voxel. Midpoint rule.
template <int D, class Sampler>
Point<D> trace(Sampler& flow, const Point<D>& x, double steps) {
    const Point<D> middle = x - velocity_at<D>(flow, x) * (0.5 * steps);
    return x - velocity_at<D>(flow, middle) * steps;
}

template <int D>
Point<D> face_point(int axis, const Index<D>& face) {
    Point<D> x = face.template as<double>() + Point<D>::filled(0.5);
    x[axis] -= 0.5;
    return x;
}

/// f(sample of field 0, sample of field 1, …, tile, offset, axis) for every face, the samplers made
/// once a tile.
template <int D, class F, class... Field>
void for_faces_sampled(const Tiles<D>& tiles, const Clamp<D>& clamp, Context& context, F&& f,
                       const Field&... field) {
    for_tiles(context.arena, tiles, [&](int t) {
        std::tuple samplers{NearSampler<D>(field, clamp, t)...};
        for (int axis = 0; axis < D; ++axis)
            for (int o = 0; o < kTileCells<D>; ++o)
                std::apply([&](auto&... s) { f(s..., t, o, axis); }, samplers);
    });
    for (int axis = 0; axis < D; ++axis) {
        const auto borders = tiles.plus_borders(axis);
        for_range(context.arena, borders.size(), 8, [&](std::size_t b, std::size_t e) {
            std::tuple samplers{FarSampler<D>(field, clamp)...};
            for (std::size_t i = b; i < e; ++i)
                for (int o = 0; o < kTileCells<D>; ++o)
                    if (tile_local<D>(o)[axis] == 0)
                        std::apply([&](auto&... s) { f(s..., borders[i], o, axis); }, samplers);
        });
    }
}

}  // namespace

template <int D>
FaceField<double, D> advected(const FaceField<double, D>& velocity, const Basin<D>& basin,
                              double dt, Advection scheme, Context& context) {
    Stage stage(context, "advect");
    const Tiles<D>& tiles = *velocity.tiles();
    const Clamp<D> clamp = basin.clamp();
    const double steps = dt / basin.voxel();
    const bool corrects = scheme == Advection::kMacCormack;

    FaceField<double, D> forward(velocity.tiles()), low, high;
    if (corrects) low = high = FaceField<double, D>(velocity.tiles());
    double *out[D], *lo[D] = {}, *hi[D] = {};
    for (int a = 0; a < D; ++a) {
        out[a] = forward.write(a);
        if (corrects) lo[a] = low.write(a), hi[a] = high.write(a);
    }
    const auto carry = [&](auto& flow, int t, int o, int axis) {
        const Point<D> x = face_point<D>(axis, tiles.origin(t) + tile_local<D>(o));
        const Sample s = flow(axis, trace<D>(flow, x, steps));
        const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
        out[axis][at] = s.value;
        if (corrects) lo[axis][at] = s.lo, hi[axis][at] = s.hi;
    };
    for_faces_sampled<D>(tiles, clamp, context, carry, velocity);
    if (!corrects) return forward;

    FaceField<double, D> result(velocity.tiles());
    for (int a = 0; a < D; ++a) out[a] = result.write(a);
    const auto correct = [&](auto& flow, auto& moved, int t, int o, int axis) {
        const Point<D> x = face_point<D>(axis, tiles.origin(t) + tile_local<D>(o));
        const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
        const double back = moved(axis, trace<D>(flow, x, -steps)).value;
        const double better = forward.read(axis)[at] + 0.5 * (velocity.read(axis)[at] - back);
        out[axis][at] = std::clamp(better, lo[axis][at], hi[axis][at]);
    };
    for_faces_sampled<D>(tiles, clamp, context, correct, velocity, forward);
    return result;
}

template FaceField<double, 2> advected<2>(const FaceField<double, 2>&, const Basin<2>&, double,
                                          Advection, Context&);
template FaceField<double, 3> advected<3>(const FaceField<double, 3>&, const Basin<3>&, double,
                                          Advection, Context&);

}  // namespace spume
