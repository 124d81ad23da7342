// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/grid/face_values.h"
#include "spume/grid/halo.h"
#include "spume/grid/tile.h"

namespace spume {
namespace {

template <int D>
using Key = std::array<int, D>;

template <int D>
Key<D> key_of(const Index<D>& i) {
    Key<D> r;
    for (int a = 0; a < D; ++a) r[std::size_t(a)] = i[a];
    return r;
}

/// Random tiles around the origin, some twice.
template <int D>
std::vector<Index<D>> random_tiles(std::uint64_t seed, int count, int reach) {
    std::vector<Index<D>> keys;
    for (int n = 0; n < count; ++n) {
        const auto u = Random(seed, std::uint64_t(n), 0, Purpose::kTest).uniform_vec<D>(0);
        keys.push_back(floor_index<D>(u * double(2 * reach) - Point<D>::filled(reach)));
        if (n % 5 == 0) keys.push_back(keys.back());
    }
    return keys;
}

template <int D>
std::set<Key<D>> as_set(const std::vector<Index<D>>& keys) {
    std::set<Key<D>> r;
    for (const auto& k : keys) r.insert(key_of<D>(k));
    return r;
}

template <int D, class F>
void for_cube(int lo, int hi, F&& f) {
    Index<D> i = Index<D>::filled(lo);
    for (;;) {
        f(i);
        int a = D - 1;
        while (a >= 0 && ++i[a] > hi) i[a--] = lo;
        if (a < 0) return;
    }
}

template <int D>
void expect_layout(std::uint64_t seed) {
    const auto wanted = random_tiles<D>(seed, 60, 4);
    const auto active = as_set<D>(wanted);
    const auto tiles = Tiles<D>::build(wanted, {});
    ASSERT_EQ(tiles->active(), int(active.size()));

    std::set<Key<D>> border;
    for (const auto& k : active)
        for_cube<D>(0, 1, [&](const Index<D>& s) {
            Key<D> b = k;
            for (int a = 0; a < D; ++a) b[std::size_t(a)] += s[a];
            if (!active.count(b)) border.insert(b);
        });
    ASSERT_EQ(tiles->zero(), int(active.size() + border.size()));
    std::set<Key<D>> seen;
    for (int t = 0; t < tiles->zero(); ++t) {
        const Key<D> k = key_of<D>(tiles->key(t));
        EXPECT_TRUE(seen.insert(k).second);
        EXPECT_EQ(active.count(k), tiles->is_active(t) ? 1u : 0u);
        EXPECT_EQ(border.count(k), tiles->is_active(t) ? 0u : 1u);
        EXPECT_EQ(tiles->find(tiles->key(t)), t);
        EXPECT_EQ(tiles->origin(t), tiles->key(t) * kTileSide<D>);
    }
    for_cube<D>(-6, 7, [&](const Index<D>& k) {
        if (!seen.count(key_of<D>(k))) {
            EXPECT_EQ(tiles->find(k), tiles->zero());
        }
    });
    for (int t = 0; t < tiles->active(); ++t)
        for_cube<D>(-1, 1, [&](const Index<D>& s) {
            EXPECT_EQ(tiles->neighbour(t, s), tiles->find(tiles->key(t) + s));
        });
}

TEST(GridTiles, LayoutAgreesWithSets) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        expect_layout<2>(seed);
        expect_layout<3>(seed);
    }
}

TEST(GridTiles, OrderDoesNotDependOnTheInput) {
    auto keys = random_tiles<3>(8, 50, 5);
    const auto a = Tiles<3>::build(keys, {});
    std::reverse(keys.begin(), keys.end());
    const auto b = Tiles<3>::build(keys, {});
    ASSERT_EQ(a->stored(), b->stored());
    for (int t = 0; t < a->zero(); ++t) EXPECT_EQ(a->key(t), b->key(t));
}

/// Faces of a set of cells, counted cell by cell: both faces of every active cell.
template <int D>
void expect_every_face_once(std::uint64_t seed) {
    const auto tiles = Tiles<D>::build(random_tiles<D>(seed, 12, 2), {});
    Arena arena(2);
    for (int axis = 0; axis < D; ++axis) {
        std::set<Key<D>> expected;
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> cell = tiles->origin(t) + tile_local<D>(o);
                expected.insert(key_of<D>(cell));
                expected.insert(key_of<D>(cell + Index<D>::unit(axis)));
            }
        std::vector<unsigned char> visits(tiles->values(), 0);
        for_faces(arena, *tiles, axis,
                  [&](int t, int o) { ++visits[std::size_t(t) * kTileCells<D> + std::size_t(o)]; });
        std::size_t total = 0;
        for (int t = 0; t < tiles->stored(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const int v = visits[std::size_t(t) * kTileCells<D> + std::size_t(o)];
                ASSERT_LE(v, 1);
                if (!v) continue;
                ++total;
                ASSERT_TRUE(expected.count(key_of<D>(tiles->origin(t) + tile_local<D>(o))));
            }
        EXPECT_EQ(total, expected.size());
    }
}

TEST(GridTiles, EveryFaceIsVisitedOnce) {
    expect_every_face_once<2>(3);
    expect_every_face_once<3>(4);
}

TEST(GridTiles, DenseCoversTheBoxAndNoMore) {
    const auto tiles = Tiles<3>::dense({{-9, 0, 3}, {8, 17, 8}}, {});
    EXPECT_EQ(tiles->active(), 3 * 3 * 1);  // x: −16…7, y: 0…23, z: 0…7
    EXPECT_LT(tiles->find({-2, 0, 0}), tiles->active());
    EXPECT_GE(tiles->find({1, 0, 0}), tiles->active());
}

TEST(GridTiles, NegativeCellsRoundDown) {
    EXPECT_EQ(tile_of<2>({-1, -16}), (Index<2>{-1, -1}));
    EXPECT_EQ(tile_of<2>({-17, 15}), (Index<2>{-2, 0}));
    EXPECT_EQ(local_of<2>({-1, -16}), (Index<2>{15, 0}));
    for (int o = 0; o < kTileCells<3>; ++o) EXPECT_EQ(tile_offset<3>(tile_local<3>(o)), o);
}

/// A value that tells where it is.
template <int D>
double mark(const Index<D>& i) {
    double r = 0;
    for (int a = 0; a < D; ++a) r = r * 1000 + i[a] + 500;
    return r;
}

/// for_faces_above visits each face once, with the value of the cell below it.
template <int D>
void expect_cells_below() {
    const auto tiles = Tiles<D>::build(random_tiles<D>(23, 12, 2), {});
    CellField<double, D> field(tiles);
    double* w = field.write();
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            w[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                mark<D>(tiles->origin(t) + tile_local<D>(o));
    Arena arena(2);
    for (int axis = 0; axis < D; ++axis) {
        std::vector<int> visits(tiles->values(), 0), expected(tiles->values(), 0);
        for_faces(arena, *tiles, axis, [&](int t, int o) {
            ++expected[std::size_t(t) * kTileCells<D> + std::size_t(o)];
        });
        std::vector<double> found(tiles->values(), -1);
        for_faces_above(arena, *tiles, axis, field.read(),
                        [&](std::size_t begin, std::size_t end, const double* below) {
                            for (std::size_t i = begin; i < end; ++i)
                                ++visits[i], found[i] = below[i - begin];
                        });
        EXPECT_EQ(visits, expected);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!visits[i]) continue;
            const Index<D> cell = tiles->origin(int(i / kTileCells<D>)) +
                                  tile_local<D>(int(i % kTileCells<D>)) - Index<D>::unit(axis);
            const bool active = tiles->is_active(tiles->find(tile_of<D>(cell)));
            ASSERT_EQ(found[i], active ? mark<D>(cell) : 0.0);
        }
    }
}

TEST(GridTiles, FacesKnowTheCellBelow) {
    expect_cells_below<2>();
    expect_cells_below<3>();
}

template <int D, int R>
void expect_halo() {
    const auto tiles = Tiles<D>::build(random_tiles<D>(17, 40, 3), {});
    CellField<double, D> field(tiles);
    double* w = field.write();
    for (int t = 0; t < tiles->zero(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            w[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                mark<D>(tiles->origin(t) + tile_local<D>(o));
    std::size_t missing = 0;
    for (int t = 0; t < tiles->active(); ++t) {
        HaloBlock<double, D, R> block;
        load_halo(field.read(), *tiles, t, block);
        for_cube<D>(-R, kTileSide<D> + R - 1, [&](const Index<D>& i) {
            const Index<D> cell = tiles->origin(t) + i;
            const bool stored = tiles->find(tile_of<D>(cell)) != tiles->zero();
            missing += !stored;
            ASSERT_EQ(block.v[block.at(i)], stored ? mark<D>(cell) : 0.0);
        });
    }
    EXPECT_GT(missing, 0u);
}

TEST(GridHalo, AgreesWithLookUp) {
    expect_halo<2, 1>();
    expect_halo<2, 3>();
    expect_halo<3, 1>();
    expect_halo<3, 2>();
}

TEST(GridField, SamplesLieWhereTheirTypeSays) {
    const Transform<2> transform{0.5, {10, 20}};
    const auto tiles = Tiles<2>::build({{-1, 0}}, transform);
    const int o = tile_offset<2>({15, 2});  // cell (−1, 2)
    EXPECT_EQ((CellField<float, 2>(tiles).position(0, o)), (Point<2>{9.75, 21.25}));
    EXPECT_EQ((FaceField<float, 2>(tiles).position(0, 0, o)), (Point<2>{9.5, 21.25}));
    EXPECT_EQ((FaceField<float, 2>(tiles).position(1, 0, o)), (Point<2>{9.75, 21.0}));
}

TEST(GridField, ZeroTileStaysZero) {
    const auto tiles = Tiles<3>::build({{0, 0, 0}}, {});
    const CellField<float, 3> field(tiles, 7.0f);
    for (int t = 0; t < tiles->zero(); ++t) EXPECT_EQ(field.at(t, 100), 7.0f);
    for (int o = 0; o < kTileCells<3>; ++o) EXPECT_EQ(field.at(tiles->zero(), o), 0.0f);
}

TEST(GridTiles, ReductionHasTheSameBitsOnAnyThreadCount) {
    const auto tiles = Tiles<3>::build(random_tiles<3>(5, 300, 6), {});
    std::set<double> sums;
    for (int threads : {1, 2, 3, 4, 8}) {
        Arena arena(threads);
        sums.insert(reduce_tiles(
            arena, *tiles, 0.0, [&](int t) { return 1.0 / (1 + t) * 1e3; },
            [](double a, double b) { return a + b; }));
    }
    EXPECT_EQ(sums.size(), 1u);
}

}  // namespace
}  // namespace spume
