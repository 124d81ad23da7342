// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/core/math.h"
#include "spume/core/member_count.h"
#include "spume/frame/body_poses.h"
#include "spume/frame/points.h"
#include "spume/frame/volumes.h"
#include "spume/grid/dense_tiles.h"
#include "spume/grid/describe.h"
#include "spume/methods/particle_level_set/flow_step.h"
#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/physics/domain/closing_sheets.h"
#include "spume/physics/foam/cluster_columns.h"

namespace spume::particle_level_set {
namespace {

/// The level set on tiles of its own lattice, where there is liquid or its surface, m.
template <int D>
LevelSet<D> fine_level(const State<D>& s, const World<D>& w, Context& context) {
    const DenseField<float, D>& phi = s.surface.phi;
    const float far = float(w.motion.distance.width);
    std::vector<Index<D>> keys;
    for (const Index<D>& key : w.lattice_tiles->active_keys()) {
        bool wanted = false;
        for (int o = 0; o < kTileCells<D> && !wanted; ++o) {
            const Index<D> i =
                min(key * kTileSide<D> + tile_local<D>(o), phi.shape.size - Index<D>::filled(1));
            wanted = phi.at(i) < far;
        }
        if (wanted) keys.push_back(key);
    }
    LevelSet<D> r(Tiles<D>::build(keys, w.lattice), (double(far) + 2) * w.lattice.voxel);
    dense_to_tiles(phi, r.write(), *r.tiles(), Index<D>{}, context);
    double* out = r.write();
    for_tiles(context.arena, *r.tiles(), [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> i = r.tiles()->origin(t) + tile_local<D>(o);
            bool inside = true;
            for (int a = 0; a < D; ++a) inside = inside && i[a] < phi.shape.size[a];
            if (inside) out[std::size_t(t) * kTileCells<D> + std::size_t(o)] *= w.lattice.voxel;
        }
    });
    return r;
}

template <int D>
PointSet escaped_points(const State<D>& s, Context& context) {
    const Escaped<D>& e = s.escaped;
    return points_of(e, "escaped",
                     {{"pscale", "m", e.radius},
                      {"type", "", e.type},
                      {"pocket", "", e.pocket},
                      {"volume", D == 3 ? "m^3" : "m^2", e.volume},
                      {"time", "s", e.time}},
                     context);
}

/// The markers, negative ones in the liquid.
template <int D>
PointSet marker_points(const State<D>& s, Context& context) {
    struct Shown {
        const Array<Point<D>>& position;
        Array<Vec<double, D>> velocity;
        const Array<std::uint64_t>& id;
        std::size_t size() const { return position.size(); }
    };
    const Markers<D>& m = s.surface.markers;
    const Shown shown{m.position, Array<Vec<double, D>>(m.size()), m.id};
    Array<float> radius(m.size());
    Array<std::int32_t> type(m.size());
    auto r = radius.write();
    auto t = type.write();
    for (std::size_t q = 0; q < m.size(); ++q) {
        r[q] = std::abs(m.radius[q]);
        t[q] = m.radius[q] > 0 ? 1 : -1;
    }
    return points_of(shown, "markers", {{"pscale", "m", radius}, {"type", "", type}}, context);
}

/// Bubbles below the surface, or foam.
template <int D>
PointSet bubble_points(const State<D>& s, bool foam, const World<D>& w, Context& context) {
    const ClusterColumns<D> c = cluster_columns(s.live.set, foam, w.popping, context);
    const auto density = float(w.scene.physics.air_density);
    return points_of(c.set, foam ? "foam" : "bubbles",
                     {{"pscale", "m", c.radius},
                      {"age", "s", c.set.age},
                      {"life", "s", c.life},
                      {"type", "", c.type},
                      {"density", "kg/m^3", Array<float>(c.set.size(), density)}},
                     context);
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    Stage stage(context, "view");
    const Output& wants = w.scene.output;
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    f.free_surface = true;
    f.bodies = poses_of(w.rigid, s.rigid);
    const PlacedSolids<D> solids = solids_at<D>(w, s.rigid, s.time);
    const LevelSet<D> level = fine_level(s, w, context);
    const ClosingSheets<D> sheets = closing_sheets(level, w.domain, solids);
    const auto closed = [&](const LevelSet<D>& phi) {
        return closed_surface<D>(phi, sheets.box, sheets.solids, context);
    };
    const auto add = [&](const LevelSet<D>& phi, const char* name) {
        Volume volume = volume_of(phi, name, "m", VolumeKind::kLevelSet, context);
        volume.background = static_cast<float>(3 * phi.tiles()->voxel());
        f.volumes.push_back(std::move(volume));
    };
    add(closed(coarse_level<D>(s.surface.phi, w, s.grid.tiles, context)), "surface");
    const LevelSet<D> fine = closed(level);
    if (w.subgrid() > 1) add(fine, "fine_surface");
    if (wants.velocity) f.volumes.push_back(volume_of(s.velocity, "vel", "m/s", context));
    if (wants.pressure)
        f.volumes.push_back(volume_of(s.pressure, "pressure", "Pa", VolumeKind::kScalar, context));
    f.points.push_back(escaped_points(s, context));
    if (s.drops.next_id > 0)
        f.points.push_back(
            points_of(s.drops, "droplets",
                      {{"pscale", "m", s.drops.radius},
                       {"age", "s", s.drops.age},
                       {"density", "kg/m^3",
                        Array<float>(s.drops.size(), float(w.scene.physics.water_density))}},
                      context));
    for (const bool foam : {false, true})
        if (p.live_bubbles) f.points.push_back(bubble_points(s, foam, w, context));
    if (p.write_markers) f.points.push_back(marker_points(s, context));
    if constexpr (D == 3)
        if (p.write_mesh) f.meshes.push_back({"surface", closed_mesh(fine, sheets, context)});
    return f;
}

template <int D>
StateSummary summary(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    StateSummary r;
    r.tiles = s.grid.tiles->active();
    r.voxels = std::int64_t(s.grid.tiles->active()) * kTileCells<D>;
    r.markers = std::int64_t(s.surface.markers.size());
    r.liquid_volume = s.volume;
    r.liquid_drift = s.target_volume > 0 ? s.volume / s.target_volume - 1 : 0;
    r.droplets = std::int64_t(s.drops.size());
    if (p.live_bubbles)
        for (const std::uint8_t region : s.live.set.region)
            ++(is_foam(region) ? r.foam : r.bubbles);
    else
        for (const std::int32_t type : s.escaped.type) r.bubbles += type > 0;
    r.air.emitted = r.air.seeded = s.live.emitted;
    r.air.burst = s.live.burst;
    r.air.left = s.live.left;
    r.air.owed = s.live.carried;
    r.air.bubbles =
        cluster_volume(s.live.set, SurfaceRegion::kBelow, SurfaceRegion::kBelow, context);
    r.air.foam =
        cluster_volume(s.live.set, SurfaceRegion::kTouchingBelow, SurfaceRegion::kAbove, context);
    r.momentum = w.rigid.momentum(s.rigid);
    return r;
}

template <int D>
static void describe(LiveBubbles<D>& live, StateVisitor& visitor) {
    static_assert(member_count<LiveBubbles<D>>() == 7, "a new member must be named below");
    describe_set(live.set, "bubbles", visitor);
    visitor("bubbles.carried", live.carried);
    visitor("bubbles.emitted", live.emitted);
    visitor("bubbles.burst", live.burst);
    visitor("bubbles.left", live.left);
    visitor("bubbles.popped", live.popped);
    visitor("bubbles.subcycles", live.subcycles);
}

template <int D>
void describe(State<D>& s, const World<D>& w, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 15, "a new member of State must be named below");
    visitor("time", s.time);
    visitor("steps", s.steps);
    visitor("frame", s.frame);
    if (visitor.loading())
        s.surface.phi = DenseField<float, D>(DensePlace<D>::centres(w.cells()).shape);
    visitor("phi", s.surface.phi.values);
    describe_set(s.surface.markers, "markers", visitor);
    describe_set(s.escaped, "escaped", visitor);
    describe_set(s.drops, "drops", visitor);
    describe(s.live, visitor);
    describe_tiles(s.grid, w.domain.transform, visitor);
    describe_field(s.velocity, "velocity", s.grid.tiles, visitor);
    describe_field(s.pressure, "pressure", s.grid.tiles, visitor);
    visitor("rigid", s.rigid);
    visitor("volume", s.volume);
    visitor("target_volume", s.target_volume);
    visitor("pocket_air", s.pocket_air);
    visitor("pockets", s.pockets);
}

double expected_bytes(const Scene& scene, const Params& p, double voxels, double) {
    const int dimensions = scene.domain.dimensions;
    double fine = 1, box = 1;
    for (int a = 0; a < dimensions; ++a) {
        fine *= p.subgrid;
        box *= (scene.domain.upper[a] - scene.domain.lower[a]) / scene.voxel();
    }
    // Face fields alive at once: velocity, carried, before, openings, marks, the dense copy; cell
    // fields and the solver about 200 bytes a cell. The level set has four arrays over its box.
    // A surface as large as the box's floor, twice.
    const double faces = 4 * 8 + 12 + 4 + 1, cells = 200;
    const double floor = math::pow(box * fine, (dimensions - 1.0) / dimensions);
    const double marker = dimensions * 8 + 16;
    return voxels * (faces * dimensions + cells) + box * fine * 16 +
           2 * floor * 2 * p.reach * p.markers * marker * 1.5;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Frame view<D>(const State<D>&, const Params&, const World<D>&, Context&);           \
    template StateSummary summary<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template void describe<D>(State<D>&, const World<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
