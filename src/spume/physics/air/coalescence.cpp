// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/air/coalescence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "spume/core/math.h"
#include "spume/grid/sample.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

/// Bubbles by blocks as wide as the reach: those within reach of one are in the 3^D around it.
template <int D>
class Blocks {
  public:
    Blocks(std::span<const Point<D>> positions, double reach)
        : positions_(positions), reach_(reach) {
        for (std::size_t i = 0; i < positions.size(); ++i) blocks_[key(positions[i])].push_back(i);
    }
    template <class F>
    void within_reach(const Point<D>& x, F&& f) const {
        int count = 1;
        for (int d = 0; d < D; ++d) count *= 3;
        for (int c = 0; c < count; ++c) {
            std::array<int, D> k = key(x);
            for (int d = 0, rest = c; d < D; ++d, rest /= 3) k[std::size_t(d)] += rest % 3 - 1;
            const auto block = blocks_.find(k);
            if (block == blocks_.end()) continue;
            for (const std::size_t i : block->second)
                if (length(positions_[i] - x) <= reach_) f(i);
        }
    }

  private:
    std::array<int, D> key(const Point<D>& x) const {
        std::array<int, D> r;
        for (int d = 0; d < D; ++d) r[std::size_t(d)] = int(std::floor(x[d] / reach_));
        return r;
    }
    std::span<const Point<D>> positions_;
    double reach_;
    std::map<std::array<int, D>, std::vector<std::size_t>> blocks_;
};

}  // namespace

template <int D>
std::vector<CoalescedAir> coalesce(Bubbles<D>& bubbles, Liquid<D>& liquid, double voxel,
                                 std::vector<Impulse<D>>& owed, Context& context) {
    const double reach = kCoalescenceRadius * voxel, least = bubble_volume<D>(reach);
    std::vector<CoalescedAir> coalesced;
    if (bubbles.size() < 2 || total_volume(bubbles, context) < least) return coalesced;
    Stage stage(context, "small bubbles");
    const Blocks<D> blocks(bubbles.position.read(), reach);
    std::vector<std::uint8_t> gone(bubbles.size(), 0);
    for (std::size_t i = 0; i < bubbles.size(); ++i) {
        if (gone[i]) continue;
        std::vector<std::size_t> crowd;
        CoalescedAir sum;
        blocks.within_reach(bubbles.position[i], [&](std::size_t j) {
            if (gone[j]) return;
            const double volume = bubble_volume<D>(bubbles.radius[j]);
            crowd.push_back(j);
            sum.volume += volume;
            sum.centre += lifted(bubbles.position[j]) * volume;
        });
        if (crowd.size() < 2 || sum.volume < least) continue;
        sum.centre = sum.centre / sum.volume;
        coalesced.push_back(sum);
        for (const std::size_t j : crowd) {
            const double volume = bubble_volume<D>(bubbles.radius[j]);
            gone[j] = 1;
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

#define SPUME_INSTANTIATE(D)                                                          \
    template std::vector<CoalescedAir> coalesce<D>(Bubbles<D>&, Liquid<D>&, double,     \
                                                 std::vector<Impulse<D>>&, Context&); \
    template double settle_coalesced<D>(std::span<const CoalescedAir>, double, Bubbles<D>&,     \
                                     BubbleTracker<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
