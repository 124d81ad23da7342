// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <vector>

#include "spume/grid/dense.h"
#include "spume/solve/box_multigrid.h"
#include "spume/solve/pressure.h"

namespace spume {

/// Σ over faces of c_f (x_i − x_j) = b_i in all cells of a box in 2D with closed sides, as
/// PressureSolver, for methods whose fluids fill it: conjugate gradients in double with
/// BoxMultigrid. A solve is a pure function of coefficients, right-hand side, x and the options.
class BoxPressureSolver {
  public:
    /// coefficient[a] at the lower faces of cells across axis a, ≥ 0 and floats stored as doubles;
    /// those on the sides of the box are not read. A cell without open faces has no unknown, and
    /// zero as its value. On connected parts the mean of b is removed (SolveReport::removed) and x
    /// has mean zero, weighted by the diagonal. x: first guess in, solution out.
    SolveReport solve(const DenseField<double, 2> (&coefficient)[2],
                      const DenseField<double, 2>& rhs, DenseField<double, 2>& x,
                      const SolverOptions& options, Context& context);

    std::size_t bytes() const;

    /// Looks at a solve from within: after each cycle (0: before the first) it is told b − A x, by
    /// row and column, and its norm over that of b.
    std::function<void(int cycle, double relative, const std::vector<float>& residual)> onlooker;

  private:
    class Iteration;
    void take_over(const DenseField<double, 2> (&coefficient)[2], Context& context);
    void find_parts(Context& context);

    BoxMultigrid multigrid_;
    Array<double> x_, r_, q_;
    Array<float> p_;
    std::vector<int> part_;           ///< by place: connected part, −1: none; empty: all in one
    std::vector<double> part_cells_;  ///< unknowns of each
    bool set_up_ = false;
};

}  // namespace spume
