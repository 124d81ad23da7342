// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/methods/cip/phases.h"
#include "spume/physics/domain/cells_in.h"
#include "spume/surface/dense_level_set.h"

namespace spume::cip {

/// A box of cells of the level set that is changed together: derivatives of the cells in and beside
/// it follow, and the water it holds is measured as everywhere (water_size).
template <int D>
class LevelPatch {
  public:
    /// `inside`: the cells that may change.
    LevelPatch(CipField<double, D>& phi, const DenseCutCells<D>& open, const Box<int, D>& inside)
        : phi_(phi),
          inside_(inside),
          wide_(inside.grown(1).intersected({Index<D>{}, phi.place.cells})) {
        for_cells(wide_, [&](const Index<D>& i) {
            const std::size_t at = phi.f.shape.at(i);
            places_.push_back(at);
            open_.push_back(open_part(open, at));
            f_.push_back(phi.f.values[at]);
            for (int a = 0; a < D; ++a) g_[a].push_back(phi.g[a].values[at]);
        });
    }

    /// φ becomes value(cell, φ of the start) in all cells that may change.
    template <class F>
    void set(F&& value) {
        double* f = phi_.f.write();
        double* g[D];
        for (int a = 0; a < D; ++a) g[a] = phi_.g[a].write();
        for (std::size_t n = 0; n < places_.size(); ++n) {
            f[places_[n]] = f_[n];
            for (int a = 0; a < D; ++a) g[a][places_[n]] = g_[a][n];
        }
        const Index<D>& cells = phi_.place.cells;
        for_cells(inside_, [&](const Index<D>& i) {
            const std::size_t at = phi_.f.shape.at(i);
            const double before = f[at], change = value(i, before) - before;
            f[at] += change;
            for (int a = 0; a < D && change != 0; ++a) {
                // ∂ of the change by central differences, one-sided beside walls.
                const std::size_t s = phi_.f.shape.stride(a);
                const int below = i[a], above = cells[a] - 1 - i[a];
                if (below == 0 && above == 0) continue;
                g[a][below > 0 ? at - s : at] += (below > 1 ? 0.5 : below > 0 ? 1 : -1) * change;
                g[a][above > 0 ? at + s : at] -= (above > 1 ? 0.5 : above > 0 ? 1 : -1) * change;
            }
        });
    }

    /// Water in the box, in voxels.
    double water(double smearing) const {
        double sum = 0;
        for (std::size_t n = 0; n < places_.size(); ++n) {
            double gradient[D];
            for (int a = 0; a < D; ++a) gradient[a] = phi_.g[a].values[places_[n]];
            const double distance = scaled_distance<double, D>(phi_.f.values[places_[n]], gradient);
            sum += open_[n] * smeared_step(-distance, smearing);
        }
        return sum;
    }

  private:
    CipField<double, D>& phi_;
    Box<int, D> inside_, wide_;
    std::vector<std::size_t> places_;
    std::vector<double> open_, f_, g_[D];  ///< open: what solids leave of a cell
};

}  // namespace spume::cip
