// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/foam/cluster_balance.h"

namespace spume {

/// Displacements δ of a linearly implicit Euler step of length dt,
///
///   K_i δ_i/dt + Σ_j s_ij n nᵀ (δ_i − δ_j) + Σ_wall s n nᵀ δ_i = force_i,
///
/// with n along the line between bubbles and s = −dF/dd of attraction and repulsion, the mean of
/// what both see, so that the system is symmetric and positive. Stiff clusters then need no short
/// steps. By conjugate gradients from what `way` holds; returns the iterations.
template <int D>
int solve_displacements(std::vector<Vec<double, D>>& way, std::span<const Vec<double, D>> force,
                        const ClusterShape<D>& shape, const ClusterPairs<D>& pairs,
                        const ClusterBalance<D>& balance, const ClusterLaw<D>& law,
                        const ClusterSurroundings<D>& around, double dt, Context& context);

}  // namespace spume
