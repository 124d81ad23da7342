// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/cluster_pairs.h"

#include <algorithm>

#include "spume/particles/neighbours.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 2048;
/// Of the mean radius. Wider skins make longer lists, narrower ones more searches.
constexpr double kSkin = 0.4;

struct Sizes {
    double sum = 0, most = 0;
    std::size_t count = 0;
};

Sizes sizes_of(std::span<const double> radius, Context& context) {
    return reduce(
        context.arena, radius.size(), kGrain, Sizes{},
        [&](std::size_t b, std::size_t e) {
            Sizes s;
            for (std::size_t i = b; i < e; ++i)
                if (radius[i] > 0)
                    s = {s.sum + radius[i], std::max(s.most, radius[i]), s.count + 1};
            return s;
        },
        [](const Sizes& a, const Sizes& b) {
            return Sizes{a.sum + b.sum, std::max(a.most, b.most), a.count + b.count};
        });
}

}  // namespace

template <int D>
void ClusterPairs<D>::follow(std::span<const Point<D>> position, std::span<const double> radius,
                             Context& context) {
    const std::size_t n = position.size();
    if (found_at_.size() == n && n > 0) {
        const double moved = reduce(
            context.arena, n, kGrain, 0.0,
            [&](std::size_t b, std::size_t e) {
                double most = 0;
                for (std::size_t i = b; i < e; ++i) {
                    const Vec<double, D> way = position[i] - found_at_[i];
                    most = std::max(most, dot(way, way));
                }
                return most;
            },
            [](double a, double b) { return std::max(a, b); });
        if (4 * moved <= skin_ * skin_) return;
    }
    find(position, radius, context);
}

template <int D>
void ClusterPairs<D>::find(std::span<const Point<D>> position, std::span<const double> radius,
                           Context& context) {
    const std::size_t n = position.size();
    ++searches_;
    found_at_.assign(position.begin(), position.end());
    first_.assign(n + 1, 0);
    const Sizes sizes = sizes_of(radius, context);
    if (sizes.count == 0) return;
    skin_ = kSkin * sizes.sum / double(sizes.count);
    const NeighbourLists near = find_neighbours<D>(position, 2 * sizes.most + skin_, context);
    const auto touches = [&](std::size_t i, std::uint32_t j) {
        const Vec<double, D> way = position[i] - position[j];
        const double reach = radius[i] + radius[j] + skin_;
        return reach > 0 && dot(way, way) < reach * reach;
    };
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i)
            for (const std::uint32_t j : near.of(i)) first_[i + 1] += touches(i, j);
    });
    for (std::size_t i = 0; i < n; ++i) first_[i + 1] += first_[i];
    pool_.resize_discard(first_[n]);
    std::uint32_t* pool = pool_.write().data();
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            std::uint32_t* out = pool + first_[i];
            for (const std::uint32_t j : near.of(i))
                if (touches(i, j)) *out++ = j;
        }
    });
}

template class ClusterPairs<2>;
template class ClusterPairs<3>;

}  // namespace spume
