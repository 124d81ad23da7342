// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/particles/bubbles.h"
#include "spume/particles/power_kernel.h"
#include "spume/physics/domain/grid_domain.h"

namespace spume::mixture {

/// How bubbles and faces weigh each other, [WSB25] §5.1.1.
enum class Basis {
    kTrilinear,  ///< the hat at the bubble; crowded fractions are clamped
    kPower,      ///< the power kernel: air is spread until it fits, bubbles move to where it lies
};

/// Cells around a bubble that a basis reaches: as many must be stored.
constexpr int reach_of(Basis basis) { return basis == Basis::kPower ? 4 : 1; }

/// The scales of the last kernel, for the next one to start from.
struct PowerMemory {
    Array<std::uint64_t> id;  ///< of bubbles, rising
    Array<float> scale;
};

/// Lets all transfers over `ranges` use the power kernel of the bubbles where they are now.
template <int D>
PowerReport use_power_kernel(const Bubbles<D>& bubbles, TileRanges<D>& ranges,
                             const GridDomain<D>& domain, const PowerMemory& memory,
                             Context& context);

/// The same, and each bubble moves to the centroid of its air. Where bubbles crowd so much that
/// their air does not fit within reach, a warning says how much.
template <int D>
void settle(Bubbles<D>& bubbles, TileRanges<D>& ranges, const GridDomain<D>& domain,
            PowerMemory& memory, std::vector<std::string>& warnings, Context& context);

}  // namespace spume::mixture
