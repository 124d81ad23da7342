// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Resolved and diffuse bubbles of [WSB25]: the studies behind docs/validation/mixture.md (a table
// each on standard output, CSV and PNG in FOLDER), and the speed beside the paper's Table 2.
//
//   bench_wsb25 [--out FOLDER] [--threads N] [--data CURVES] [STUDY…]
//
// All of them in FOLDER = out/bench/wsb25. CURVES: a folder with published curves to draw beside
// ours, hysing2d_case1_moonmd.csv (t, circularity, y, v) and so on; without it ours alone.

#include <cstdio>
#include <cstring>

#include "wsb25_cap.h"
#include "wsb25_motion.h"
#include "wsb25_rise.h"
#include "wsb25_speed.h"
#include "wsb25_static.h"

namespace {

using namespace spume;

struct Study {
    const char* name;
    void (*run)(const bench::StudyOptions&);
};

using Options = bench::StudyOptions;
constexpr Study kStudies[] = {
    {"laplace", [](const Options& o) { bench::laplace_study(o.folder); }},
    {"spurious", [](const Options&) { bench::spurious_study(); }},
    {"drift", [](const Options&) { bench::drift_study(); }},
    {"oscillation", [](const Options& o) { bench::oscillation_study(o.folder); }},
    {"oscillation_3d", bench::space_oscillation_study},
    {"hysing", bench::hysing_study},
    {"cap", [](const Options& o) { bench::cap_study(o.threads); }},
    {"rise", bench::rise_study},
    {"speed", [](const Options& o) { bench::speed_study(o.threads); }},
    {"column", [](const Options& o) { bench::column_study(o.threads); }}};

}  // namespace

int main(int count, char** values) {
    Options options;
    std::vector<std::string> wanted;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(values[i], "--out") == 0 && i + 1 < count)
            options.folder = values[++i];
        else if (std::strcmp(values[i], "--data") == 0 && i + 1 < count)
            options.data = values[++i];
        else if (std::strcmp(values[i], "--threads") == 0 && i + 1 < count)
            options.threads = std::max(1, std::atoi(values[++i]));
        else
            wanted.emplace_back(values[i]);
    }
    for (const std::string& name : wanted) {
        bool known = false;
        for (const Study& s : kStudies) known = known || name == s.name;
        if (known) continue;
        std::fprintf(stderr, "bench_wsb25: no study '%s'; there are:", name.c_str());
        for (const Study& s : kStudies) std::fprintf(stderr, " %s", s.name);
        std::fprintf(stderr, "\n");
        return 2;
    }
    try {
        for (const Study& s : kStudies)
            if (wanted.empty() || std::ranges::find(wanted, s.name) != wanted.end()) s.run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_wsb25: %s\n", error.what());
        return 4;
    }
}
