// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/ellipsoid.h"

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/io/ply.h"
#include "spume/render/preview.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// The silhouette of an ellipsoid of half axes a, b, b from afar, its axis at an angle to the line
/// of sight: π b √(a² sin² + b² cos²).
double silhouette(double a, double b, double sine) {
    return math::kPi * b * std::sqrt(a * a * sine * sine + b * b * (1 - sine * sine));
}

/// Parallel rays meet as many as the silhouette says; where they do, the point satisfies
/// (x·n/a)² + |x − n(x·n)|²/b² = 1, and the normal is the gradient of that.
TEST(Ellipsoids, AreWhatTheirEquationSays) {
    const double a = 0.7, b = 0.3;
    for (const double angle : {0.0, 0.6, 1.3}) {
        const Vec3 axis{math::sin(angle), 0, math::cos(angle)}, center{0.1, -0.2, 0.3};
        World w;
        w.materials = {Material{}};
        Ellipsoids e;
        e.begin = {center.as<float>()};
        e.axis = {axis.as<float>()};
        e.along = {float(a)}, e.across = {float(b)};
        w.ellipsoids = {e};
        w.size = 2;
        const RayScene scene(std::move(w));
        int met = 0;
        const int n = 200;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const Ray ray{{-1 + 2 * (i + 0.5) / n, -1 + 2 * (j + 0.5) / n, 3}, {0, 0, -1}, 0};
                const Hit hit = scene.nearest(ray, 0);
                if (!hit.found) continue;
                ++met;
                const Vec3 x = hit.position - center;
                const double part = dot(x, axis);
                const Vec3 beside = x - axis * part;
                EXPECT_NEAR(part * part / (a * a) + dot(beside, beside) / (b * b), 1, 1e-5);
                const Vec3 gradient = axis * (part / (a * a)) + beside / (b * b);
                EXPECT_NEAR(dot(hit.normal, gradient) / length(gradient), 1, 1e-9);
                EXPECT_GT(hit.normal[2], -1e-3);
                EXPECT_FALSE(scene.outside_ball(hit.object, center, 0));
                EXPECT_TRUE(scene.outside_ball(hit.object, center + axis * (1.1 * a), 0));
            }
        const double exact = silhouette(a, b, math::sin(angle));
        EXPECT_NEAR(met * 4.0 / (n * n), exact, 0.01 * exact);
    }
}

Frame one_drop(const Vec<float, 3>& scale, const Vec<float, 3>& axis) {
    Frame f;
    f.dimensions = 2;
    f.free_surface = true;
    PointSet points;
    points.name = "droplets";
    points.position = Array<Vec3>(1, Vec3{0.5, 0.5, 0});
    points.columns = {{"pscale", "m", Array<float>(1, 0.1f)},
                      {"scale", "m", Array<Vec<float, 3>>(1, scale)},
                      {"axis", "", Array<Vec<float, 3>>(1, axis)}};
    f.points = {points};
    return f;
}

/// Pixels that a drop changes, along x and y, and how many.
struct Seen {
    int across = 0, down = 0, count = 0;
};
Seen seen(const Vec<float, 3>& scale, const Vec<float, 3>& axis) {
    PreviewOptions options;
    options.width = options.height = 200;
    options.domain = {{0, 0, 0}, {1, 1, 0}};
    options.guides = options.caption = false;
    Context context(1);
    // Through a file, as a cache is drawn.
    Frame frame = one_drop(scale, axis), empty = frame;
    frame.points[0] = decode_ply_points(encode_ply(frame.points[0]), "drop.ply");
    frame.points[0].name = "droplets";
    empty.points.clear();
    const Image with = render_preview(frame, options, context),
                without = render_preview(empty, options, context);
    Seen r;
    int x0 = 1000, x1 = -1, y0 = 1000, y1 = -1;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
            int change = 0;
            for (int k = 0; k < 3; ++k)
                change = std::max(change, std::abs(with.pixel(x, y)[k] - without.pixel(x, y)[k]));
            if (change < 8) continue;
            ++r.count;
            x0 = std::min(x0, x), x1 = std::max(x1, x);
            y0 = std::min(y0, y), y1 = std::max(y1, y);
        }
    r.across = x1 - x0 + 1, r.down = y1 - y0 + 1;
    return r;
}

/// A drop of half axes 0.2 and 0.05 lies as its axis says, and covers π a b.
TEST(Ellipsoids, AreDrawnInPreviews) {
    const Vec<float, 3> scale{0.2f, 0.05f, 0.05f};
    const Seen flat = seen(scale, {1, 0, 0}), upright = seen(scale, {0, 1, 0}),
               leaning = seen(scale, {0.8f, 0.6f, 0}), ball = seen({0.1f, 0.1f, 0.1f}, {1, 0, 0});
    const double pixels = ball.across / 0.2;  // a metre
    EXPECT_NEAR(flat.across, 0.4 * pixels, 3);
    EXPECT_NEAR(flat.down, 0.1 * pixels, 3);
    EXPECT_NEAR(upright.across, 0.1 * pixels, 3);
    EXPECT_NEAR(upright.down, 0.4 * pixels, 3);
    // Half extents √(a² n² + b² (1 − n²)).
    EXPECT_NEAR(leaning.across, 2 * std::hypot(0.2 * 0.8, 0.05 * 0.6) * pixels, 3);
    EXPECT_NEAR(leaning.down, 2 * std::hypot(0.2 * 0.6, 0.05 * 0.8) * pixels, 3);
    for (const Seen& s : {flat, upright, leaning, ball})
        EXPECT_NEAR(s.count, math::kPi * 0.01 * pixels * pixels, 0.08 * s.count);
}

}  // namespace
}  // namespace spume
