// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/air_pockets.h"

#include <utility>

#include "spume/grid/components.h"
#include "spume/particles/bubble_size.h"

namespace spume::mixture {

template <int D>
Pockets<D> pockets_of(const CellField<double, D>& fraction, Context& context) {
    Stage stage(context, "pockets");
    const Tiles<D>& tiles = *fraction.tiles();
    TileComponents<D> components(tiles.active());
    for_tiles(context.arena, tiles, [&](int t) {
        TileJoins<D> joins;
        joins.cells = TileRowBits<D>::of([&](int o) { return fraction.at(t, o) > 0; });
        for (auto& lower : joins.lower) lower = TileRowBits<D>::of([](int) { return true; });
        components.label(t, joins);
    });
    components.number();
    DisjointSets sets(std::size_t(components.count()));
    for (int t = 0; t < tiles.active(); ++t)
        for (int a = 0; a < D && components.sets(t) > 0; ++a)
            if (const int below = tiles.neighbour(t, Index<D>::unit(a, -1)); tiles.is_active(below))
                join_across<D>(
                    components, below, t, a, [](int) { return true; }, sets);

    Pockets<D> r{CellField<std::int32_t, D>(fraction.tiles()), 0};
    std::int32_t* label = r.label.write();
    std::vector<std::int32_t> number(std::size_t(components.count()));
    for (int i = 0; i < components.count(); ++i) {
        const int root = sets.find(i);
        number[std::size_t(i)] = root == i ? ++r.count : number[std::size_t(root)];
    }
    for_tiles(context.arena, tiles, [&](int t) {
        if (components.sets(t) == 0) return;
        for (int o = 0; o < kTileCells<D>; ++o)
            if (const int i = components.of(t, o); i >= 0)
                label[std::size_t(t) * kTileCells<D> + std::size_t(o)] = number[std::size_t(i)];
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
