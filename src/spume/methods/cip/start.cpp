// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/cip/flow.h"
#include "spume/physics/domain/capillary_limit.h"
#include "spume/physics/domain/wave_limit.h"
#include "spume/physics/motion/cip_mixed.h"
#include "spume/scene/bodies.h"
#include "spume/surface/dense_level_set.h"

namespace spume::cip {
namespace {

/// Velocities that liquid bodies of the scene start with, on faces in them.
template <int D>
void set_start_velocity(State<D>& s, const World<D>& w) {
    for (int a = 0; a < D; ++a) {
        const auto& place = s.velocity[a].place;
        double* u = s.velocity[a].f.write();
        for (std::size_t r = 0; r < place.shape.rows(); ++r) {
            Index<D> i = place.shape.row(r);
            std::size_t at = place.shape.at(i);
            for (int n = 0; n < place.shape.size[D - 1]; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == place.cells[a]) continue;
                u[at] = w.start_velocity(w.position(i.template as<double>() + place.offset))[a];
            }
        }
    }
}

/// Ink of the scene: smooth over a voxel at its edge, and only in water.
template <int D>
void set_ink(State<D>& s, const World<D>& w, Context& context) {
    if (w.ink.empty()) return;
    make_room_for_ink(s);
    double* ink = s.ink.f.write();
    const double* phi = s.phi.f.read();
    for_rows(context.arena, s.ink.f.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            const Point<D> x = w.position(i.template as<double>() + Vec<double, D>::filled(0.5));
            for (const auto& spot : w.ink) {
                const double part = std::clamp(0.5 - spot.body.distance(x) / w.voxel(), 0.0, 1.0);
                ink[at] += part * (spot.amount - ink[at]);
            }
            if (phi[at] > 0) ink[at] = 0;
        }
    });
    difference(s.ink, context);
}

/// Lets what stands around liquids that start in motion make way: the first substep carries the
/// surface by this velocity.
template <int D>
void make_way(State<D>& s, const World<D>& w, const Params& p, const DenseCutCells<D>& open,
              Context& context) {
    if (max_speed(s, context) == 0) return;
    double divergence = 0;
    project(s, phases_of(s.phi, w, p, context), open, w, p, 1, divergence, context);
    s.pressure.values.fill(0);
}

}  // namespace

template <int D>
void make_room_for_ink(State<D>& s) {
    if (!has_ink(s)) s.ink = CipField<double, D>(s.phi.place);
}

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs) {
    World<D> w{scene,
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes, true),
               RigidSet<D>(scene.solids, inputs.meshes),
               LiquidSet<D>(scene.liquids, scene.physics.water_density, scene.seed, inputs.meshes,
                            scene.solids),
               ForceSet<D>(scene.forces, inputs.meshes),
               {},
               {},
               {},
               {},
               {},
               params.no_slip_walls,
               {},
               {}};
    if constexpr (D == 2)
        w.box_solver = std::make_shared<BoxPressureSolver>();
    else
        w.solver = std::make_shared<PressureSolver<D>>();
    for (const Solid& solid : scene.solids) w.no_slip.push_back(solid.no_slip);
    for (const LiquidBody& liquid : scene.liquids)
        w.bodies.push_back({liquid.mode == LiquidMode::kFill, in_plane<D>(liquid.velocity),
                            placed<D>(liquid.shape, inputs.meshes)});
    for (const InkBody& ink : params.ink)
        w.ink.push_back({ink.amount, placed<D>(ink.shape, inputs.meshes)});
    w.mixed = params.mixed == Mixed::kTransported && params.advection == Scheme::kCip &&
              params.limit_surface == Limiter::kOff;
    w.marked = params.bodies == Bodies::kMarked;
    const double smeared = params.interface == Interface::kSmeared ? params.smearing : 0.5;
    w.skirt = scene.physics.water_density > scene.physics.air_density ? smeared * w.voxel() : 0;
    w.tiles = Tiles<D>::dense(w.domain.cells, w.domain.transform);
    return w;
}

template <int D>
Vec<double, D> World<D>::start_velocity(const Point<D>& x) const {
    Vec<double, D> v{};
    double nearest = skirt;
    for (const StartBody& body : bodies) {
        const double distance = body.body.distance(x);
        if (body.fill && (distance < 0 || distance < nearest))
            v = body.velocity, nearest = std::min(distance, nearest);
        else if (!body.fill && distance < -skirt)
            v = {}, nearest = skirt;
    }
    return v;
}

template <int D>
State<D> empty_state(const World<D>& w) {
    State<D> s;
    const Index<D> cells = w.cells();
    s.phi = CipField<double, D>(DensePlace<D>::centres(cells));
    s.phi.sloped = true;
    if (w.mixed) make_room_for_mixed(s.phi);
    s.pressure = DenseField<double, D>(s.phi.f.shape);
    s.ink.place = s.phi.place;
    s.ink.f.shape = s.phi.f.shape;
    for (auto& derivative : s.ink.g) derivative.shape = s.phi.f.shape;
    for (int a = 0; a < D; ++a) {
        s.velocity[a] = CipField<double, D>(DensePlace<D>::faces(cells, a));
        for (int b = 0; b < D; ++b)
            s.velocity[a].odd[b] =
                a == b || w.hold == NoSlip::kAll || (w.hold == NoSlip::kFloorAndCeiling && b == 1);
    }
    return s;
}

template <int D>
State<D> init(const World<D>& w, const Params& p, Context& context) {
    State<D> s = empty_state(w);
    const double h = w.voxel();
    double* f = s.phi.f.write();
    for_rows(context.arena, s.phi.f.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            const Point<D> x = w.position(i.template as<double>() + Vec<double, D>::filled(0.5));
            const double farthest = 1e6;  // without liquid all is air
            f[at] = std::clamp(w.liquids.distance(x) / h, -farthest, farthest);
        }
    });
    difference(s.phi, context);
    s.rigid = w.rigid.start();
    const SolidGeometry<D> solids = solid_geometry(w, w.solids_at(0, s.rigid), context);
    continue_into_solids(s.phi, w, solids.bodies, context);
    set_start_velocity(s, w);
    make_way(s, w, p, solids.dense, context);
    set_ink(s, w, context);
    for (int a = 0; a < D; ++a) difference(s.velocity[a], context);
    const double cell = w.domain.cell_volume();
    s.volume = s.target_volume = cell * water_size(s.phi, solids.dense, p.smearing, context).volume;
    return s;
}

template <int D>
double max_speed(const State<D>& s, Context& context) {
    double most = 0;
    for (int a = 0; a < D; ++a) {
        const double* u = s.velocity[a].f.read();
        most = std::max(most, reduce_rows(
                                  context.arena, s.velocity[a].f.shape, 0.0,
                                  [&](const Index<D>&, std::size_t at, int count) {
                                      double m = 0;
                                      for (std::size_t i = at; i < at + std::size_t(count); ++i)
                                          m = std::max(m, std::abs(u[i]));
                                      return m;
                                  },
                                  [](double x, double y) { return std::max(x, y); }));
    }
    return most;
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    const Reach reach{"cip", p.cfl, w.voxel()};
    const Physics& physics = w.scene.physics;
    const double tension = physics.surface_tension;
    const double capillary =
        capillary_limit(physics.water_density + physics.air_density, w.voxel(), tension);
    return frame_limit("cip", w.scene.time.fps, p.min_substeps)
        .also(tension_limit(capillary, tension, "use larger voxels"))
        .also(gravity_limit(reach, length(w.gravity())))
        .also(wave_limit<D>(length(w.gravity()), w.voxel()))
        .also(speed_limit(reach, "the fluid", max_speed(s, context)))
        .also(speed_limit(reach, "solids", w.solids_at(s.time, s.rigid).max_speed()));
}

#define SPUME_INSTANTIATE(D)                                                   \
    template struct World<D>;                                                  \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&); \
    template State<D> empty_state<D>(const World<D>&);                         \
    template void make_room_for_ink<D>(State<D>&);                             \
    template State<D> init<D>(const World<D>&, const Params&, Context&);       \
    template double max_speed<D>(const State<D>&, Context&);                   \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
