// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spume/core/context.h"

namespace spume {

/// A value that is added to a matrix.
struct SparseEntry {
    std::int32_t row, column;
    double value;
};

/// A sparse matrix, row by row. The entries of a row stand in the order in which they came.
template <class T>
struct SparseMatrix {
    int columns = 0;
    std::vector<std::int64_t> begin{0};  ///< of each row, and the end of the last
    std::vector<std::int32_t> column;
    std::vector<T> value;

    int rows() const { return int(begin.size()) - 1; }
    /// f(column, value) for each entry of a row.
    template <class F>
    void each_in_row(int row, F&& f) const {
        for (std::int64_t k = begin[std::size_t(row)]; k < begin[std::size_t(row) + 1]; ++k)
            f(column[std::size_t(k)], value[std::size_t(k)]);
    }
    double row_times(int row, const T* x) const {
        double sum = 0;
        each_in_row(row, [&](std::int32_t j, T a) { sum += double(a) * double(x[j]); });
        return sum;
    }
    /// f(row, (A x) of the row) for all rows, several at once.
    template <class F>
    void for_products(const T* x, Context& context, F&& f) const {
        for_range(context.arena, std::size_t(rows()), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) f(i, row_times(int(i), x));
        });
    }
};

/// The sums of entries with the same place, added in the order of the parts.
SparseMatrix<double> sparse_matrix(int rows, int columns,
                                   std::span<const std::vector<SparseEntry>> parts,
                                   Context& context);

template <class T>
SparseMatrix<T> transposed(const SparseMatrix<T>& matrix);

/// A B.
template <class T>
SparseMatrix<T> product(const SparseMatrix<T>& a, const SparseMatrix<T>& b, Context& context);

SparseMatrix<float> in_float(const SparseMatrix<double>& matrix);

}  // namespace spume
