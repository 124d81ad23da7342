// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include "property/solver_systems.h"

namespace spume {
namespace {

template <int D>
Vector direct_solution(const Written<D>& w) {
    const int n = static_cast<int>(w.place.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i)
        for (const auto& [j, a] : w.matrix[std::size_t(i)]) entries.emplace_back(i, j, a);
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd x = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(
        Eigen::Map<const Eigen::VectorXd>(w.rhs.data(), n));
    return {x.data(), x.data() + n};
}

template <int D>
void expect_solves(const PressureSystem<D>& s, double tolerance, int limit) {
    const Written<D> w = write_out(s);
    CellField<double, D> x(s.tiles, 0.25);
    Context context;
    SolverOptions options;
    options.tolerance = tolerance;
    options.max_iterations = limit;
    PressureSolver<D> solver;
    const SolveReport report = solver.solve(s, x, options, context);
    EXPECT_EQ(report.end, SolveEnd::kConverged) << to_text(report.end);
    EXPECT_EQ(report.unknowns, static_cast<std::int64_t>(w.place.size()));
    const Vector v = unknowns(w, x);
    const Vector residual = w.rhs - w.times(v);
    if (report.null_spaces == 0) {
        EXPECT_LE(norm(residual), 1.01 * tolerance * norm(w.rhs));
        const Vector exact = direct_solution(w);
        EXPECT_LE(norm(v - exact), 1e5 * tolerance * norm(exact));
    } else {
        EXPECT_NEAR(norm(residual) / norm(w.rhs), report.removed, 1e-3);
    }
}

TEST(PressureSolver, AgreesWithDirectSolution2D) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
        SystemRecipe recipe;
        recipe.seed = seed;
        recipe.solid = 0.05;
        recipe.closed = 0.01;
        expect_solves(random_system<2>(recipe), 1e-11, 5000);
    }
}
TEST(PressureSolver, AgreesWithDirectSolution3D) {
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        SystemRecipe recipe;
        recipe.seed = seed;
        recipe.box = 3;
        recipe.solid = 0.05;
        recipe.closed = 0.01;
        expect_solves(random_system<3>(recipe), 1e-11, 5000);
    }
}

/// The levels are made once for a tile set, and solvers that come and go solve with them as one
/// does that has its own.
TEST(PressureSolver, TopologyIsKeptWhileTheTilesAreTheSame) {
    Context context(1);
    MultigridTopology<2> topology;
    for (const std::uint64_t seed : {1u, 2u}) {
        SystemRecipe recipe;
        recipe.seed = seed;
        const auto system = random_system<2>(recipe);
        const auto* levels = topology.over(system.tiles).get();
        CellField<double, 2> own(system.tiles), x(system.tiles);
        PressureSolver<2>().solve(system, own, {}, context);
        for (int again = 0; again < 2; ++again) {
            x = CellField<double, 2>(system.tiles);
            PressureSolver<2>(topology).solve(system, x, {}, context);
            EXPECT_EQ(topology.over(system.tiles).get(), levels);
            for (std::size_t i = 0; i < x.values().size(); ++i)
                ASSERT_EQ(x.values()[i], own.values()[i]);
        }
    }
}

/// Two sealed rooms and a lone cell, no Dirichlet value anywhere.
TEST(PressureSolver, SealedRoomsLoseTheirNullSpaces) {
    const auto tiles = Tiles<2>::dense({{0, 0}, {32, 32}}, {});
    PressureSystem<2> s(tiles);
    auto* kind = s.kind.write();
    auto* rhs = s.rhs.write();
    Dice dice{3};
    for (int a = 0; a < 2; ++a) s.coefficient.component(a).fill(2.0);
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Index<2> c = tiles->origin(t) + tile_local<2>(o);
            const std::size_t at = std::size_t(t) * kTileCells<2> + std::size_t(o);
            const bool wall = c[0] == 20 || (c[0] > 28 && !(c[0] == 30 && c[1] == 5));
            kind[at] = wall ? kNoCell : kFluidCell;
            rhs[at] = dice();
        }
    CellField<double, 2> x(tiles, 7.0);
    Context context;
    SolverOptions options;
    options.tolerance = 1e-10;
    options.max_iterations = 1000;
    const SolveReport report = PressureSolver<2>().solve(s, x, options, context);
    EXPECT_TRUE(report.good()) << to_text(report.end);
    EXPECT_EQ(report.null_spaces, 3);
    // Each room: what is left over is the mean of b there, x has mean zero weighted by the
    // diagonal.
    const Written<2> w = write_out(s);
    const Vector left = w.rhs - w.times(unknowns(w, x));
    double sum[3] = {}, mean[3] = {}, cells[3] = {}, removed = 0;
    const auto room = [&](std::size_t place) {
        const Index<2> c = tiles->origin(int(place / 256)) + tile_local<2>(int(place % 256));
        return c[0] < 20 ? 0 : c[0] < 29 ? 1 : 2;
    };
    for (std::size_t i = 0; i < w.place.size(); ++i) {
        const double d = w.matrix[i].at(int(i));
        sum[room(w.place[i])] += (d > 0 ? d : 1) * x.values()[w.place[i]];
        mean[room(w.place[i])] += w.rhs[i];
        cells[room(w.place[i])] += 1;
    }
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(sum[i], 0, 1e-5 * cells[i]);  // weights are kept in float
        mean[i] /= cells[i];
        removed += mean[i] * mean[i] * cells[i];
    }
    for (std::size_t i = 0; i < w.place.size(); ++i)
        EXPECT_NEAR(left[i], mean[room(w.place[i])], 1e-8);
    EXPECT_NEAR(report.removed, std::sqrt(removed) / norm(w.rhs), 1e-10);
}

/// A bubble as one unknown: rows of the bordered system, its unknown eliminated.
TEST(PressureSolver, BubbleRowsAndBodiesMatchTheWrittenMatrix) {
    SystemRecipe recipe;
    recipe.seed = 9;
    recipe.box = 2;
    recipe.filled = 1;
    PressureSystem<3> s = random_system<3>(recipe);
    Dice dice{5};
    LowRankTerm bubble, body;
    double total = 0;
    for (int i = 0; i < 60; ++i) {
        const int t = dice.below(s.tiles->active()), o = dice.below(kTileCells<3>);
        const std::size_t at = std::size_t(t) * kTileCells<3> + std::size_t(o);
        if (s.kind.values()[at] != kFluidCell) continue;
        if (std::find(bubble.cells.begin(), bubble.cells.end(), at) != bubble.cells.end()) continue;
        const double w = 1 + dice();
        s.add_dirichlet(t, o, w, 0);
        bubble.cells.push_back(at);
        bubble.weights.push_back(w);
        body.cells.push_back(at);
        body.weights.push_back(dice() - 0.5);
        total += w;
    }
    bubble.scale = -1 / total;
    body.scale = 3;
    s.low_rank = {bubble, body};
    expect_solves(s, 1e-11, 2000);
}

TEST(PressureSolver, BadNumbersAndStopRequestsEndTheSolve) {
    SystemRecipe recipe;
    PressureSystem<2> s = random_system<2>(recipe);
    CellField<double, 2> x(s.tiles);
    Context context;
    SolverOptions options;
    options.max_iterations = 3;
    options.tolerance = 1e-14;
    PressureSolver<2> solver;
    SolveReport report = solver.solve(s, x, options, context);
    EXPECT_EQ(report.end, SolveEnd::kIterationLimit);
    EXPECT_EQ(report.iterations, 3);
    context.stop.request();
    EXPECT_EQ(solver.solve(s, x, options, context).end, SolveEnd::kStopped);
    context.stop.clear();
    auto* kind = s.kind.write();
    kind[5] = kFluidCell;
    s.rhs.write()[5] = std::nan("");
    EXPECT_EQ(solver.solve(s, x, options, context).end, SolveEnd::kBroken);
    // A broken solve leaves nothing behind.
    s.rhs.write()[5] = 1;
    CellField<double, 2> again(s.tiles), fresh(s.tiles);
    options.tolerance = 1e-8, options.max_iterations = 5000;
    EXPECT_TRUE(solver.solve(s, again, options, context).good());
    EXPECT_TRUE(PressureSolver<2>().solve(s, fresh, options, context).good());
    for (std::size_t i = 0; i < fresh.values().size(); ++i)
        ASSERT_EQ(fresh.values()[i], again.values()[i]);
}

TEST(PressureSolver, NoUnknownsAndNoRightHandSideGiveZero) {
    const auto tiles = Tiles<3>::dense({{0, 0, 0}, {8, 8, 8}}, {});
    PressureSystem<3> s(tiles);
    CellField<double, 3> x(tiles, 4.0);
    Context context;
    PressureSolver<3> solver;
    EXPECT_TRUE(solver.solve(s, x, {}, context).good());
    EXPECT_EQ(x.at(0, 17), 0.0);
    s.kind.values().fill(kFluidCell);
    s.add_dirichlet(0, 0, 1, 0);
    x = CellField<double, 3>(tiles, 4.0);
    EXPECT_TRUE(solver.solve(s, x, {}, context).good());
    EXPECT_EQ(x.at(0, 17), 0.0);
}

}  // namespace
}  // namespace spume
