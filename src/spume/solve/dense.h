// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <vector>

namespace spume {

/// A small square matrix, row by row.
struct DenseMatrix {
    explicit DenseMatrix(std::size_t n = 0) : size(n), values(n * n, 0.0) {}
    double& operator()(std::size_t i, std::size_t j) { return values[i * size + j]; }
    double operator()(std::size_t i, std::size_t j) const { return values[i * size + j]; }

    std::size_t size;
    std::vector<double> values;
};

/// The Moore–Penrose inverse of a symmetric positive semidefinite matrix. What is below 1e-12 of
/// the largest diagonal entry once the rest is eliminated counts as zero.
DenseMatrix pseudo_inverse(const DenseMatrix& matrix);

}  // namespace spume
