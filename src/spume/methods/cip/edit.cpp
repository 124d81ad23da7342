// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spume/methods/cip/fragments.h"
#include "spume/methods/cip/phases.h"

namespace spume::cip {
namespace {

/// f(value, position) for every sample of a field; derivatives follow. Faces on the sides of the
/// box keep what they have.
template <int D, class F>
void change_samples(CipField<double, D>& field, const World<D>& w, Context& context, F&& f) {
    const DenseField<double, D> before = field.f;
    double* values = field.f.write();
    const DensePlace<D>& place = field.place;
    for_rows(context.arena, place.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            bool on_side = false;
            for (int a = 0; a < D; ++a)
                on_side |= place.on_faces(a) && (i[a] == 0 || i[a] == place.cells[a]);
            if (!on_side) f(values[at], w.position(i.template as<double>() + place.offset));
        }
    });
    follow_change(field, before, context);
}

template <int D>
double water_volume(const State<D>& s, const World<D>& w, const Params& p, Context& context) {
    const SolidGeometry<D> solids = solid_geometry(w, w.solids_at(s.time, s.rigid), context);
    return w.domain.cell_volume() * water_size(s.phi, solids.dense, p.smearing, context).volume;
}

/// (1 − r²/R²)² in the brush, 0 outside.
template <int D>
double weight(const Brush<D>& brush, const Point<D>& x) {
    const Vec<double, D> r = x - brush.center;
    const double part = 1 - dot(r, r) / (brush.radius * brush.radius);
    return part > 0 ? part * part : 0;
}

}  // namespace

template <int D>
double pour(State<D>& s, const World<D>& w, const Params& p, const Brush<D>& brush, bool water,
            Context& context) {
    const double before = water_volume(s, w, p, context), h = w.voxel();
    change_samples(s.phi, w, context, [&](double& phi, const Point<D>& x) {
        const double distance = (length(x - brush.center) - brush.radius) / h;
        phi = water ? std::min(phi, distance) : std::max(phi, -distance);
    });
    const double reach = brush.radius + p.smearing * h;  // H_ε has water up to there
    for (int a = 0; a < D; ++a)
        change_samples(s.velocity[a], w, context, [&](double& u, const Point<D>& x) {
            if (length(x - brush.center) < reach) u = brush.velocity[a];
        });
    const double after = water_volume(s, w, p, context);
    s.volume = after;
    s.target_volume = std::max(0.0, s.target_volume + after - before);
    return after - before;
}

template <int D>
void drag(State<D>& s, const World<D>& w, const Brush<D>& brush, double strength,
          Context& context) {
    for (int a = 0; a < D; ++a)
        change_samples(s.velocity[a], w, context, [&](double& u, const Point<D>& x) {
            u += strength * weight(brush, x) * (brush.velocity[a] - u);
        });
}

template <int D>
void stir(State<D>& s, const World<D>& w, const Brush<D>& brush, double spin, Context& context) {
    for (int a = 0; a < 2; ++a)
        change_samples(s.velocity[a], w, context, [&](double& u, const Point<D>& x) {
            const double arm = x[1 - a] - brush.center[1 - a];
            u += weight(brush, x) * (a == 0 ? -spin : spin) * arm;
        });
}

template <int D>
void add_ink(State<D>& s, const World<D>& w, const Brush<D>& brush, double amount,
             Context& context) {
    if (!has_ink(s)) make_room_for_ink(s);
    change_samples(s.ink, w, context, [&](double& ink, const Point<D>& x) {
        ink = std::max(ink, amount * weight(brush, x));
    });
}

template <int D>
void replace_solids(State<D>& s, World<D>& w, const Params& p, const std::vector<Solid>& solids,
                    const Inputs& inputs, Context& context) {
    const double before = water_volume(s, w, p, context);
    const RigidSet<D> old = std::exchange(w.rigid, RigidSet<D>(solids, inputs.meshes));
    // Bodies that were there stay where they are: those of one name, and the nameless in order.
    std::vector<RigidState> bodies = w.rigid.start();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::string& name = solids[w.rigid.bodies()[i].solid].name;
        for (std::size_t k = 0; k < s.rigid.size(); ++k)
            if (w.scene.solids[old.bodies()[k].solid].name == name && (!name.empty() || k == i))
                bodies[i] = s.rigid[k];
    }
    s.rigid = std::move(bodies);
    w.scene.solids = solids;
    w.solids = SolidSet<D>(solids, inputs.meshes, true);
    w.no_slip.clear();
    for (const Solid& solid : solids) w.no_slip.push_back(solid.no_slip);
    const SolidGeometry<D> geometry = solid_geometry(w, w.solids_at(s.time, s.rigid), context);
    continue_into_solids(s.phi, w, geometry.bodies, context);
    const double after =
        w.domain.cell_volume() * water_size(s.phi, geometry.dense, p.smearing, context).volume;
    s.volume = after;
    s.target_volume = std::max(0.0, s.target_volume + after - before);
}

template <int D>
State<D> resampled(const State<D>& s, const World<D>& from, const World<D>& to, const Params& p,
                   Context& context) {
    State<D> r = empty_state(to);
    r.time = s.time;
    r.steps = s.steps;
    r.fragments = s.fragments;
    r.rigid = s.rigid;
    r.water_found = s.water_found, r.water_given = s.water_given;
    r.air_found = s.air_found, r.air_given = s.air_given;
    const auto sampled = [&](const DenseField<double, D>& f, const DensePlace<D>& place,
                             const Point<D>& x) {
        const Vec<double, D> u = from.lattice(x);
        double at[D];
        for (int a = 0; a < D; ++a) at[a] = std::clamp(u[a], 0.0, double(place.cells[a]));
        return sample_dense<double, D>(f.read(), place, at);
    };
    const double ratio = from.voxel() / to.voxel();
    change_samples(r.phi, to, context, [&](double& phi, const Point<D>& x) {
        phi = ratio * sampled(s.phi.f, s.phi.place, x);
    });
    for (int a = 0; a < D; ++a)
        change_samples(r.velocity[a], to, context, [&](double& u, const Point<D>& x) {
            u = sampled(s.velocity[a].f, s.velocity[a].place, x);
        });
    CipField<double, D> pressure(r.phi.place);
    change_samples(pressure, to, context, [&](double& value, const Point<D>& x) {
        value = sampled(s.pressure, s.phi.place, x);
    });
    r.pressure = pressure.f;
    difference(r.phi, context);
    for (int a = 0; a < D; ++a) difference(r.velocity[a], context);
    if (has_ink(s)) {
        make_room_for_ink(r);
        change_samples(r.ink, to, context, [&](double& ink, const Point<D>& x) {
            ink = sampled(s.ink.f, s.ink.place, x);
        });
    }
    r.target_volume = s.target_volume;
    r.volume = water_volume(r, to, p, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template double pour<D>(State<D>&, const World<D>&, const Params&, const Brush<D>&, bool, \
                            Context&);                                                        \
    template void drag<D>(State<D>&, const World<D>&, const Brush<D>&, double, Context&);     \
    template void stir<D>(State<D>&, const World<D>&, const Brush<D>&, double, Context&);     \
    template void add_ink<D>(State<D>&, const World<D>&, const Brush<D>&, double, Context&);  \
    template void replace_solids<D>(State<D>&, World<D>&, const Params&,                      \
                                    const std::vector<Solid>&, const Inputs&, Context&);      \
    template State<D> resampled<D>(const State<D>&, const World<D>&, const World<D>&,         \
                                   const Params&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
