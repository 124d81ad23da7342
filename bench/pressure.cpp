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

/// Repeated solves of one system. The first builds hierarchy and work space; those after it do what
/// every solve of a run does: take over new coefficients, look for null spaces, set the levels up,
/// iterate from zero.
class Own {
  public:
    Own(const PressureSystem<3>& system, double tolerance, int threads)
        : system_(system), context_(threads) {
        options_.tolerance = tolerance;
        run();
        first = cpu;
        cpu = wall = 1e30;
    }
    void run() {
        CellField<double, 3> x(system_.tiles);
        const double cpu_begin = cpu_seconds(), wall_begin = wall_seconds();
        report = solver_.solve(system_, x, options_, context_);
        cpu = std::min(cpu, cpu_seconds() - cpu_begin);
        wall = std::min(wall, wall_seconds() - wall_begin);
    }
    double bytes() const { return double(solver_.bytes()); }

    double cpu = 1e30, wall = 1e30, first = 0;
    SolveReport report;

  private:
    const PressureSystem<3>& system_;
    Context context_;
    PressureSolver<3> solver_;
    SolverOptions options_;
};

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

class Case {
  public:
    Case(const Arguments& a, char name)
        : a_(a),
          name_(name),
          // The sparse case is a fifth of a box twice as wide.
          n_(name == 'e' ? 2 * a.size : a.size),
          system_(make_system(name, n_)),
          rows_(a.peers.empty() ? Rows{} : rows_of(system_)) {}

    void run(double tolerance) {
        Own one(system_, tolerance, 1);
        PeerResult pfmg;
        // In turns, so that a busy moment of the machine hits both.
        for (int i = 0; i < a_.repeats; ++i) {
            one.run();
            run_pfmg(tolerance, pfmg);
        }
        std::printf(
            "%c  %-10s %8.0e %9.3f s %6d its  residual %.1e  %s, %.2f M unknowns, first "
            "solve %.3f s\n",
            name_, "spume", tolerance, one.cpu, one.report.iterations, one.report.residual,
            to_text(one.report.end), double(one.report.unknowns) / 1e6, one.first);
        const double cells = double(system_.tiles->active()) * kTileCells<3>;
        std::printf(
            "bytes %c %.0f a cell in the solver, %.0f with the system\n", name_,
            one.bytes() / cells,
            one.bytes() / cells + 24 + 8 + 8 + 1 + (system_.diagonal_extra.tiles() ? 8 : 0));
        if (a_.threads > 1) {
            Own more(system_, tolerance, a_.threads);
            for (int i = 0; i < a_.repeats; ++i) more.run();
            std::printf("threads %c%.0e %d: %.3f s against %.3f s, speed-up %.2f\n", name_,
                        tolerance, a_.threads, more.wall, one.wall, one.wall / more.wall);
        }
        if (pfmg.iterations > 0) show("pfmg", tolerance, pfmg, one.cpu);
        run_others(tolerance, one.cpu);
    }

  private:
    bool wanted(const char* peer) const {
        return ("," + a_.peers + ",").find("," + std::string(peer) + ",") != std::string::npos;
    }
    void show(const char* peer, double tolerance, const PeerResult& r, double own) const {
        std::printf("%c  %-10s %8.0e %9.3f s %6d its  residual %.1e\n", name_, peer, tolerance,
                    r.seconds, r.iterations, r.residual);
        std::printf("ratio %c%.0e %s %.2f\n", name_, tolerance, peer, r.seconds / own);
        std::fflush(stdout);
    }
    void run_pfmg([[maybe_unused]] double tolerance, [[maybe_unused]] PeerResult& best) const {
#ifdef SPUME_WITH_HYPRE
        if (!wanted("pfmg")) return;
        const std::vector<CellBox> boxes = boxes_of(*system_.tiles);
        const PeerResult r = hypre_pfmg(rows_, boxes, n_, tolerance);
        if (best.iterations == 0 && boxes.size() > 1)
            std::printf("%c  %zu boxes for PFMG\n", name_, boxes.size());
        if (best.iterations == 0 || r.seconds < best.seconds) best = r;
#endif
    }
    void run_others(double tolerance, double own) const {
#ifdef SPUME_WITH_HYPRE
        if (wanted("boomeramg"))
            show("boomeramg", tolerance, hypre_boomeramg(rows_, tolerance), own);
#endif
        if (wanted("cholesky")) show("cholesky", tolerance, eigen_cholesky(rows_, tolerance), own);
        if (wanted("jacobi")) show("jacobi", tolerance, eigen_jacobi(rows_, tolerance), own);
    }

    const Arguments& a_;
    char name_;
    int n_;
    PressureSystem<3> system_;
    Rows rows_;
};

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
    for (const char name : a.cases) {
        Case c(a, name);
        for (const double tolerance : a.tolerances) c.run(tolerance);
    }
    return 0;
}
