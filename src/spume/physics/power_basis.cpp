// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/power_basis.h"

#include <fmt/core.h>

#include "spume/physics/two_fluid.h"

namespace spume {

template <int D>
PowerReport use_power_kernel(const Bubbles<D>& bubbles, TileRanges<D>& ranges,
                             const Basin<D>& basin, Context& context) {
    std::vector<double> volumes(bubbles.size());
    for_range(context.arena, bubbles.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) volumes[q] = bubble_volume<D>(bubbles.radius[q]);
    });
    PowerReport report;
    ranges.power = power_kernel<D>(bubbles.position.read(), volumes, ranges, basin.clamp(), {},
                                   report, context);
    return report;
}

template <int D>
void settle(Bubbles<D>& bubbles, TileRanges<D>& ranges, const Basin<D>& basin,
            std::vector<std::string>& warnings, Context& context) {
    const PowerReport report = use_power_kernel(bubbles, ranges, basin, context);
    if (report.excess > PowerOptions{}.tolerance)
        warnings.push_back(fmt::format(
            "bubbles crowd: {:.3g} m^{} of air find no room within 1.5 voxels, the fraction there "
            "reaches {:.3g}",
            report.volume, D, 1 + report.excess));
    bubbles.position = centroids(*ranges.power, context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template PowerReport use_power_kernel<D>(const Bubbles<D>&, TileRanges<D>&, const Basin<D>&, \
                                             Context&);                                          \
    template void settle<D>(Bubbles<D>&, TileRanges<D>&, const Basin<D>&,                        \
                            std::vector<std::string>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
