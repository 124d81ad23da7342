// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "methods/tracer_cloud/method.h"

#include <cmath>

#include "spume/core/member_count.h"
#include "spume/core/random.h"
#include "spume/geometry/moving_body.h"

namespace spume::tracer_cloud {

void describe(Params& p, ParamVisitor& v) {
    v.integer("count", p.count, 1, 1000000, "Tracers.");
    v.number("radius", p.radius, {"m", 0, 1000, true, "Of the cloud, about the domain's middle."});
    v.number("spin", p.spin, {"rad/s", -1000, 1000, false, "Angular velocity of the water."});
    v.number("cfl", p.cfl, {"", 0, 100, true, "Voxels a tracer may cross in a substep."});
}

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    for (int a = 0; a < scene.domain.dimensions; ++a)
        if (scene.domain.upper[a] - scene.domain.lower[a] < 2 * params.radius)
            return document.conflict("tracer_cloud.radius", {"domain"},
                                     "the cloud leaves the domain",
                                     "Make it smaller, or the domain larger.");
}
double expected_bytes(const Scene&, const Params& p, double, double) { return p.count * 100.0; }
std::vector<std::string> foreseen(const Scene&, const Params&, const Inputs&, Context&) {
    return {};
}

template <int D>
World<D> world_of(const Scene& scene, const Params&, const Inputs&) {
    World<D> world{scene, {}};
    for (int a = 0; a < D; ++a)
        world.centre[a] = (scene.domain.lower[a] + scene.domain.upper[a]) / 2;
    return world;
}

/// Tracers at random in a ball: a function of the seed and the tracer's id, so that it does not
/// matter who places which.
template <int D>
State<D> init(const World<D>& world, const Params& p, Context&) {
    Tracers<D> fresh;
    resize(fresh, std::size_t(p.count));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const Random random(world.scene.seed, i, 0, Purpose::kPosition);
        Vec<double, D> x{};
        std::uint32_t draw = 0;
        do {
            for (int a = 0; a < D; ++a) x[a] = 2 * random.uniform(draw++) - 1;
        } while (dot(x, x) > 1);
        fresh.position.write()[i] = world.centre + x * p.radius;
    }
    State<D> state;
    append(state.cloud, fresh);  // gives them their ids
    return state;
}

template <int D>
StepLimit max_dt(const State<D>&, const Params& p, const World<D>& world, Context&) {
    const Reach reach{"tracer_cloud", p.cfl, world.scene.voxel()};
    return speed_limit(reach, "tracers", std::abs(p.spin) * p.radius);
}

template <int D>
Vec<double, D> flow(const Point<D>& x, const Params& p, const World<D>& world) {
    Vec<double, D> u{};
    u[0] = -p.spin * (x[1] - world.centre[1]);
    u[1] = p.spin * (x[0] - world.centre[0]);
    return u;
}

/// x′ = u(x) by the midpoint rule.
template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& world, Interval time, Context& context) {
    Stage stage(context, "advect");
    const double dt = time.length();
    auto x = s.cloud.position.write();
    for_range(context.arena, x.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            x[i] += flow(x[i] + flow(x[i], p, world) * (dt / 2), p, world) * dt;
    });
    s.time = time.end;
    StepReport report;
    report.max_speed = std::abs(p.spin) * p.radius;
    return report;
}

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& world, Context&) {
    PointSet points{"tracers", Array<Vec<double, 3>>(s.cloud.size()), {}};
    Array<Vec<float, 3>> velocity(s.cloud.size());
    for (std::size_t i = 0; i < s.cloud.size(); ++i) {
        points.position.write()[i] = lifted(s.cloud.position[i]);
        velocity.write()[i] = lifted(flow(s.cloud.position[i], p, world)).template as<float>();
    }
    points.columns = {{"v", "m/s", velocity}, {"id", "", s.cloud.id}};
    Frame frame;
    frame.time = s.time;
    frame.dimensions = D;
    frame.points = {points};
    return frame;
}

template <int D>
StateSummary summary(const State<D>& s, const Params&, const World<D>&, Context&) {
    StateSummary r;
    r.markers = std::int64_t(s.cloud.size());
    return r;
}

/// What a checkpoint holds.
template <int D>
void describe(State<D>& s, const World<D>&, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 2, "a new member of State must be named below");
    visitor("time", s.time);
    describe_set(s.cloud, "cloud", visitor);
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::tracer_cloud
