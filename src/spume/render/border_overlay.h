// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/frame/frame.h"
#include "spume/render/camera.h"
#include "spume/render/image.h"

namespace spume {

/// The volume "border" of a 2D frame over a picture of it: which part of a liquid is simulated anew
/// and what it takes from the rest, [WFS22] Fig. 8. Blocks of voxels in thin lines; voxels that
/// take velocity and voxels that take pressure in colours of their own, with a legend. Nothing
/// without that volume.
void draw_border(Image& image, const Frame& frame, const Projection& projection);

}  // namespace spume
