// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/frame/frame.h"
#include "spume/render/camera.h"

namespace spume {

/// Where the air of a frame is on average: of the points `bubbles`, by their volume. None without.
std::optional<Vec<double, 3>> middle_of_air(const Frame& frame);

/// The camera at the same distance and angle, looking at the middle of the air if there is any.
PreviewCamera following(PreviewCamera camera, const Frame& frame);

}  // namespace spume
