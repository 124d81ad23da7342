// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/solve/box_level.h"

namespace spume {

/// Black-box multigrid [Den82] over a whole box in 2D, in float: interpolation from the couplings
/// themselves, coarse levels Pᵀ A P with eight neighbours, a V-cycle with one sweep of Gauss–Seidel
/// by colours down and one, in the opposite order, up. Symmetric, so that conjugate gradients may
/// take it. It follows jumps of the couplings of 1 : 1000 where averaged coarse faces do not.
class BoxMultigrid {
  public:
    /// Room for a box; nothing happens while its size stays the same.
    void prepare(int rows, int columns);
    /// Sets the coarser levels up from the couplings of the finest.
    void assign(Context& context);

    BoxLevel& finest() { return levels_.front(); }
    const BoxLevel& finest() const { return levels_.front(); }
    /// finest().x = about A⁻¹ finest().b.
    void apply(Context& context);

    std::size_t bytes() const;

  private:
    void cycle(std::size_t level, Context& context);
    void invert_coarsest();
    void solve_coarsest();

    std::vector<BoxLevel> levels_;
    std::vector<std::size_t> last_places_;  ///< points of the coarsest level
    std::vector<float> last_inverse_;
};

}  // namespace spume
