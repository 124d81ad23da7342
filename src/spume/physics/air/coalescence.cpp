// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/air/coalescence.h"

#include <algorithm>

#include "spume/grid/sample.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/neighbours.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

/// Bubble i and those of its neighbours that are still there, by index: the order of the sums.
std::vector<std::uint32_t> cluster_around(std::size_t i, const NeighbourLists& neighbours,
                                          std::span<const std::uint8_t> gone) {
    std::vector<std::uint32_t> cluster{static_cast<std::uint32_t>(i)};
    for (const std::uint32_t j : neighbours.of(i))
        if (!gone[j]) cluster.push_back(j);
    std::sort(cluster.begin(), cluster.end());
    return cluster;
}

}  // namespace

template <int D>
std::vector<CoalescedAir> coalesce(Bubbles<D>& bubbles, Liquid<D>& liquid, double voxel,
                                   std::vector<Impulse<D>>& owed, Context& context) {
    const double reach = kCoalescenceRadius * voxel, least = bubble_volume<D>(reach);
    std::vector<CoalescedAir> coalesced;
    if (bubbles.size() < 2 || total_volume(bubbles, context) < least) return coalesced;
    Stage stage(context, "small bubbles");
    const double fewest = kCoalescingVolume * (D == 2 ? voxel * voxel : voxel * voxel * voxel);
    std::vector<std::uint32_t> larger;
    std::vector<Point<D>> places;
    for (std::size_t i = 0; i < bubbles.size(); ++i) {
        if (bubble_volume<D>(bubbles.radius[i]) < fewest) continue;
        larger.push_back(static_cast<std::uint32_t>(i));
        places.push_back(bubbles.position[i]);
    }
    const NeighbourLists neighbours = find_neighbours<D>(places, reach, context);
    std::vector<std::uint8_t> taken(larger.size(), 0), gone(bubbles.size(), 0);
    for (std::size_t i = 0; i < larger.size(); ++i) {
        if (taken[i]) continue;
        const std::vector<std::uint32_t> cluster = cluster_around(i, neighbours, taken);
        CoalescedAir sum;
        for (const std::uint32_t k : cluster) {
            const std::uint32_t j = larger[k];
            const double volume = bubble_volume<D>(bubbles.radius[j]);
            sum.volume += volume;
            sum.centre += lifted(bubbles.position[j]) * volume;
        }
        if (cluster.size() < 2 || sum.volume < least) continue;
        sum.centre = sum.centre / sum.volume;
        coalesced.push_back(sum);
        for (const std::uint32_t k : cluster) {
            const std::uint32_t j = larger[k];
            const double volume = bubble_volume<D>(bubbles.radius[j]);
            taken[k] = gone[j] = 1;
            owed.push_back({bubbles.position[j],
                            bubbles.velocity[j] * (volume * double(bubbles.density[j])), volume});
        }
    }
    if (coalesced.empty()) return coalesced;
    remove_if(bubbles, context, [&](std::size_t i) { return gone[i] != 0; });
    remove_if(liquid, context, [&](std::size_t i) {
        return std::any_of(coalesced.begin(), coalesced.end(), [&](const CoalescedAir& c) {
            return length(liquid.position[i] - flattened<D>(c.centre)) < bubble_radius<D>(c.volume);
        });
    });
    return coalesced;
}

template <int D>
double settle_coalesced(std::span<const CoalescedAir> coalesced, double left, Bubbles<D>& bubbles,
                        BubbleTracker<D>& tracker, double air_density, Context& context) {
    double all = 0;
    for (const CoalescedAir& c : coalesced) all += c.volume;
    if (!(all > 0) || !(left > 0)) return 0;
    const Tiles<D>& tiles = *tracker.label.tiles();
    TileCursor<D> cursor(tiles);
    std::vector<LostRegion> still;
    double given = 0;
    for (const CoalescedAir& c : coalesced) {
        const double share = left * c.volume / all;
        const std::size_t at =
            cursor(floor_index<D>(tiles.transform().to_lattice(flattened<D>(c.centre))));
        const std::int32_t k = tiles.is_active(cursor.tile()) ? tracker.label.read()[at] : -1;
        if (k < 0) {
            still.push_back({c.centre, share});
            continue;
        }
        AirBubble& region = tracker.bubbles[std::size_t(k)];
        (region.outside ? tracker.burst : region.rest) += share;
        given += share;
    }
    return given + hand_over<D>(bubbles, still, air_density, context);
}

#define SPUME_INSTANTIATE(D)                                                                \
    template std::vector<CoalescedAir> coalesce<D>(Bubbles<D>&, Liquid<D>&, double,         \
                                                   std::vector<Impulse<D>>&, Context&);     \
    template double settle_coalesced<D>(std::span<const CoalescedAir>, double, Bubbles<D>&, \
                                        BubbleTracker<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
