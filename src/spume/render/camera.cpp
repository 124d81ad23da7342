// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/camera.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/core/math.h"

namespace spume {

namespace {

double tangent(double radians) { return math::sin(radians) / math::cos(radians); }
double radians(double degrees) { return degrees * math::kPi / 180; }

Vec<double, 3> unit(const Vec<double, 3>& x) { return x / length(x); }

struct Axes {
    Vec<double, 3> right, up, forward;
};

Axes looking(const Vec<double, 3>& forward) {
    // Straight up or down the world's up axis tells nothing about sideways.
    const bool vertical = std::abs(forward[1]) > 0.9999 * length(forward);
    const Vec<double, 3> hint = vertical ? Vec<double, 3>{0, 0, -1} : Vec<double, 3>{0, 1, 0};
    const Vec<double, 3> f = unit(forward), r = unit(cross(f, hint));
    return {r, cross(r, f), f};
}

}  // namespace

PreviewCamera automatic_camera(const Box<double, 3>& box, int dimensions, double aspect,
                               double field_of_view) {
    constexpr double kMargin = 1.05;
    const Vec<double, 3> middle = (box.lo + box.hi) * 0.5, size = box.size();
    PreviewCamera camera;
    camera.target = middle;
    camera.field_of_view = field_of_view;
    if (dimensions == 2) {
        camera.position = middle + Vec<double, 3>{0, 0, 4 * std::max(size[0], size[1])};
        camera.view_height = kMargin * std::max(size[1], size[0] / aspect);
        return camera;
    }
    const Vec<double, 3> back = unit({0.38, 0.16, 1});
    const Axes axes = looking(-back);
    const double tan_y = tangent(radians(field_of_view) / 2), tan_x = tan_y * aspect;
    double distance = 0;
    for (int corner = 0; corner < 8; ++corner) {
        Vec<double, 3> x{};
        for (int i = 0; i < 3; ++i) x[i] = (corner >> i & 1 ? 0.5 : -0.5) * size[i];
        const double sideways =
            std::max(std::abs(dot(x, axes.right)) / tan_x, std::abs(dot(x, axes.up)) / tan_y);
        distance = std::max(distance, kMargin * sideways - dot(x, axes.forward));
    }
    camera.position = middle + back * distance;
    return camera;
}

Projection::Projection(const PreviewCamera& camera, int width, int height)
    : origin_(camera.position), center_x_(width / 2.0), center_y_(height / 2.0) {
    const Vec<double, 3> forward = camera.target - camera.position;
    if (!(length(forward) > 0))
        throw UserError("the camera's position and target are the same point", "move one of them");
    if (!(camera.field_of_view > 0 && camera.field_of_view < 179))
        throw UserError("the camera's field of view must be between 0 and 179 degrees",
                        "40 is usual");
    const Axes axes = looking(forward);
    right_ = axes.right, up_ = axes.up, forward_ = axes.forward;
    parallel_ = camera.view_height > 0;
    focal_ = parallel_ ? height / camera.view_height
                       : height / 2.0 / tangent(radians(camera.field_of_view) / 2);
}

Projection::OnScreen Projection::project(const Vec<double, 3>& world) const {
    const Vec<double, 3> x = world - origin_;
    const double depth = dot(x, forward_), scale = parallel_ ? focal_ : focal_ / depth;
    return {center_x_ + dot(x, right_) * scale, center_y_ - dot(x, up_) * scale, depth, scale};
}

Projection::Ray Projection::ray(double x, double y) const {
    const Vec<double, 3> aside =
        right_ * ((x - center_x_) / focal_) + up_ * ((center_y_ - y) / focal_);
    if (parallel_) return {origin_ + aside, forward_};
    return {origin_, forward_ + aside};
}

double Projection::elevation(double y) const {
    const Vec<double, 3> d = ray(center_x_, y).direction;
    return math::atan2(d[1], std::sqrt(d[0] * d[0] + d[2] * d[2]));
}

}  // namespace spume
