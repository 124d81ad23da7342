// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <vector>

#include "spume/solve/pressure.h"

namespace spume::bench {

struct PeerResult {
    double seconds = 0;  ///< CPU, set-up included
    int iterations = 0;
    double residual = 0;  ///< ‖b − A x‖ / ‖b‖, computed by us
};

/// The system as rows; unknowns in tile order.
struct Rows {
    std::vector<Index<3>> cell;
    std::vector<double> diagonal, rhs;
    std::vector<int> neighbour;       ///< six per row, −1: none
    std::vector<double> coefficient;  ///< six per row, the entry is its negative
    int size() const { return static_cast<int>(diagonal.size()); }
    double residual(const std::vector<double>& x) const;
};
Rows rows_of(const PressureSystem<3>& system);

PeerResult eigen_jacobi(const Rows& rows, double tolerance);
PeerResult eigen_cholesky(const Rows& rows, double tolerance);
#ifdef SPUME_WITH_HYPRE
/// A box of cells, both corners inside.
struct CellBox {
    Index<3> low, high;
};
/// The active tiles in as few boxes as a greedy search finds: PFMG works box by box.
std::vector<CellBox> boxes_of(const Tiles<3>& tiles);
/// n cells along an axis; cells of the boxes without unknown become rows of the identity.
PeerResult hypre_pfmg(const Rows& rows, const std::vector<CellBox>& boxes, int n, double tolerance);
PeerResult hypre_boomeramg(const Rows& rows, double tolerance);
#endif

double cpu_seconds();

}  // namespace spume::bench
