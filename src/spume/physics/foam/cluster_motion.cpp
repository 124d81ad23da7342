// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/cluster_motion.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/particles/bubble_size.h"
#include "spume/physics/domain/thin_walls.h"
#include "spume/physics/foam/cluster_implicit.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr double kGone = -1;
constexpr int kMostSubcycles = 200000;
/// Nearest that a centre may come to a solid, as part of the radius: films overlap the wall.
constexpr double kNearest = 0.1;

template <class T, class Map>
T largest(std::size_t n, T none, Context& context, Map&& map) {
    return reduce(
        context.arena, n, kGrain, none,
        [&](std::size_t b, std::size_t e) {
            T most = none;
            for (std::size_t i = b; i < e; ++i) most = std::max(most, map(i));
            return most;
        },
        [](const T& a, const T& b) { return std::max(a, b); });
}

/// One step of a cluster, subcycle after subcycle.
template <int D>
class ClusterStep {
  public:
    ClusterStep(ClusterBubbles<D>& bubbles, const ClusterPlace<D>& place, const ClusterLaw<D>& law,
                const PoppingLaw& popping, Context& context)
        : bubbles_(bubbles),
          place_(place),
          law_(law),
          popping_(popping),
          context_(context),
          began_at_(bubbles.position),
          radius_(bubbles.radius.begin(), bubbles.radius.end()),
          limit_(bubbles.size()) {
        each([&](std::size_t i) { limit_[i] = exposure_limit(popping, bubbles.id[i]); });
    }

    ClusterMotion run() {
        double time = place_.fluid.time.begin;
        const double end = place_.fluid.time.end;
        while (time < end && bubbles_.size() > 0 && motion_.wrong.empty()) {
            solids_ = place_.solids.at(time);
            pairs_.follow(bubbles_.position.read(), radius_, context_);
            balance_.find(shape(), bubbles_.velocity.read(), pairs_, law_, around(), time,
                          context_);
            const double left = end - time;
            double dt = law_.integration == ClusterIntegration::kImplicit
                            ? implicit_velocities(left)
                            : explicit_velocities(left);
            const bool last = dt >= left * (1 - 1e-12);
            if (last) dt = left;
            move(last ? end : time + dt, dt);
            expose(dt);
            time = last ? end : time + dt;
            if (++motion_.subcycles >= kMostSubcycles)
                motion_.wrong =
                    fmt::format("more than {} subcycles of the bubbles in a step", kMostSubcycles);
        }
        finish();
        return motion_;
    }

  private:
    template <class F>
    void each(F&& f) {
        for_range(context_.arena, radius_.size(), kGrain, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                if (radius_[i] > 0) f(i);
        });
    }
    ClusterShape<D> shape() const {
        return {bubbles_.position.read(), radius_, bubbles_.id.read()};
    }
    ClusterSurroundings<D> around() const {
        return {place_.fluid, solids_, place_.domain, place_.pressure_gradient};
    }
    double smallest_radius() {
        return -largest(radius_.size(), -1e300, context_,
                        [&](std::size_t i) { return radius_[i] > 0 ? -radius_[i] : -1e300; });
    }
    /// So many equal subcycles as the limit asks for.
    static double shared(double left, double limit) {
        return left / std::max(1.0, std::ceil(left / limit * (1 - 1e-12)));
    }

    double explicit_velocities(double left) {
        const auto& b = balance_.bubbles;
        const double stiffest = largest(b.size(), 0.0, context_, [&](std::size_t i) {
            return radius_[i] > 0 ? b[i].stiffness / b[i].friction : 0.0;
        });
        const auto with = [&](std::size_t i, double dt) {
            const Vec<double, D> way = b[i].push * (dt / b[i].friction);
            return (b[i].push + balance_.surface_force(i, way, dt, shape(), law_, around())) /
                   b[i].friction;
        };
        double dt = left;
        if (stiffest > 0) dt = std::min(dt, law_.stability / stiffest);
        // Who is held at the surface goes the same way in a shorter subcycle: the bound stays good.
        const double speed = largest(b.size(), 0.0, context_, [&](std::size_t i) {
            return radius_[i] > 0 ? length(with(i, dt)) : 0.0;
        });
        if (speed > 0) dt = std::min(dt, law_.courant * smallest_radius() / speed);
        dt = shared(left, dt);
        auto velocity = bubbles_.velocity.write();
        each([&](std::size_t i) { velocity[i] = with(i, dt); });
        return dt;
    }

    double implicit_velocities(double left) {
        const auto& b = balance_.bubbles;
        const double most = law_.courant * smallest_radius();
        std::vector<Vec<double, D>> force(b.size()), way;
        double dt = shared(left, longest_ > 0 ? 2 * longest_ : left);
        for (int attempt = 0;; ++attempt) {
            each([&](std::size_t i) { force[i] = b[i].push; });
            way.assign(b.size(), {});
            motion_.solver_iterations += solve_displacements<D>(
                way, force, shape(), pairs_, balance_, law_, around(), dt, context_);
            each([&](std::size_t i) {
                force[i] += balance_.surface_force(i, way[i], dt, shape(), law_, around());
            });
            motion_.solver_iterations += solve_displacements<D>(
                way, force, shape(), pairs_, balance_, law_, around(), dt, context_);
            const double far = largest(b.size(), 0.0, context_, [&](std::size_t i) {
                return radius_[i] > 0 ? length(way[i]) : 0.0;
            });
            if (!(far > most) || attempt >= 40) break;
            dt = shared(left, std::max(0.25, 0.9 * most / far) * dt);
        }
        longest_ = dt;
        auto velocity = bubbles_.velocity.write();
        each([&](std::size_t i) { velocity[i] = way[i] / dt; });
        return dt;
    }

    void move(double time, double dt) {
        const PlacedSolids<D> before = std::move(solids_);
        solids_ = place_.solids.at(time);
        const auto departure = Departure<D>::of(before, bubbles_.position, place_.domain.voxel());
        const WayStops<D> stops(&departure, solids_, place_.domain.voxel());
        auto position = bubbles_.position.write();
        auto velocity = bubbles_.velocity.write();
        auto age = bubbles_.age.write();
        each([&](std::size_t i) {
            position[i] += velocity[i] * dt;
            age[i] += static_cast<float>(dt);
            keep_out(i, position[i], velocity[i], stops);
        });
        struct Extremes {
            double speed, way;
        };
        const Extremes e = reduce(
            context_.arena, radius_.size(), kGrain, Extremes{0, 0},
            [&](std::size_t first, std::size_t last) {
                Extremes m{0, 0};
                for (std::size_t i = first; i < last; ++i) {
                    if (!(radius_[i] > 0)) continue;
                    m.speed = std::max(m.speed, length(velocity[i]));
                    m.way = std::max(m.way, length(position[i] - began_at_[i]));
                    if (!std::isfinite(position[i][0] + velocity[i][0])) m.way = 1e308;
                }
                return m;
            },
            [](const Extremes& a, const Extremes& b) {
                return Extremes{std::max(a.speed, b.speed), std::max(a.way, b.way)};
            });
        motion_.max_speed = std::max(motion_.max_speed, e.speed);
        motion_.farthest = std::max(motion_.farthest, e.way);
        if (e.way > place_.reach)
            motion_.wrong = fmt::format(
                "a bubble went {:.3g} m in a step, farther than the liquid around it is known",
                e.way);
    }

    void keep_out(std::size_t i, Point<D>& x, Vec<double, D>& v, const WayStops<D>& stops) const {
        const double clear = kNearest * radius_[i];
        if (!stops.empty()) stops.stop(stops.from(i), x, v, clear);
        for_walls(x, clear, solids_, place_.domain,
                  [&](double distance, const Vec<double, D>& normal, const Vec<double, D>& w) {
                      x += normal * (clear - distance);
                      const double into = dot(v - w, normal);
                      if (into < 0) v -= normal * into;
                  });
        if (!stops.empty()) stops.hold(stops.from(i), x);
    }

    void expose(double dt) {
        auto exposure = bubbles_.exposure.write();
        auto region = bubbles_.region.write();
        each([&](std::size_t i) {
            const auto& b = balance_.bubbles[i];
            region[i] = static_cast<std::uint8_t>(b.region);
            if (b.region == SurfaceRegion::kBelow) return;
            exposure[i] += dt * popping_rate(popping_, radius_[i], b.at_wall);
            const bool lost =
                popping_.in_air && b.region == SurfaceRegion::kAbove && limit_[i] < kNeverPops;
            if (lost || exposure[i] >= limit_[i]) radius_[i] = kGone;
        });
    }

    void finish() {
        motion_.searches = pairs_.searches();
        if (bubbles_.size() == 0) return;
        motion_.burst = reduce(
            context_.arena, radius_.size(), kGrain, 0.0,
            [&](std::size_t b, std::size_t e) {
                double sum = 0;
                for (std::size_t i = b; i < e; ++i)
                    if (!(radius_[i] > 0)) sum += bubble_volume<D>(bubbles_.radius[i]);
                return sum;
            },
            [](double a, double b) { return a + b; });
        motion_.popped =
            remove_if(bubbles_, context_, [&](std::size_t i) { return !(radius_[i] > 0); });
    }

    ClusterBubbles<D>& bubbles_;
    const ClusterPlace<D>& place_;
    const ClusterLaw<D>& law_;
    const PoppingLaw& popping_;
    Context& context_;
    const Array<Point<D>> began_at_;
    std::vector<double> radius_;  ///< of those that are there still; kGone of others
    std::vector<double> limit_;
    ClusterPairs<D> pairs_;
    ClusterBalance<D> balance_;
    PlacedSolids<D> solids_;
    ClusterMotion motion_;
    double longest_ = 0;  ///< implicit: the last subcycle
};

}  // namespace

template <int D>
ClusterMotion move_cluster(ClusterBubbles<D>& bubbles, const ClusterPlace<D>& place,
                           const ClusterLaw<D>& law, const PoppingLaw& popping, Context& context) {
    Stage stage(context, "cluster");
    SPUME_CHECK_OP(place.pressure_gradient.size(), ==, bubbles.size());
    return ClusterStep<D>(bubbles, place, law, popping, context).run();
}

template <int D>
double cluster_volume(const ClusterBubbles<D>& bubbles, SurfaceRegion first, SurfaceRegion last,
                      Context& context) {
    return reduce(
        context.arena, bubbles.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double sum = 0;
            for (std::size_t i = b; i < e; ++i)
                if (bubbles.region[i] >= std::uint8_t(first) &&
                    bubbles.region[i] <= std::uint8_t(last))
                    sum += bubble_volume<D>(bubbles.radius[i]);
            return sum;
        },
        [](double a, double b) { return a + b; });
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template ClusterMotion move_cluster<D>(ClusterBubbles<D>&, const ClusterPlace<D>&,         \
                                           const ClusterLaw<D>&, const PoppingLaw&, Context&); \
    template double cluster_volume<D>(const ClusterBubbles<D>&, SurfaceRegion, SurfaceRegion,  \
                                      Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
