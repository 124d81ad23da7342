// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The pressure solver against others, on the systems described in docs/benchmarks/pressure.md.
//
//   bench_pressure [--cases abcde] [--size 128] [--peers jacobi,cholesky,pfmg,boomeramg]
//                  [--tolerances 1e-5,1e-8] [--repeats 3] [--threads 2]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "pressure_peers.h"
#include "pressure_systems.h"

namespace spume::bench {
namespace {

struct Arguments {
    std::string cases = "abcde";
    std::string peers =
#ifdef SPUME_WITH_HYPRE
        "jacobi,cholesky,pfmg,boomeramg";
#else
        "jacobi,cholesky";
#endif
    std::vector<double> tolerances = {1e-5, 1e-8};
    int size = 128, repeats = 3, threads = 2;
};

[[noreturn]] void complain(const std::string& what) {
    std::fprintf(stderr, "bench_pressure: %s\n", what.c_str());
    std::exit(2);
}

Arguments parse(int count, char** values) {
    Arguments a;
    for (int i = 1; i < count; i += 2) {
        const std::string key = values[i];
        if (i + 1 >= count) complain(key + " wants a value");
        const std::string value = values[i + 1];
        if (key == "--cases")
            a.cases = value;
        else if (key == "--size")
            a.size = std::atoi(value.c_str());
        else if (key == "--peers")
            a.peers = value == "none" ? "" : value;
        else if (key == "--repeats")
            a.repeats = std::max(1, std::atoi(value.c_str()));
        else if (key == "--threads")
            a.threads = std::atoi(value.c_str());
        else if (key == "--tolerances") {
            a.tolerances.clear();
            std::istringstream in(value);
            for (std::string t; std::getline(in, t, ',');)
                a.tolerances.push_back(std::atof(t.c_str()));
        } else
            complain("no option " + key);
    }
    if (a.size < 16 || a.size % 8 != 0) complain("--size: a multiple of 8 from 16");
    if (a.cases.find_first_not_of("abcde") != std::string::npos) complain("--cases: of a b c d e");
    return a;
}

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct OwnResult {
    double cpu = 1e30, wall = 1e30, first = 0;
    SolveReport report;
    double bytes = 0;
};

/// The first solve builds hierarchy and work space; those after it do what every solve of a run
/// does: take over new coefficients, look for null spaces, set the levels up, iterate from zero.
OwnResult run_own(const PressureSystem<3>& s, double tolerance, int threads, int repeats) {
    OwnResult best;
    Context context(threads);
    PressureSolver<3> solver;
    for (int i = 0; i <= repeats; ++i) {
        CellField<double, 3> x(s.tiles);
        SolverOptions options;
        options.tolerance = tolerance;
        const double cpu = cpu_seconds(), wall = wall_seconds();
        best.report = solver.solve(s, x, options, context);
        if (i == 0) {
            best.first = cpu_seconds() - cpu;
            continue;
        }
        best.cpu = std::min(best.cpu, cpu_seconds() - cpu);
        best.wall = std::min(best.wall, wall_seconds() - wall);
    }
    best.bytes = double(solver.bytes());
    return best;
}

/// a = b + s c over three arrays far larger than any cache; GB/s.
double triad(int threads) {
    const std::size_t n = std::size_t(1) << 25;
    Context context(threads);
    Array<double> a(n), b(n, 1.0), c(n, 2.0);
    double* out = a.write().data();
    double best = 1e30;
    for (int i = 0; i < 5; ++i) {
        const double begin = wall_seconds();
        for_range(context.arena, n, 1 << 18, [&](std::size_t from, std::size_t to) {
            for (std::size_t k = from; k < to; ++k) out[k] = b[k] + 3.0 * c[k];
        });
        best = std::min(best, wall_seconds() - begin);
    }
    return 24.0 * double(n) / best / 1e9;
}

void report_peers(const Arguments& a, char name, const Rows& rows, double tolerance, double own) {
    const auto wanted = [&](const char* peer) {
        return ("," + a.peers + ",").find("," + std::string(peer) + ",") != std::string::npos;
    };
    const auto show = [&](const char* peer, const PeerResult& r) {
        std::printf("%c  %-10s %8.0e %9.3f s %6d its  residual %.1e\n", name, peer, tolerance,
                    r.seconds, r.iterations, r.residual);
        std::printf("ratio %c%.0e %s %.2f\n", name, tolerance, peer, r.seconds / own);
        std::fflush(stdout);
    };
#ifdef SPUME_WITH_HYPRE
    if (wanted("pfmg") && name != 'e') {
        PeerResult best = hypre_pfmg(rows, a.size, tolerance);
        for (int i = 1; i < a.repeats; ++i) {
            const PeerResult again = hypre_pfmg(rows, a.size, tolerance);
            if (again.seconds < best.seconds) best = again;
        }
        show("pfmg", best);
    }
    if (wanted("boomeramg")) show("boomeramg", hypre_boomeramg(rows, tolerance));
#endif
    if (wanted("cholesky")) show("cholesky", eigen_cholesky(rows, tolerance));
    if (wanted("jacobi")) show("jacobi", eigen_jacobi(rows, tolerance));
}

void run_case(const Arguments& a, char name) {
    // The sparse case is a fifth of a box twice as wide.
    const int n = name == 'e' ? 2 * a.size : a.size;
    const PressureSystem<3> s = make_system(name, n);
    const double cells = double(s.tiles->active()) * kTileCells<3>;
    const Rows rows = a.peers.empty() ? Rows{} : rows_of(s);
    for (const double tolerance : a.tolerances) {
        const OwnResult one = run_own(s, tolerance, 1, a.repeats);
        std::printf(
            "%c  %-10s %8.0e %9.3f s %6d its  residual %.1e  %s, %.2f M unknowns, first "
            "solve %.3f s\n",
            name, "spume", tolerance, one.cpu, one.report.iterations, one.report.residual,
            to_text(one.report.end), double(one.report.unknowns) / 1e6, one.first);
        std::printf("bytes %c %.0f a cell in the solver, %.0f with the system\n", name,
                    one.bytes / cells,
                    one.bytes / cells + 24 + 8 + 8 + 1 + (s.diagonal_extra.tiles() ? 8 : 0));
        if (a.threads > 1) {
            const OwnResult more = run_own(s, tolerance, a.threads, a.repeats);
            std::printf("threads %c%.0e %d: %.3f s against %.3f s, speed-up %.2f\n", name,
                        tolerance, a.threads, more.wall, one.wall, one.wall / more.wall);
        }
        std::fflush(stdout);
        if (!a.peers.empty()) report_peers(a, name, rows, tolerance, one.cpu);
    }
}

}  // namespace
}  // namespace spume::bench

int main(int count, char** values) {
    using namespace spume::bench;
    const Arguments a = parse(count, values);
    const double one = triad(1), more = a.threads > 1 ? triad(a.threads) : one;
    std::printf("triad 1 thread %.1f GB/s, %d threads %.1f GB/s, ratio %.2f\n", one, a.threads,
                more, more / one);
    std::printf("CPU seconds of one thread, set-up included, best of %d for spume and PFMG\n",
                a.repeats);
    for (const char name : a.cases) run_case(a, name);
    return 0;
}
