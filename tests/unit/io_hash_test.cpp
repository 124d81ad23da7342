// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <bit>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "spume/io/hash.h"

namespace spume {
namespace {

std::string random_bytes(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::string s(n, '\0');
    for (char& c : s) c = static_cast<char>(random());
    return s;
}

TEST(IoHash, DoesNotDependOnHowTheStreamIsCut) {
    std::mt19937 random(1);
    for (std::size_t n : {0u, 1u, 7u, 63u, 64u, 65u, 127u, 128u, 1000u, 4099u}) {
        const std::string s = random_bytes(n, static_cast<unsigned>(n));
        for (int repeat = 0; repeat < 20; ++repeat) {
            Hasher hasher;
            for (std::size_t at = 0; at < n;) {
                const std::size_t piece = std::min<std::size_t>(n - at, random() % 150);
                hasher.add(std::string_view(s).substr(at, piece));
                at += piece;
            }
            EXPECT_EQ(hasher.result(), hash_of(s)) << n;
        }
    }
}

TEST(IoHash, EveryBitCountsAndFlipsHalfTheResult) {
    const std::string s = random_bytes(200, 3);
    const Hash128 h = hash_of(s);
    std::set<std::string> seen{h.hex()};
    double flipped = 0;
    for (std::size_t bit = 0; bit < 8 * s.size(); ++bit) {
        std::string t = s;
        t[bit / 8] = static_cast<char>(t[bit / 8] ^ (1 << bit % 8));
        const Hash128 g = hash_of(t);
        EXPECT_TRUE(seen.insert(g.hex()).second);
        flipped += std::popcount(g.high ^ h.high) + std::popcount(g.low ^ h.low);
    }
    // 1600 draws of a binomial(128, 1/2): the mean lies within 5 standard errors (0.14) of 64.
    EXPECT_NEAR(flipped / static_cast<double>(8 * s.size()), 64, 0.75);
}

TEST(IoHash, LengthsOfZerosAndSwappedWordsDiffer) {
    std::set<std::string> seen;
    for (std::size_t n = 0; n < 300; ++n)
        EXPECT_TRUE(seen.insert(hash_of(std::string(n, '\0')).hex()).second);
    const std::string s = random_bytes(512, 4);
    for (std::size_t a = 0; a < 64; ++a)
        for (std::size_t b = a + 1; b < 64; ++b) {
            std::string t = s;
            for (std::size_t i = 0; i < 8; ++i) std::swap(t[8 * a + i], t[8 * b + i]);
            EXPECT_TRUE(seen.insert(hash_of(t).hex()).second);
        }
}

TEST(IoHash, HexIsReadBack) {
    const Hash128 h = hash_of(std::string("spume"));
    EXPECT_EQ(Hash128::from_hex(h.hex()), h);
    EXPECT_FALSE(Hash128::from_hex(h.hex() + "0"));
    EXPECT_FALSE(Hash128::from_hex("x" + h.hex().substr(1)));
    // Caches on disk carry these: the function must never change unnoticed.
    EXPECT_EQ(hash_of(std::string("spume")).hex(), "d2fdea8ae8c900afe9492e66c3f99286");
}

}  // namespace
}  // namespace spume
