// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/grid/components.h"

#include <random>

#include <gtest/gtest.h>

#include "spume/core/context.h"
#include "spume/grid/stencil.h"

namespace spume {
namespace {

/// Random cells and faces over a few tiles, one of them missing.
template <int D>
struct Maze {
    typename Tiles<D>::Ptr tiles;
    CellField<std::uint8_t, D> cells;
    FaceField<std::uint8_t, D> open;

    Maze(unsigned seed, double filled, double opened) {
        std::vector<Index<D>> keys;
        for (int n = 1; n < (1 << D); ++n) {
            Index<D> key{};
            for (int a = 0; a < D; ++a) key[a] = n >> a & 1;
            keys.push_back(key);
        }
        tiles = Tiles<D>::build(keys, {0.1, {}});
        cells = CellField<std::uint8_t, D>(tiles);
        open = FaceField<std::uint8_t, D>(tiles);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> draw;
        for (int i = 0; i < tiles->active() * kTileCells<D>; ++i) {
            cells.write()[i] = draw(random) < filled;
            for (int a = 0; a < D; ++a) open.write(a)[i] = draw(random) < opened;
        }
    }
    bool joins(int t, int o, int a) const { return open.at(a, t, o) != 0; }

    /// By a search from cell to cell: the number of each cell's set, −1 elsewhere.
    std::vector<int> searched() const {
        std::vector<int> label(tiles->values(), -1);
        int count = 0;
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Neighbour<D> start{t, o};
                if (!cells.at(t, o) || label[start.place()] >= 0) continue;
                std::vector<Neighbour<D>> to_visit{start};
                label[start.place()] = count;
                while (!to_visit.empty()) {
                    const Neighbour<D> at = to_visit.back();
                    to_visit.pop_back();
                    for (int face = 0; face < 2 * D; ++face) {
                        const auto next = neighbour_of<D>(*tiles, at.tile, at.offset, face);
                        if (!tiles->is_active(next.tile) || !cells.read()[next.place()]) continue;
                        const auto& upper = face % 2 == 0 ? at : next;
                        if (!joins(upper.tile, upper.offset, face / 2)) continue;
                        if (label[next.place()] >= 0) continue;
                        label[next.place()] = count;
                        to_visit.push_back(next);
                    }
                }
                ++count;
            }
        return label;
    }

    std::vector<int> labelled(int threads) const {
        Context context(threads);
        TileComponents<D> components(tiles->active());
        for_tiles(context.arena, *tiles, [&](int t) {
            TileJoins<D> j;
            j.cells = TileRowBits<D>::of([&](int o) { return cells.at(t, o) != 0; });
            for (int a = 0; a < D; ++a)
                j.lower[a] = TileRowBits<D>::of([&](int o) { return joins(t, o, a); });
            components.label(t, j);
        });
        components.number();
        DisjointSets sets(std::size_t(components.count()));
        for (int t = 0; t < tiles->active(); ++t)
            for (int a = 0; a < D; ++a) {
                const int below = tiles->neighbour(t, Index<D>::unit(a, -1));
                if (!tiles->is_active(below)) continue;
                join_across<D>(
                    components, below, t, a, [&](int o) { return joins(t, o, a); }, sets);
            }
        std::vector<int> number(std::size_t(components.count())), label(tiles->values(), -1);
        int count = 0;
        for (int i = 0; i < components.count(); ++i)
            number[std::size_t(i)] =
                sets.find(i) == i ? count++ : number[std::size_t(sets.find(i))];
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (const int i = components.of(t, o); i >= 0)
                    label[Neighbour<D>{t, o}.place()] = number[std::size_t(i)];
        return label;
    }
};

template <int D>
void expect_the_sets_of_a_search() {
    for (const double filled : {0.0, 0.3, 0.6, 0.9, 1.0})
        for (const double opened : {0.0, 0.3, 0.6, 1.0}) {
            const Maze<D> maze(unsigned(100 * filled + 10 * opened), filled, opened);
            const std::vector<int> expected = maze.searched();
            for (const int threads : {1, 3}) EXPECT_EQ(maze.labelled(threads), expected);
        }
}
TEST(Components, AreThoseOfASearchNumberedByTheirFirstCell) {
    expect_the_sets_of_a_search<2>();
    expect_the_sets_of_a_search<3>();
}

TEST(Components, ATileThatIsOneSetKeepsNoLabels) {
    TileComponents<3> components(3);
    TileJoins<3> all;
    all.cells = TileRowBits<3>::of([](int) { return true; });
    for (auto& lower : all.lower) lower = all.cells;
    components.label(0, all);
    all.cells = TileRowBits<3>::of([](int o) { return o != 77; });
    components.label(2, all);
    components.number();
    EXPECT_TRUE(components.is_whole(0));
    EXPECT_EQ(components.of(0, 77), 0);
    EXPECT_EQ(components.sets(1), 0);
    EXPECT_EQ(components.of(1, 5), -1) << "never labelled";
    EXPECT_FALSE(components.is_whole(2));
    EXPECT_EQ(components.of(2, 77), -1);
    EXPECT_EQ(components.of(2, 78), 1);
    EXPECT_EQ(components.count(), 2);
}

}  // namespace
}  // namespace spume
