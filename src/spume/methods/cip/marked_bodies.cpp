// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/cip/flow.h"
#include "spume/physics/domain/cells_in.h"

namespace spume::cip {
namespace {

/// Samples of a lattice that a body may cover, one more on each side.
template <int D>
Box<int, D> samples_at(const PlacedBody<D>& body, const World<D>& w, const DensePlace<D>& place) {
    const Box<double, D>& b = body.bounds();
    const Box<int, D> around{floor_index<D>(w.lattice(b.lo)) - Index<D>::filled(1),
                             floor_index<D>(w.lattice(b.hi)) + Index<D>::filled(2)};
    return around.intersected({Index<D>{}, place.shape.size});
}

/// [SSK05] §6.3: (u_s − u_body) · n < 0 in a body is flow into it; that part of the velocity goes,
/// what is along the surface stays.
template <int D>
void stop_inflow(State<D>& s, const World<D>& w, const PlacedBody<D>& body) {
    DenseField<double, D> before[D];
    for (int a = 0; a < D; ++a) {
        CipField<double, D>& u = s.velocity[a];
        mirror_ghosts<double, D>(u.f.write(), u.place, u.odd);
        before[a] = u.f;
    }
    for (int a = 0; a < D; ++a) {
        const DensePlace<D>& place = s.velocity[a].place;
        double* u = s.velocity[a].f.write();
        for_cells(samples_at(body, w, place), [&](const Index<D>& i) {
            if (i[a] == 0 || i[a] == place.cells[a]) return;
            const Vec<double, D> lattice = i.template as<double>() + place.offset;
            const Point<D> x = w.position(lattice);
            if (body.distance(x) >= 0) return;
            double at[D];
            for (int b = 0; b < D; ++b) at[b] = std::clamp(lattice[b], 0.0, double(w.cells()[b]));
            Vec<double, D> relative = -body.velocity(x);
            for (int b = 0; b < D; ++b)
                relative[b] += sample_dense<double, D>(before[b].read(), s.velocity[b].place, at);
            const Vec<double, D> n = body.normal(x);
            const double inflow = dot(relative, n);
            if (inflow < 0) u[place.shape.at(i)] -= inflow * n[a];
        });
    }
}

/// Parts of an edge that the distance is asked at.
template <int D>
constexpr int kParts = D == 2 ? 4 : 2;

/// Part of the lower face of a cell across an axis that lies in the body.
template <int D>
double covered(const PlacedBody<D>& body, const World<D>& w, const Index<D>& cell, int axis) {
    constexpr int n = kParts<D>;
    const double band = 2 * w.voxel();
    const auto inside = [&](int i, int j) {
        Vec<double, D> u = cell.template as<double>();
        u[(axis + 1) % D] += double(i) / n;
        if (D == 3) u[(axis + 2) % D] += double(j) / n;
        return -body.distance_within(w.position(u), band);
    };
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        if constexpr (D == 2) {
            sum += positive_part(inside(i, 0), inside(i + 1, 0)) / n;
        } else {
            for (int j = 0; j < n; ++j) {
                const double corner[4] = {inside(i, j), inside(i + 1, j), inside(i + 1, j + 1),
                                          inside(i, j + 1)};
                sum += positive_part(corner) / (n * n);
            }
        }
    }
    return sum;
}

/// n ΔS of the body's surface in a cell, out of the body: what its parts of the cell's faces leave
/// open.
template <int D>
Vec<double, D> surface_in(const PlacedBody<D>& body, const World<D>& w, const Index<D>& cell) {
    Vec<double, D> r{};
    const Point<D> middle = w.position(cell.template as<double>() + Vec<double, D>::filled(0.5));
    if (std::abs(body.distance_within(middle, 2 * w.voxel())) > w.voxel()) return r;
    double side = 1;
    for (int a = 1; a < D; ++a) side *= w.voxel();
    for (int a = 0; a < D; ++a)
        r[a] =
            side * (covered(body, w, cell, a) - covered(body, w, cell + Index<D>::unit(a, 1), a));
    return r;
}

}  // namespace

template <int D>
void push_marked_bodies(State<D>& s, const World<D>& w, const PlacedSolids<D>& bodies, double dt) {
    for (std::size_t b = 0; b < s.rigid.size(); ++b) {
        const auto& says = w.rigid.bodies()[b];
        const PlacedBody<D>& body = bodies.placed[says.solid];
        Vec<double, 3> force{}, moment{};
        for_cells(samples_at(body, w, s.phi.place), [&](const Index<D>& i) {
            const Vec<double, D> surface = surface_in(body, w, i);
            const Vec<double, 3> push = lifted(surface * -s.pressure.at(i));
            const Point<D> x = w.position(i.template as<double>() + Vec<double, D>::filled(0.5));
            force += push;
            moment += cross(lifted(x) - s.rigid[b].position, push);
        });
        const Tensor inertia = says.inertia_at(s.rigid[b]);
        const Vec<double, 3> turning = D == 2 ? Vec<double, 3>{0, 0, moment[2] / inertia[2][2]}
                                              : times(inverse(inertia), moment);
        s.rigid[b].velocity += force * (dt / says.mass);
        s.rigid[b].spin += turning * dt;
    }
}

template <int D>
SolveReport project_with_marked_bodies(State<D>& s, const Phases<D>& phases,
                                       SolidGeometry<D>& solids, const World<D>& w, const Params& p,
                                       double dt, double& divergence, Context& context) {
    for (const auto& body : w.rigid.bodies()) stop_inflow(s, w, solids.bodies.placed[body.solid]);
    const SolveReport report = project(s, phases, solids.dense, w, p, dt, divergence, context);
    push_marked_bodies(s, w, solids.bodies, dt);
    w.rigid.place(solids.bodies, s.rigid);
    if (w.rigid.stop_at_contacts(s.rigid, solids.bodies, w.domain, dt))
        w.rigid.place(solids.bodies, s.rigid);
    return report;
}

#define SPUME_INSTANTIATE(D)                                                                \
    template void push_marked_bodies<D>(State<D>&, const World<D>&, const PlacedSolids<D>&, \
                                        double);                                            \
    template SolveReport project_with_marked_bodies<D>(State<D>&, const Phases<D>&,         \
                                                       SolidGeometry<D>&, const World<D>&,  \
                                                       const Params&, double, double&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
