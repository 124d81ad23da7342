// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/core/box.h"
#include "spume/frame/frame.h"
#include "spume/render/image.h"

namespace spume {

struct HeatMapOptions {
    int width = 1280, height = 720;
    Box<double, 3> domain{{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    Interval range{1, 100};  ///< marked on the colour bar; below it colours are dim
    std::string begin_name = "low", end_name = "high";  ///< of its ends
    std::string note;                                   ///< a line below the picture
};

/// Where a volume is large: the most along each line of sight, from the front and from above (a
/// plane frame: as it is), over the silhouette of the liquid (a level set; may be null). Colours go
/// by the logarithm, a decade beyond either end of the range.
Image render_heat_map(const Frame& frame, const Volume& values, const Volume* liquid,
                      const HeatMapOptions& options);

}  // namespace spume
