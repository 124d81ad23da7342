// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "spume/geometry/moving_body.h"

namespace spume {

/// The signed distance to many shapes, each added to or cut from those before it. Near a place only
/// a few decide it; a quadtree or octree keeps which, so that a question costs the logarithm of
/// their number. The answers are those of asking all of them, to the bit.
template <int D>
class ShapeTree {
  public:
    struct Part {
        PlacedBody<D> body;
        bool cut = false;  ///< from the shapes before it
    };

    ShapeTree() = default;
    explicit ShapeTree(std::vector<Part> parts);

    /// Negative inside; +∞ if there are no shapes. Its size is a lower bound next to several.
    double distance(const Point<D>& x) const {
        if (nodes_.empty() || !root_.contains(x)) return distance(x, all_);
        return distance(x, leaf(x));
    }

  private:
    /// A range of `chosen_`.
    struct Choice {
        std::uint32_t begin = 0, end = 0;
    };
    struct Node {
        std::uint32_t children = 0;  ///< the first of 2^D; 0: a leaf
        Choice choice;
    };
    void grow();
    double before(const Choice& choice) const;
    Choice choose(const Choice& from, const Box<double, D>& box);
    Choice leaf(const Point<D>& x) const;
    double distance(const Point<D>& x, const Choice& choice) const;

    std::vector<Part> parts_;
    std::vector<std::uint32_t> chosen_;  ///< parts by node, in their order
    Choice all_;
    Box<double, D> root_{};
    std::vector<Node> nodes_;
};

extern template class ShapeTree<2>;
extern template class ShapeTree<3>;

}  // namespace spume
