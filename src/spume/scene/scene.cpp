// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/scene.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/scene/shape_bounds.h"

namespace spume {

double Scene::voxel() const {
    if (domain.voxel > 0) return domain.voxel;
    double longest = 0;
    for (int i = 0; i < domain.dimensions; ++i)
        longest = std::max(longest, domain.upper[i] - domain.lower[i]);
    return longest / domain.divisions;
}

Vec<double, 3> Scene::cells() const {
    Vec<double, 3> n{1, 1, 1};
    for (int i = 0; i < domain.dimensions; ++i)
        n[i] = std::max(1.0, std::round((domain.upper[i] - domain.lower[i]) / voxel()));
    return n;
}

RadiusSpan radius_span(const Emitter& e, int dimensions, double voxel) {
    const bool flat = dimensions == 2;
    // 2^D bubbles of this radius have the volume of a voxel: ∛(3/4π)/2, and 1/(2√π).
    const double share = (flat ? 0.28209479177387814 : 0.31017524544970001) * voxel;
    const double room = flat ? voxel * voxel / 4 : voxel * voxel * voxel / 8;
    // From the middle of a voxel to its corner: no voxel that holds one stays dry.
    const double corner = std::sqrt(dimensions / 4.0) * voxel;
    switch (e.law) {
        case RadiusLaw::kFixed:
            return {e.radius, e.radius, 0};
        case RadiusLaw::kInverseCubic:
            return {e.radius_min, e.radius_max, 0};
        case RadiusLaw::kCellShare:
            return {share, share, room};
        case RadiusLaw::kMarker:
            break;
    }
    return {corner, corner, room};
}

Box<double, 3> shape_bounds(const Shape& shape) {
    // Rows of R = Rz Ry Rx.
    double c[3], s[3];
    for (int i = 0; i < 3; ++i) {
        const double angle = shape.rotation[i] * (math::kPi / 180);
        c[i] = math::cos(angle);
        s[i] = math::sin(angle);
    }
    const double r[3][3] = {
        {c[2] * c[1], c[2] * s[1] * s[0] - s[2] * c[0], c[2] * s[1] * c[0] + s[2] * s[0]},
        {s[2] * c[1], s[2] * s[1] * s[0] + c[2] * c[0], s[2] * s[1] * c[0] - c[2] * s[0]},
        {-s[1], c[1] * s[0], c[1] * c[0]}};
    Vec<double, 3> half{};
    for (int i = 0; i < 3; ++i) {
        switch (shape.kind) {
            case ShapeKind::kBox:
                for (int j = 0; j < 3; ++j) half[i] += std::fabs(r[i][j]) * shape.size[j] / 2;
                break;
            case ShapeKind::kSphere:
                half[i] = shape.radius;
                break;
            case ShapeKind::kCylinder:
                half[i] = std::fabs(r[i][1]) * shape.height / 2 +
                          shape.radius * std::sqrt(std::max(0.0, 1 - r[i][1] * r[i][1]));
                break;
            case ShapeKind::kMesh:
                break;
        }
    }
    return {shape.center - half, shape.center + half};
}

}  // namespace spume
