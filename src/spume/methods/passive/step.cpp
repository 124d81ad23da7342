// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/core/error.h"
#include "spume/grid/topology.h"
#include "spume/methods/passive/passive.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/sort.h"
#include "spume/physics/bulk/bulk.h"
#include "spume/scene/bodies.h"

// Bubbles as passive spheres over a liquid that is known, [G04] §5. Forces on each are in balance,
//
//   K_visc (u − v) + k_v (v̄ − v) + k_of (v_o − v) − k_air v + F^ra + F^p + F^g = 0
//
// with coefficients that depend on where it is against the surface; x′ = v is taken in subcycles
// between which Φ and u of the bulk are linear in time.

namespace spume::passive {
namespace {

/// Does the bulk have a pressure to be used? UserError where it must have one and has not.
bool stored_pressure(const Params& p, const Inputs& inputs) {
    const bool wanted =
        p.pressure == PressureFrom::kStored || p.pressure == PressureFrom::kStoredOrMotion;
    if (!wanted || !inputs.bulk) return false;
    const BulkInfo& info = inputs.bulk->info();
    if (inputs.bulk->has(info.first) && inputs.bulk->has_volume(info.first, "pressure"))
        return true;
    if (p.pressure == PressureFrom::kStored)
        throw error_in_file(info.path, "holds no volume \"pressure\", which bubbles are to feel",
                            "simulate the liquid with [output] pressure = true, or set "
                            "passive.pressure = \"motion\"");
    return false;
}

template <int D>
bool move_bubbles(State<D>& s, const Params& p, const World<D>& w, Interval time,
                  StepReport& report, Context& ctx) {
    if (s.bubbles.size() == 0) return true;
    const int margin = w.margin(p);
    const auto tiles = w.tiles_at(s.bubbles.position.read(), margin, ctx);
    sort_by_tile(s.bubbles, tiles, ctx);
    const BulkFields<D> before = w.bulk->on(tiles, time.begin, ctx);
    const BulkFields<D> now = w.bulk->on(tiles, time.end, ctx);
    const auto gradient = pressure_gradients(s.bubbles, before, now, p, w, ctx);
    const ClusterPlace<D> place{{time, {&before.phi, &now.phi}, {&before.velocity, &now.velocity}},
                                w.solids,
                                w.domain,
                                gradient,
                                (margin - 1) * w.domain.voxel()};
    const ClusterMotion motion = move_cluster(s.bubbles, place, w.law, w.popping, ctx);
    s.burst += motion.burst;
    s.popped += std::int64_t(motion.popped);
    s.subcycles += motion.subcycles;
    report.max_speed = motion.max_speed;
    report.failed = !motion.wrong.empty();
    report.why = motion.wrong;
    return !report.failed;
}

/// They fall; what meets the liquid or a solid, or leaves, is gone.
template <int D>
void move_drops(State<D>& s, const World<D>& w, Interval time, Context& ctx) {
    if (s.drops.size() == 0) return;
    Stage stage(ctx, "drops");
    const double dt = time.length();
    const Vec<double, D> g = w.gravity();
    const PlacedSolids<D> solids = w.solids.at(time.end);
    const Box<double, D> box = w.domain.bounds();
    auto x = s.drops.position.write();
    auto v = s.drops.velocity.write();
    auto age = s.drops.age.write();
    for_range(ctx.arena, x.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            x[i] += v[i] * dt + g * (dt * dt / 2);
            v[i] += g * dt;
            age[i] += float(dt);
        }
    });
    const auto at = s.drops.position;
    const auto outside = [&](std::size_t i) { return !box.contains(at[i]); };
    remove_if(s.drops, ctx, outside);
    if (s.drops.size() == 0) return;
    const auto tiles = w.tiles_at(s.drops.position.read(), 1, ctx);
    const auto fields = w.bulk->on(tiles, time.end, ctx);
    const auto position = s.drops.position;
    const auto radius = s.drops.radius;
    remove_if(s.drops, ctx, [&](std::size_t i) {
        TileCursor<D> cursor(*tiles);
        return sample(fields.phi, cursor, position[i]) < -double(radius[i]) ||
               (!solids.empty() && solids.distance(position[i]) < 0);
    });
}

}  // namespace

template <int D>
typename Tiles<D>::Ptr World<D>::tiles_at(std::span<const Point<D>> points, int cells,
                                          Context& context) const {
    // Beyond a wall too: Φ is continued there, and missing tiles would read as surface.
    const Box<int, D> limits = domain.cells.grown(cells + 1);
    return Tiles<D>::build(tiles_around<D>(points, domain.transform, cells + 1, 0, limits, context),
                           domain.transform);
}

template <int D>
std::vector<Vec<double, D>> pressure_gradients(const ClusterBubbles<D>& bubbles,
                                               const BulkFields<D>& before,
                                               const BulkFields<D>& now, const Params& p,
                                               const World<D>& w, Context& ctx) {
    const double density = w.scene.physics.water_density;
    const FluidBetween<D> between{
        {before.time, now.time}, {&before.phi, &now.phi}, {&before.velocity, &now.velocity}};
    const double h = w.domain.voxel();
    const Vec<double, D> g = w.gravity();
    CellField<double, D> stored;
    if (w.stored_pressure) {
        const auto keys = tiles_around<D>(bubbles.position.read(), w.bulk->transform(), 2, 0,
                                          w.domain.cells.grown(1 << 20), ctx);
        stored =
            w.bulk->volume("pressure", Tiles<D>::build(keys, w.bulk->transform()), now.time, ctx);
    }
    std::vector<Vec<double, D>> r(bubbles.size(), g * density);
    if (p.pressure == PressureFrom::kHydrostatic) return r;
    for_range(ctx.arena, r.size(), 1024, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(*now.phi.tiles());
        for (std::size_t i = b; i < e; ++i) {
            const Point<D> x = bubbles.position[i];
            // Near the surface differences of a stored pressure would reach into the air.
            if (w.stored_pressure && sample(now.phi, cursor, x) < -2 * h) {
                TileCursor<D> own(*stored.tiles());
                const double d = stored.tiles()->voxel() / 2;
                for (int a = 0; a < D; ++a)
                    r[i][a] = (sample(stored, own, x + Vec<double, D>::unit(a, d)) -
                               sample(stored, own, x - Vec<double, D>::unit(a, d))) /
                              (2 * d);
                continue;
            }
            r[i] =
                pressure_gradient_of_motion(between, x, g, density, p.acceleration_limit, cursor);
        }
    });
    return r;
}

template <int D>
World<D> world_of(const Scene& scene, const Params& p, const Inputs& inputs) {
    const MarkerParams& m = p.markers;
    const bool marked = m.bubbles || m.drops;
    World<D> w{scene,
               bulk_of<D>(scene, inputs),
               BulkPoints(scene, marked ? inputs.bulk : nullptr, "escaped"),
               stored_pressure(p, inputs),
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes, true),
               EmitterSet<D>(scene.emitters, scene.physics.air_density, scene.seed, inputs.meshes,
                             scene.physics.water_density, 1, scene.output.source),
               {},
               cluster_law<D>(p, scene.physics),
               popping_law(p, scene.seed),
               {},
               p.bubbles,
               {},
               {}};
    if (scene.emission.on) w.entrainment = entrain_law<D>(scene, inputs.meshes);
    w.markers = marker_law(m, w.bulk->transform().voxel, D, scene.seed);
    for (const Removal& removal : p.removals) {
        RemovalRule<D> rule{{}, {}, removal.start, removal.stop};
        if (removal.shaped) rule.body = placed<D>(removal.shape, inputs.meshes);
        parse_ids(removal.ids, rule.ids);
        w.removals.push_back(std::move(rule));
    }
    BubbleList list = read_bubble_list(inputs.list, scene);
    w.hand.insert(w.hand.end(), list.bubbles.begin(), list.bubbles.end());
    for (ListedIds& r : list.removals)
        w.removals.push_back({{}, std::move(r.ids), r.start, r.stop});
    for (const ListedIds& pop : list.pops)
        w.popping.spared.insert(w.popping.spared.end(), pop.ids.begin(), pop.ids.end());
    w.pops = std::move(list.pops);
    alignment(w.domain.transform, w.bulk->transform());
    return w;
}

template <int D>
State<D> init(const World<D>&, const Params&, Context&) {
    return {};
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const Reach reach{"passive", p.cfl, w.domain.voxel()};
    const double speed = reduce(
        ctx.arena, s.bubbles.size(), 4096, 0.0,
        [&](std::size_t b, std::size_t e) {
            double most = 0;
            for (std::size_t i = b; i < e; ++i)
                most = std::max(most, length(s.bubbles.velocity[i]));
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
    return frame_limit("passive", w.scene.time.fps, p.min_substeps)
        .also(speed_limit(reach, "bubbles", speed))
        .also(speed_limit(reach, "solids", w.solids.at(s.time).max_speed()));
}

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& ctx) {
    StepReport report;
    if (!move_bubbles(s, p, w, time, report, ctx)) return report;  // §5
    pop_listed(s, w, time.end, ctx);
    merge_bubbles(s.bubbles, p.merging, p.merge_depth, ctx);  // §4.5, beyond
    move_drops(s, w, time, ctx);
    report.warnings = add_bubbles(s, p, w, time, ctx);  // §4
    remove_bubbles(s, w, time.end, ctx);
    s.time = time.end;
    return report;
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template struct World<D>;                                                                \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&);               \
    template State<D> init<D>(const World<D>&, const Params&, Context&);                     \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template StepReport step<D>(State<D>&, const Params&, World<D>&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::passive
