// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include "spume/grid/components.h"
#include "spume/solve/box_pressure.h"

namespace spume {

void BoxPressureSolver::take_over(const DenseField<double, 2> (&coefficient)[2], Context& context) {
    BoxLevel& l = multigrid_.finest();
    float *north = l.north.write().data(), *west = l.west.write().data();
    for_range(context.arena, std::size_t(l.rows), kBoxRows, [&](std::size_t b, std::size_t e) {
        for (int row = int(b); row < int(e); ++row) {
            const double *n = coefficient[0].read() + coefficient[0].shape.at({row, 0}),
                         *w = coefficient[1].read() + coefficient[1].shape.at({row, 0});
            float *to_north = north + l.at(row), *to_west = west + l.at(row);
            for (int j = 0; j < l.columns; ++j) {
                to_north[j] = row > 0 ? float(n[j]) : 0.0f;
                to_west[j] = float(w[j]);
            }
            to_west[0] = 0;
        }
    });
}

void BoxPressureSolver::take_over(std::span<const LowRankTerm> terms) {
    const BoxLevel& l = multigrid_.finest();
    terms_.clear();
    for (const LowRankTerm& term : terms) {
        LowRankTerm kept{term.scale, {}, {}};
        for (std::size_t i = 0; i < term.cells.size(); ++i) {
            const std::size_t columns = std::size_t(l.columns), cell = term.cells[i];
            const std::size_t k = l.at(int(cell / columns)) + cell % columns;
            if (!(l.inverse[k] > 0)) continue;
            kept.cells.push_back(k);
            kept.weights.push_back(term.weights[i]);
        }
        if (!kept.cells.empty()) terms_.push_back(std::move(kept));
    }
}

/// out += factor Σ s w (w · x); returns Σ s (w · x)².
template <class T>
double BoxPressureSolver::add_terms(const T* x, double factor, double* out) const {
    double squares = 0;
    for (const LowRankTerm& term : terms_) {
        double dot = 0;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            dot += term.weights[i] * double(x[term.cells[i]]);
        squares += term.scale * dot * dot;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            out[term.cells[i]] += factor * term.scale * dot * term.weights[i];
    }
    return squares;
}
template double BoxPressureSolver::add_terms(const double*, double, double*) const;
template double BoxPressureSolver::add_terms(const float*, double, double*) const;

/// Are all cells joined through open faces, with nothing else to look at?
bool BoxPressureSolver::is_whole(Context& context) const {
    const BoxLevel& l = multigrid_.finest();
    const float *w = l.west.data(), *n = l.north.data();
    return terms_.empty() &&
           reduce(
               context.arena, std::size_t(l.rows), kBoxRows, true,
               [&](std::size_t b, std::size_t e) {
                   bool open = true;
                   for (int row = int(b); row < int(e); ++row)
                       for (std::size_t k = l.at(row); k < l.at(row) + std::size_t(l.columns); ++k)
                           open = open && (k == l.at(row) || w[k] > 0) && (row == 0 || n[k] > 0);
                   return open;
               },
               [](bool x, bool y) { return x && y; });
}

/// Parts whose constants the terms see, each weight's sum over rounding.
std::vector<bool> BoxPressureSolver::held_by_terms(const std::vector<int>& part, int parts) const {
    std::vector<double> seen(std::size_t(parts), 0.0), size(seen);
    for (const LowRankTerm& term : terms_) {
        double sum = 0, all = 0;
        for (const double w : term.weights) sum += w, all += std::abs(w);
        // What a term touches is one part.
        const auto at = std::size_t(part[term.cells[0]]);
        seen[at] += term.scale * sum * sum;
        size[at] += term.scale * all * all;
    }
    std::vector<bool> held(std::size_t(parts), false);
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = seen[i] > 1e-10 * size[i];
    return held;
}

void BoxPressureSolver::find_parts(Context& context) {
    const BoxLevel& l = multigrid_.finest();
    const float *w = l.west.data(), *n = l.north.data(), *inverse = l.inverse.data();
    part_.clear();
    part_cells_.clear();
    if (is_whole(context)) {
        unknowns_ = double(l.rows) * double(l.columns);
        part_cells_.push_back(unknowns_);
        return;
    }
    // Stretches of a row that are joined, then rows, then by terms.
    std::vector<int> stretch(l.size(), kNoPart);
    int count = 0;
    for (int row = 0; row < l.rows; ++row)
        for (std::size_t k = l.at(row); k < l.at(row) + std::size_t(l.columns); ++k)
            if (inverse[k] > 0) stretch[k] = w[k] > 0 ? stretch[k - 1] : count++;
    DisjointSets sets{std::size_t(count)};
    for (std::size_t k = l.at(1); k < l.at(l.rows); ++k)
        if (n[k] > 0) sets.join(stretch[k], stretch[k - l.stride]);
    for (const LowRankTerm& term : terms_)
        for (const std::size_t k : term.cells) sets.join(stretch[term.cells[0]], stretch[k]);
    unknowns_ = 0;
    part_ = std::move(stretch);
    for (int& part : part_)
        if (part >= 0) {
            part = sets.find(part);
            unknowns_ += 1;
        }
    const std::vector<bool> held = held_by_terms(part_, count);
    std::vector<int> number(std::size_t(count), kNoPart);
    for (int& part : part_) {
        if (part < 0) continue;
        const auto set = std::size_t(part);
        part = kHeldPart;
        if (held[set]) continue;
        if (number[set] < 0) {
            number[set] = int(part_cells_.size());
            part_cells_.push_back(0);
        }
        part = number[set];
        part_cells_[std::size_t(part)] += 1;
    }
}

}  // namespace spume
