// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/solve/face_operator.h"

namespace spume {

/// The connected sets of unknowns on which the operator is blind to a constant: no Dirichlet value
/// reaches them, so their matrix is singular. A lone cell without open faces is one too.
template <int D>
struct NullSpaces {
    int count = 0;
    std::vector<double> cells;  ///< unknowns of each
    std::vector<int>
        whole;  ///< per tile: the set all its unknowns are in, −1: none, −2: see labels
    std::vector<int> label_slot;  ///< per tile with −2: block in `labels`
    std::vector<int> labels;      ///< per cell: set, −1: none

    /// The set of each cell of a tile; nullptr when no cell of the tile is in one.
    const int* labels_of(int tile, int* space) const;
};

template <int D>
NullSpaces<D> find_null_spaces(const FaceOperator<D>& op, const std::uint8_t* kind,
                               Context& context);

/// Takes the mean off on every set, the plain one or, given 1 / diagonal, the one weighted by the
/// diagonal: that keeps values small where coefficients are large, where rounding hurts most.
/// Returns the norm of what was taken.
template <int D>
double remove_means(const NullSpaces<D>& spaces, const FaceOperator<D>& op, const float* inverse,
                    double* x, Context& context);

}  // namespace spume
