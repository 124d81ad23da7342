// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <vector>

#include "spume/core/report.h"
#include "spume/solve/strain_lattice.h"

namespace spume {

/// Solves A u = b, A the matrix of a lattice of strains, by conjugate gradients. The preconditioner
/// is the diagonal at first; what that has not done in a few iterations gets a V-cycle in float:
/// the same liquid on lattices twice as wide, linear interpolation between them, smoothing by
/// Chebyshev polynomials of the matrix divided by its diagonal [ABHT03].
class LatticeMultigrid {
  public:
    LatticeMultigrid(StrainLattice lattice, Context& context);
    ~LatticeMultigrid();
    LatticeMultigrid(const LatticeMultigrid&) = delete;
    LatticeMultigrid& operator=(const LatticeMultigrid&) = delete;

    const SparseMatrix<double>& matrix() const { return matrix_; }
    const StrainLattice& lattice() const { return lattice_; }
    /// Until ‖b − A u‖ ≤ tolerance ‖b‖, from the u given.
    SolveReport solve(const std::vector<double>& b, std::vector<double>& u, double tolerance,
                      int max_iterations, Context& context);

  private:
    struct Level;
    void make_levels(Context& context);
    void cycle(std::size_t level, Context& context);

    StrainLattice lattice_;
    SparseMatrix<double> matrix_;
    std::vector<double> diagonal_;
    std::vector<std::unique_ptr<Level>> levels_;  ///< none until they are needed
};

}  // namespace spume
