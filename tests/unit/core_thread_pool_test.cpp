// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "spume/core/thread_pool.h"

namespace spume {
namespace {

/// None where a program cannot have any: one for browsers without shared memory.
const int kHelpers = Arena(4).threads() - 1;

TEST(ThreadPool, EachPieceOnceInManyShortLoops) {
    ThreadPool pool(kHelpers);
    std::vector<std::atomic<int>> calls(37);
    for (int loop = 1; loop <= 3000; ++loop) {
        const auto piece = [&](std::size_t i) { ++calls[i]; };
        pool.run(calls.size(), piece);
        for (const auto& n : calls) ASSERT_EQ(n, loop);
    }
}

TEST(ThreadPool, HelpersReallyHelp) {
    if (kHelpers == 0) GTEST_SKIP() << "this program is built without threads";
    ThreadPool pool(1);
    // Each of the two pieces waits for the other to begin: one thread alone would wait for ever.
    std::atomic<int> begun{0};
    const auto meet = [&](std::size_t) {
        ++begun;
        while (begun < 2) std::this_thread::yield();
    };
    pool.run(2, meet);
    EXPECT_EQ(begun, 2);
}

TEST(ThreadPool, AnExceptionComesOutAndTheNextLoopRuns) {
    ThreadPool pool(kHelpers);
    std::atomic<int> calls{0};
    const auto fail = [&](std::size_t i) {
        ++calls;
        if (i == 5) throw std::runtime_error("five");
    };
    // One loop may run whole, where the thread that fails is put to sleep on its way; not all.
    constexpr int kLoops = 50, kPieces = 100000;
    for (int loop = 0; loop < kLoops; ++loop)
        EXPECT_THROW(pool.run(kPieces, fail), std::runtime_error);
    EXPECT_LT(calls, kLoops * kPieces);
    calls = 0;
    const auto count = [&](std::size_t) { ++calls; };
    pool.run(64, count);
    EXPECT_EQ(calls, 64);
}

TEST(ThreadPool, ALoopWithinALoop) {
    ThreadPool pool(kHelpers);
    std::atomic<int> calls{0};
    const auto inner = [&](std::size_t) { ++calls; };
    const auto outer = [&](std::size_t) { pool.run(5, inner); };
    pool.run(7, outer);
    EXPECT_EQ(calls, 35);
}

}  // namespace
}  // namespace spume
