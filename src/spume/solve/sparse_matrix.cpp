// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/sparse_matrix.h"

#include <algorithm>

namespace spume {

SparseMatrix<double> sparse_matrix(int rows, int columns,
                                   std::span<const std::vector<SparseEntry>> parts,
                                   Context& context) {
    // Entries by row, those of a row in the order of the parts.
    std::vector<std::int64_t> begin(std::size_t(rows) + 1, 0);
    for (const auto& part : parts)
        for (const SparseEntry& e : part) ++begin[std::size_t(e.row) + 1];
    for (std::size_t i = 0; i < std::size_t(rows); ++i) begin[i + 1] += begin[i];
    struct Place {
        std::int32_t column;
        double value;
    };
    std::vector<Place> sorted(static_cast<std::size_t>(begin.back()));
    std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
    for (const auto& part : parts)
        for (const SparseEntry& e : part)
            sorted[std::size_t(next[std::size_t(e.row)]++)] = {e.column, e.value};
    return matrix_by_rows(rows, columns, context, [&](int row, RowSums& sums) {
        for (std::int64_t k = begin[std::size_t(row)]; k < begin[std::size_t(row) + 1]; ++k)
            sums.add(sorted[std::size_t(k)].column, sorted[std::size_t(k)].value);
    });
}

template <class T>
SparseMatrix<T> transposed(const SparseMatrix<T>& matrix) {
    SparseMatrix<T> r;
    r.columns = matrix.rows();
    r.begin.assign(std::size_t(matrix.columns) + 1, 0);
    for (const std::int32_t c : matrix.column) ++r.begin[std::size_t(c) + 1];
    for (std::size_t i = 0; i < std::size_t(matrix.columns); ++i) r.begin[i + 1] += r.begin[i];
    std::vector<std::int64_t> next(r.begin.begin(), r.begin.end() - 1);
    r.column.resize(matrix.column.size());
    r.value.resize(matrix.value.size());
    for (int row = 0; row < matrix.rows(); ++row)
        matrix.each_in_row(row, [&](std::int32_t j, T a) {
            const std::size_t at = std::size_t(next[std::size_t(j)]++);
            r.column[at] = row;
            r.value[at] = a;
        });
    return r;
}

SparseMatrix<float> in_float(const SparseMatrix<double>& matrix) {
    SparseMatrix<float> r;
    r.columns = matrix.columns;
    r.begin = matrix.begin;
    r.column = matrix.column;
    r.value.assign(matrix.value.begin(), matrix.value.end());
    return r;
}

template SparseMatrix<float> transposed(const SparseMatrix<float>&);

}  // namespace spume
