// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "property/solver_systems.h"
#include "spume/solve/face_operator.h"
#include "spume/solve/multigrid.h"

namespace spume {
namespace {

/// Operator and preconditioner of a system, on vectors over its unknowns.
template <int D>
struct Parts {
    explicit Parts(const PressureSystem<D>& s)
        : written(write_out(s)), levels(level_tiles(*s.tiles)) {
        Array<double> rhs(levels[0].values());
        op.assign(s, levels[0], rhs.write().data(), context);
        b = Eigen::VectorXd(Eigen::Index(written.place.size()));
        for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = rhs[written.place[std::size_t(i)]];
        multigrid.prepare(levels);
        multigrid.assign(op, context);
    }
    Eigen::VectorXd apply(const Eigen::VectorXd& x) {
        Array<double> p(levels[0].values()), q(levels[0].values());
        for (Eigen::Index i = 0; i < x.size(); ++i) p.write()[written.place[std::size_t(i)]] = x[i];
        op.apply(p.data(), q.write().data(), context);
        Eigen::VectorXd y(x.size());
        for (Eigen::Index i = 0; i < x.size(); ++i) y[i] = q[written.place[std::size_t(i)]];
        return y;
    }
    Eigen::VectorXd precondition(const Eigen::VectorXd& x, double* dot = nullptr) {
        float* in = multigrid.b();
        for (Eigen::Index i = 0; i < x.size(); ++i) in[written.place[std::size_t(i)]] = float(x[i]);
        const double xz = multigrid.apply(context);
        if (dot) *dot = xz;
        std::vector<const float*> z(std::size_t(levels[0].count), nullptr);
        for (const int t : op.live) z[std::size_t(t)] = multigrid.finish(t);
        Eigen::VectorXd y(x.size());
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const std::size_t at = written.place[std::size_t(i)];
            y[i] = double(z[at / kTileCells<D>][at % kTileCells<D>]);
        }
        return y;
    }

    Context context;
    Written<D> written;
    std::vector<LevelTiles<D>> levels;
    FaceOperator<D> op;
    Multigrid<D> multigrid;
    Eigen::VectorXd b;
};

Eigen::VectorXd random_vector(Eigen::Index n, Dice& dice) {
    Eigen::VectorXd v(n);
    // Rounded to float so that the preconditioner sees exactly this vector.
    for (Eigen::Index i = 0; i < n; ++i) v[i] = double(float(dice() - 0.5));
    return v;
}

template <int D>
void expect_symmetric_positive(std::uint64_t seed, double solid, double contrast) {
    SystemRecipe recipe;
    recipe.seed = seed;
    recipe.box = D == 2 ? 5 : 3;
    recipe.solid = solid;
    recipe.contrast = contrast;
    const PressureSystem<D> s = random_system<D>(recipe);
    Parts<D> parts(s);
    Dice dice{seed + 100};
    const auto n = Eigen::Index(parts.written.place.size());
    ASSERT_LE((parts.b - parts.written.rhs).norm(), 1e-12 * parts.b.norm());
    for (int round = 0; round < 4; ++round) {
        const Eigen::VectorXd x = random_vector(n, dice), y = random_vector(n, dice);
        const Eigen::VectorXd ax = parts.apply(x), ay = parts.apply(y);
        EXPECT_LE((ax - parts.written.matrix * x).norm(), 1e-13 * ax.norm());
        EXPECT_LE(std::abs(y.dot(ax) - x.dot(ay)), 1e-12 * x.norm() * ay.norm());
        EXPECT_GT(x.dot(ax), 0);
        double xmx = 0;
        const Eigen::VectorXd mx = parts.precondition(x, &xmx), my = parts.precondition(y);
        EXPECT_LE(std::abs(y.dot(mx) - x.dot(my)), 1e-5 * x.norm() * my.norm()) << "seed " << seed;
        EXPECT_GT(x.dot(mx), 0);
        EXPECT_NEAR(xmx, x.dot(mx), 1e-5 * std::abs(x.dot(mx)));
    }
}

TEST(PressurePreconditioner, SymmetricPositiveOnRandomTiles2D) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        expect_symmetric_positive<2>(seed, 0.15, 1000);
        expect_symmetric_positive<2>(seed, 0.0, 1);
    }
}
TEST(PressurePreconditioner, SymmetricPositiveOnRandomTiles3D) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        expect_symmetric_positive<3>(seed, 0.15, 1000);
        expect_symmetric_positive<3>(seed, 0.0, 1);
    }
}

/// Every eigenvalue, on a system small enough to write the preconditioner out as a matrix.
TEST(PressurePreconditioner, SpectrumIsPositiveAndNarrow) {
    SystemRecipe recipe;
    recipe.seed = 4;
    recipe.box = 2;
    recipe.filled = 0.6;
    recipe.solid = 0.02;
    recipe.closed = 0;
    recipe.contrast = 1;
    const PressureSystem<2> s = random_system<2>(recipe);
    Parts<2> parts(s);
    const auto n = Eigen::Index(parts.written.place.size());
    Eigen::MatrixXd m(n, n);
    for (Eigen::Index i = 0; i < n; ++i) m.col(i) = parts.precondition(Eigen::VectorXd::Unit(n, i));
    EXPECT_LE((m - m.transpose()).norm(), 1e-6 * m.norm());
    const Eigen::MatrixXd a = parts.written.matrix;
    const Eigen::MatrixXd symmetric = 0.5 * (m + m.transpose());
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(symmetric,
                                                                             a.inverse());
    EXPECT_GT(spectrum.eigenvalues().minCoeff(), 0.2);
    EXPECT_LT(spectrum.eigenvalues().maxCoeff(), 2.0);
}

/// The same bits whatever the number of threads.
template <int D>
void expect_same_bits() {
    SystemRecipe recipe;
    recipe.seed = 77;
    recipe.box = D == 2 ? 9 : 5;
    recipe.solid = 0.05;
    recipe.contrast = 100;
    const PressureSystem<D> s = random_system<D>(recipe);
    SolverOptions options;
    options.tolerance = 1e-9;
    options.max_iterations = 400;
    CellField<double, D> reference(s.tiles);
    Context one(1);
    const SolveReport report = PressureSolver<D>().solve(s, reference, options, one);
    ASSERT_TRUE(report.good()) << to_text(report.end);
    for (const int threads : {2, 3, 4, 8}) {
        Context context(threads);
        CellField<double, D> x(s.tiles);
        const SolveReport again = PressureSolver<D>().solve(s, x, options, context);
        EXPECT_EQ(again.iterations, report.iterations);
        EXPECT_EQ(again.residual, report.residual);
        EXPECT_EQ(0, std::memcmp(x.read(), reference.read(), x.values().size() * sizeof(double)))
            << threads << " threads";
    }
}
TEST(PressureSolver, SameBitsOnAnyThreadCount2D) { expect_same_bits<2>(); }
TEST(PressureSolver, SameBitsOnAnyThreadCount3D) { expect_same_bits<3>(); }

/// Mirrored problem, mirrored answer; scaled coefficients, same answer.
TEST(PressureSolver, ScalingTheSystemByAPowerOfTwoChangesNoBit) {
    SystemRecipe recipe;
    recipe.seed = 12;
    PressureSystem<2> s = random_system<2>(recipe);
    Context context;
    SolverOptions options;
    options.tolerance = 1e-6;
    options.max_iterations = 1000;
    CellField<double, 2> x(s.tiles), y(s.tiles);
    ASSERT_TRUE(PressureSolver<2>().solve(s, x, options, context).good());
    for (int a = 0; a < 2; ++a)
        for (double& c : s.coefficient.component(a).write()) c *= 1024;
    for (double& e : s.diagonal_extra.values().write()) e *= 1024;
    for (double& b : s.rhs.values().write()) b *= 1024;
    ASSERT_TRUE(PressureSolver<2>().solve(s, y, options, context).good());
    for (std::size_t i = 0; i < x.values().size(); ++i) ASSERT_EQ(x.values()[i], y.values()[i]);
}

}  // namespace
}  // namespace spume
