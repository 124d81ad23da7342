// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

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

void BoxPressureSolver::find_parts(Context& context) {
    const BoxLevel& l = multigrid_.finest();
    const float *w = l.west.data(), *n = l.north.data(), *inverse = l.inverse.data();
    const bool whole = reduce(
        context.arena, std::size_t(l.rows), kBoxRows, true,
        [&](std::size_t b, std::size_t e) {
            bool open = true;
            for (int row = int(b); row < int(e); ++row)
                for (std::size_t k = l.at(row); k < l.at(row) + std::size_t(l.columns); ++k)
                    open = open && (k == l.at(row) || w[k] > 0) && (row == 0 || n[k] > 0);
            return open;
        },
        [](bool x, bool y) { return x && y; });
    part_.clear();
    part_cells_.clear();
    if (whole) {
        part_cells_.push_back(double(l.rows) * double(l.columns));
        return;
    }
    // Stretches of a row that are joined, then rows.
    std::vector<int> stretch(l.size(), -1);
    int count = 0;
    for (int row = 0; row < l.rows; ++row)
        for (std::size_t k = l.at(row); k < l.at(row) + std::size_t(l.columns); ++k)
            if (inverse[k] > 0) stretch[k] = w[k] > 0 ? stretch[k - 1] : count++;
    DisjointSets sets{std::size_t(count)};
    for (std::size_t k = l.at(1); k < l.at(l.rows); ++k)
        if (n[k] > 0) sets.join(stretch[k], stretch[k - l.stride]);
    std::vector<int> number(std::size_t(count), -1);
    for (int i = 0; i < count; ++i) {
        const auto root = std::size_t(sets.find(i));
        if (number[root] < 0) {
            number[root] = int(part_cells_.size());
            part_cells_.push_back(0);
        }
        number[std::size_t(i)] = number[root];
    }
    part_.assign(l.size(), -1);
    for (std::size_t k = 0; k < l.size(); ++k)
        if (stretch[k] >= 0) {
            part_[k] = number[std::size_t(stretch[k])];
            part_cells_[std::size_t(part_[k])] += 1;
        }
}

}  // namespace spume
