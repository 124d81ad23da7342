// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/grid_surface.h"

#include <cmath>
#include <utility>

#include "spume/grid/sample.h"

namespace spume {
namespace {

/// Value and derivatives, in voxels, of the multilinear interpolant.
template <int D>
SurfacePoint<D> linear(const double* field, TileCursor<D>& cursor, const Point<D>& u) {
    double corner[1 << D], w[D];
    load_corners<double, D>(field, cursor, u, corner, w);
    SurfacePoint<D> r;
    for (int a = 0; a < D; ++a) {
        double sum = 0;
        for (int c = 0; c < (1 << D); ++c) {
            if (c >> a & 1) continue;
            double weight = corner[c | 1 << a] - corner[c];
            for (int b = 0; b < D; ++b)
                if (b != a) weight *= c >> b & 1 ? w[b] : 1 - w[b];
            sum += weight;
        }
        r.gradient[a] = sum;
    }
    r.phi = interpolate_corners<double, D>(corner, w);
    return r;
}

/// Central differences at the samples around, interpolated.
template <int D>
Vec<double, D> central(const double* field, TileCursor<D>& cursor, const Point<D>& u) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a) {
        Point<D> up = u, down = u;
        up[a] += 1;
        down[a] -= 1;
        r[a] = sample_linear<double, D>(field, cursor, up) -
               sample_linear<double, D>(field, cursor, down);
    }
    return r;
}

}  // namespace

template <int D>
class GridSurface<D>::GridReader final : public Reader {
  public:
    explicit GridReader(const GridSurface& s)
        : s_(s),
          before_(*s.before_.phi.tiles()),
          after_(*s.after_.phi.tiles()),
          inverse_(1 / s.after_.phi.tiles()->voxel()) {}

    SurfacePoint<D> at(const Point<D>& x, double time) override {
        const double share = share_of(time);
        const Point<D> u = cell_coordinate<D>(s_.after_.phi.tiles()->transform(), x);
        SurfacePoint<D> r;
        if (share > 0) r = linear<D>(s_.after_.phi.read(), after_, u);
        if (share < 1) {
            const SurfacePoint<D> old = linear<D>(s_.before_.phi.read(), before_, u);
            r.phi = share * r.phi + (1 - share) * old.phi;
            r.gradient = r.gradient * share + old.gradient * (1 - share);
        }
        r.gradient *= inverse_;
        return r;
    }
    Vec<double, D> normal(const Point<D>& x, double time) override {
        const double share = share_of(time);
        const Point<D> u = cell_coordinate<D>(s_.after_.phi.tiles()->transform(), x);
        Vec<double, D> r{};
        if (share > 0) r += central<D>(s_.after_.phi.read(), after_, u) * share;
        if (share < 1) r += central<D>(s_.before_.phi.read(), before_, u) * (1 - share);
        const double size = length(r);
        return size > 0 ? r / size : Vec<double, D>{};
    }
    Vec<double, D> velocity(const Point<D>& x, double time) override {
        const double share = share_of(time);
        Vec<double, D> r{};
        if (share > 0) r += sample(s_.after_.velocity, after_, x) * share;
        if (share < 1) r += sample(s_.before_.velocity, before_, x) * (1 - share);
        return r;
    }

  private:
    double share_of(double time) const {
        const double length = s_.after_.time - s_.before_.time;
        return length > 0 ? std::clamp((time - s_.before_.time) / length, 0.0, 1.0) : 1;
    }
    const GridSurface& s_;
    TileCursor<D> before_, after_;
    double inverse_;
};

template <int D>
GridSurface<D>::GridSurface(SurfaceFields<D> before, SurfaceFields<D> after)
    : before_(std::move(before)), after_(std::move(after)) {}

template <int D>
std::unique_ptr<typename GridSurface<D>::Reader> GridSurface<D>::reader() const {
    return std::make_unique<GridReader>(*this);
}

template class GridSurface<2>;
template class GridSurface<3>;

}  // namespace spume
