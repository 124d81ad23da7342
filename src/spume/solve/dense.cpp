// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/dense.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace spume {
namespace {

constexpr double kZeroPivot = 1e-12;

/// Cholesky factor with the largest pivot first: the matrix with rows and columns in `order` is
/// L Lᵀ, of which the first `rank` columns of L are not zero.
struct Factor {
    DenseMatrix l;
    std::vector<std::size_t> order;
    std::size_t rank = 0;
};

Factor factor(DenseMatrix a) {
    const std::size_t n = a.size;
    Factor f{DenseMatrix(n), std::vector<std::size_t>(n)};
    std::iota(f.order.begin(), f.order.end(), std::size_t(0));
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, a(i, i));
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (a(i, i) > a(pivot, pivot)) pivot = i;
        if (!(a(pivot, pivot) > kZeroPivot * largest)) break;
        if (pivot != k) {
            std::swap(f.order[k], f.order[pivot]);
            for (std::size_t i = 0; i < n; ++i) std::swap(a(k, i), a(pivot, i));
            for (std::size_t i = 0; i < n; ++i) std::swap(a(i, k), a(i, pivot));
            for (std::size_t i = 0; i < k; ++i) std::swap(f.l(k, i), f.l(pivot, i));
        }
        const double root = std::sqrt(a(k, k));
        f.l(k, k) = root;
        for (std::size_t i = k + 1; i < n; ++i) f.l(i, k) = a(i, k) / root;
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j) a(i, j) -= f.l(i, k) * f.l(j, k);
        ++f.rank;
    }
    return f;
}

/// Inverse of the leading block of L, lower triangular.
DenseMatrix inverse_of_leading(const Factor& f) {
    DenseMatrix inverse(f.rank);
    for (std::size_t j = 0; j < f.rank; ++j) {
        inverse(j, j) = 1 / f.l(j, j);
        for (std::size_t i = j + 1; i < f.rank; ++i) {
            double sum = 0;
            for (std::size_t k = j; k < i; ++k) sum += f.l(i, k) * inverse(k, j);
            inverse(i, j) = -sum / f.l(i, i);
        }
    }
    return inverse;
}

/// An orthonormal basis of the null space: (−L₁₁⁻ᵀ L₂₁ᵀ, 1), made orthogonal one by one.
std::vector<std::vector<double>> null_space(const Factor& f, const DenseMatrix& inverse) {
    const std::size_t n = f.l.size;
    std::vector<std::vector<double>> basis;
    for (std::size_t extra = f.rank; extra < n; ++extra) {
        std::vector<double> v(n, 0.0);
        v[extra] = 1;
        for (std::size_t i = 0; i < f.rank; ++i)
            for (std::size_t k = i; k < f.rank; ++k) v[i] -= inverse(k, i) * f.l(extra, k);
        for (const auto& other : basis) {
            const double along = std::inner_product(v.begin(), v.end(), other.begin(), 0.0);
            for (std::size_t i = 0; i < n; ++i) v[i] -= along * other[i];
        }
        const double norm = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
        for (double& x : v) x /= norm;
        basis.push_back(std::move(v));
    }
    return basis;
}

/// G ← (1 − v vᵀ) G (1 − v vᵀ).
void project_out(const std::vector<double>& v, DenseMatrix& g) {
    std::vector<double> gv(g.size, 0.0);
    for (std::size_t i = 0; i < g.size; ++i)
        for (std::size_t j = 0; j < g.size; ++j) gv[i] += g(i, j) * v[j];
    const double vgv = std::inner_product(v.begin(), v.end(), gv.begin(), 0.0);
    for (std::size_t i = 0; i < g.size; ++i)
        for (std::size_t j = 0; j < g.size; ++j)
            g(i, j) -= (v[i] * gv[j] + gv[i] * v[j]) - vgv * (v[i] * v[j]);
}

}  // namespace

DenseMatrix pseudo_inverse(const DenseMatrix& matrix) {
    const Factor f = factor(matrix);
    const DenseMatrix inverse = inverse_of_leading(f);
    DenseMatrix g(matrix.size);
    for (std::size_t i = 0; i < f.rank; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = i; k < f.rank; ++k) sum += inverse(k, i) * inverse(k, j);
            g(i, j) = g(j, i) = sum;
        }
    for (const auto& v : null_space(f, inverse)) project_out(v, g);
    DenseMatrix result(matrix.size);
    for (std::size_t i = 0; i < matrix.size; ++i)
        for (std::size_t j = 0; j < matrix.size; ++j) result(f.order[i], f.order[j]) = g(i, j);
    return result;
}

}  // namespace spume
