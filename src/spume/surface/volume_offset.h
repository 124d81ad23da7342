// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace spume {

/// What the volumes on both sides of a surface should be.
struct VolumeTargets {
    double liquid = 0;
    std::vector<double> rest;        ///< of each region of air
    std::vector<double> area;        ///< of its surface
    std::vector<std::uint8_t> kept;  ///< does it keep a volume of its own?
    double free_area = 0;            ///< of all others
};

/// One Newton step for the offsets δ_r of the surface along its normal, one a region, by which the
/// volumes come to their targets: that of a region grows by its area times δ. What the kept regions
/// take or give, the free surface makes up for if the liquid keeps its volume. No offset is larger
/// than `most`.
std::vector<double> next_offsets(const VolumeTargets& targets, std::span<const double> volumes,
                                 double liquid, bool keep_liquid, std::vector<double> offsets,
                                 double most);

}  // namespace spume
