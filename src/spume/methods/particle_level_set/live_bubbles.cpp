// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/live_bubbles.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/methods/particle_level_set/flow_step.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/sort.h"

// Passive bubbles in the liquid's own run: they feel it, it does not feel them.

namespace spume::particle_level_set {
namespace {

/// Cells around a bubble in which the liquid is known during a substep.
int margin(const Params& p) { return int(p.cfl) + 3; }

/// The liquid around some points at both ends of a substep.
template <int D>
struct LiquidNear {
    typename Tiles<D>::Ptr tiles;
    LevelSet<D> phi[2];
    FaceField<double, D> velocity[2];

    LiquidNear(std::span<const Point<D>> points, const State<D>& s, const LiquidBefore<D>& before,
               const World<D>& w, int cells, Context& context) {
        const Transform<D>& transform = w.domain.transform;
        const Box<int, D> limits = w.domain.cells.grown(cells + 1);
        tiles = Tiles<D>::build(tiles_around<D>(points, transform, cells + 1, 0, limits, context),
                                transform);
        const DenseField<float, D>* levels[] = {&before.phi, &s.surface.phi};
        const FaceField<double, D>* flows[] = {&before.velocity, &s.velocity};
        for (int k = 0; k < 2; ++k) {
            phi[k] = coarse_level<D>(*levels[k], w, tiles, context);
            velocity[k] = carried<double, D>(*flows[k], tiles, 0.0, context);
        }
    }
    FluidBetween<D> between(Interval time) const {
        return {time, {&phi[0], &phi[1]}, {&velocity[0], &velocity[1]}};
    }
};

template <int D>
void move(State<D>& s, const Params& p, const World<D>& w, const LiquidBefore<D>& before,
          Interval time, StepReport& report, Context& context) {
    LiveBubbles<D>& live = s.live;
    if (live.set.size() == 0) return;
    const LiquidNear<D> liquid(live.set.position.read(), s, before, w, margin(p), context);
    sort_by_tile(live.set, liquid.tiles, context);
    const FluidBetween<D> fluid = liquid.between(time);
    std::vector<Vec<double, D>> gradient(live.set.size());
    for_range(context.arena, gradient.size(), 1024, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(*liquid.tiles);
        for (std::size_t i = b; i < e; ++i)
            gradient[i] = pressure_gradient_of_motion(fluid, live.set.position[i], w.gravity(),
                                                      w.scene.physics.water_density,
                                                      p.bubbles.acceleration_limit, cursor);
    });
    const ClusterPlace<D> place{fluid, w.solids, w.domain, gradient,
                                (margin(p) - 1) * w.domain.voxel()};
    const ClusterMotion motion = move_cluster(live.set, place, w.cluster, w.popping, context);
    live.burst += motion.burst;
    live.popped += std::int64_t(motion.popped);
    live.subcycles += motion.subcycles;
    report.max_speed = std::max(report.max_speed, motion.max_speed);
    if (motion.wrong.empty()) return;
    report.failed = true;
    report.why = motion.wrong;
}

/// Those that came since the `first`, where the scene lets them become bubbles.
template <int D>
EscapedMarkers<D> escaped_air(const Escaped<D>& escaped, std::size_t first) {
    EscapedMarkers<D> air;
    for (std::size_t q = first; q < escaped.size(); ++q) {
        if (escaped.type[q] < 0) continue;
        air.markers.push_back({escaped.position[q], escaped.velocity[q], double(escaped.radius[q]),
                               double(escaped.time[q]), escaped.id[q], escaped.pocket[q],
                               double(escaped.volume[q])});
    }
    return air;
}

template <int D>
void add(State<D>& s, const World<D>& w, const LiquidBefore<D>& before, Interval time,
         std::size_t first, Context& context) {
    LiveBubbles<D>& live = s.live;
    EscapedMarkers<D> air = escaped_air(s.escaped, first);
    if (air.markers.empty()) return;
    std::vector<Point<D>> places;
    for (const auto& m : air.markers) places.push_back(m.position);
    const LiquidNear<D> liquid(places, s, before, w, 3, context);
    MarkerBubbles<D> made =
        bubbles_from_markers(std::move(air), liquid.phi[1], w.marker_law, live.carried, context);
    ClusterBubbles<D>& fresh = made.bubbles;
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto region = fresh.region.write();
    const Box<double, D> box = w.domain.bounds();
    TileCursor<D> cursor(*liquid.tiles);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        x[i] += v[i] * std::max(time.end - made.born[i], 0.0);
        for (int a = 0; a < D; ++a) x[i][a] = std::clamp(x[i][a], box.lo[a], box.hi[a]);
        v[i] = sample(liquid.velocity[1], cursor, x[i]);
        region[i] = std::uint8_t(surface_region(sample(liquid.phi[1], cursor, x[i]),
                                                fresh.radius[i], w.cluster.threshold));
        live.emitted += bubble_volume<D>(fresh.radius[i]);
    }
    append(live.set, fresh);
}

/// Beyond open sides they have left.
template <int D>
void remove_left(LiveBubbles<D>& live, const World<D>& w, Context& context) {
    const Box<double, D> box = w.domain.bounds();
    std::vector<std::uint8_t> gone(live.set.size(), 0);
    for (std::size_t i = 0; i < gone.size(); ++i) {
        const Point<D>& x = live.set.position[i];
        for (int a = 0; a < D; ++a)
            gone[i] |= (!w.domain.wall[a][0] && x[a] < box.lo[a]) ||
                       (!w.domain.wall[a][1] && !(x[a] < box.hi[a]));
        if (gone[i]) live.left += bubble_volume<D>(live.set.radius[i]);
    }
    remove_if(live.set, context, [&](std::size_t i) { return gone[i] != 0; });
}

}  // namespace

template <int D>
void step_bubbles(State<D>& s, const Params& p, const World<D>& w, const LiquidBefore<D>& before,
                  Interval time, std::size_t first, StepReport& report, Context& context) {
    if (!p.live_bubbles) return;
    Stage stage(context, "bubbles");
    move(s, p, w, before, time, report, context);
    if (report.failed) return;
    merge_bubbles(s.live.set, p.bubbles.merging, p.bubbles.merge_depth, context);
    add(s, w, before, time, first, context);
    remove_left(s.live, w, context);
}

template <int D>
double bubble_speed(const LiveBubbles<D>& live, Context& context) {
    return reduce(
        context.arena, live.set.size(), 4096, 0.0,
        [&](std::size_t b, std::size_t e) {
            double most = 0;
            for (std::size_t i = b; i < e; ++i) most = std::max(most, length(live.set.velocity[i]));
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template void step_bubbles<D>(State<D>&, const Params&, const World<D>&,                  \
                                  const LiquidBefore<D>&, Interval, std::size_t, StepReport&, \
                                  Context&);                                                  \
    template double bubble_speed<D>(const LiveBubbles<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
