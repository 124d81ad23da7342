// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_pairs.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "foam/foam_set.h"
#include "spume/core/random.h"
#include "spume/physics/foam/sph_foam.h"

namespace spume {
namespace {

using NamedPairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;

/// Radii from 1 mm to `ratio` mm in a layer.
template <int D>
Foam<D> layer(std::size_t count, double side, double ratio) {
    std::vector<Point<D>> places(count);
    for (std::size_t i = 0; i < count; ++i) {
        places[i] = Random(5, i, 0, Purpose::kTest).uniform_vec<D>(0) * side;
        places[i][1] *= 0.1;
    }
    Foam<D> foam = foam_at<D>(places, 1e-3);
    for (std::size_t i = 0; i < count; ++i) {
        const Random random(6, i, 0, Purpose::kTest);
        foam.radius.write()[i] = static_cast<float>(1e-3 * std::pow(ratio, random.uniform(0)));
    }
    return foam;
}

template <int D>
bool within(const Foam<D>& foam, std::size_t i, std::size_t j, double beta) {
    return length(foam.position[i] - foam.position[j]) <
           beta / 2 * (double(foam.radius[i]) + double(foam.radius[j]));
}

/// Pairs within reach: of all, or of those that are said to be near.
template <int D>
NamedPairs all_pairs(const Foam<D>& foam, double beta) {
    NamedPairs r;
    for (std::size_t i = 0; i < foam.size(); ++i)
        for (std::size_t j = 0; j < foam.size(); ++j)
            if (i != j && within(foam, i, j, beta)) r.insert({foam.id[i], foam.id[j]});
    return r;
}
template <int D>
NamedPairs found_pairs(const Foam<D>& foam, const FoamPairs<D>& pairs, double beta) {
    NamedPairs r;
    Context context(1);
    const auto add = [&](std::size_t i, std::size_t j) {
        if (!within(foam, i, j, beta)) return;
        EXPECT_TRUE(r.insert({foam.id[i], foam.id[j]}).second);  // comes once
    };
    pairs.for_tiles(
        [&](const auto& tile) {
            tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                              std::size_t count) {
                for (std::size_t n = 0; n < count; ++n) {
                    EXPECT_NE(others[n], i);
                    EXPECT_EQ(others[n] >= tile.first() && others[n] < tile.last(), n < mutual);
                    add(i, others[n]);
                    if (n < mutual) add(others[n], i);
                }
                for (std::size_t n = count; n % 8 != 0; ++n) EXPECT_EQ(others[n], i);
            });
        },
        context);
    return r;
}

/// Shear, a stream and two halves that run into each other: pairs are all found at every step,
/// though they are searched anew only now and then.
template <int D>
void expect_all_pairs(double ratio, double clash, int most_searches) {
    Context context(2);
    const double beta = 5, dt = 1e-3;
    Foam<D> foam = layer<D>(250, 0.03 * std::sqrt(ratio), ratio);
    FoamPairs<D> pairs;
    for (int n = 0; n < 40; ++n) {
        pairs.follow(foam, beta, context);
        if (n % 3 == 2) {
            ASSERT_EQ(found_pairs(foam, pairs, beta), all_pairs(foam, beta)) << n;
        }
        auto x = foam.position.write();
        auto v = foam.velocity.write();
        for (std::size_t i = 0; i < foam.size(); ++i) {
            const Random random(8, foam.id[i], 0, Purpose::kTest);
            v[i] = random.uniform_vec<D>(0) * 0.01;
            v[i][0] += 3 + (foam.id[i] % 2 ? clash : 0.0) + 0.5 * x[i][1];
            x[i] += v[i] * dt;
        }
        pairs.moved(foam, dt, context);
    }
    EXPECT_LE(pairs.searches(), most_searches);
    EXPECT_GT(pairs.searches(), 1);
}
TEST(FoamPairs, HoldForSeveralStepsAndMissNobody) {
    expect_all_pairs<2>(1, 0, 8);
    expect_all_pairs<3>(1, 0, 8);
    expect_all_pairs<3>(8, 0, 8);
    expect_all_pairs<3>(1, 1, 40);
}

// Two rafts far apart that each move as one: nobody in them comes closer to a neighbour until they
// meet.
TEST(FoamPairs, SeeRaftsThatMeet) {
    Context context(1);
    std::vector<Point<3>> places = hexagonal(6, 2.2e-3);
    const std::size_t half = places.size();
    for (std::size_t i = 0; i < half; ++i) places.push_back(places[i] + Point<3>{0.2, 0, 0});
    Foam<3> foam = foam_at<3>(places, 1e-3);
    FoamPairs<3> pairs;
    for (int n = 0; n < 100; ++n) {
        pairs.follow(foam, 5, context);
        auto x = foam.position.write();
        auto v = foam.velocity.write();
        for (std::size_t i = 0; i < foam.size(); ++i) {
            v[i] = {foam.id[i] < half ? 1.0 : -1.0, 0, 0};
            x[i] += v[i] * 9.3e-4;
        }
        pairs.moved(foam, 9.3e-4, context);
        pairs.follow(foam, 5, context);
        ASSERT_EQ(found_pairs(foam, pairs, 5), all_pairs(foam, 5)) << n;
    }
    EXPECT_LT(pairs.searches(), 50);  // of 200 calls
}

// At most 120 bytes a particle in a step: what foam is, what forces read, and pairs.
TEST(FoamPairs, OfAPackedLayerNeedFewBytes) {
    Context context(1);
    const WetFoam law;
    Foam<3> foam = foam_at<3>(hexagonal(150, 2e-3), 1e-3);
    FoamPairs<3> pairs;
    pairs.follow(foam, foam_reach(law), context);
    std::size_t columns = 0;
    for_each_attribute<Foam<3>>([&](const auto& a) {
        if (!a.optional) columns += sizeof(*(foam.*a.array).data());
    });
    const double each = double(pairs.bytes()) / double(foam.size());
    EXPECT_LE(double(columns + sizeof(FoamRecord)) + each, 120);
    EXPECT_GT(each, 4);
}

TEST(FoamPairs, GiveTheSameBitsOnAnyNumberOfThreads) {
    const WetFoam law;
    Array<Vec<double, 3>> first;
    for (int threads : {1, 2, 3}) {
        Context context(threads);
        Foam<3> foam = layer<3>(4000, 0.1, 4);
        FoamPairs<3> pairs;
        pairs.follow(foam, foam_reach(law), context);
        const auto states = foam_states(foam, pairs, law, context);
        const auto force = foam_acceleration(foam, pairs, states, law, context);
        if (threads == 1) first = force;
        for (std::size_t i = 0; i < foam.size(); ++i) ASSERT_EQ(force[i], first[i]);
    }
}

}  // namespace
}  // namespace spume
