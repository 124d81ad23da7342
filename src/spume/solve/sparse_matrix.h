// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
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

/// Sums the values of one row by their column. Rows are short: a search along them is quickest.
class RowSums {
  public:
    void add(std::int32_t column, double value) {
        const std::size_t n = columns_.size();
        for (std::size_t i = 0; i < n; ++i)
            if (columns_[i] == column) return void(values_[i] += value);
        columns_.push_back(column);
        values_.push_back(value);
    }
    void clear() {
        columns_.clear();
        values_.clear();
    }
    std::span<const std::int32_t> columns() const { return columns_; }
    std::span<const double> values() const { return values_; }

  private:
    std::vector<std::int32_t> columns_;
    std::vector<double> values_;
};

/// A matrix of which fill(row, sums) adds up each row; several rows at once.
template <class F>
SparseMatrix<double> matrix_by_rows(int rows, int columns, Context& context, F&& fill) {
    constexpr std::size_t kRowPiece = 1024;
    struct Piece {
        std::vector<std::int32_t> count, column;
        std::vector<double> value;
    };
    const std::size_t n = std::size_t(rows);
    std::vector<Piece> pieces((n + kRowPiece - 1) / kRowPiece);
    for_range(context.arena, n, kRowPiece, [&](std::size_t b, std::size_t e) {
        Piece& piece = pieces[b / kRowPiece];
        RowSums sums;
        for (std::size_t i = b; i < e; ++i) {
            fill(int(i), sums);
            piece.count.push_back(std::int32_t(sums.columns().size()));
            piece.column.insert(piece.column.end(), sums.columns().begin(), sums.columns().end());
            piece.value.insert(piece.value.end(), sums.values().begin(), sums.values().end());
            sums.clear();
        }
    });
    SparseMatrix<double> r;
    r.columns = columns;
    r.begin.assign(n + 1, 0);
    std::size_t row = 0;
    for (const Piece& piece : pieces)
        for (const std::int32_t c : piece.count) r.begin[row + 1] = r.begin[row] + c, ++row;
    r.column.resize(std::size_t(r.begin[n]));
    r.value.resize(std::size_t(r.begin[n]));
    for_range(context.arena, n, kRowPiece, [&](std::size_t b, std::size_t) {
        const Piece& piece = pieces[b / kRowPiece];
        std::copy(piece.column.begin(), piece.column.end(), r.column.begin() + r.begin[b]);
        std::copy(piece.value.begin(), piece.value.end(), r.value.begin() + r.begin[b]);
    });
    return r;
}

/// The sums of entries with the same place, added in the order of the parts.
SparseMatrix<double> sparse_matrix(int rows, int columns,
                                   std::span<const std::vector<SparseEntry>> parts,
                                   Context& context);

template <class T>
SparseMatrix<T> transposed(const SparseMatrix<T>& matrix);

SparseMatrix<float> in_float(const SparseMatrix<double>& matrix);

}  // namespace spume
