// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/bubble_merging.h"

#include <algorithm>
#include <vector>

#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/cluster_pairs.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr std::uint32_t kNobody = ~std::uint32_t(0);

/// Particle `kept` becomes both.
template <int D>
void join(ClusterBubbles<D>& set, std::size_t kept, std::size_t gone) {
    const double a = bubble_volume<D>(set.radius[kept]), b = bubble_volume<D>(set.radius[gone]);
    const double share = b / (a + b);
    const auto mix = [&](auto& array) {
        auto w = array.write();
        w[kept] = w[kept] * (1 - share) + w[gone] * share;
    };
    mix(set.position);
    mix(set.velocity);
    mix(set.exposure);
    set.radius.write()[kept] = bubble_radius<D>(a + b);
}

}  // namespace

template <int D>
std::size_t merge_bubbles(ClusterBubbles<D>& set, Merging merging, double depth, Context& context) {
    const std::size_t n = set.size();
    if (merging == Merging::kNever || n < 2) return 0;
    Stage stage(context, "merge");
    ClusterPairs<D> pairs;
    pairs.follow(set.position.read(), set.radius.read(), context);
    const auto free = [&](std::size_t i) {
        return merging == Merging::kEverywhere ||
               set.region[i] == std::uint8_t(SurfaceRegion::kBelow);
    };
    std::vector<std::uint32_t> partner(n, kNobody);
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            if (!free(i)) continue;
            double nearest = depth;
            for (const std::uint32_t j : pairs.of(i)) {
                const double d =
                    length(set.position[i] - set.position[j]) / (set.radius[i] + set.radius[j]);
                const bool better = d < nearest || (partner[i] != kNobody && d == nearest &&
                                                    set.id[j] < set.id[partner[i]]);
                if (free(j) && better) nearest = d, partner[i] = j;
            }
        }
    });
    std::vector<std::uint8_t> gone(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t j = partner[i];
        if (j == kNobody || partner[j] != i || j < i) continue;
        const bool first = set.radius[i] > set.radius[j] ||
                           (set.radius[i] == set.radius[j] && set.id[i] < set.id[j]);
        const std::size_t kept = first ? i : j, other = first ? j : i;
        join(set, kept, other);
        gone[other] = 1;
    }
    return remove_if(set, context, [&](std::size_t i) { return gone[i] != 0; });
}

template std::size_t merge_bubbles<2>(ClusterBubbles<2>&, Merging, double, Context&);
template std::size_t merge_bubbles<3>(ClusterBubbles<3>&, Merging, double, Context&);

}  // namespace spume
