// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/power_basis.h"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "spume/particles/power_resume.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {
namespace {

std::vector<float> recalled(const PowerMemory& memory, std::span<const std::uint64_t> ids,
                            Context& context) {
    std::vector<float> start(ids.size(), 0.0f);
    const auto valid = memory.id.read();
    for_range(context.arena, ids.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const auto at = std::lower_bound(valid.begin(), valid.end(), ids[q]);
            if (at != valid.end() && *at == ids[q])
                start[q] = memory.scale[std::size_t(at - valid.begin())];
        }
    });
    return start;
}

PowerMemory remembered(std::span<const std::uint64_t> ids, const Array<double>& scale) {
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
    PowerMemory memory;
    memory.id.resize_discard(ids.size());
    memory.scale.resize_discard(ids.size());
    auto id = memory.id.write();
    auto to = memory.scale.write();
    for (std::size_t i = 0; i < order.size(); ++i)
        id[i] = ids[order[i]], to[i] = static_cast<float>(scale[order[i]]);
    return memory;
}

}  // namespace

template <int D>
PowerReport use_power_kernel(const Bubbles<D>& bubbles, TileRanges<D>& ranges,
                             const GridDomain<D>& domain, const PowerMemory& memory,
                             Context& context) {
    std::vector<double> volumes(bubbles.size());
    for_range(context.arena, bubbles.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) volumes[q] = bubble_volume<D>(bubbles.radius[q]);
    });
    PowerReport report;
    const auto start = recalled(memory, bubbles.id.read(), context);
    ranges.power = resumed_power_kernel<D>(bubbles.position.read(), volumes, start, ranges,
                                           domain.clamp(), {}, report, context);
    return report;
}

template <int D>
void settle(Bubbles<D>& bubbles, TileRanges<D>& ranges, const GridDomain<D>& domain,
            PowerMemory& memory, std::vector<std::string>& warnings, Context& context) {
    const PowerReport report = use_power_kernel(bubbles, ranges, domain, memory, context);
    if (report.excess > PowerOptions{}.tolerance)
        warnings.push_back(fmt::format(
            "bubbles crowd: {:.3g} m^{} of air find no room within 1.5 voxels, the fraction there "
            "reaches {:.3g}",
            report.volume, D, 1 + report.excess));
    bubbles.position = centroids(*ranges.power, context);
    memory = remembered(bubbles.id.read(), ranges.power->scale);
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template PowerReport use_power_kernel<D>(const Bubbles<D>&, TileRanges<D>&,                   \
                                             const GridDomain<D>&, const PowerMemory&, Context&); \
    template void settle<D>(Bubbles<D>&, TileRanges<D>&, const GridDomain<D>&, PowerMemory&,      \
                            std::vector<std::string>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
