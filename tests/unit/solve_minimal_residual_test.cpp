// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/solve/minimal_residual.h"

namespace spume {
namespace {

using Vector = std::vector<double>;

/// 1 + a rotation + noise: far from symmetric, its field of values right of zero.
Eigen::MatrixXd skewed(int n) {
    Eigen::MatrixXd a = 2 * Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const Random random(7, std::uint64_t(i), std::uint64_t(j), Purpose::kTest);
            a(i, j) += (j > i ? 4.0 : -4.0) / n + 0.5 / std::sqrt(n) * (random.uniform(0) - 0.5);
        }
    return a;
}

Eigen::VectorXd eigen(const Vector& v) {
    return Eigen::Map<const Eigen::VectorXd>(v.data(), Eigen::Index(v.size()));
}
Vector plain(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

Vector right_side(int n) {
    Vector b;
    for (int i = 0; i < n; ++i) b.push_back(std::sin(0.3 * i * i));
    return b;
}

TEST(MinimalResidual, SolvesWhatADenseSolveDoes) {
    const int n = 40;
    const Eigen::MatrixXd a = skewed(n);
    ASSERT_GT((a - a.transpose()).norm(), 0.3 * a.norm());
    const Vector b = right_side(n);
    Context context;
    MinimalResidual best(b);
    double last = eigen(b).norm();
    for (int k = 0; k < n && last > 1e-12; ++k) {
        ASSERT_TRUE(best.add(best.residual(), plain(a * eigen(best.residual())), context));
        const double now = eigen(best.residual()).norm();
        EXPECT_LT(now, last);
        last = now;
    }
    const Eigen::VectorXd exact = a.partialPivLu().solve(eigen(b));
    EXPECT_LT((eigen(best.solution()) - exact).norm(), 1e-10 * exact.norm());
    EXPECT_LT(best.directions(), n);
}

/// Whatever the directions, the residual is the smallest that their span allows.
TEST(MinimalResidual, IsTheLeastSquaresAnswerOverItsDirections) {
    const int n = 30, directions = 7;
    const Eigen::MatrixXd a = skewed(n);
    const Vector b = right_side(n);
    Eigen::MatrixXd images(n, directions);
    Context context;
    MinimalResidual best(b);
    for (int k = 0; k < directions; ++k) {
        Eigen::VectorXd d(n);
        for (int i = 0; i < n; ++i) d[i] = std::cos((k + 1) * i + 0.1 * k);
        images.col(k) = a * d;
        ASSERT_TRUE(best.add(plain(d), plain(images.col(k)), context));
    }
    const Eigen::VectorXd least = eigen(b) - images * images.colPivHouseholderQr().solve(eigen(b));
    EXPECT_LT((eigen(best.residual()) - least).norm(), 1e-11);
    EXPECT_LT((eigen(b) - a * eigen(best.solution()) - least).norm(), 1e-11);
    const Eigen::VectorXd again = 2 * images.col(1) - images.col(4);
    EXPECT_FALSE(best.add(b, plain(again), context)) << "nothing new";
    EXPECT_EQ(best.directions(), directions);
}

TEST(MinimalResidual, SameBitsOnAnyNumberOfThreads) {
    const std::size_t n = 50000;
    const auto run = [&](int threads) {
        Context context(threads);
        MinimalResidual best(right_side(int(n)));
        for (int k = 0; k < 4; ++k) {
            const Vector d = best.residual();
            Vector image(n);
            for (std::size_t i = 0; i < n; ++i)
                image[i] = (2 + 0.5 * std::cos(double(i))) * d[i] + 0.3 * d[(i + 1) % n];
            EXPECT_TRUE(best.add(d, image, context));
        }
        return best.solution();
    };
    const Vector one = run(1);
    EXPECT_EQ(one, run(2));
    EXPECT_EQ(one, run(7));
}

}  // namespace
}  // namespace spume
