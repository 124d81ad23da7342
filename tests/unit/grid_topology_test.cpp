// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/grid/topology.h"

namespace spume {
namespace {

template <int D>
using KeySet = std::set<std::array<int, D>>;

template <int D>
KeySet<D> as_set(std::span<const Index<D>> keys) {
    KeySet<D> r;
    for (const auto& k : keys) {
        std::array<int, D> a;
        for (int d = 0; d < D; ++d) a[std::size_t(d)] = k[d];
        r.insert(a);
    }
    return r;
}

template <int D>
std::vector<Point<D>> random_points(std::size_t n, std::uint64_t seed) {
    std::vector<Point<D>> points;
    for (std::size_t i = 0; i < n; ++i)
        points.push_back(Random(seed, i, 0, Purpose::kTest).uniform_vec<D>(0) * 30.0 -
                         Point<D>::filled(15));
    return points;
}

/// Every tile of a region asked, one by one, whether it is wanted: some cell within `margin` of a
/// point's cell lies in a tile at most `padding` tiles away.
template <int D>
KeySet<D> wanted_tiles(const std::vector<Point<D>>& points, const Transform<D>& transform,
                       int margin, int padding, const Box<int, D>& limits) {
    KeySet<D> r;
    const int side = kTileSide<D>, reach = 40;
    const int n = 2 * reach + 1, count = D == 2 ? n * n : n * n * n;
    for (int i = 0; i < count; ++i) {
        Index<D> k{};
        for (int a = 0, rest = i; a < D; ++a, rest /= n) k[a] = rest % n - reach;
        bool inside = true;
        for (int a = 0; a < D; ++a)
            inside = inside && (k[a] + 1) * side > limits.lo[a] && k[a] * side < limits.hi[a];
        if (!inside) continue;
        for (const Point<D>& x : points) {
            bool near = true;
            for (int a = 0; a < D && near; ++a) {
                const int cell =
                    static_cast<int>(std::floor((x[a] - transform.origin[a]) / transform.voxel));
                const int lo = (k[a] - padding) * side - margin;
                const int hi = (k[a] + padding + 1) * side + margin;
                near = cell >= lo && cell < hi;
            }
            if (!near) continue;
            std::array<int, D> a;
            for (int d = 0; d < D; ++d) a[std::size_t(d)] = k[d];
            r.insert(a);
            break;
        }
    }
    return r;
}

template <int D>
void expect_tiles_around() {
    const Transform<D> transform{0.3, Point<D>::filled(0.1)};
    const auto points = random_points<D>(40, 6);
    for (int margin : {0, 1, 3, kTileSide<D> + 2})
        for (int padding : {0, 1, 2})
            for (int threads : {1, 3}) {
                Context context(threads);
                Box<int, D> limits{Index<D>::filled(-1000), Index<D>::filled(1000)};
                limits.lo[0] = -31;
                limits.hi[D - 1] = 25;
                const auto keys =
                    tiles_around<D>(points, transform, margin, padding, limits, context);
                const auto expected = wanted_tiles<D>(points, transform, margin, padding, limits);
                EXPECT_EQ(as_set<D>(keys), expected);
                EXPECT_EQ(keys.size(), expected.size()) << "repeated keys";
            }
}

TEST(GridTopology, MarginAndPaddingAgreeWithBruteForce) {
    expect_tiles_around<2>();
    expect_tiles_around<3>();
}

TEST(GridTopology, ManyPointsOnManyThreads) {
    const auto points = random_points<2>(200000, 3);
    const Box<int, 2> all{{-100000, -100000}, {100000, 100000}};
    Context one(1), four(4);
    const auto a = tiles_around<2>(points, {0.01, {}}, 2, 1, all, one);
    const auto b = tiles_around<2>(points, {0.01, {}}, 2, 1, all, four);
    EXPECT_EQ(a, b);
    EXPECT_GT(a.size(), 1000u);
}

TEST(GridFollower, SameObjectWhileTheKeysStay) {
    TileTopology<2> follower;
    EXPECT_TRUE(follower.rebuild({{0, 0}, {3, 1}}, 2, {}));
    const auto first = follower.tiles;
    EXPECT_FALSE(follower.rebuild({{3, 1}, {0, 0}, {0, 0}}, 2, {}));
    EXPECT_EQ(follower.tiles, first);
    EXPECT_TRUE(follower.rebuild({{0, 0}, {3, 1}, {4, 1}}, 2, {}));
    EXPECT_NE(follower.tiles, first);
}

TEST(GridFollower, IdleTilesRetireAfterPatience) {
    TileTopology<3> follower;
    follower.rebuild({{0, 0, 0}, {1, 0, 0}}, 3, {});
    const auto first = follower.tiles;
    for (int step = 1; step <= 3; ++step) {
        EXPECT_FALSE(follower.rebuild({{0, 0, 0}}, 3, {})) << step;
        EXPECT_EQ(follower.tiles, first);
        EXPECT_EQ(follower.idle[std::size_t(first->find({1, 0, 0}))], step);
        EXPECT_EQ(follower.idle[std::size_t(first->find({0, 0, 0}))], 0);
    }
    EXPECT_TRUE(follower.rebuild({{0, 0, 0}}, 3, {}));
    EXPECT_EQ(follower.tiles->active(), 1);

    // Wanted again in between: the count starts anew.
    follower.rebuild({{0, 0, 0}, {1, 0, 0}}, 1, {});
    follower.rebuild({{0, 0, 0}}, 1, {});
    follower.rebuild({{0, 0, 0}, {1, 0, 0}}, 1, {});
    follower.rebuild({{0, 0, 0}}, 1, {});
    EXPECT_EQ(follower.tiles->active(), 2);
    follower.rebuild({{0, 0, 0}}, 1, {});
    EXPECT_EQ(follower.tiles->active(), 1);
}

template <int D>
void expect_carried() {
    Context context(2);
    const auto at = [](int a, int b) {
        Index<D> k = Index<D>::filled(0);
        k[0] = a;
        k[1] = b;
        return k;
    };
    const auto from = Tiles<D>::build({at(0, 0), at(1, 0), at(5, 5)}, {});
    const auto to = Tiles<D>::build({at(1, 0), at(2, 0), at(-3, 0)}, {});
    FaceField<double, D> field(from);
    const auto mark = [](int axis, const Point<D>& x) {
        return 1 + axis + 10 * x[0] + 1e4 * x[1] + 1e6 * x[D - 1];
    };
    for (int a = 0; a < D; ++a) {
        double* w = field.write(a);
        for (int t = 0; t < from->zero(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                w[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    mark(a, field.position(a, t, o));
    }
    const FaceField<double, D> moved = carried(field, to, -7.0, context);
    int kept = 0, filled = 0;
    for (int a = 0; a < D; ++a)
        for (int t = 0; t < to->zero(); ++t) {
            const bool had = from->find(to->key(t)) != from->zero();
            (had ? kept : filled) += 1;
            for (int o = 0; o < kTileCells<D>; ++o)
                ASSERT_EQ(moved.at(a, t, o), had ? mark(a, moved.position(a, t, o)) : -7.0);
        }
    EXPECT_GT(kept, 0);
    EXPECT_GT(filled, 0);
    for (int o = 0; o < kTileCells<D>; ++o) EXPECT_EQ(moved.at(0, to->zero(), o), 0.0);
    EXPECT_EQ(carried(field, from, 0.0, context).read(0), field.read(0)) << "shared, not copied";
}

TEST(GridTopology, FieldsAreCarriedOver) {
    expect_carried<2>();
    expect_carried<3>();
}

}  // namespace
}  // namespace spume
