// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/frame/frame.h"
#include "spume/render/camera.h"
#include "spume/render/image.h"

namespace spume {

struct TileViewOptions {
    int width = 1280, height = 720;
    Box<double, 3> domain{{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    std::optional<PreviewCamera> camera;  ///< automatic: frames the domain
};

/// The sparse layout of a volume: every tile as a box of lines, near ones bright, in the outline of
/// the domain.
Image render_tiles(const Frame& frame, const Volume& volume, const TileViewOptions& options);

}  // namespace spume
