// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The studies behind docs/validation/mixture.md: a table each on standard output, CSV and PNG in
// FOLDER.
//
//   bench_physics [--out FOLDER] [STUDY…]      all of them in FOLDER = out/bench/physics

#include <cstdio>
#include <cstring>

#include "physics_advection.h"
#include "physics_newton.h"
#include "physics_open.h"

namespace {

using namespace spume;

struct Study {
    const char* name;
    void (*run)(const std::filesystem::path&);
};

constexpr Study kStudies[] = {{"single", bench::single_study},
                              {"swarm", bench::swarm_study},
                              {"newton_velocity", bench::velocity_study},
                              {"newton_momentum", bench::momentum_study},
                              {"cloud", bench::cloud_study},
                              {"border", bench::border_study},
                              {"start_pressure", bench::start_study},
                              {"taylor_green", bench::advection_study}};

}  // namespace

int main(int count, char** values) {
    std::filesystem::path folder = "out/bench/physics";
    std::vector<std::string> wanted;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(values[i], "--out") == 0 && i + 1 < count)
            folder = values[++i];
        else
            wanted.emplace_back(values[i]);
    }
    for (const std::string& name : wanted) {
        bool known = false;
        for (const Study& s : kStudies) known = known || name == s.name;
        if (known) continue;
        std::fprintf(stderr, "bench_physics: no study '%s'; there are:", name.c_str());
        for (const Study& s : kStudies) std::fprintf(stderr, " %s", s.name);
        std::fprintf(stderr, "\n");
        return 2;
    }
    try {
        for (const Study& s : kStudies)
            if (wanted.empty() || std::ranges::find(wanted, s.name) != wanted.end()) s.run(folder);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_physics: %s\n", error.what());
        return 4;
    }
}
