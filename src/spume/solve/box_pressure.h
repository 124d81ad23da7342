// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <span>
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
    /// has mean zero, weighted by the diagonal, unless a term holds it. x: first guess in, solution
    /// out. Terms of low rank, cells counted row by row, join the matrix, not the preconditioner:
    /// each is an iteration more at most.
    SolveReport solve(const DenseField<double, 2> (&coefficient)[2],
                      const DenseField<double, 2>& rhs, DenseField<double, 2>& x,
                      const SolverOptions& options, Context& context,
                      std::span<const LowRankTerm> terms = {});

    std::size_t bytes() const;

    /// Looks at a solve from within: after each cycle (0: before the first) it is told b − A x, by
    /// row and column, and its norm over that of b.
    std::function<void(int cycle, double relative, const std::vector<float>& residual)> onlooker;

  private:
    class Iteration;
    static constexpr int kNoPart = -1, kHeldPart = -2;

    void take_over(const DenseField<double, 2> (&coefficient)[2], Context& context);
    void take_over(std::span<const LowRankTerm> terms);
    void find_parts(Context& context);
    bool is_whole(Context& context) const;
    std::vector<bool> held_by_terms(const std::vector<int>& part, int parts) const;
    template <class T>
    double add_terms(const T* x, double factor, double* out) const;

    BoxMultigrid multigrid_;
    Array<double> x_, r_, q_;
    Array<float> p_;
    std::vector<LowRankTerm> terms_;  ///< by place in a level, unknowns only
    /// By place: connected part, kNoPart without unknown, kHeldPart where terms hold the mean.
    /// Empty: all in one.
    std::vector<int> part_;
    std::vector<double> part_cells_;  ///< unknowns of each
    double unknowns_ = 0;
    bool set_up_ = false;
};

}  // namespace spume
