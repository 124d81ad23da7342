// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/core/array.h"
#include "spume/core/context.h"
#include "spume/core/vec.h"

namespace spume {

/// Spheres that touch, or may soon: for each the others whose surfaces are nearer than a skin, so
/// that the lists hold until two of them have come closer by that.
template <int D>
class ClusterPairs {
  public:
    /// Finds them anew unless the lists still hold. A radius that is negative is nobody.
    void follow(std::span<const Point<D>> position, std::span<const double> radius,
                Context& context);
    std::span<const std::uint32_t> of(std::size_t i) const {
        return {pool_.data() + first_[i], pool_.data() + first_[i + 1]};
    }
    int searches() const { return searches_; }

  private:
    void find(std::span<const Point<D>> position, std::span<const double> radius, Context& context);

    std::vector<Point<D>> found_at_;
    double skin_ = 0;
    std::vector<std::uint64_t> first_;
    Array<std::uint32_t> pool_;
    int searches_ = 0;
};

}  // namespace spume
