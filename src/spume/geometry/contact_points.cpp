// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include "spume/core/math.h"
#include "spume/geometry/rigid.h"
#include "spume/geometry/solid_compound.h"

namespace spume {
namespace {

/// A lattice over the surface of a box, with corners and edges.
template <int D>
void box_points(const Vec<double, 3>& size, double radius, std::vector<ContactPoint>& out) {
    constexpr int kParts = 4;
    const int depth = D == 2 ? 0 : kParts;
    for (int i = 0; i <= kParts; ++i)
        for (int j = 0; j <= kParts; ++j)
            for (int k = 0; k <= depth; ++k) {
                const auto edge = [](int n) { return n == 0 || n == kParts; };
                if (!edge(i) && !edge(j) && !(D == 3 && edge(k))) continue;
                Vec<double, 3> x{size[0] * (double(i) / kParts - 0.5),
                                 size[1] * (double(j) / kParts - 0.5), 0};
                if (D == 3) x[2] = size[2] * (double(k) / kParts - 0.5);
                out.push_back({x, radius});
            }
}

/// Balls along a circle about the y axis.
template <int D>
void around(double radius, double height, double ball, std::vector<ContactPoint>& out) {
    constexpr int kRound = 32;
    const int count = radius == 0 ? 1 : D == 2 ? 2 : kRound;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * math::kPi * i / count;
        out.push_back(
            {{radius * math::cos(angle), height, D == 2 ? 0.0 : radius * math::sin(angle)}, ball});
    }
}

void cylinder_points(double radius, double height, std::vector<ContactPoint>& out) {
    for (int level = -1; level <= 1; ++level) around<3>(radius, level * height / 2, 0, out);
}

/// Of detailed profiles every n-th corner.
template <int D>
void profile_points(const LatheProfile& profile, std::vector<ContactPoint>& out) {
    constexpr std::size_t kMost = 32;
    for (const auto& loop : profile.loops()) {
        const std::size_t stride = loop.size() / kMost + 1;
        for (std::size_t i = 0; i < loop.size(); i += stride)
            around<D>(loop[i][0], loop[i][1], 0, out);
    }
}

/// Points of the parts that lie on the compound's surface.
template <int D>
void compound_points(const BodyShape<D>& shape, std::vector<ContactPoint>& out) {
    const double near = 1e-6 * length(shape.bounds().size());
    for (const auto& part : shape.parts())
        for (ContactPoint c : contact_points(part.body.shape())) {
            c.position = part.body.pose().to_world(c.position);
            const double d = shape.distance(flattened<D>(c.position));
            if (std::abs(d + c.radius) < near) out.push_back(c);
        }
}

}  // namespace

template <int D>
std::vector<ContactPoint> contact_points(const BodyShape<D>& shape) {
    const BodyParameters& p = shape.parameters();
    std::vector<ContactPoint> r;
    if (p.kind == BodyKind::kSphere) {
        r.push_back({{}, p.radius});
    } else if (shape.profile()) {
        profile_points<D>(*shape.profile(), r);
    } else if (p.kind == BodyKind::kCapsule) {
        constexpr int kBalls = 5;
        for (int i = 0; i < kBalls; ++i)
            r.push_back(
                {{0, (p.height - 2 * p.radius) * (double(i) / (kBalls - 1) - 0.5), 0}, p.radius});
    } else if (p.kind == BodyKind::kTorus) {
        around<D>(p.radius, 0, p.tube, r);
    } else if (p.kind == BodyKind::kCompound) {
        compound_points<D>(shape, r);
    } else if (p.kind == BodyKind::kCylinder && D == 3) {
        cylinder_points(p.radius, p.height, r);
    } else if (p.kind == BodyKind::kMesh) {
        constexpr std::size_t kMost = 600;
        std::size_t count = 0, n = 0;
        p.mesh->each_triangle([&](auto&&...) { ++count; });
        const std::size_t stride = count / kMost + 1;
        p.mesh->each_triangle(
            [&](const Vec<double, 3>& a, const Vec<double, 3>&, const Vec<double, 3>&) {
                if (n++ % stride == 0) r.push_back({a * p.scale, 0});
            });
    } else {
        const bool box = p.kind == BodyKind::kBox;
        box_points<D>(box ? p.size - Vec<double, 3>::filled(2 * p.round)
                          : Vec<double, 3>{2 * p.radius, p.height, 1},
                      box ? p.round : 0, r);
    }
    return r;
}

template std::vector<ContactPoint> contact_points<2>(const BodyShape<2>&);
template std::vector<ContactPoint> contact_points<3>(const BodyShape<3>&);

}  // namespace spume
