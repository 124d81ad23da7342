// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/pose.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/core/math.h"

namespace spume {

namespace {

constexpr double kRadians = math::kPi / 180;

Rotation about(int axis, double angle) {
    const double c = math::cos(angle), s = math::sin(angle);
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    Rotation r;
    r.row[i][i] = c, r.row[i][j] = -s;
    r.row[j][i] = s, r.row[j][j] = c;
    return r;
}

bool finite(const Vec<double, 3>& x) {
    return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
}

/// Slopes of a monotone cubic through (time, value), zero at both ends.
std::vector<Vec<double, 3>> slopes(const std::vector<PoseKey>& keys,
                                   Vec<double, 3> PoseKey::*value) {
    std::vector<Vec<double, 3>> result(keys.size(), Vec<double, 3>{});
    for (std::size_t k = 1; k + 1 < keys.size(); ++k) {
        const double before = keys[k].time - keys[k - 1].time;
        const double after = keys[k + 1].time - keys[k].time;
        for (int i = 0; i < 3; ++i) {
            const double left = ((keys[k].*value)[i] - (keys[k - 1].*value)[i]) / before;
            const double right = ((keys[k + 1].*value)[i] - (keys[k].*value)[i]) / after;
            if (!(left * right > 0)) continue;
            const double w_left = before + 2 * after, w_right = 2 * before + after;
            result[k][i] = (w_left + w_right) / (w_left / right + w_right / left);
        }
    }
    return result;
}

struct Cubic {
    Vec<double, 3> value, rate;
};

/// Cubic Hermite segment of length h at s in [0, 1].
Cubic hermite(const Vec<double, 3>& a, const Vec<double, 3>& slope_a, const Vec<double, 3>& b,
              const Vec<double, 3>& slope_b, double h, double s) {
    const double r = 1 - s;
    const Vec<double, 3> rise = b - a;
    return {a + rise * (s * s * (3 - 2 * s)) + (slope_a * (r * r * s) - slope_b * (r * s * s)) * h,
            rise * (6 * s * r / h) + slope_a * (r * (1 - 3 * s)) + slope_b * (s * (3 * s - 2))};
}

}  // namespace

Rotation Rotation::inverse() const {
    Rotation t;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) t.row[i][j] = row[j][i];
    return t;
}

Rotation operator*(const Rotation& a, const Rotation& b) {
    Rotation c;
    for (int i = 0; i < 3; ++i) c.row[i] = b.apply_inverse(a.row[i]);
    return c;
}

Rotation Rotation::from_degrees(const Vec<double, 3>& degrees) {
    return about(2, degrees[2] * kRadians) * about(1, degrees[1] * kRadians) *
           about(0, degrees[0] * kRadians);
}

Rotation Quaternion::rotation() const {
    Rotation r;
    r.row[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
    r.row[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
    r.row[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    return r;
}

Quaternion Quaternion::from_rotation(const Rotation& rotation) {
    const auto& m = rotation.row;
    // The largest of the four squared components is the safe one to divide by.
    const double squares[4] = {1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                               1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    const long largest = std::max_element(squares, squares + 4) - squares;
    const double d = 2 * std::sqrt(squares[largest]);
    const double wx = (m[2][1] - m[1][2]) / d, wy = (m[0][2] - m[2][0]) / d,
                 wz = (m[1][0] - m[0][1]) / d, xy = (m[0][1] + m[1][0]) / d,
                 xz = (m[0][2] + m[2][0]) / d, yz = (m[1][2] + m[2][1]) / d;
    switch (largest) {
        case 0:
            return {d / 4, wx, wy, wz};
        case 1:
            return {wx, d / 4, xy, xz};
        case 2:
            return {wy, xy, d / 4, yz};
        default:
            return {wz, xz, yz, d / 4};
    }
}

Quaternion Quaternion::turned(const Vec<double, 3>& turn) const {
    const double angle = length(turn);
    // sin(a/2)/a → ½ as the angle goes to zero.
    const double scale = angle > 1e-12 ? math::sin(angle / 2) / angle : 0.5;
    const double a = math::cos(angle / 2), b = turn[0] * scale, c = turn[1] * scale,
                 d = turn[2] * scale;
    const Quaternion q{a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
                       a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w};
    const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

Pose Pose::inverse() const { return {rotation.inverse(), -rotation.apply_inverse(position)}; }

Pose operator*(const Pose& a, const Pose& b) {
    return {a.rotation * b.rotation, a.to_world(b.position)};
}

Pose moved(const Pose& pose, const Twist& twist, double time) {
    const Quaternion turn = Quaternion::from_rotation(pose.rotation).turned(twist.angular * time);
    return {turn.rotation(), pose.position + twist.linear * time};
}

KeyedMotion::KeyedMotion(std::vector<PoseKey> keys) : keys_(std::move(keys)) {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (!std::isfinite(keys_[k].time) || !finite(keys_[k].position) ||
            !finite(keys_[k].degrees))
            throw UserError(fmt::format("key frame {} holds a value that is not finite", k + 1),
                            "give finite times, positions and rotations");
        if (k > 0 && !(keys_[k].time > keys_[k - 1].time))
            throw UserError(
                fmt::format("key frame {} at {} s does not come after key frame {} at {} s", k + 1,
                            keys_[k].time, k, keys_[k - 1].time),
                "order the key frames by time, no two at the same");
    }
    position_slope_ = slopes(keys_, &PoseKey::position);
    degrees_slope_ = slopes(keys_, &PoseKey::degrees);
}

KeyedMotion::Sample KeyedMotion::sample(double time) const {
    if (keys_.empty()) return {};
    if (time <= keys_.front().time || keys_.size() == 1)
        return {keys_.front().position, keys_.front().degrees * kRadians, {}, {}};
    if (time >= keys_.back().time)
        return {keys_.back().position, keys_.back().degrees * kRadians, {}, {}};
    const auto after = std::upper_bound(keys_.begin(), keys_.end(), time,
                                        [](double t, const PoseKey& k) { return t < k.time; });
    const auto j = static_cast<std::size_t>(after - keys_.begin()), i = j - 1;
    const double h = keys_[j].time - keys_[i].time, s = (time - keys_[i].time) / h;
    const Cubic p =
        hermite(keys_[i].position, position_slope_[i], keys_[j].position, position_slope_[j], h, s);
    const Cubic r =
        hermite(keys_[i].degrees, degrees_slope_[i], keys_[j].degrees, degrees_slope_[j], h, s);
    return {p.value, r.value * kRadians, p.rate, r.rate * kRadians};
}

Pose KeyedMotion::pose(double time) const {
    const Sample s = sample(time);
    return {about(2, s.radians[2]) * about(1, s.radians[1]) * about(0, s.radians[0]), s.position};
}

Twist KeyedMotion::twist(double time) const {
    const Sample s = sample(time);
    // Each Euler rate turns about its axis as carried along by the rotations applied after it.
    const Rotation z = about(2, s.radians[2]), zy = z * about(1, s.radians[1]);
    return {s.position_rate, Vec<double, 3>{0, 0, s.radians_rate[2]} +
                                 z.apply({0, s.radians_rate[1], 0}) +
                                 zy.apply({s.radians_rate[0], 0, 0})};
}

}  // namespace spume
