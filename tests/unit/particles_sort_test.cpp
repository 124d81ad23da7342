// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/grid/topology.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/sort.h"

namespace spume {
namespace {

template <int D>
Bubbles<D> scattered(std::size_t n, double extent, std::uint64_t seed) {
    Bubbles<D> set;
    resize(set, n);
    auto x = set.position.write();
    for (std::size_t i = 0; i < n; ++i) {
        // Two lumps and a thin haze: crowded cells, empty tiles and lone particles.
        const Random random(seed, i, 0, Purpose::kTest);
        const double lump = i % 10 == 0 ? extent : i % 2 ? 3.0 : 1.0;
        x[i] = random.uniform_vec<D>(0) * lump - Point<D>::filled(extent * 0.4);
    }
    Bubbles<D> named;
    append(named, set);
    return named;
}

/// Tile and cell from integers only, independent of the library's keys.
template <int D>
std::pair<int, int> place_of(const Point<D>& x, const Tiles<D>& tiles) {
    Index<D> tile{};
    int cell = 0;
    for (int a = 0; a < D; ++a) {
        const int i =
            static_cast<int>(std::floor((x[a] - tiles.transform().origin[a]) / tiles.voxel()));
        const int side = kTileSide<D>;
        tile[a] = i >= 0 ? i / side : -((side - 1 - i) / side);
        cell = cell * side + i - tile[a] * side;
    }
    return {tiles.find(tile), cell};
}

template <int D>
void expect_sorted_as_stable_sort(const Bubbles<D>& before, int threads) {
    Context context(threads);
    const Transform<D> transform{0.1, Point<D>::filled(0.05)};
    const auto everywhere = Box<int, D>{Index<D>::filled(-100000), Index<D>::filled(100000)};
    const auto tiles = Tiles<D>::build(
        tiles_around<D>(before.position.read(), transform, 1, 0, everywhere, context), transform);
    Bubbles<D> set = before;
    const TileRanges<D> ranges = sort_by_tile(set, tiles, context);

    std::vector<std::size_t> expected(before.size());
    std::iota(expected.begin(), expected.end(), std::size_t(0));
    const auto key = [&](std::size_t i) {
        const auto [tile, cell] = place_of<D>(before.position[i], *tiles);
        return std::tuple(tile, cell, before.id[i]);
    };
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    ASSERT_EQ(set.size(), before.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(set.id[i], before.id[expected[i]]);
        ASSERT_EQ(set.position[i], before.position[expected[i]]);
    }
    ASSERT_EQ(ranges.begin.size(), std::size_t(tiles->active()) + 1);
    ASSERT_EQ(ranges.size(), set.size());
    for (int t = 0; t < tiles->active(); ++t)
        for (std::size_t i = ranges.first(t); i < ranges.last(t); ++i)
            ASSERT_EQ(place_of<D>(set.position[i], *tiles).first, t);

    // Sorted input: the same object comes back, not a copy.
    const auto* data = set.position.data();
    const TileRanges<D> again = sort_by_tile(set, tiles, context);
    EXPECT_EQ(set.position.data(), data);
    EXPECT_EQ(again.begin, ranges.begin);

    // Nearly sorted input.
    Bubbles<D> moved = set;
    auto x = moved.position.write();
    for (std::size_t i = 0; i < moved.size(); ++i)
        x[i] += (Random(9, moved.id[i], 1, Purpose::kTest).template uniform_vec<D>(0) -
                 Point<D>::filled(0.5)) *
                0.02;
    const auto wider = Tiles<D>::build(
        tiles_around<D>(moved.position.read(), transform, 1, 0, everywhere, context), transform);
    const Bubbles<D> copy = moved;
    sort_by_tile(moved, wider, context);
    for (std::size_t i = 0; i + 1 < moved.size(); ++i) {
        const auto a = place_of<D>(moved.position[i], *wider);
        const auto b = place_of<D>(moved.position[i + 1], *wider);
        ASSERT_LT(std::tuple(a.first, a.second, moved.id[i]),
                  std::tuple(b.first, b.second, moved.id[i + 1]));
    }
    std::vector<std::uint64_t> ids(moved.id.begin(), moved.id.end());
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], i);
}

TEST(TileSort, AgreesWithStableSort2D) {
    for (int threads : {1, 3, 8}) expect_sorted_as_stable_sort(scattered<2>(60000, 40, 1), threads);
}
TEST(TileSort, AgreesWithStableSort3D) {
    for (int threads : {1, 2, 4}) expect_sorted_as_stable_sort(scattered<3>(60000, 12, 2), threads);
}
TEST(TileSort, FewParticles) {
    expect_sorted_as_stable_sort(scattered<3>(0, 4, 1), 1);
    expect_sorted_as_stable_sort(scattered<3>(1, 4, 1), 2);
    expect_sorted_as_stable_sort(scattered<2>(7, 4, 1), 2);
}

TEST(TileSort, ParticleOnTheUpperWallBelongsToTheLastCell) {
    Context context;
    const Box<int, 2> cells{{0, 0}, {32, 16}};
    const auto tiles = Tiles<2>::dense(cells, {});
    Bubbles<2> fresh, set;
    resize(fresh, 1);
    fresh.position.write()[0] = {32.0, 16.0};
    append(set, fresh);
    EXPECT_THROW(sort_by_tile(set, tiles, context), Defect);
    const auto ranges = sort_by_tile(set, tiles, context, Clamp<2>::closed(cells));
    const int tile = tiles->find({1, 0});
    EXPECT_EQ(ranges.last(tile) - ranges.first(tile), 1u);
}

TEST(TileSort, NotANumberIsADefect) {
    Context context;
    const auto tiles = Tiles<3>::dense({{0, 0, 0}, {8, 8, 8}}, {});
    Bubbles<3> fresh, set;
    resize(fresh, 1);
    fresh.position.write()[0] = {1.0, std::nan(""), 1.0};
    append(set, fresh);
    EXPECT_THROW(sort_by_tile(set, tiles, context), Defect);
}

}  // namespace
}  // namespace spume
