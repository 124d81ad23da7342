// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <map>

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/solve/lattice_multigrid.h"

namespace spume::test {
namespace {

/// M + Δt K of implicit viscosity in a ball of n cells across with a free surface, or in a box with
/// walls that hold the liquid: the squares of strains, as in physics/free_surface.
template <int D>
struct ThickLiquid {
    StrainLattice lattice;

    ThickLiquid(int n, double number, bool walls) {
        lattice.dimensions = D;
        std::vector<FacePlace>& places = lattice.places;
        const auto wet = [&](const Vec<int, 3>& c) {
            double r = 0;
            for (int d = 0; d < D; ++d) {
                if (c[d] < 0 || c[d] >= n) return false;
                r += (c[d] + 0.5 - 0.5 * n) * (c[d] + 0.5 - 0.5 * n);
            }
            return walls || r < 0.25 * n * n;
        };
        std::map<std::array<int, 4>, int> number_of;
        const auto cells = [&](int reach, auto&& f) {
            Vec<int, 3> c{};
            for (c[0] = 0; c[0] <= n + reach; ++c[0])
                for (c[1] = 0; c[1] <= n + reach; ++c[1])
                    for (c[2] = 0; c[2] <= (D == 3 ? n + reach : 0); ++c[2]) f(c);
        };
        const auto unit = [](int a) {
            Vec<int, 3> e{};
            e[a] = 1;
            return e;
        };
        for (int a = 0; a < D; ++a)
            cells(0, [&](const Vec<int, 3>& c) {
                if (walls ? !(wet(c) && wet(c - unit(a))) : !(wet(c) || wet(c - unit(a)))) return;
                number_of[{a, c[0], c[1], c[2]}] = int(places.size());
                places.push_back({a, c});
            });
        lattice.mass.assign(places.size(), 1.0);
        const auto add = [&](const Vec<int, 3>& c, int a, int b, double weight,
                             std::initializer_list<FacePlace> terms) {
            FaceStrain s{.index = c, .a = a, .b = b, .weight = weight};
            int k = 0;
            for (const FacePlace& p : terms) {
                const auto found = number_of.find({p.axis, p.index[0], p.index[1], p.index[2]});
                s.term[k++] = found == number_of.end() ? FaceStrain::kHeld : found->second;
            }
            if (walls || !s.held()) lattice.strains.push_back(s);
        };
        cells(0, [&](const Vec<int, 3>& c) {
            for (int a = 0; a < D; ++a) {
                if (wet(c)) add(c, a, a, 2 * number, {{a, c + unit(a)}, {a, c}});
                for (int b = a + 1; b < D; ++b) {
                    const Vec<int, 3> ea = unit(a), eb = unit(b);
                    const int around = wet(c) + wet(c - ea) + wet(c - eb) + wet(c - ea - eb);
                    if (around > 0)
                        add(c, a, b, number * around / 4,
                            {{a, c}, {a, c - eb}, {b, c}, {b, c - ea}});
                }
            }
        });
    }
};

std::vector<double> noise(std::size_t n) {
    std::vector<double> r(n);
    for (std::size_t i = 0; i < n; ++i) r[i] = Random(7, i, 0, Purpose::kJitter).uniform(0) - 0.5;
    return r;
}

template <int D>
int iterations(int n, double number, bool walls) {
    Context context(1);
    LatticeMultigrid solver(ThickLiquid<D>(n, number, walls).lattice, context);
    const std::vector<double> b = noise(solver.lattice().places.size());
    std::vector<double> u(b.size(), 0.0);
    const SolveReport report = solver.solve(b, u, 1e-5, 500, context);
    EXPECT_TRUE(report.good()) << report.residual;
    double left = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double r = b[i] - solver.matrix().row_times(int(i), u.data());
        left += r * r;
        size += b[i] * b[i];
    }
    EXPECT_LE(std::sqrt(left / size), 1.1e-5);
    return report.iterations;
}

TEST(ViscousSolver, NeedsFewIterationsAtAnyThicknessAndSize) {
    for (const bool walls : {false, true})
        for (const double number : {0.1, 10.0, 1000.0}) {
            EXPECT_LE(iterations<2>(32, number, walls), 30) << number << ' ' << walls;
            EXPECT_LE(iterations<2>(96, number, walls), 30) << number << ' ' << walls;
            EXPECT_LE(iterations<3>(24, number, walls), 30) << number << ' ' << walls;
        }
}

TEST(ViscousSolver, FindsWhatADirectSolverFinds) {
    Context context(1);
    LatticeMultigrid solver(ThickLiquid<3>(8, 100, false).lattice, context);
    const int n = int(solver.lattice().places.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i)
        solver.matrix().each_in_row(
            i, [&](std::int32_t j, double a) { entries.emplace_back(i, int(j), a); });
    Eigen::SparseMatrix<double> dense(n, n);
    dense.setFromTriplets(entries.begin(), entries.end());
    EXPECT_NEAR((dense - Eigen::SparseMatrix<double>(dense.transpose())).norm(), 0, 1e-9);
    const std::vector<double> b = noise(std::size_t(n));
    const Eigen::VectorXd right = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(dense).solve(
        Eigen::Map<const Eigen::VectorXd>(b.data(), n));
    std::vector<double> u(b.size(), 0.0);
    EXPECT_TRUE(solver.solve(b, u, 1e-12, 500, context).good());
    for (int i = 0; i < n; ++i) EXPECT_NEAR(u[std::size_t(i)], right[i], 1e-9 * right.norm());
}

TEST(ViscousSolver, IsTheSameForAnyNumberOfThreadsAndHearsAStop) {
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2, 5}) {
        Context context(threads);
        LatticeMultigrid solver(ThickLiquid<3>(20, 30, false).lattice, context);
        const std::vector<double> b = noise(solver.lattice().places.size());
        found.emplace_back(b.size(), 0.0);
        solver.solve(b, found.back(), 1e-6, 500, context);
        EXPECT_EQ(found.back(), found.front());
        context.stop.request();
        std::vector<double> u(b.size(), 0.0);
        EXPECT_EQ(solver.solve(b, u, 1e-6, 500, context).end, SolveEnd::kStopped);
    }
}

}  // namespace
}  // namespace spume::test
