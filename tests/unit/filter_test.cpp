// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/grid/filter.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace spume {
namespace {

constexpr auto kAllOpen = [](int, auto&) { return false; };

template <int D>
typename Tiles<D>::Ptr two_a_side() {
    std::vector<Index<D>> keys;
    for (int n = 0; n < (1 << D); ++n) {
        Index<D> key{};
        for (int a = 0; a < D; ++a) key[a] = n >> a & 1;
        keys.push_back(key);
    }
    return Tiles<D>::build(keys, {0.1, {}});
}

template <int D>
void expect_product_of_weights(double share) {
    Context context(2);
    const auto tiles = two_a_side<D>();
    CellField<double, D> field(tiles);
    // The last cell of the first tile: the weights around it lie in all of the tiles.
    const Index<D> middle = Index<D>::filled(kTileSide<D> - 1);
    field.write()[std::size_t(tiles->find(Index<D>{})) * kTileCells<D> +
                  std::size_t(tile_offset<D>(middle))] = 1;
    const auto r = filtered(field, share, kAllOpen, context);
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            double weight = 1;
            for (int a = 0; a < D; ++a) {
                const int away = std::abs(tiles->origin(t)[a] + tile_local<D>(o)[a] - middle[a]);
                weight *= away == 0 ? 1 - 2 * share : away == 1 ? share : 0;
            }
            EXPECT_NEAR(r.at(t, o), weight, 1e-15);
        }
}
TEST(Filter, IsTheProductOfItsWeightsAlongTheAxes) {
    expect_product_of_weights<2>(0.25);
    expect_product_of_weights<3>(0.25);
    expect_product_of_weights<3>(1.0 / 12);
}

TEST(Filter, RemovesWhatAlternates) {
    Context context(1);
    const auto tiles = two_a_side<2>();
    CellField<double, 2> field(tiles);
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o)
            field.write()[t * kTileCells<2> + o] = tile_local<2>(o)[0] % 2 == 0 ? 1 : -1;
    const auto r = filtered(field, 0.25, kAllOpen, context);
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Index<2> cell = tiles->origin(t) + tile_local<2>(o);
            bool inside = true;
            for (int a = 0; a < 2; ++a)
                inside = inside && cell[a] > 0 && cell[a] < 2 * kTileSide<2> - 1;
            if (inside) {
                EXPECT_EQ(r.at(t, o), 0);
            }
        }
}

/// Random closed cells, and none beyond the tiles: what one cell gives the other takes.
template <int D>
void expect_sum_and_constant_stay() {
    const auto tiles = two_a_side<D>();
    std::mt19937 random(7);
    CellField<std::uint8_t, D> open(tiles);
    CellField<double, D> field(tiles), constant(tiles);
    double sum = 0;
    for (int i = 0; i < tiles->active() * kTileCells<D>; ++i) {
        open.write()[i] = random() % 3 > 0;
        sum += field.write()[i] = open.read()[i] ? double(random() % 1000) : 0;
        constant.write()[i] = open.read()[i] ? 3 : 0;
    }
    const auto rule = [&](int t, ExchangeFaces<double, D>& faces) {
        HaloBlock<std::uint8_t, D, 1> there;
        load_halo(open.read(), *tiles, t, there);
        faces.set([&](int a, int i) { return there.v[i] && there.v[i - there.stride(a)]; });
        return true;
    };
    CellField<double, D> first;
    for (const int threads : {1, 2, 3}) {
        Context context(threads);
        auto r = field;
        for (int n = 0; n < 3; ++n) r = filtered(r, 0.25, rule, context);
        if (threads == 1) first = r;
        double after = 0;
        for (int i = 0; i < tiles->active() * kTileCells<D>; ++i) {
            after += r.read()[i];
            EXPECT_EQ(r.read()[i], first.read()[i]);
            if (!open.read()[i]) {
                EXPECT_EQ(r.read()[i], 0);
            }
        }
        EXPECT_NEAR(after, sum, 1e-12 * sum);
        const auto same = filtered(constant, 0.25, rule, context);
        for (int i = 0; i < tiles->active() * kTileCells<D>; ++i)
            EXPECT_EQ(same.read()[i], constant.read()[i]);
    }
}
TEST(Filter, AnExchangeBetweenOpenCellsKeepsTheSumAndAConstant) {
    expect_sum_and_constant_stay<2>();
    expect_sum_and_constant_stay<3>();
}

}  // namespace
}  // namespace spume
