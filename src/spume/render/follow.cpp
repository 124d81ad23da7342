// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/follow.h"

#include <cmath>

namespace spume {

std::optional<Vec<double, 3>> middle_of_air(const Frame& frame) {
    Vec<double, 3> sum{};
    double all = 0;
    for (const PointSet& set : frame.points) {
        if (set.name != "bubbles") continue;
        const NamedColumn* scale = set.find("pscale");
        const auto* radius = scale ? std::get_if<Array<float>>(&scale->values) : nullptr;
        for (std::size_t i = 0; i < set.size(); ++i) {
            const Vec<double, 3>& x = set.position[i];
            const double r = radius ? static_cast<double>((*radius)[i]) : 1, volume = r * r * r;
            if (!std::isfinite(x[0] + x[1] + x[2]) || !(volume > 0) || !std::isfinite(volume))
                continue;
            sum += x * volume, all += volume;
        }
    }
    if (!(all > 0)) return std::nullopt;
    return sum / all;
}

PreviewCamera following(PreviewCamera camera, const Frame& frame) {
    const auto middle = middle_of_air(frame);
    if (!middle) return camera;
    camera.position += *middle - camera.target;
    camera.target = *middle;
    return camera;
}

}  // namespace spume
