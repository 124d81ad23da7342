// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <vector>

#include "spume/core/report.h"
#include "spume/core/vec.h"
#include "spume/solve/sparse_matrix.h"

namespace spume {

/// Where an unknown of a staggered lattice stands: on the face across `axis` with this index.
struct FacePlace {
    int axis = 0;
    Vec<int, 3> index{};  ///< 2D: the third is 0
};

/// Solves A u = b for a symmetric positive definite matrix over faces of a staggered lattice, such
/// as that of implicit viscosity, by conjugate gradients. The preconditioner is one V-cycle in
/// float: each component is interpolated linearly from a lattice twice as wide, coarse matrices are
/// Pᵀ A P, smoothing is by Chebyshev polynomials of the matrix divided by its diagonal [ABHT03].
class LatticeMultigrid {
  public:
    LatticeMultigrid(const SparseMatrix<double>& matrix, std::vector<FacePlace> places,
                     int dimensions, Context& context);
    ~LatticeMultigrid();
    LatticeMultigrid(const LatticeMultigrid&) = delete;
    LatticeMultigrid& operator=(const LatticeMultigrid&) = delete;

    /// Until ‖b − A u‖ ≤ tolerance ‖b‖, from the u given.
    SolveReport solve(const std::vector<double>& b, std::vector<double>& u, double tolerance,
                      int max_iterations, Context& context) const;
    int levels() const;

  private:
    struct Level;
    void cycle(std::size_t level, Context& context) const;

    const SparseMatrix<double>& matrix_;
    std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace spume
