// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/air_pockets.h"

#include <array>
#include <numeric>
#include <utility>

#include "spume/particles/bubble_size.h"

namespace spume::mixture {
namespace {

/// Disjoint sets; the root is the smallest member, so that it depends on no order of joining.
template <class T>
T root_of(T* parent, T i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}
template <class T>
void join(T* parent, T a, T b) {
    a = root_of(parent, a), b = root_of(parent, b);
    (a < b ? parent[b] : parent[a]) = a < b ? a : b;
}

/// Numbers 1, 2, … for the regions within one tile, in order of their first cell. Returns how many.
template <int D>
int label_tile(const double* fraction, std::int32_t* label) {
    std::array<int, kTileCells<D>> parent;
    std::iota(parent.begin(), parent.end(), 0);
    for (int o = 0; o < kTileCells<D>; ++o) {
        if (!(fraction[o] > 0)) continue;
        for (int a = 0; a < D; ++a)
            if (tile_local<D>(o)[a] > 0 && fraction[o - tile_stride<D>(a)] > 0)
                join(parent.data(), o, o - tile_stride<D>(a));
    }
    int count = 0;
    for (int o = 0; o < kTileCells<D>; ++o) {
        if (!(fraction[o] > 0)) continue;
        const int root = root_of(parent.data(), o);
        label[o] = root == o ? ++count : label[root];
    }
    return count;
}

}  // namespace

template <int D>
Pockets<D> pockets_of(const CellField<double, D>& fraction, Context& context) {
    Stage stage(context, "pockets");
    const Tiles<D>& tiles = *fraction.tiles();
    Pockets<D> r{CellField<std::int32_t, D>(fraction.tiles()), 0};
    std::int32_t* label = r.label.write();
    std::vector<std::int32_t> first(std::size_t(tiles.active()) + 1, 0);
    for_tiles(context.arena, tiles, [&](int t) {
        first[std::size_t(t) + 1] =
            label_tile<D>(fraction.tile(t), label + std::size_t(t) * kTileCells<D>);
    });
    std::partial_sum(first.begin(), first.end(), first.begin());

    std::vector<std::int32_t> parent(std::size_t(first.back()));
    std::iota(parent.begin(), parent.end(), 0);
    for (int t = 0; t < tiles.active(); ++t) {
        if (first[std::size_t(t)] == first[std::size_t(t) + 1]) continue;
        for (int a = 0; a < D; ++a) {
            const int before = tiles.neighbour(t, Index<D>::unit(a, -1));
            if (!tiles.is_active(before)) continue;
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (tile_local<D>(o)[a] > 0) continue;
                const std::int32_t here = label[std::size_t(t) * kTileCells<D> + std::size_t(o)];
                const std::int32_t there = label[neighbour_of<D>(tiles, t, o, 2 * a).place()];
                if (here > 0 && there > 0)
                    join(parent.data(), first[std::size_t(t)] + here - 1,
                         first[std::size_t(before)] + there - 1);
            }
        }
    }
    std::vector<std::int32_t> number(parent.size());
    for (std::size_t i = 0; i < parent.size(); ++i) {
        const std::int32_t root = root_of(parent.data(), std::int32_t(i));
        number[i] = root == std::int32_t(i) ? ++r.count : number[std::size_t(root)];
    }
    for_tiles(context.arena, tiles, [&](int t) {
        std::int32_t* own = label + std::size_t(t) * kTileCells<D>;
        for (int o = 0; o < kTileCells<D>; ++o)
            if (own[o] > 0) own[o] = number[std::size_t(first[std::size_t(t)] + own[o] - 1)];
    });
    return r;
}

template <int D>
std::vector<double> radii_of(const Pockets<D>& pockets, const CellField<double, D>& fraction,
                             Context& context) {
    Stage stage(context, "pockets");
    const Tiles<D>& tiles = *fraction.tiles();
    std::vector<std::vector<std::pair<std::int32_t, double>>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        auto& own = parts[std::size_t(t)];
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::int32_t pocket = pockets.label.at(t, o);
            if (pocket == 0) continue;
            if (own.empty() || own.back().first != pocket) own.emplace_back(pocket, 0.0);
            own.back().second += fraction.at(t, o);
        }
    });
    std::vector<double> r(std::size_t(pockets.count) + 1, 0.0);
    for (const auto& own : parts)
        for (const auto& [pocket, part] : own) r[std::size_t(pocket)] += part;
    for (double& air : r) air = bubble_radius<D>(air);
    return r;
}

template Pockets<2> pockets_of<2>(const CellField<double, 2>&, Context&);
template Pockets<3> pockets_of<3>(const CellField<double, 3>&, Context&);
template std::vector<double> radii_of<2>(const Pockets<2>&, const CellField<double, 2>&, Context&);
template std::vector<double> radii_of<3>(const Pockets<3>&, const CellField<double, 3>&, Context&);

}  // namespace spume::mixture
