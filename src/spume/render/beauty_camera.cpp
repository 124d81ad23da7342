// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/render/beauty.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

/// The box that holds all but the outermost hundredth of the points along each axis, and the
/// meshes.
Box<double, 3> contents(const Frame& frame, const BeautyOptions& options) {
    std::vector<double> along[3];
    double largest = 0;
    for (const PointSet& set : frame.points) {
        for (const Vec3& x : set.position)
            for (int k = 0; k < 3; ++k)
                if (std::isfinite(x[k])) along[k].push_back(x[k]);
        const NamedColumn* scale = set.find("pscale");
        if (const auto* radius = scale ? std::get_if<Array<float>>(&scale->values) : nullptr)
            for (const float r : *radius)
                if (std::isfinite(r)) largest = std::max<double>(largest, r);
    }
    Box<double, 3> box{Vec3::filled(1e300), Vec3::filled(-1e300)};
    for (int k = 0; k < 3; ++k) {
        auto& a = along[k];
        if (a.empty()) continue;
        const std::size_t skip = a.size() / 200;
        std::nth_element(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(skip), a.end());
        box.lo[k] = a[skip];
        std::nth_element(a.begin(), a.end() - 1 - static_cast<std::ptrdiff_t>(skip), a.end());
        box.hi[k] = a[a.size() - 1 - skip];
        box.lo[k] -= largest, box.hi[k] += largest;
    }
    for (const NamedMesh& mesh : frame.meshes)
        for (const Vec3& x : mesh.mesh.vertices) box = box.including(x);
    for (const auto& body : options.solids) {
        box = box.including(body.begin.bounds().lo).including(body.begin.bounds().hi);
    }
    return box;
}

}  // namespace

PreviewCamera beauty_camera(const Frame& frame, const BeautyOptions& options) {
    if (options.camera) return *options.camera;
    const double aspect = double(options.width) / options.height;
    Box<double, 3> box = contents(frame, options);
    const Vec3 whole = options.domain.size();
    if (!(box.lo[0] <= box.hi[0])) box = options.domain;
    // Room around it, and never closer than a twentieth of the domain.
    const double least = 0.05 * std::max({whole[0], whole[1], whole[2]});
    for (int k = 0; k < 3; ++k) {
        const double room = 0.06 * (box.hi[k] - box.lo[k]) + least / 4;
        box.lo[k] -= room, box.hi[k] += room;
    }
    return automatic_camera(box, frame.dimensions, aspect, options.field_of_view);
}

}  // namespace spume
