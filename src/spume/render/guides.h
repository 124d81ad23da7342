// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/box.h"
#include "spume/render/camera.h"

namespace spume {

/// A thin line of the guides on the screen, in pixels.
struct GuideLine {
    Vec<double, 2> from, to;
    double inverse_depth_from, inverse_depth_to;  ///< linear along the line on the screen
    float opacity;
};

/// The far edges of the domain and a grid on its floor (in 2D: its outline and a scale along the
/// bottom). Lines that would cross the view in front are left out.
std::vector<GuideLine> guide_lines(const Box<double, 3>& domain, int dimensions,
                                   const Projection& projection, const Vec<double, 3>& eye);

/// Spacing of the grid: 1, 2 or 5 times a power of ten, a tenth to a quarter of the longest side.
double guide_spacing(const Box<double, 3>& domain);

}  // namespace spume
