// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/rigid.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"

namespace spume {

template <int D>
Pose RigidSet<D>::Body::pose(const RigidState& s) const {
    const Rotation r = s.turn.rotation();
    return {r, s.position - r.apply(centre)};
}

template <int D>
Twist RigidSet<D>::Body::twist(const RigidState& s) const {
    const Vec<double, 3> back = -s.turn.rotation().apply(centre);
    return {s.velocity + cross(s.spin, back), s.spin};
}

template <int D>
RigidSet<D>::RigidSet(const std::vector<Solid>& solids, const MeshLibrary& meshes) {
    for (std::size_t i = 0; i < solids.size(); ++i) {
        const Solid& says = solids[i];
        if (says.motion != Motion::kDynamic) continue;
        const BodyShape<D> shape = body_shape<D>(says.shape, meshes);
        const MassMoments m = mass_moments(shape);
        // A mesh with holes has a distance but no weight.
        const auto& mesh = shape.parameters().mesh;
        if (!(m.volume > 0) || (mesh && !mesh->closed()))
            throw UserError("solid \"" + says.name + "\": a dynamic body needs a closed shape",
                            "close the holes of its mesh, or use motion = \"fixed\" or \"keyed\"");
        Body b;
        b.solid = i;
        b.mass = says.density * m.volume;
        b.centre = m.centre;
        b.inertia = m.inertia;
        for (auto& row : b.inertia) row *= says.density;
        b.points = contact_points(shape);
        const Pose rest = rest_pose<D>(says.shape.center, says.shape.rotation);
        b.start.turn = Quaternion::from_rotation(rest.rotation);
        b.start.position = rest.to_world(m.centre);
        b.start.velocity = lifted(in_plane<D>(says.velocity));
        for (int a = 0; a < 3; ++a)
            if (D == 3 || a == 2) b.start.spin[a] = says.spin[a];
        bodies_.push_back(std::move(b));
    }
}

template <int D>
std::vector<RigidState> RigidSet<D>::start() const {
    std::vector<RigidState> r;
    for (const Body& b : bodies_) r.push_back(b.start);
    return r;
}

template <int D>
void RigidSet<D>::place(PlacedSolids<D>& solids, std::span<const RigidState> states) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        PlacedBody<D>& body = solids.placed[bodies_[i].solid];
        body = PlacedBody<D>(body.shape(), bodies_[i].pose(states[i]), bodies_[i].twist(states[i]));
    }
}

template <int D>
PlacedSolids<D> RigidSet<D>::among(const SolidSet<D>& solids, std::span<const RigidState> states,
                                   double time) const {
    PlacedSolids<D> placed = solids.at(time);
    place(placed, states);
    return placed;
}

template <int D>
void RigidSet<D>::drift(std::span<RigidState> states, double dt) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        RigidState& s = states[i];
        s.position += s.velocity * dt;
        const Vec<double, 3> angular = times(bodies_[i].inertia_at(s), s.spin);
        s.turn = s.turn.turned(s.spin * dt);
        if constexpr (D == 3) s.spin = times(inverse(bodies_[i].inertia_at(s)), angular);
    }
}

template <int D>
void RigidSet<D>::accelerate(std::span<RigidState> states, const Vec<double, D>& gravity,
                             const ForceSet<D>& forces, Interval time) const {
    const double middle = 0.5 * (time.begin + time.end);
    for (RigidState& s : states)
        s.velocity +=
            lifted(gravity + forces.acceleration(flattened<D>(s.position), middle)) * time.length();
}

template <int D>
Vec<double, 3> RigidSet<D>::momentum(std::span<const RigidState> states) const {
    Vec<double, 3> sum{};
    for (std::size_t i = 0; i < bodies_.size(); ++i) sum += states[i].velocity * bodies_[i].mass;
    return sum;
}

template <int D>
PlacedSolids<D> move_bodies(std::span<RigidState> states, const RigidSet<D>& set,
                            const SolidSet<D>& solids, const GridDomain<D>& domain,
                            const Vec<double, D>& gravity, const ForceSet<D>& forces,
                            Interval time) {
    set.drift(states, time.length());
    PlacedSolids<D> placed = solids.at(time.end);
    set.place(placed, states);
    if (set.empty()) return placed;
    set.separate(states, placed, domain);
    set.place(placed, states);
    const PlacedSolids<D> came = placed;
    set.accelerate(states, gravity, forces, time);
    set.place(placed, states);
    for (std::size_t i = 0; i < placed.placed.size(); ++i)
        placed.placed[i].set_came(came.placed[i].twist());
    return placed;
}

#define SPUME_INSTANTIATE(D)                                                           \
    template PlacedSolids<D> move_bodies<D>(std::span<RigidState>, const RigidSet<D>&, \
                                            const SolidSet<D>&, const GridDomain<D>&,  \
                                            const Vec<double, D>&, const ForceSet<D>&, Interval);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

template class RigidSet<2>;
template class RigidSet<3>;

}  // namespace spume
