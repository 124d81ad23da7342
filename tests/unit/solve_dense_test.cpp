// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/solve/dense.h"

namespace spume {
namespace {

DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix c(a.size);
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::size_t k = 0; k < a.size; ++k)
            for (std::size_t j = 0; j < a.size; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

double distance(const DenseMatrix& a, const DenseMatrix& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        most = std::max(most, std::abs(a.values[i] - b.values[i]));
    return most;
}

DenseMatrix transposed(const DenseMatrix& a) {
    DenseMatrix t(a.size);
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::size_t j = 0; j < a.size; ++j) t(j, i) = a(i, j);
    return t;
}

/// Penrose's four conditions, which one matrix alone fulfils.
void expect_pseudo_inverse(const DenseMatrix& a, double tolerance) {
    const DenseMatrix g = pseudo_inverse(a);
    const DenseMatrix ag = product(a, g), ga = product(g, a);
    EXPECT_LE(distance(product(ag, a), a), tolerance);
    EXPECT_LE(distance(product(ga, g), g), tolerance);
    EXPECT_LE(distance(ag, transposed(ag)), tolerance);
    EXPECT_LE(distance(ga, transposed(ga)), tolerance);
}

/// Chains of random springs, each with or without a hold on its first link.
DenseMatrix chains(std::size_t n, std::size_t length, std::uint64_t seed, int held) {
    DenseMatrix a(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double c = 0.1 + Random(seed, i, 0, Purpose::kTest).uniform(0);
        if (i % length == 0) {
            if (int(i / length) < held) a(i, i) += c;
            continue;
        }
        const std::size_t j = i - 1;
        a(i, i) += c, a(j, j) += c, a(i, j) -= c, a(j, i) -= c;
    }
    return a;
}

TEST(PseudoInverse, FulfilsPenrosesConditions) {
    expect_pseudo_inverse(chains(20, 20, 1, 1), 1e-11);  // regular
    expect_pseudo_inverse(chains(20, 20, 2, 0), 1e-11);  // one null vector
    expect_pseudo_inverse(chains(24, 6, 3, 1), 1e-11);   // three
    expect_pseudo_inverse(DenseMatrix(3), 0);            // nothing but null
    expect_pseudo_inverse(DenseMatrix(0), 0);
}

TEST(PseudoInverse, OfTwoCellsIsKnown) {
    DenseMatrix a(2);
    a(0, 0) = a(1, 1) = 4, a(0, 1) = a(1, 0) = -4;
    const DenseMatrix g = pseudo_inverse(a);
    EXPECT_NEAR(g(0, 0), 1.0 / 16, 1e-15);
    EXPECT_NEAR(g(0, 1), -1.0 / 16, 1e-15);
}

}  // namespace
}  // namespace spume
