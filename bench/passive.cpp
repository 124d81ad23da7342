// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A raft of foam that spreads on still water: seconds a frame, bubbles moved a second, subcycles
// and searches for neighbours, explicit and implicit. Times grow as the number of bubbles.
//
//   bench_passive [LARGEST [THREADS]]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "../tests/methods/passive/still_pool.h"
#include "spume/particles/sort.h"

namespace spume {
namespace {

constexpr double kRadius = 2e-3;

void measure(std::size_t count, ClusterIntegration way, int threads) {
    // As many bubbles as cover the raft once.
    const double width = std::sqrt(double(count)) * kRadius * 1.75;
    const double size = std::ceil(width * 1.5 / 0.08) * 0.08;
    test::StillPool<3> pool(size, 0.02, size / 2, threads);
    pool.law.integration = way;
    pool.popping.life = 10;
    auto set = test::raft<3>(count, kRadius, size, size / 2, width);
    sort_by_tile(set, pool.phi.tiles(), pool.context);  // as the method does each substep
    pool.run(set, 1.0 / 24);                            // the random start
    constexpr int kFrames = 4;
    int subcycles = 0, searches = 0;
    const std::clock_t begin = std::clock();  // of all threads: other work does not count
    for (int i = 0; i < kFrames; ++i) {
        const ClusterMotion m = pool.run(set, 1.0 / 24);
        subcycles += m.subcycles;
        searches += m.searches;
    }
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf(
        "%-9s %8zu bubbles  %7.3f core-s a frame  %5.1f subcycles  %4.1f searches  %6.2f us a "
        "bubble and subcycle\n",
        way == ClusterIntegration::kExplicit ? "explicit" : "implicit", count, seconds / kFrames,
        double(subcycles) / kFrames, double(searches) / kFrames,
        1e6 * seconds / (double(count) * subcycles));
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    const std::size_t largest = argc > 1 ? std::size_t(std::atoll(argv[1])) : 100000;
    const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
    for (std::size_t n = 1000; n <= largest; n *= 10)
        spume::measure(n, spume::ClusterIntegration::kExplicit, threads);
    spume::measure(std::min<std::size_t>(largest, 10000), spume::ClusterIntegration::kImplicit,
                   threads);
}
