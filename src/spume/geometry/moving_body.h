// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/geometry/pose.h"
#include "spume/geometry/solid_shape.h"

namespace spume {

inline Vec<double, 3> lifted(const Vec<double, 3>& x) { return x; }
inline Vec<double, 3> lifted(const Vec<double, 2>& x) { return {x[0], x[1], 0}; }
template <int D>
Vec<double, D> flattened(const Vec<double, 3>& x) {
    Vec<double, D> r{};
    for (int i = 0; i < D; ++i) r[i] = x[i];
    return r;
}

/// A body at one moment: what every verb asks.
template <int D>
class PlacedBody {
  public:
    PlacedBody(BodyShape<D> shape, const Pose& pose, const Twist& twist);

    double distance(const Point<D>& x) const {
        return shape_.distance(flattened<D>(pose_.to_body(lifted(x))));
    }
    /// As BodyShape::distance_within.
    double distance_within(const Point<D>& x, double band) const {
        return shape_.distance_within(flattened<D>(pose_.to_body(lifted(x))), band);
    }
    /// Where the way from one point to another first enters the body as it stands.
    std::optional<Crossing<D>> first_crossing(const Point<D>& from, const Point<D>& to) const {
        return first_crossing(*this, from, to);
    }
    /// The same for the way of a point past a body that moves: `from` when the body was as in
    /// `before`, `to` when it is as here. The normal is that of now.
    std::optional<Crossing<D>> first_crossing(const PlacedBody& before, const Point<D>& from,
                                              const Point<D>& to) const;
    Vec<double, D> normal(const Point<D>& x) const;
    /// Of the body's matter at x, also where x is outside.
    Vec<double, D> velocity(const Point<D>& x) const {
        const Vec<double, D> rigid = flattened<D>(twist_.at(lifted(x) - pose_.position));
        return shape_.deforms() ? rigid + deformation(x) : rigid;
    }
    double max_speed() const;  ///< no point of it is faster
    Point<D> to_world(const Point<D>& body) const {
        return flattened<D>(pose_.to_world(lifted(body)));
    }
    Point<D> to_body(const Point<D>& world) const {
        return flattened<D>(pose_.to_body(lifted(world)));
    }
    /// In the body's frame, where a point beside the body as in `before` is if it moves along.
    Point<D> carried(const PlacedBody& before, const Point<D>& x) const {
        return shape_.carried(before.shape_, before.to_body(x));
    }

    const BodyShape<D>& shape() const { return shape_; }
    const Pose& pose() const { return pose_; }
    const Twist& twist() const { return twist_; }
    /// How it came here; another twist than its own while a free body waits for its new velocity.
    const Twist& came() const { return came_; }
    void set_came(const Twist& twist) { came_ = twist; }
    const Box<double, D>& bounds() const { return bounds_; }  ///< in the world

  private:
    Vec<double, D> deformation(const Point<D>& x) const;

    BodyShape<D> shape_;
    Pose pose_;
    Twist twist_, came_;
    Box<double, D> bounds_;
};

/// Keys about a pose of rest: at time t turned by rest, then by the keys, and at rest.position +
/// the keys' position.
struct PosedMotion {
    Pose rest;
    KeyedMotion keys;

    Pose pose(double time) const;
    Twist twist(double time) const { return keys.twist(time); }
};

/// A shape put at `rest` and carried along a keyed motion about its own centre; and, if it has a
/// carrier, with that as if it were fixed to it in the carrier's pose of rest.
template <int D>
class MovingBody {
  public:
    /// In 2D take rest and motion from the makers below, which keep the body in the plane.
    MovingBody(BodyShape<D> shape, const Pose& rest, KeyedMotion motion = {});
    MovingBody(BodyShape<D> shape, PosedMotion motion, PosedMotion carrier);
    /// The same on a free body: the n-th of the solids that at() is given.
    void ride(int solid) { solid_ = solid; }

    PlacedBody<D> at(double time) const;
    /// On a free body, with the solids where they will be in `ahead` seconds from then; with
    /// `shape` instead of its own. Without the solids the free body is where it starts.
    PlacedBody<D> at(double time, std::span<const PlacedBody<D>> solids, double ahead = 0,
                     const BodyShape<D>* shape = nullptr) const;
    Pose pose(double time) const;
    Twist twist(double time) const;
    bool moves() const {
        return solid_ >= 0 || own_.keys.moves() || carrier_.keys.moves() || shape_.deforms();
    }
    const BodyShape<D>& shape() const { return shape_; }  ///< of one that deforms: at its start

    double distance(const Point<D>& x, double time) const { return at(time).distance(x); }
    Vec<double, D> velocity(const Point<D>& x, double time) const { return at(time).velocity(x); }

  private:
    Pose pose_on(const Pose& carrier, double time) const;
    Twist twist_on(const Pose& carrier, const Twist& along, double time) const;

    BodyShape<D> shape_;
    PosedMotion own_, carrier_;
    int solid_ = -1;
};

/// Rest pose and motion from what a scene says. For D = 2 positions lose their z and rotations all
/// but z.
template <int D>
Pose rest_pose(const Vec<double, 3>& center, const Vec<double, 3>& degrees);
template <int D>
KeyedMotion keyed_motion(std::vector<PoseKey> keys);

extern template class PlacedBody<2>;
extern template class PlacedBody<3>;
extern template class MovingBody<2>;
extern template class MovingBody<3>;

}  // namespace spume
