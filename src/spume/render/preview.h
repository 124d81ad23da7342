// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/geometry/mesh_library.h"
#include "spume/geometry/moving_body.h"
#include "spume/render/camera.h"
#include "spume/render/image.h"
#include "spume/scene/scene.h"

namespace spume {

enum class PreviewColours {
    kWater,   ///< bubbles as the eye sees them
    kSpeed,   ///< column v
    kType,    ///< column type, or one colour a point set
    kAge,     ///< column age
    kRadius,  ///< column pscale
};

struct PreviewOptions {
    int width = 1280, height = 720;
    int supersampling = 2;  ///< samples a pixel along each axis; 1 … 8
    PreviewColours colours = PreviewColours::kWater;
    /// What the ends of the colour scale stand for; automatic: the frame's smallest and largest.
    std::optional<Interval> colour_range;
    Box<double, 3> domain{{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    std::optional<PreviewCamera> camera;  ///< automatic: frames the domain
    bool guides = true;            ///< floor grid and outline of the domain behind everything
    bool caption = true;           ///< time, number of points, width of the grid; the colour scale
    double default_radius = 1e-3;  ///< of points without the column pscale, m
    std::vector<PlacedBody<3>> solids;
    std::vector<PlacedBody<2>> flat_solids;  ///< of a 2D frame
    Interval liquid_densities{0, 0};  ///< of the scene's liquids, kg/m³: light ones look like oil
};

/// Domain, camera and solids as the scene says for the time of the frame; dynamic solids where the
/// frame has them.
PreviewOptions preview_options(const Scene& scene, const MeshLibrary& meshes, const Frame& frame,
                               int width = 1280, int height = 720);

/// 0 for the densest of several liquids to 1 for the lightest; 0 where there is one only.
float lightness_of_liquid(float density, const Interval& densities);

/// A quick picture of a frame: bubbles as shaded balls in blue water, solids, guides for scale. The
/// same bytes for any number of threads.
Image render_preview(const Frame& frame, const PreviewOptions& options, Context& context);

}  // namespace spume
