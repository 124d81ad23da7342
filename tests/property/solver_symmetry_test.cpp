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
        for (const std::size_t at : written.place) b.push_back(rhs[at]);
        multigrid.prepare(levels);
        multigrid.assign(op, context);
    }
    Vector apply(const Vector& x) {
        Array<double> p(levels[0].values()), q(levels[0].values());
        for (std::size_t i = 0; i < x.size(); ++i) p.write()[written.place[i]] = x[i];
        op.apply(p.data(), q.write().data(), context);
        Vector y;
        for (const std::size_t at : written.place) y.push_back(q[at]);
        return y;
    }
    Vector precondition(const Vector& x, double* product = nullptr) {
        float* in = multigrid.b();
        for (std::size_t i = 0; i < x.size(); ++i) in[written.place[i]] = float(x[i]);
        const double xz = multigrid.apply(context);
        if (product) *product = xz;
        std::vector<const float*> z(std::size_t(levels[0].count), nullptr);
        for (const int t : op.live) z[std::size_t(t)] = multigrid.finish(t);
        Vector y;
        for (const std::size_t at : written.place)
            y.push_back(double(z[at / kTileCells<D>][at % kTileCells<D>]));
        return y;
    }

    Context context;
    Written<D> written;
    std::vector<LevelTiles<D>> levels;
    FaceOperator<D> op;
    Multigrid<D> multigrid;
    Vector b;
};

Vector random_vector(std::size_t n, Dice& dice) {
    Vector v(n);
    // Rounded to float so that the preconditioner sees exactly this vector.
    for (double& x : v) x = double(float(dice() - 0.5));
    return v;
}

template <int D>
void carve_bubbles(PressureSystem<D>& s, int count, double radius, Dice& dice) {
    for (int i = 0; i < count; ++i) {
        Point<D> centre = s.tiles->origin(dice.below(s.tiles->active())).template as<double>();
        for (int a = 0; a < D; ++a) centre[a] += kTileSide<D> * dice();
        carve_bubble(s, centre, radius * (0.2 + dice()));
    }
}

template <int D>
void expect_symmetric_positive(std::uint64_t seed, double solid, double contrast, int bubbles = 0) {
    SystemRecipe recipe;
    recipe.seed = seed;
    recipe.box = D == 2 ? 5 : 3;
    recipe.solid = solid;
    recipe.contrast = contrast;
    PressureSystem<D> s = random_system<D>(recipe);
    Dice places{seed + 200};
    carve_bubbles(s, bubbles, 4, places);
    Parts<D> parts(s);
    Dice dice{seed + 100};
    const std::size_t n = parts.written.place.size();
    ASSERT_LE(norm(parts.b - parts.written.rhs), 1e-12 * norm(parts.b));
    for (int round = 0; round < 4; ++round) {
        const Vector x = random_vector(n, dice), y = random_vector(n, dice);
        const Vector ax = parts.apply(x), ay = parts.apply(y);
        EXPECT_LE(norm(ax - parts.written.times(x)), 1e-13 * norm(ax));
        EXPECT_LE(std::abs(dot(y, ax) - dot(x, ay)), 1e-12 * norm(x) * norm(ay));
        EXPECT_GT(dot(x, ax), 0);
        double xmx = 0;
        const Vector mx = parts.precondition(x, &xmx), my = parts.precondition(y);
        EXPECT_LE(std::abs(dot(y, mx) - dot(x, my)), 1e-5 * norm(x) * norm(my)) << "seed " << seed;
        EXPECT_GT(dot(x, mx), 0);
        EXPECT_NEAR(xmx, dot(x, mx), 1e-5 * std::abs(dot(x, mx)));
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

TEST(PressurePreconditioner, SymmetricPositiveWithBubbles) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        expect_symmetric_positive<2>(seed, 0.15, 1000, 12);
        expect_symmetric_positive<2>(seed, 0.0, 1, 5);
        expect_symmetric_positive<3>(seed, 0.02, 10, 20);
    }
}

using Matrix = std::vector<Vector>;

/// L of L Lᵀ; false where the matrix is not positive definite.
bool factor(Matrix& a) {
    for (std::size_t j = 0; j < a.size(); ++j) {
        for (std::size_t k = 0; k < j; ++k)
            for (std::size_t i = j; i < a.size(); ++i) a[i][j] -= a[i][k] * a[j][k];
        if (!(a[j][j] > 0)) return false;
        const double root = std::sqrt(a[j][j]);
        for (std::size_t i = j; i < a.size(); ++i) a[i][j] /= root;
    }
    return true;
}

/// Every eigenvalue, on a system small enough to write the preconditioner out as a matrix: those of
/// M A are those of Lᵀ M L with A = L Lᵀ, and lie above a bound where that less the bound is
/// positive definite.
void expect_narrow_spectrum(int bubbles) {
    SystemRecipe recipe;
    recipe.seed = 4;
    recipe.box = 2;
    recipe.filled = 0.6;
    recipe.solid = 0.02;
    recipe.closed = 0;
    recipe.contrast = 1;
    PressureSystem<2> s = random_system<2>(recipe);
    Dice dice{31};
    carve_bubbles(s, bubbles, 3, dice);
    Parts<2> parts(s);
    const std::size_t n = parts.written.place.size();
    Matrix m(n), l(n, Vector(n, 0.0));
    double size = 0, skew = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Vector unit(n, 0.0);
        unit[i] = 1;
        m[i] = parts.precondition(unit);
        for (const auto& [j, a] : parts.written.matrix[i]) l[i][std::size_t(j)] = a;
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            size += m[i][j] * m[i][j];
            skew += (m[i][j] - m[j][i]) * (m[i][j] - m[j][i]);
        }
    EXPECT_LE(std::sqrt(skew), 1e-6 * std::sqrt(size));
    ASSERT_TRUE(factor(l));
    Matrix ml(n, Vector(n, 0.0)), above(n, Vector(n, 0.0)), below = above;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j <= k; ++j) ml[i][j] += 0.5 * (m[i][k] + m[k][i]) * l[k][j];
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i <= k; ++i)
            for (std::size_t j = 0; j < n; ++j) above[i][j] += l[k][i] * ml[k][j];
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) below[i][j] = -above[i][j];
        above[i][i] -= 0.2, below[i][i] += 2.0;
    }
    EXPECT_TRUE(factor(above)) << "an eigenvalue below 0.2";
    EXPECT_TRUE(factor(below)) << "an eigenvalue above 2";
}
TEST(PressurePreconditioner, SpectrumIsPositiveAndNarrow) { expect_narrow_spectrum(0); }
TEST(PressurePreconditioner, SpectrumIsPositiveAndNarrowWithBubbles) { expect_narrow_spectrum(8); }

/// The same bits whatever the number of threads.
template <int D>
void expect_same_bits() {
    SystemRecipe recipe;
    recipe.seed = 77;
    recipe.box = D == 2 ? 9 : 5;
    recipe.solid = 0.05;
    recipe.contrast = 100;
    PressureSystem<D> s = random_system<D>(recipe);
    Dice dice{5};
    carve_bubbles(s, 10, 5, dice);
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

/// A second right-hand side for a matrix the solver knows: the bits of a solver that is new to it.
template <int D>
void expect_matrix_kept() {
    SystemRecipe recipe;
    recipe.seed = 31;
    recipe.box = D == 2 ? 6 : 3;
    PressureSystem<D> first = random_system<D>(recipe);
    Dice dice{8};
    carve_bubbles(first, 4, 5, dice);
    PressureSystem<D> second = first;
    double* rhs = second.rhs.write();
    for (std::size_t i = 0; i < second.rhs.values().size(); ++i) rhs[i] *= 1.5 + dice();
    recipe.seed = 32;
    const PressureSystem<D> other = random_system<D>(recipe);

    SolverOptions plain, kept;
    kept.same_matrix = true;
    Context context(2);
    CellField<double, D> reference(first.tiles), x(first.tiles), skipped(first.tiles);
    const SolveReport report = PressureSolver<D>().solve(second, reference, plain, context);
    PressureSolver<D> solver;
    solver.solve(first, skipped, plain, context);
    const SolveReport again = solver.solve(second, x, kept, context);
    EXPECT_GT(report.iterations, 3);
    EXPECT_EQ(again.iterations, report.iterations);
    EXPECT_EQ(again.unknowns, report.unknowns);
    EXPECT_EQ(0, std::memcmp(x.read(), reference.read(), x.values().size() * sizeof(double)));

    // With other tiles there is nothing to keep, whatever the caller says.
    CellField<double, D> expected(other.tiles), found(other.tiles);
    PressureSolver<D>().solve(other, expected, plain, context);
    solver.solve(other, found, kept, context);
    EXPECT_EQ(0,
              std::memcmp(found.read(), expected.read(), found.values().size() * sizeof(double)));
}
TEST(PressureSolver, AKnownMatrixChangesNoBit2D) { expect_matrix_kept<2>(); }
TEST(PressureSolver, AKnownMatrixChangesNoBit3D) { expect_matrix_kept<3>(); }

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
