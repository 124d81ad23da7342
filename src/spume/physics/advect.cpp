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
        : origin_(field.tiles()->origin(tile).template as<double>()), far_(field, clamp) {
        for (int a = 0; a < D; ++a) {
            load_halo(field.read(a), *field.tiles(), tile, block_[a]);
            lo_[a] = clamp.lo[a] - origin_[a];
            hi_[a] = clamp.hi[a] - origin_[a];
        }
    }

    bool still() const {
        for (const Block& block : block_)
            for (double v : block.v)
                if (v != 0) return false;
        return true;
    }

    /// At lattice point x.
    Sample operator()(int axis, const Point<D>& x) {
        int at = 0;
        double w[D];
        for (int a = 0; a < D; ++a) {
            const double half = a == axis ? 0 : 0.5;
            const double u = std::clamp(x[a] - origin_[a], lo_[a] + half, hi_[a] - half) - half;
            if (!(u >= -kHalo && u < kTileSide<D> + kHalo - 1)) return far_(axis, x);
            const int i = static_cast<int>(u + kHalo);
            w[a] = u + kHalo - i;
            at = at * Block::kSide + i;
        }
        const double* v = block_[axis].v + at;
        return interpolate<D>(w, [v](int k) {
            int o = 0;
            for (int a = 0; a < D; ++a) o += (k >> a & 1) * Block::stride(a);
            return v[o];
        });
    }

    /// Velocity at a face of the tile: its own component, and the mean of the four nearest of each
    /// other.
    Vec<double, D> at_face(int axis, const Index<D>& local) const {
        const int at = Block::at(local), back = Block::stride(axis);
        Vec<double, D> r{};
        for (int b = 0; b < D; ++b) {
            const double* v = block_[b].v + at;
            const int up = Block::stride(b);
            r[b] = b == axis ? *v : 0.25 * ((v[0] + v[up]) + (v[-back] + v[up - back]));
        }
        return r;
    }

  private:
    Point<D> origin_;
    Vec<double, D> lo_, hi_;
    FarSampler<D> far_;
    Block block_[D];
};

template <int D, class Sampler>
Vec<double, D> velocity_at(Sampler& sampler, const Point<D>& x) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a) r[a] = sampler(a, x).value;
    return r;
}

/// Where the water at x, moving with v, was (steps > 0) or will be (steps < 0); steps = dt / voxel.
/// Midpoint rule.
template <int D, class Sampler>
Point<D> trace(Sampler& flow, const Point<D>& x, const Vec<double, D>& v, double steps) {
    return x - velocity_at<D>(flow, x - v * (0.5 * steps)) * steps;
}

template <int D>
Point<D> face_point(int axis, const Index<D>& face) {
    Point<D> x = face.template as<double>() + Point<D>::filled(0.5);
    x[axis] -= 0.5;
    return x;
}

/// One face as the two passes see it.
template <int D>
struct FaceTask {
    std::size_t at;  ///< place in flat storage
    int axis;
    Point<D> x;        ///< in the lattice
    Vec<double, D> v;  ///< velocity there
};

/// f(task, flow, others…) for every face, with samplers of the fields made once a tile. Tiles where
/// nothing moves are left out: their values stay zero.
template <int D, class F, class... Field>
void for_moving_faces(const FaceField<double, D>& flow, const Clamp<D>& clamp, Context& context,
                      F&& f, const Field&... others) {
    const Tiles<D>& tiles = *flow.tiles();
    for_tiles(context.arena, tiles, [&](int t) {
        NearSampler<D> near(flow, clamp, t);
        if (near.still()) return;
        std::tuple samplers{NearSampler<D>(others, clamp, t)...};
        for (int axis = 0; axis < D; ++axis)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> local = tile_local<D>(o);
                const FaceTask<D> task{std::size_t(t) * kTileCells<D> + std::size_t(o), axis,
                                       face_point<D>(axis, tiles.origin(t) + local),
                                       near.at_face(axis, local)};
                std::apply([&](auto&... s) { f(task, near, s...); }, samplers);
            }
    });
    for (int axis = 0; axis < D; ++axis) {
        const auto borders = tiles.plus_borders(axis);
        for_range(context.arena, borders.size(), 8, [&](std::size_t b, std::size_t e) {
            FarSampler<D> far(flow, clamp);
            std::tuple samplers{FarSampler<D>(others, clamp)...};
            for (std::size_t i = b; i < e; ++i)
                for (int o = 0; o < kTileCells<D>; ++o) {
                    const Index<D> local = tile_local<D>(o);
                    if (local[axis] != 0) continue;
                    FaceTask<D> task{std::size_t(borders[i]) * kTileCells<D> + std::size_t(o),
                                     axis,
                                     face_point<D>(axis, tiles.origin(borders[i]) + local),
                                     {}};
                    task.v = velocity_at<D>(far, task.x);
                    std::apply([&](auto&... s) { f(task, far, s...); }, samplers);
                }
        });
    }
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
    if (corrects) low = high = FaceField<double, D>(velocity.tiles());
    double *out[D], *lo[D] = {}, *hi[D] = {};
    for (int a = 0; a < D; ++a) {
        out[a] = forward.write(a);
        if (corrects) lo[a] = low.write(a), hi[a] = high.write(a);
    }
    const auto carry = [&](const FaceTask<D>& face, auto& flow) {
        const Sample s = flow(face.axis, trace<D>(flow, face.x, face.v, steps));
        out[face.axis][face.at] = s.value;
        if (corrects) lo[face.axis][face.at] = s.lo, hi[face.axis][face.at] = s.hi;
    };
    for_moving_faces<D>(velocity, clamp, context, carry);
    if (!corrects) return forward;

    FaceField<double, D> result(velocity.tiles());
    const double *u[D], *moved_u[D];
    for (int a = 0; a < D; ++a)
        out[a] = result.write(a), u[a] = velocity.read(a), moved_u[a] = forward.read(a);
    const auto correct = [&](const FaceTask<D>& face, auto& flow, auto& moved) {
        const int a = face.axis;
        const double back = moved(a, trace<D>(flow, face.x, face.v, -steps)).value;
        const double better = moved_u[a][face.at] + 0.5 * (u[a][face.at] - back);
        out[a][face.at] = std::clamp(better, lo[a][face.at], hi[a][face.at]);
    };
    for_moving_faces<D>(velocity, clamp, context, correct, forward);
    return result;
}

template FaceField<double, 2> advected<2>(const FaceField<double, 2>&, const Basin<2>&, double,
                                          Advection, Context&);
template FaceField<double, 3> advected<3>(const FaceField<double, 3>&, const Basin<3>&, double,
                                          Advection, Context&);

}  // namespace spume
