// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/power_kernel.h"

namespace spume {

/// power_kernel() with its turns started from an earlier kernel: `start` has the scale that each
/// particle had there, 0 where there is none. Fewer turns then do. Most of a scale is believed, not
/// all, so that air that has come free draws together again.
template <int D>
std::shared_ptr<const PowerKernel<D>> resumed_power_kernel(
    std::span<const Point<D>> positions, std::span<const double> volumes,
    std::span<const float> start, const TileRanges<D>& ranges, const Clamp<D>& clamp,
    const PowerOptions& options, PowerReport& report, Context& context);

}  // namespace spume
