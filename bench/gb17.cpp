// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Trapped air beside [GB17]: what its rows cost on one geometry of the water cooler, motions whose
// law is known, bottles that empty, and a frame of the paper's size.
//
//   bench_gb17 [--quick] [--threads N] [--across N] [--until P] [STUDY…]
//
// Without names: the quick ones. `emptying` takes many minutes and `cooler`, the bottle of a water
// cooler, hours, or less if it ends with P per cent of its water left; with N voxels across the
// holes. `figure`
// (128×256×128 cells, 0.74 GB) is one frame, by name three.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gb17_cooler.h"
#include "gb17_motion.h"

namespace {

using namespace spume;

struct Options {
    bool quick = false;
    int threads = 1;
    bool named = false;  ///< the study was asked for
    double across = 0;   ///< voxels across the hole of the bottle, 0: those of the docs
    double until = 0.1;  ///< share of its water left when a bottle's run ends
};

struct Study {
    const char* name;
    bool usual;
    void (*run)(const Options&);
};

void rows(const Options& o) {
    bench::rows_study(64, 24);
    if (!o.quick) bench::rows_study(128, 48);
}
void wave(const Options&) {
    for (const double memory : {0.05, 0.0}) {
        bench::wave_study(Transfer::kApic, 1, memory);
        bench::wave_study(Transfer::kFlip, 0.99, memory);
    }
}
void rest(const Options& o) {
    bench::rest_study(2, 0.05, false);
    bench::rest_study(2, 0.05, true);
    bench::rest_study(2, 0, true);
    if (!o.quick) bench::rest_study(3, 0.05, true);
}
void holes(const Options& o) {
    bench::holes_study(0.0125, 20, 0.1, 4);
    bench::holes_study(0.0125, 0.001, 0.0375, 10);
    if (o.quick) return;
    bench::holes_study(0.00625, 0.001, 0.025, 12);
    bench::holes_study(0.0125, 0.001, 0.1, 8);  // sloshes so much that the law does not hold
}
void oscillation(const Options& o) {
    for (const int n : {2, 4}) {
        for (const Point<2>& place : {Point<2>{0.137, 0.291}, Point<2>{0.4, 0.1}, Point<2>{0, 0}})
            bench::oscillation_study<2>(n, 25, place);
        if (o.quick) continue;
        bench::oscillation_study<2>(n, 25, {0.137, 0.291}, 0.05);
        bench::oscillation_study<2>(n, 50, {0.137, 0.291});
        bench::oscillation_study<2>(n, 50, {0.137, 0.291}, 0.05);
    }
}
void oscillation_3d(const Options&) {
    for (const int n : {4, 2}) bench::oscillation_study<3>(n, 25, {0.137, 0.291, 0.4});
}
void emptying(const Options& o) {
    const double across = o.across > 0 ? o.across : o.quick ? 6 : 8;
    bench::emptying_study({across, 10}, o.threads);
    if (o.quick) return;
    bench::emptying_study({across, 1}, o.threads);
    bench::Bottle necked{across, 1};
    necked.plate = necked.neck / 2;
    bench::emptying_study(necked, o.threads);
}
void cooler(const Options& o) {
    bench::Bottle bottle = bench::Bottle::of_a_cooler(o.across > 0 ? o.across : o.quick ? 6 : 8);
    bottle.until = o.until;
    bench::emptying_study(bottle, o.threads);
}
void figure(const Options& o) {
    bench::figure_study(o.quick ? 128 : 256, o.named ? 3 : 1, o.threads);
}

constexpr Study kStudies[] = {{"rows", true, rows},
                              {"wave", true, wave},
                              {"rest", true, rest},
                              {"holes", true, holes},
                              {"oscillation", true, oscillation},
                              {"oscillation_3d", false, oscillation_3d},
                              {"emptying", false, emptying},
                              {"cooler", false, cooler},
                              {"figure", true, figure}};

}  // namespace

int main(int argc, char** argv) {
    Options options;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0)
            options.quick = true;
        else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            options.threads = std::max(1, std::atoi(argv[++i]));
        else if (std::strcmp(argv[i], "--across") == 0 && i + 1 < argc)
            options.across = std::max(2.0, std::atof(argv[++i]));
        else if (std::strcmp(argv[i], "--until") == 0 && i + 1 < argc)
            options.until = std::clamp(std::atof(argv[++i]) / 100, 0.01, 0.9);
        else
            wanted.emplace_back(argv[i]);
    }
    options.named = !wanted.empty();
    for (const std::string& name : wanted) {
        bool valid = false;
        for (const Study& s : kStudies) valid = valid || name == s.name;
        if (valid) continue;
        std::fprintf(stderr, "bench_gb17: no study '%s'; there are:", name.c_str());
        for (const Study& s : kStudies) std::fprintf(stderr, " %s", s.name);
        std::fprintf(stderr, "\n");
        return 2;
    }
    for (const Study& s : kStudies) {
        bool run = wanted.empty() && s.usual;
        for (const std::string& name : wanted) run = run || name == s.name;
        if (run) s.run(options);
        std::fflush(stdout);
    }
    return 0;
}
