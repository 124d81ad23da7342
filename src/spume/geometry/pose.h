// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// Three rows of a rotation.
struct Rotation {
    Vec<double, 3> row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    Vec<double, 3> apply(const Vec<double, 3>& x) const {
        return {dot(row[0], x), dot(row[1], x), dot(row[2], x)};
    }
    Vec<double, 3> apply_inverse(const Vec<double, 3>& x) const {
        return row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
    }
    Rotation inverse() const;
    friend Rotation operator*(const Rotation& a, const Rotation& b);  ///< b first

    /// Degrees about the fixed x axis, then y, then z.
    static Rotation from_degrees(const Vec<double, 3>& degrees);
};

/// Unit quaternion (w, x, y, z), for bodies whose rotation is integrated.
struct Quaternion {
    double w = 1, x = 0, y = 0, z = 0;

    Rotation rotation() const;
    static Quaternion from_rotation(const Rotation& rotation);
    /// This, turned further by the rotation vector `turn` (axis times angle, world frame).
    Quaternion turned(const Vec<double, 3>& turn) const;
};

/// Where a body is: world = rotation · body + position. In 2D the body stays in the plane z = 0.
struct Pose {
    Rotation rotation;
    Vec<double, 3> position{};

    Vec<double, 3> to_world(const Vec<double, 3>& body) const {
        return rotation.apply(body) + position;
    }
    Vec<double, 3> to_body(const Vec<double, 3>& world) const {
        return rotation.apply_inverse(world - position);
    }
    Pose inverse() const;
    friend Pose operator*(const Pose& a, const Pose& b);  ///< b first
};

/// How a body moves: velocity of its position, rotation vector per second, both in the world frame.
struct Twist {
    Vec<double, 3> linear{}, angular{};

    Vec<double, 3> at(const Vec<double, 3>& offset_from_position) const {
        return linear + cross(angular, offset_from_position);
    }
};

/// Where a body is that goes on like this for a while; before, for a negative time.
Pose moved(const Pose& pose, const Twist& twist, double time);

struct PoseKey {
    double time = 0;
    Vec<double, 3> position{};
    Vec<double, 3> degrees{};  ///< about x, then y, then z; may exceed a full turn
};

/// Motion through key poses: piecewise cubic with continuous velocity, at rest in the first and
/// last key and held beyond them. Slopes at inner keys are weighted harmonic means ([FB84]), so a
/// value never overshoots its keys and two equal keys hold it still. Without keys: the identity, at
/// rest.
class KeyedMotion {
  public:
    KeyedMotion() = default;
    /// Times must be finite and increase; UserError otherwise.
    explicit KeyedMotion(std::vector<PoseKey> keys);

    Pose pose(double time) const;
    Twist twist(double time) const;
    bool moves() const { return keys_.size() > 1; }

  private:
    struct Sample {
        Vec<double, 3> position{}, radians{}, position_rate{}, radians_rate{};
    };
    Sample sample(double time) const;

    std::vector<PoseKey> keys_;
    std::vector<Vec<double, 3>> position_slope_, degrees_slope_;
};

}  // namespace spume
