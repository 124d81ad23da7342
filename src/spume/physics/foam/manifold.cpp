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
FourVec<D> tangential(const FourVec<D>& w, const FourVec<D>& n) {
    return w - n * dot(w, n);
}

/// What a step does to four particles.
template <int D>
struct Walk {
    const ManifoldLaw& law;
    Interval time;
    typename MovingSurface<D>::Reader& surface;
    FourMask counted{};  ///< lanes that are particles of their own
    ManifoldReport report{};

    /// Is the surface at x, and does it look the right way? `change`: the step to it along n.
    FourMask meets(const FourVec<D>& x, const FourVec<D>& n, const Doubles& tolerance,
                   FourMask& seen, Doubles& change) {
        const FourSurfacePoints<D> s = surface.at_four(x, time.end);
        const Doubles slope = dot(s.gradient, n), size = length(s.gradient);
        seen = (slope >= kTurned * size) & (size != 0.0);
        change = s.phi / (seen ? slope : four(1));
        return seen & (magnitude(s.phi) <= tolerance * size);
    }

    /// Eqs. 60, 61; x is moved from where it is.
    void find(FourVec<D>& x, const FourVec<D>& n, const Doubles& start, const Doubles& tolerance) {
        const FourVec<D> from = x;
        Doubles alpha = start, change;
        FourMask found{}, goes_on = ~FourMask{}, seen;
        for (int k = 0; k < law.iterations && any(goes_on); ++k) {
            x = chosen(goes_on, from + n * alpha, x);
            const FourMask met = goes_on & meets(x, n, tolerance, seen, change);
            report.iterations += std::size_t(count(goes_on & seen & counted));
            found |= met;
            goes_on &= seen & ~met;
            alpha = goes_on ? alpha - change : alpha;
            goes_on &= magnitude(alpha - start) <= law.max_correction;
        }
        if (!any(~found)) return;
        const FourVec<D> last = from + n * alpha;
        const FourMask late = (magnitude(alpha - start) <= law.max_correction) &
                              meets(last, n, tolerance, seen, change) & ~found;
        x = chosen(late, last, x);
        found |= late;
        x = chosen(found, x, from + n * start);
        report.fallbacks += std::size_t(count(~found & counted));
    }

    void move(FourVec<D>& x, FourVec<D>& v, const Vec<double, D>& gravity, const Doubles& radius) {
        const double dt = time.length();
        const FourVec<D> n = surface.normal_four(x, time.begin);
        const FourVec<D> u = surface.velocity_four(x, time.begin);
        const Doubles drag = law.drag + law.drag_by_size / (radius * radius);
        FourVec<D> force = u * drag;
        for (int a = 0; a < D; ++a) force[a] += gravity[a];
        const FourVec<D> along =
            (tangential(v, n) + tangential(force, n) * four(dt)) * (1 / (1 + drag * dt));
        const FourVec<D> from = x;
        x = from + along * four(dt);
        const Doubles fine = radius * (1.0 / 50);
        find(x, n, dt * dot(u, n), fine < law.tolerance ? fine : four(law.tolerance));
        v = (x - from) * four(1 / dt);
        if (law.rotation == FoamRotation::kPrinted) keep_speed(v, x, length(along));
    }

    /// Eq. 58.
    void keep_speed(FourVec<D>& v, const FourVec<D>& x, const Doubles& speed) {
        const FourVec<D> along = tangential(v, surface.normal_four(x, time.end));
        const Doubles now = length(along);
        v = v + along * (now > 0.0 ? speed / now - 1 : four(0));
    }
};

}  // namespace

template <int D>
ManifoldReport advect_on_surface(Foam<D>& foam, const Vec<double, D>& gravity,
                                 const MovingSurface<D>& surface, const ManifoldLaw& law,
                                 Interval time, Context& context) {
    Stage stage(context, "foam");
    auto x = foam.position.write();
    auto v = foam.velocity.write();
    auto age = foam.age.write();
    auto afloat = foam.afloat.write();
    const float older = static_cast<float>(time.length());
    return reduce(
        context.arena, foam.size(), kGrain, ManifoldReport{},
        [&](std::size_t b, std::size_t e) {
            const auto reader = surface.reader();
            Walk<D> walk{law, time, *reader};
            for (std::size_t i = b; i < e; i += kDoubleLanes) {
                const int last = static_cast<int>(std::min<std::size_t>(kDoubleLanes, e - i)) - 1;
                Doubles radius;
                for (int k = 0; k < kDoubleLanes; ++k) {
                    walk.counted[k] = -(k <= last);
                    radius[k] = double(foam.radius[i + std::size_t(std::min(k, last))]);
                }
                auto p = FourVec<D>::of(&x[i], last), w = FourVec<D>::of(&v[i], last);
                walk.move(p, w, gravity, radius);
                for (int k = 0; k <= last; ++k) {
                    const std::size_t j = i + std::size_t(k);
                    x[j] = p.lane(k);
                    v[j] = w.lane(k);
                    age[j] += older;
                    afloat[j] += older;
                }
            }
            return walk.report;
        },
        [](const ManifoldReport& a, const ManifoldReport& b) {
            return ManifoldReport{a.fallbacks + b.fallbacks, a.iterations + b.iterations};
        });
}

template <int D>
Array<Vec<double, D>> surface_normals(const Foam<D>& foam, const MovingSurface<D>& surface,
                                      double time, Context& context) {
    Array<Vec<double, D>> normals(foam.size());
    auto n = normals.write();
    for_range(context.arena, foam.size(), kGrain, [&](std::size_t b, std::size_t e) {
        const auto reader = surface.reader();
        for (std::size_t i = b; i < e; ++i) n[i] = reader->normal(foam.position[i], time);
    });
    return normals;
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

#define SPUME_INSTANTIATE(D)                                                                   \
    template ManifoldReport advect_on_surface<D>(Foam<D>&, const Vec<double, D>&,              \
                                                 const MovingSurface<D>&, const ManifoldLaw&,  \
                                                 Interval, Context&);                          \
    template Array<Vec<double, D>> surface_normals<D>(const Foam<D>&, const MovingSurface<D>&, \
                                                      double, Context&);                       \
    template bool project_on_surface<D>(Point<D>&, typename MovingSurface<D>::Reader&, double, \
                                        double, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
