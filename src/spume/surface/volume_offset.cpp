// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/volume_offset.h"

#include <algorithm>

namespace spume {

std::vector<double> next_offsets(const VolumeTargets& targets, std::span<const double> volumes,
                                 double liquid, bool keep_liquid, std::vector<double> offsets,
                                 double most) {
    double surplus = liquid - targets.liquid;
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        if (!targets.kept[k] || !(targets.area[k] > 0)) continue;
        const double before = offsets[k];
        offsets[k] += (targets.rest[k] - volumes[k]) / targets.area[k];
        offsets[k] = std::clamp(offsets[k], -most, most);
        surplus -= (offsets[k] - before) * targets.area[k];
    }
    if (!keep_liquid || !(targets.free_area > 0)) return offsets;
    for (std::size_t k = 0; k < offsets.size(); ++k)
        if (!targets.kept[k])
            offsets[k] = std::clamp(offsets[k] + surplus / targets.free_area, -most, most);
    return offsets;
}

}  // namespace spume
