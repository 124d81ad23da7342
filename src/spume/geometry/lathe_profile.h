// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/box.h"
#include "spume/core/vec.h"

namespace spume {

/// What a body of revolution about y looks like from its side: closed loops of straight edges in
/// the half plane (r ≥ 0, y), matter on the left of each. Edges on the axis are no surface. In 2D
/// it is the body itself, with its mirror image.
class LatheProfile {
  public:
    using Loop = std::vector<Vec<double, 2>>;

    /// One outline, whichever way round. UserError for fewer than three points, a negative or
    /// infinite one, edges that cross, and no area.
    static LatheProfile of_outline(Loop outline);
    /// A cone of this radius at its foot, and at its top, centred on the origin; with a shell
    /// hollow, and without its lid on demand. UserError where no wall would be left open.
    static LatheProfile of_cone(double radius, double top, double height, double shell,
                                bool open_top);

    double distance(const Vec<double, 2>& x) const;  ///< to the surface, negative inside; exact
    const Box<double, 2>& bounds() const { return bounds_; }
    const std::vector<Loop>& loops() const { return loops_; }

    /// ∫ r^a y^b over the area, exact for a + b ≤ 4.
    double integral(int a, int b) const;
    /// The least way through it straight inwards from the middle of an edge, across the axis if
    /// need be.
    double thickness() const;

  private:
    explicit LatheProfile(std::vector<Loop> loops);

    std::vector<Loop> loops_;
    Box<double, 2> bounds_{};
};

}  // namespace spume
