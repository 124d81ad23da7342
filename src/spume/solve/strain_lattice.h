// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/vec.h"
#include "spume/solve/sparse_matrix.h"

namespace spume {

/// Where an unknown of a staggered lattice stands: on the face across `axis` with this index.
struct FacePlace {
    int axis = 0;
    Vec<int, 3> index{};  ///< 2D: the third is 0
};

/// One strain of a staggered velocity, with its weight in the energy. For a = b it is that of the
/// cell `index`, u_a(index + e_a) − u_a(index); else the shear about the edge at the cell's lower
/// corner, u_a(index) − u_a(index − e_b) + u_b(index) − u_b(index − e_a).
struct FaceStrain {
    static constexpr std::int32_t kHeld = -1;

    Vec<int, 3> index{};
    int a = 0, b = 0;
    std::int32_t term[4] = {kHeld, kHeld, kHeld, kHeld};  ///< unknowns, or kHeld: prescribed
    double weight = 0;

    int terms() const { return a == b ? 2 : 4; }
    bool held() const {
        for (int i = 0; i < terms(); ++i)
            if (term[i] == kHeld) return true;
        return false;
    }
};

/// The energy ½ Σ m u² + ½ Σ w e² of velocities on faces, e their strains; its matrix is that of
/// implicit viscosity.
struct StrainLattice {
    int dimensions = 3;
    std::vector<FacePlace> places;
    std::vector<double> mass;
    std::vector<FaceStrain> strains;

    SparseMatrix<double> matrix(Context& context) const;
};

/// The same liquid on a lattice twice as wide, and the linear interpolation from it.
struct CoarseStrains {
    StrainLattice lattice;
    SparseMatrix<float> interpolation;
};
CoarseStrains coarsened(const StrainLattice& fine, Context& context);

}  // namespace spume
