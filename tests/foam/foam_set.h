// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <vector>

#include "spume/physics/foam/manifold.h"

namespace spume {

/// Foam at some places, all of one radius, at rest.
template <int D>
Foam<D> foam_at(const std::vector<Point<D>>& places, double radius) {
    Foam<D> f;
    resize(f, places.size());
    auto x = f.position.write();
    auto r = f.radius.write();
    auto id = f.id.write();
    auto life = f.lifespan.write();
    for (std::size_t i = 0; i < places.size(); ++i) {
        x[i] = places[i];
        r[i] = static_cast<float>(radius);
        id[i] = i;
        life[i] = 1e30f;
    }
    return f;
}

/// Velocities become v + Δt a.
template <int D>
void add_velocities(Foam<D>& foam, const Array<Vec<double, D>>& a, double dt) {
    auto v = foam.velocity.write();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += a[i] * dt;
}

/// A plane of spheres at distances `spacing`, n by n, in the plane y = 0.
inline std::vector<Point<3>> hexagonal(int n, double spacing) {
    std::vector<Point<3>> places;
    for (int m = 0; m < n; ++m)
        for (int l = 0; l < n; ++l)
            places.push_back({spacing * (l + 0.5 * (m & 1)), 0, spacing * std::sqrt(0.75) * m});
    return places;
}

/// A surface with a formula.
template <int D>
class FormulaSurface final : public MovingSurface<D> {
  public:
    std::function<SurfacePoint<D>(const Point<D>&, double)> phi;
    std::function<Vec<double, D>(const Point<D>&, double)> flow = [](const Point<D>&, double) {
        return Vec<double, D>{};
    };

    using Reader = typename MovingSurface<D>::Reader;
    std::unique_ptr<Reader> reader() const override { return std::make_unique<Formula>(*this); }

  private:
    class Formula final : public Reader {
      public:
        explicit Formula(const FormulaSurface& s) : s_(s) {}
        SurfacePoint<D> at(const Point<D>& x, double t) override { return s_.phi(x, t); }
        Vec<double, D> normal(const Point<D>& x, double t) override {
            const auto g = s_.phi(x, t).gradient;
            return g / length(g);
        }
        Vec<double, D> velocity(const Point<D>& x, double t) override { return s_.flow(x, t); }

      private:
        const FormulaSurface& s_;
    };
};

}  // namespace spume
