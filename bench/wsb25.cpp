// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Resolved and diffuse bubbles of [WSB25]: the studies behind docs/validation.md (a table each on
// standard output, CSV and PNG in FOLDER), and the speed beside the paper's Table 2.
//
//   bench_wsb25 [--out FOLDER] [--threads N] [STUDY…]      all of them in FOLDER = out/bench/wsb25

#include <cstdio>
#include <cstring>

#include "wsb25_motion.h"
#include "wsb25_speed.h"
#include "wsb25_static.h"

namespace {

using namespace spume;

struct Study {
    const char* name;
    void (*run)(const std::filesystem::path&, int threads);
};

constexpr Study kStudies[] = {
    {"laplace", [](const std::filesystem::path& f, int) { bench::laplace_study(f); }},
    {"spurious", [](const std::filesystem::path& f, int) { bench::spurious_study(f); }},
    {"drift", [](const std::filesystem::path& f, int) { bench::drift_study(f); }},
    {"oscillation", [](const std::filesystem::path& f, int) { bench::oscillation_study(f); }},
    {"oscillation_3d",
     [](const std::filesystem::path& f, int) { bench::space_oscillation_study(f); }},
    {"hysing", [](const std::filesystem::path& f, int) { bench::hysing_study(f); }},
    {"cap", bench::cap_study},
    {"speed", [](const std::filesystem::path&, int threads) { bench::speed_study(threads); }}};

}  // namespace

int main(int count, char** values) {
    std::filesystem::path folder = "out/bench/wsb25";
    int threads = 2;
    std::vector<std::string> wanted;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(values[i], "--out") == 0 && i + 1 < count)
            folder = values[++i];
        else if (std::strcmp(values[i], "--threads") == 0 && i + 1 < count)
            threads = std::max(1, std::atoi(values[++i]));
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
            if (wanted.empty() || std::ranges::find(wanted, s.name) != wanted.end())
                s.run(folder, threads);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_wsb25: %s\n", error.what());
        return 4;
    }
}
