// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/sparse_matrix.h"

#include <algorithm>

namespace spume {
namespace {

constexpr std::size_t kRowPiece = 1024;

/// Sums the values of one row by their column: a hash table that remembers which places it used.
class RowSums {
  public:
    void add(std::int32_t column, double value) {
        if (2 * (columns_.size() + 1) > places_.size()) grow();
        std::size_t at = place_of(column);
        while (places_[at] >= 0 && columns_[std::size_t(places_[at])] != column)
            at = (at + 1) & (places_.size() - 1);
        if (places_[at] < 0) {
            places_[at] = std::int32_t(columns_.size());
            columns_.push_back(column);
            values_.push_back(0);
        }
        values_[std::size_t(places_[at])] += value;
    }
    void clear() {
        for (const std::int32_t c : columns_) {
            std::size_t at = place_of(c);
            while (places_[at] >= 0) places_[at] = -1, at = (at + 1) & (places_.size() - 1);
        }
        columns_.clear();
        values_.clear();
    }
    std::span<const std::int32_t> columns() const { return columns_; }
    std::span<const double> values() const { return values_; }

  private:
    std::size_t place_of(std::int32_t column) const {
        return (std::uint32_t(column) * 0x9e3779b1u >> 8) & (places_.size() - 1);
    }
    void grow() {
        places_.assign(places_.size() * 2, -1);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            std::size_t at = place_of(columns_[i]);
            while (places_[at] >= 0) at = (at + 1) & (places_.size() - 1);
            places_[at] = std::int32_t(i);
        }
    }

    std::vector<std::int32_t> places_ = std::vector<std::int32_t>(256, -1);
    std::vector<std::int32_t> columns_;
    std::vector<double> values_;
};

/// A matrix of which fill(row, sums) adds up each row.
template <class T, class F>
SparseMatrix<T> by_rows(int rows, int columns, Context& context, F&& fill) {
    struct Piece {
        std::vector<std::int32_t> count, column;
        std::vector<T> value;
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
            for (const double v : sums.values()) piece.value.push_back(T(v));
            sums.clear();
        }
    });
    SparseMatrix<T> r;
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

}  // namespace

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
    std::vector<Place> sorted(std::size_t(begin[std::size_t(rows)]));
    std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
    for (const auto& part : parts)
        for (const SparseEntry& e : part)
            sorted[std::size_t(next[std::size_t(e.row)]++)] = {e.column, e.value};
    return by_rows<double>(rows, columns, context, [&](int row, RowSums& sums) {
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

template <class T>
SparseMatrix<T> product(const SparseMatrix<T>& a, const SparseMatrix<T>& b, Context& context) {
    return by_rows<T>(a.rows(), b.columns, context, [&](int row, RowSums& sums) {
        a.each_in_row(row, [&](std::int32_t k, T left) {
            b.each_in_row(
                k, [&](std::int32_t j, T right) { sums.add(j, double(left) * double(right)); });
        });
    });
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
template SparseMatrix<double> transposed(const SparseMatrix<double>&);
template SparseMatrix<float> product(const SparseMatrix<float>&, const SparseMatrix<float>&,
                                     Context&);
template SparseMatrix<double> product(const SparseMatrix<double>&, const SparseMatrix<double>&,
                                      Context&);

}  // namespace spume
