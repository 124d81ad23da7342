// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/solve/box_pressure.h"

namespace spume {
namespace {

double random_unit(std::uint64_t seed, std::uint64_t id, std::uint64_t draw) {
    return Random(seed, id, 0, Purpose::kTest).uniform(std::uint32_t(draw));
}

/// A box with couplings on the faces and a right-hand side.
struct BoxCase {
    DenseField<double, 2> coefficient[2];
    DenseField<double, 2> rhs;

    explicit BoxCase(const Index<2>& cells)
        : rhs(DensePlace<2>::centres(cells).shape), cells_(cells) {
        for (int a = 0; a < 2; ++a)
            coefficient[a] = DenseField<double, 2>(DensePlace<2>::faces(cells, a).shape, 1);
    }
    template <class F>
    void for_cells(F&& f) const {
        for (int i = 0; i < cells_[0]; ++i)
            for (int j = 0; j < cells_[1]; ++j) f(Index<2>{i, j});
    }
    /// 1 / ρ on faces, ρ the mean of both sides: `heavy` says which cells are 1000 times heavier.
    template <class F>
    void densities(F&& heavy) {
        for_cells([&](const Index<2>& i) {
            for (int a = 0; a < 2; ++a) {
                const Index<2> below = i - Index<2>::unit(a, 1);
                const double density =
                    0.5 * ((heavy(i) ? 1.0 : 1e-3) + (heavy(below) ? 1.0 : 1e-3));
                coefficient[a].write()[rhs.shape.at(i)] = double(float(1 / density));
            }
        });
    }
    void close(const Index<2>& i) {
        for (int a = 0; a < 2; ++a)
            for (int side = 0; side < 2; ++side)
                coefficient[a].write()[rhs.shape.at(i + Index<2>::unit(a, side))] = 0;
    }
    void random_rhs(std::uint64_t seed) {
        for_cells([&](const Index<2>& i) {
            rhs.write()[rhs.shape.at(i)] =
                random_unit(seed, std::uint64_t(i[0]), std::uint64_t(i[1])) - 0.5;
        });
    }
    double open(int a, const Index<2>& i) const {
        return i[a] == 0 || i[a] == cells_[a] ? 0.0 : coefficient[a].at(i);
    }
    double times(const DenseField<double, 2>& x, const Index<2>& i) const {
        double sum = 0;
        for (int a = 0; a < 2; ++a) {
            const Index<2> up = i + Index<2>::unit(a, 1), down = i - Index<2>::unit(a, 1);
            if (open(a, i) > 0) sum += open(a, i) * (x.at(i) - x.at(down));
            if (open(a, up) > 0) sum += open(a, up) * (x.at(i) - x.at(up));
        }
        return sum;
    }
    /// ‖b − A x‖ / ‖b‖.
    double residual(const DenseField<double, 2>& x) const {
        double left = 0, all = 0;
        for_cells([&](const Index<2>& i) {
            left += std::pow(rhs.at(i) - times(x, i), 2);
            all += std::pow(rhs.at(i), 2);
        });
        return std::sqrt(left / all);
    }
    std::size_t number(const Index<2>& i) const {
        return std::size_t(i[0]) * std::size_t(cells_[1]) + std::size_t(i[1]);
    }
    /// b = A x with the terms' part, from an x.
    void set_rhs(const DenseField<double, 2>& x, const std::vector<LowRankTerm>& terms) {
        for_cells([&](const Index<2>& i) { rhs.write()[rhs.shape.at(i)] = times(x, i); });
        const auto place = [&](std::size_t cell) {
            return rhs.shape.at({int(cell) / cells_[1], int(cell) % cells_[1]});
        };
        for (const LowRankTerm& term : terms) {
            double dot = 0;
            for (std::size_t n = 0; n < term.cells.size(); ++n)
                dot += term.weights[n] * x.values[place(term.cells[n])];
            for (std::size_t n = 0; n < term.cells.size(); ++n)
                rhs.write()[place(term.cells[n])] += term.scale * dot * term.weights[n];
        }
    }
    SolveReport solve(DenseField<double, 2>& x, double tolerance, int threads = 1,
                      const std::vector<LowRankTerm>& terms = {}) const {
        Context context(threads);
        BoxPressureSolver solver;
        SolverOptions options;
        options.tolerance = tolerance;
        return solver.solve(coefficient, rhs, x, options, context, terms);
    }

  private:
    Index<2> cells_;
};

/// b = A x for a rough x, in boxes of every parity: the solution comes back up to its mean.
TEST(BoxPressure, FindsAKnownSolutionInBoxesOfAnySize) {
    for (const Index<2> cells : {Index<2>{1, 1}, Index<2>{1, 9}, Index<2>{17, 2}, Index<2>{16, 16},
                                 Index<2>{33, 48}, Index<2>{63, 37}, Index<2>{100, 71}}) {
        BoxCase c(cells);
        c.densities([&](const Index<2>& i) {
            return random_unit(3, std::uint64_t(i[0] + 9) / 5, std::uint64_t(i[1] + 9) / 4) < 0.5;
        });
        DenseField<double, 2> exact(c.rhs.shape), x(c.rhs.shape);
        c.for_cells([&](const Index<2>& i) {
            exact.write()[exact.shape.at(i)] =
                std::sin(0.3 * i[0]) + std::cos(0.7 * i[1]) +
                random_unit(7, std::uint64_t(i[0]), std::uint64_t(i[1]));
        });
        c.for_cells(
            [&](const Index<2>& i) { c.rhs.write()[c.rhs.shape.at(i)] = c.times(exact, i); });
        const SolveReport report = c.solve(x, 1e-12);
        EXPECT_EQ(report.end, SolveEnd::kConverged) << to_text(report.end);
        EXPECT_EQ(report.null_spaces, 1);
        const double shift = exact.at({0, 0}) - x.at({0, 0});
        double worst = 0;
        c.for_cells([&](const Index<2>& i) {
            worst = std::max(worst, std::abs(x.at(i) + shift - exact.at(i)));
        });
        EXPECT_LT(product(cells) > 1 ? worst : 0, 1e-6) << cells[0] << " x " << cells[1];
    }
}

/// Iterations to 1e-3 and 1e-6 at 1 : 1000, from zero: a dam, and a pool with forty drops and
/// bubbles, smooth and rough right-hand sides.
TEST(BoxPressure, FewIterationsAtAThousandToOne) {
    {
        const Index<2> cells{256, 192};
        BoxCase dam(cells), pool(cells);
        dam.densities(
            [&](const Index<2>& i) { return i[0] < cells[0] * 2 / 5 && i[1] < cells[1] * 4 / 5; });
        std::vector<Vec<double, 3>> balls;
        for (std::uint64_t n = 0; n < 40; ++n)
            balls.push_back({cells[0] * random_unit(11, n, 0), cells[1] * random_unit(11, n, 1),
                             2 + 8 * random_unit(11, n, 2)});
        pool.densities([&](const Index<2>& i) {
            const bool below = 2 * i[1] < cells[1];
            for (const auto& b : balls)
                if (std::hypot(i[0] - b[0], i[1] - b[1]) < b[2]) return !below;
            return below;
        });
        for (BoxCase* c : {&dam, &pool}) {
            c->random_rhs(5);
            for (const auto& [tolerance, most] : {std::pair{1e-3, 5}, std::pair{1e-6, 10}}) {
                DenseField<double, 2> x(c->rhs.shape);
                const SolveReport report = c->solve(x, tolerance);
                EXPECT_LE(report.iterations, most) << cells[0] << (c == &dam ? " dam" : " pool");
                EXPECT_LE(report.residual, tolerance);
            }
        }
    }
}

/// Walls that cut the box into rooms, lone cells, thin gaps: each room has its own constant.
TEST(BoxPressure, RoomsBehindWallsAreSolvedEachByItself) {
    const Index<2> cells{70, 50};
    BoxCase c(cells);
    c.densities([&](const Index<2>& i) { return i[1] < 20 + i[0] / 8; });
    for (int j = 0; j < cells[1]; ++j) c.close({30, j});
    for (int i = 31; i < cells[0]; ++i)
        if (i % 9 != 0) c.close({i, 25});
    c.close({11, 10}), c.close({9, 10}), c.close({10, 11}), c.close({10, 9});  // (10, 10) is alone
    c.random_rhs(9);
    DenseField<double, 2> x(c.rhs.shape, 0.5);
    const SolveReport report = c.solve(x, 1e-9);
    EXPECT_EQ(report.end, SolveEnd::kConverged) << to_text(report.end);
    EXPECT_EQ(report.null_spaces, 2);
    EXPECT_NEAR(c.residual(x), report.removed, 1e-3);
    EXPECT_EQ(x.at({10, 10}), 0);
    EXPECT_EQ(x.at({30, 4}), 0);
}

/// Bodies in the matrix, b = A x for a rough x. A ball in the open leaves the constant free; a
/// piston between two rooms joins them, so that only one constant is free and their difference is
/// found; one that the fluid pushes from one side only holds the constant too.
TEST(BoxPressure, TermsOfLowRankAreSolvedWithTheFaces) {
    const Index<2> cells{64, 48};
    for (const char* what : {"ball", "piston", "held"}) {
        BoxCase c(cells);
        c.densities([&](const Index<2>& i) { return i[1] < 24; });
        std::vector<LowRankTerm> terms;
        if (what[0] == 'b') {
            for (int a = 0; a < 2; ++a) terms.push_back({3.0 - a, {}, {}});
            for (int i = -4; i <= 4; ++i)
                for (int j = -4; j <= 4; ++j) c.close({30 + i, 20 + j});
            for (int i = -4; i <= 4; ++i)
                for (int side = -1; side <= 1; side += 2) {
                    terms[0].cells.push_back(c.number({30 + 5 * side, 20 + i}));
                    terms[0].weights.push_back(side);
                    terms[1].cells.push_back(c.number({30 + i, 20 + 5 * side}));
                    terms[1].weights.push_back(side);
                }
        } else {
            terms.push_back({2, {}, {}});
            for (int j = 0; j < cells[1]; ++j) {
                c.close({30, j});
                for (int side = -1; side <= (what[0] == 'p' ? 1 : -1); side += 2) {
                    terms[0].cells.push_back(c.number({30 + side, j}));
                    terms[0].weights.push_back(side);
                }
            }
        }
        DenseField<double, 2> exact(c.rhs.shape), x(c.rhs.shape);
        c.for_cells([&](const Index<2>& i) {
            exact.write()[exact.shape.at(i)] =
                std::sin(0.3 * i[0]) + random_unit(7, std::uint64_t(i[0]), std::uint64_t(i[1])) +
                (i[0] > 30 ? 5 : 0);
        });
        c.set_rhs(exact, terms);
        const SolveReport report = c.solve(x, 1e-12, 1, terms);
        EXPECT_EQ(report.end, SolveEnd::kConverged) << what << ": " << to_text(report.end);
        EXPECT_EQ(report.null_spaces, 1) << what;  // held: that of the other room
        EXPECT_LT(report.iterations, 30) << what;
        EXPECT_LT(report.removed, 1e-9) << what;
        double worst = 0, shift[2];
        for (const int room : {0, 1}) shift[room] = exact.at({room * 60, 1}) - x.at({room * 60, 1});
        c.for_cells([&](const Index<2>& i) {
            const bool closed = what[0] == 'b'
                                    ? std::max(std::abs(i[0] - 30), std::abs(i[1] - 20)) < 5
                                    : i[0] == 30;
            if (!closed)
                worst = std::max(worst, std::abs(x.at(i) + shift[i[0] > 30] - exact.at(i)));
        });
        EXPECT_LT(worst, 1e-6) << what;
        if (what[0] == 'p') {
            EXPECT_NEAR(shift[0], shift[1], 1e-6);
        } else if (what[0] == 'h') {
            EXPECT_NEAR(shift[0], 0, 1e-6);
        }
    }
}

TEST(BoxPressure, SameBitsOnAnyNumberOfThreads) {
    BoxCase c({130, 97});
    c.densities([](const Index<2>& i) { return i[0] * 3 < i[1] * 2 + 40; });
    c.random_rhs(2);
    DenseField<double, 2> one(c.rhs.shape);
    c.solve(one, 1e-6);
    for (const int threads : {2, 3, 5}) {
        DenseField<double, 2> many(c.rhs.shape);
        c.solve(many, 1e-6, threads);
        EXPECT_EQ(std::memcmp(one.read(), many.read(), one.values.size() * 8), 0) << threads;
    }
}

TEST(BoxPressure, NonFiniteInputIsReported) {
    BoxCase c({20, 20});
    c.random_rhs(1);
    c.rhs.write()[c.rhs.shape.at({3, 3})] = std::nan("");
    DenseField<double, 2> x(c.rhs.shape);
    EXPECT_EQ(c.solve(x, 1e-6).end, SolveEnd::kBroken);
}

}  // namespace
}  // namespace spume
