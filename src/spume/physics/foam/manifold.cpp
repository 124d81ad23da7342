// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/manifold.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

constexpr std::size_t kGrain = 8192;
constexpr double kTurned = 0.1;  // cosine between two normals from which on it is another surface

template <int D>
Vec<double, D> tangential(const Vec<double, D>& w, const Vec<double, D>& n) {
    return w - n * dot(w, n);
}

/// What a step does to one particle.
template <int D>
struct Walk {
    const ManifoldLaw& law;
    Interval time;
    typename MovingSurface<D>::Reader& surface;
    ManifoldReport report{};

    double accuracy(double radius) const { return std::min(law.tolerance, radius / 50); }

    /// Eqs. 60, 61; false where the surface was not found.
    bool find(Point<D>& x, const Vec<double, D>& n, double start, double tolerance) {
        const Point<D> from = x;
        double alpha = start;
        for (int k = 0; k < law.iterations; ++k) {
            x = from + n * alpha;
            const SurfacePoint<D> s = surface.at(x, time.end);
            const double slope = dot(s.gradient, n), size = length(s.gradient);
            if (!(slope >= kTurned * size) || size == 0) break;
            ++report.iterations;
            const double change = s.phi / slope;
            if (std::abs(s.phi) <= tolerance * size) return true;
            alpha -= change;
            if (!(std::abs(alpha - start) <= law.max_correction)) break;
        }
        x = from + n * alpha;
        if (std::abs(alpha - start) <= law.max_correction) {
            const SurfacePoint<D> s = surface.at(x, time.end);
            const double size = length(s.gradient);
            if (size > 0 && dot(s.gradient, n) >= kTurned * size &&
                std::abs(s.phi) <= tolerance * size)
                return true;
        }
        x = from + n * start;
        ++report.fallbacks;
        return false;
    }

    void move(Point<D>& x, Vec<double, D>& v, Vec<double, D>& n, double* speed,
              const Vec<double, D>& force, double radius) {
        const double dt = time.length();
        if (dot(n, n) == 0) n = surface.normal(x, time.begin);
        const Vec<double, D> u = surface.velocity(x, time.begin);
        Vec<double, D> along = tangential(v, n);
        if (speed) {
            const double now = length(along);
            if (now > 0 && *speed >= 0) along *= *speed / now;
        }
        const double drag = law.drag + law.drag_by_size / (radius * radius);
        along = (along + tangential(force + u * drag, n) * dt) / (1 + drag * dt);
        if (speed) *speed = length(along);
        const Point<D> from = x;
        x = from + along * dt;
        find(x, n, dt * dot(u, n), accuracy(radius));
        v = (x - from) / dt;
        const Vec<double, D> next = surface.normal(x, time.end);
        if (dot(next, next) > 0) n = next;
    }
};

}  // namespace

template <int D>
ManifoldReport advect_on_surface(Foam<D>& foam, std::span<const Vec<double, D>> acceleration,
                                 const Vec<double, D>& gravity, const MovingSurface<D>& surface,
                                 const ManifoldLaw& law, Interval time, Context& context) {
    Stage stage(context, "foam");
    auto x = foam.position.write();
    auto v = foam.velocity.write();
    auto n = foam.normal.write();
    auto speed = foam.speed.write();
    auto age = foam.age.write();
    auto afloat = foam.afloat.write();
    const float older = static_cast<float>(time.length());
    const bool printed = law.rotation == FoamRotation::kPrinted;
    return reduce(
        context.arena, foam.size(), kGrain, ManifoldReport{},
        [&](std::size_t b, std::size_t e) {
            const auto reader = surface.reader();
            Walk<D> walk{law, time, *reader};
            for (std::size_t i = b; i < e; ++i) {
                walk.move(x[i], v[i], n[i], printed && !speed.empty() ? &speed[i] : nullptr,
                          acceleration[i] + gravity, double(foam.radius[i]));
                age[i] += older;
                afloat[i] += older;
            }
            return walk.report;
        },
        [](const ManifoldReport& a, const ManifoldReport& b) {
            return ManifoldReport{a.fallbacks + b.fallbacks, a.iterations + b.iterations};
        });
}

template <int D>
bool project_on_surface(Point<D>& x, typename MovingSurface<D>::Reader& surface, double time,
                        double reach, double tolerance) {
    constexpr int kSteps = 8;
    Point<D> y = x;
    for (int k = 0; k < kSteps; ++k) {
        const SurfacePoint<D> s = surface.at(y, time);
        const double square = dot(s.gradient, s.gradient);
        if (!(square > 0)) return false;
        if (s.phi * s.phi <= tolerance * tolerance * square) {
            x = y;
            return true;
        }
        y -= s.gradient * (s.phi / square);
        if (!(dot(y - x, y - x) <= reach * reach)) return false;
    }
    return false;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template ManifoldReport advect_on_surface<D>(Foam<D>&, std::span<const Vec<double, D>>,      \
                                                 const Vec<double, D>&, const MovingSurface<D>&, \
                                                 const ManifoldLaw&, Interval, Context&);        \
    template bool project_on_surface<D>(Point<D>&, typename MovingSurface<D>::Reader&, double,   \
                                        double, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
