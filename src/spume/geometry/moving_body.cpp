// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/moving_body.h"

#include <utility>

namespace spume {

template <int D>
PlacedBody<D>::PlacedBody(BodyShape<D> shape, const Pose& pose, const Twist& twist)
    : shape_(std::move(shape)), pose_(pose), twist_(twist), came_(twist) {
    const Box<double, D>& box = shape_.bounds();
    for (int corner = 0; corner < 1 << D; ++corner) {
        Point<D> x{};
        for (int i = 0; i < D; ++i) x[i] = corner >> i & 1 ? box.hi[i] : box.lo[i];
        const Point<D> world = to_world(x);
        bounds_ = corner == 0 ? Box<double, D>{world, world} : bounds_.including(world);
    }
}

template <int D>
Vec<double, D> PlacedBody<D>::normal(const Point<D>& x) const {
    const Vec<double, D> n = shape_.normal(flattened<D>(pose_.to_body(lifted(x))));
    return flattened<D>(pose_.rotation.apply(lifted(n)));
}

template <int D>
Vec<double, D> PlacedBody<D>::deformation(const Point<D>& x) const {
    return flattened<D>(pose_.rotation.apply(lifted(shape_.velocity(to_body(x)))));
}

template <int D>
double PlacedBody<D>::max_speed() const {
    const Point<D> centre = flattened<D>(pose_.position);
    const Point<D> far = max(bounds_.hi - centre, centre - bounds_.lo);
    return length(twist_.linear) + length(twist_.angular) * length(far) + shape_.max_speed();
}

template <int D>
std::optional<Crossing<D>> PlacedBody<D>::first_crossing(const PlacedBody& before,
                                                         const Point<D>& from,
                                                         const Point<D>& to) const {
    auto r = shape_.first_crossing(carried(before, from), to_body(to));
    if (r) r->normal = flattened<D>(pose_.rotation.apply(lifted(r->normal)));
    return r;
}

Pose PosedMotion::pose(double time) const {
    const Pose keyed = keys.pose(time);
    return {keyed.rotation * rest.rotation, rest.position + keyed.position};
}

template <int D>
MovingBody<D>::MovingBody(BodyShape<D> shape, const Pose& rest, KeyedMotion motion)
    : shape_(std::move(shape)), own_{rest, std::move(motion)} {}

template <int D>
MovingBody<D>::MovingBody(BodyShape<D> shape, PosedMotion motion, PosedMotion carrier)
    : shape_(std::move(shape)), own_(std::move(motion)), carrier_(std::move(carrier)) {}

template <int D>
Pose MovingBody<D>::pose_on(const Pose& carrier, double time) const {
    return carrier * carrier_.rest.inverse() * own_.pose(time);
}

template <int D>
Twist MovingBody<D>::twist_on(const Pose& carrier, const Twist& along, double time) const {
    const Twist own = own_.twist(time);
    const Pose moved = carrier * carrier_.rest.inverse();
    const Vec<double, 3> place = moved.to_world(own_.pose(time).position);
    return {moved.rotation.apply(own.linear) + along.at(place - carrier.position),
            moved.rotation.apply(own.angular) + along.angular};
}

template <int D>
Pose MovingBody<D>::pose(double time) const {
    return carrier_.keys.moves() ? pose_on(carrier_.pose(time), time) : own_.pose(time);
}

template <int D>
Twist MovingBody<D>::twist(double time) const {
    if (!carrier_.keys.moves()) return own_.twist(time);
    return twist_on(carrier_.pose(time), carrier_.twist(time), time);
}

template <int D>
PlacedBody<D> MovingBody<D>::at(double time) const {
    return at(time, {});
}

template <int D>
PlacedBody<D> MovingBody<D>::at(double time, std::span<const PlacedBody<D>> solids, double ahead,
                                const BodyShape<D>* shape) const {
    const BodyShape<D> own = shape ? *shape : shape_.at(time);
    if (solid_ < 0 || std::size_t(solid_) >= solids.size()) return {own, pose(time), twist(time)};
    const PlacedBody<D>& carrier = solids[std::size_t(solid_)];
    const Pose there = moved(carrier.pose(), carrier.came(), -ahead);
    return {own, pose_on(there, time), twist_on(there, carrier.came(), time)};
}

template <int D>
Pose rest_pose(const Vec<double, 3>& center, const Vec<double, 3>& degrees) {
    if constexpr (D == 2)
        return {Rotation::from_degrees({0, 0, degrees[2]}), {center[0], center[1], 0}};
    return {Rotation::from_degrees(degrees), center};
}

template <int D>
KeyedMotion keyed_motion(std::vector<PoseKey> keys) {
    if constexpr (D == 2)
        for (PoseKey& key : keys) {
            key.position[2] = 0;
            key.degrees[0] = key.degrees[1] = 0;
        }
    return KeyedMotion(std::move(keys));
}

template class PlacedBody<2>;
template class PlacedBody<3>;
template class MovingBody<2>;
template class MovingBody<3>;
template Pose rest_pose<2>(const Vec<double, 3>&, const Vec<double, 3>&);
template Pose rest_pose<3>(const Vec<double, 3>&, const Vec<double, 3>&);
template KeyedMotion keyed_motion<2>(std::vector<PoseKey>);
template KeyedMotion keyed_motion<3>(std::vector<PoseKey>);

}  // namespace spume
