// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/member_count.h"
#include "spume/frame/points.h"
#include "spume/methods/passive/passive.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/cluster_columns.h"

namespace spume::passive {
namespace {

/// Bubbles below the surface, or foam.
template <int D>
PointSet points_of_region(const State<D>& s, bool foam, const World<D>& w, Context& context) {
    const ClusterColumns<D> c = cluster_columns(s.bubbles, foam, w.popping, context);
    const std::size_t n = c.set.size();
    PointSet points =
        points_of(c.set, foam ? "foam" : "bubbles",
                  {{"pscale", "m", c.radius},
                   {"age", "s", c.set.age},
                   {"life", "s", c.life},
                   {"type", "", c.type},
                   {"density", "kg/m^3", Array<float>(n, float(w.scene.physics.air_density))}},
                  context);
    if (w.scene.output.source)
        points.columns.push_back(
            {"source", "", c.set.source.empty() ? Array<std::int32_t>(n, 0) : c.set.source});
    return points;
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params&, const World<D>& w, Context& context) {
    Stage stage(context, "view");
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    f.points.push_back(points_of_region(s, false, w, context));
    f.points.push_back(points_of_region(s, true, w, context));
    if (s.drops.next_id > 0)
        f.points.push_back(
            points_of(s.drops, "droplets",
                      {{"pscale", "m", s.drops.radius},
                       {"age", "s", s.drops.age},
                       {"density", "kg/m^3",
                        Array<float>(s.drops.size(), float(w.scene.physics.water_density))}},
                      context));
    return f;
}

template <int D>
StateSummary summary(const State<D>& s, const Params&, const World<D>&, Context& context) {
    StateSummary r;
    for (const std::uint8_t region : s.bubbles.region) ++(is_foam(region) ? r.foam : r.bubbles);
    r.droplets = std::int64_t(s.drops.size());
    for (const float radius : s.drops.radius) r.liquid_volume += bubble_volume<D>(radius);
    r.air.emitted = s.emitted;
    r.air.seeded = s.seeded;
    r.air.burst = s.burst;
    r.air.left = s.left;
    r.air.owed = s.carried;
    for (const double owed : s.owed) r.air.owed += owed;
    r.air.bubbles =
        cluster_volume(s.bubbles, SurfaceRegion::kBelow, SurfaceRegion::kBelow, context);
    r.air.foam =
        cluster_volume(s.bubbles, SurfaceRegion::kTouchingBelow, SurfaceRegion::kAbove, context);
    return r;
}

template <int D>
void describe(State<D>& s, const World<D>&, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 11, "a new member of State must be named below");
    visitor("time", s.time);
    describe_set(s.bubbles, "bubbles", visitor);
    describe_set(s.drops, "drops", visitor);
    visitor("owed", s.owed);
    visitor("carried", s.carried);
    visitor("emitted", s.emitted);
    visitor("seeded", s.seeded);
    visitor("burst", s.burst);
    visitor("left", s.left);
    visitor("popped", s.popped);
    visitor("subcycles", s.subcycles);
}

double expected_bytes(const Scene& scene, const Params&, double voxels, double bubbles) {
    // Φ and u at both ends of a substep, and what the bulk keeps of a frame; a bubble's own arrays
    // twice, its forces and some twenty neighbours.
    const int dimensions = scene.domain.dimensions;
    const double a_bubble = 2 * (dimensions * 16 + 45) + dimensions * 8 * 8 + 20 * 8 + 80;
    return voxels * 8 * 4 * (dimensions + 1) + bubbles * a_bubble;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Frame view<D>(const State<D>&, const Params&, const World<D>&, Context&);           \
    template StateSummary summary<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template void describe<D>(State<D>&, const World<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::passive
