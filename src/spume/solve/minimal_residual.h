// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"

namespace spume {

/// Generalised conjugate residuals [EES83] for systems A x = b of any square matrix whose products
/// are dear: the caller brings directions d and their images A d, each as rough as it likes, and x
/// is the combination of them with the smallest ‖b − A x‖₂. All directions are kept; images are
/// made orthonormal by modified Gram–Schmidt. With d the residual, or a preconditioner's answer to
/// it, this is (flexible) GMRES. Sums run over a fixed tree: the same bits on any number of
/// threads.
class MinimalResidual {
  public:
    explicit MinimalResidual(std::vector<double> b) : residual_(std::move(b)) {
        solution_.assign(residual_.size(), 0.0);
    }

    /// False, and nothing changes, if the image adds nothing to those before it.
    bool add(std::vector<double> direction, std::vector<double> image, Context& context);

    const std::vector<double>& solution() const { return solution_; }
    const std::vector<double>& residual() const { return residual_; }  ///< b − A x
    int directions() const { return int(directions_.size()); }

  private:
    std::vector<double> solution_, residual_;
    std::vector<std::vector<double>> directions_, images_;
};

/// Over a fixed tree.
double dot(const std::vector<double>& a, const std::vector<double>& b, Context& context);
/// y += factor x
void add_scaled(std::vector<double>& y, double factor, const std::vector<double>& x,
                Context& context);

}  // namespace spume
