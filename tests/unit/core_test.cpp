// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "spume/core/array.h"
#include "spume/core/context.h"
#include "spume/core/error.h"
#include "spume/core/member_count.h"
#include "spume/core/parallel.h"
#include "spume/core/random.h"

namespace spume {
namespace {

struct NoMembers {};
struct ThreeMembers {
    int a = 0;
    std::vector<double> b;
    std::array<float, 3> c;
};
struct SixtyFourMembers {
    struct Ten {
        int a, b, c, d, e, f, g, h, i, j;
    };
    int m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15;
    int m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31;
    int m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45, m46, m47;
    int m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62;
    Ten m63;
};
struct SixtyFiveMembers {
    int m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15;
    int m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31;
    int m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45, m46, m47;
    int m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63, m64;
};
template <class T>
constexpr bool can_be_counted = requires {
    member_count<T>();
};

TEST(MemberCount, CountsOrDoesNotCompile) {
    static_assert(member_count<NoMembers>() == 0);
    static_assert(member_count<ThreeMembers>() == 3);
    static_assert(member_count<SixtyFourMembers>() == 64);
    static_assert(can_be_counted<SixtyFourMembers>);
    static_assert(!can_be_counted<SixtyFiveMembers>, "a count that stops short is none");
}

TEST(Random, PhiloxKnownAnswers) {
    // [SMDS11] known-answer vectors of Random123 for philox4x32-10.
    const std::array<std::uint32_t, 4> zero = philox({0, 0, 0, 0}, {0, 0});
    EXPECT_EQ(zero,
              (std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    const std::array<std::uint32_t, 4> pi =
        philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u});
    EXPECT_EQ(pi,
              (std::array<std::uint32_t, 4>{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Random, UniformHasMeanAndVarianceOfUniform) {
    double sum = 0, squares = 0;
    const int n = 200000;
    for (int i = 0; i < n; ++i) {
        const double x = Random(7, static_cast<std::uint64_t>(i), 3, Purpose::kTest).uniform(0);
        ASSERT_GE(x, 0.0);
        ASSERT_LT(x, 1.0);
        sum += x;
        squares += x * x;
    }
    EXPECT_NEAR(sum / n, 0.5, 3 * 0.2887 / std::sqrt(n));
    EXPECT_NEAR(squares / n, 1.0 / 3, 3 * 0.2981 / std::sqrt(n));
}

TEST(Parallel, EachPieceRunsOnceOnAnyThreadCount) {
    for (int threads = 1; threads <= 8; ++threads) {
        Arena arena(threads);
        std::vector<int> hits(10007, 0);
        for_range(arena, hits.size(), 64, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) ++hits[i];
        });
        for (int h : hits) ASSERT_EQ(h, 1);
    }
}

TEST(Parallel, ReduceGivesTheSameBitsOnAnyThreadCount) {
    std::vector<double> values(100003);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = Random(1, i, 0, Purpose::kTest).uniform(0) * 1e8 - 5e7;
    std::set<double> sums;
    for (int threads = 1; threads <= 8; ++threads) {
        Arena arena(threads);
        for (int repeat = 0; repeat < 5; ++repeat)
            sums.insert(reduce(
                arena, values.size(), 512, 0.0,
                [&](std::size_t b, std::size_t e) {
                    return std::accumulate(values.begin() + b, values.begin() + e, 0.0);
                },
                [](double a, double b) { return a + b; }));
    }
    EXPECT_EQ(sums.size(), 1u);
}

TEST(Parallel, ExceptionReachesTheCaller) {
    Arena arena(4);
    auto run = [&] {
        for_range(arena, 1000, 1, [](std::size_t b, std::size_t) {
            if (b == 617) throw std::runtime_error("617");
        });
    };
    EXPECT_THROW(run(), std::runtime_error);
}

TEST(Parallel, LoopsEndWhenAStopIsRequestedInAScope) {
    for (int threads : {1, 4}) {
        Arena arena(threads);
        StopToken stop;
        std::atomic<int> done{0};
        const auto loop = [&] {
            for_range(arena, 10000, 1, [&](std::size_t, std::size_t) {
                if (++done == 50) stop.request();
            });
        };
        {
            const StopScope scope(arena, stop);
            EXPECT_THROW(loop(), Stopped);
            EXPECT_LT(done.load(), 200);
            EXPECT_THROW(loop(), Stopped);  // and none begins
        }
        done = 0;
        loop();  // what is done after a stop, such as a checkpoint, is not stopped
        EXPECT_EQ(done.load(), 10000);
    }
}

TEST(Array, GrowsAndShrinksInPlaceWhereItHasRoom) {
    Array<int> a;
    a.resize_discard(100, 110);
    a.fill(7);
    const int* memory = a.data();
    a.resize(60);
    a.resize(110);
    EXPECT_EQ(a.data(), memory);
    ASSERT_EQ(a.size(), 110u);
    for (std::size_t i = 0; i < 110; ++i) EXPECT_EQ(a[i], i < 60 ? 7 : 0) << i;
    const Array<int> before = a;
    a.resize(80);
    EXPECT_NE(a.data(), memory) << "the other one keeps its values";
    EXPECT_EQ(before.size(), 110u);
    EXPECT_EQ(a[59], 7);
    a.resize(111);
    EXPECT_EQ(a.size(), 111u);
    EXPECT_EQ(a[110], 0);
    a.resize(0);
    EXPECT_TRUE(a.empty());
}

TEST(Array, CopyIsSharedUntilWritten) {
    Array<int> a(1000, 7);
    const Array<int> b = a;
    EXPECT_EQ(a.data(), b.data());
    a.write()[3] = 1;
    EXPECT_NE(a.data(), b.data());
    EXPECT_EQ(b[3], 7);
    EXPECT_EQ(a[3], 1);
    EXPECT_EQ(a[999], 7);
}

#ifdef __EMSCRIPTEN__
constexpr std::uintptr_t kAlignment = sizeof(double);  // browsers have no huge pages
#else
constexpr std::uintptr_t kAlignment = 2u << 20;
#endif

TEST(Array, LargeArraysAreAligned) {
    const Array<double> a(1 << 19);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % kAlignment, 0u);
}

TEST(Array, LargeBlocksAreUsedAgainAndNeverTwice) {
    const std::size_t n = std::size_t(1) << 20;
    const Array<double> ballast(8 * n, 1.0);
    Array<double> a(n, 2.0);
    const double* freed = a.data();
    a = Array<double>();
    std::vector<Array<double>> next;
    bool reused = false;
    for (int i = 0; i < 4; ++i) {
        next.emplace_back(n, i);
        reused = reused || next.back().data() == freed;
    }
#if defined(__SANITIZE_ADDRESS__)
    const bool guarded = true;
#elif defined(__has_feature)
    const bool guarded = __has_feature(address_sanitizer) != 0;
#else
    const bool guarded = false;
#endif
    EXPECT_EQ(reused, !guarded);  // a sanitizer must see each block die
    for (std::size_t i = 0; i < 4; ++i)
        for (double x : next[i]) ASSERT_EQ(x, static_cast<double>(i));
    for (double x : ballast) ASSERT_EQ(x, 1.0);
}

/// Blocks are cut from freed ones and joined again: no two arrays may ever share a byte.
TEST(Array, ArraysOfManySizesKeepTheirValues) {
    constexpr std::size_t kArrays = 24;
    std::vector<Array<std::uint32_t>> arrays(kArrays);
    for (std::uint32_t round = 1; round <= 200; ++round) {
        const Random random(7, round, 0, Purpose::kTest);
        const std::size_t i = std::size_t(random.uniform(0) * kArrays);
        for (const std::uint32_t x : arrays[i]) ASSERT_EQ(x, arrays[i][0]);
        const auto n = std::size_t((std::size_t(1) << 17) * (1 + 15 * random.uniform(1)));
        arrays[i] = Array<std::uint32_t>();
        if (random.uniform(2) < 0.7) arrays[i] = Array<std::uint32_t>(n, round);
        if (n * sizeof(std::uint32_t) < std::size_t(2) << 20) continue;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays[i].data()) % kAlignment, 0u);
    }
    for (const auto& a : arrays)
        for (const std::uint32_t x : a) ASSERT_EQ(x, a[0]);
}

TEST(Stage, ChildrenAreNotChargedToTheParent) {
    Context context;
    {
        Stage outer(context, "outer");
        Stage inner(context, "inner");
        EXPECT_EQ(context.stage_name(), "inner");
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    double outer = -1, inner = -1;
    for (const auto& e : context.times.entries()) (e.name == "outer" ? outer : inner) = e.seconds;
    EXPECT_GT(inner, 0.025);
    EXPECT_LT(outer, 0.01);
}

TEST(Check, PrintsBothValues) {
    try {
        SPUME_CHECK_OP(2 + 2, ==, 5);
        FAIL();
    } catch (const Defect& e) {
        EXPECT_NE(std::string(e.what()).find("4 against 5"), std::string::npos);
    }
}

}  // namespace
}  // namespace spume
