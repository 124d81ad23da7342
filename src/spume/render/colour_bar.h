// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/core/box.h"
#include "spume/render/image.h"

namespace spume {

/// What the colours of ramp_colour stand for, at the right edge of a picture.
void draw_colour_bar(Image& image, const Interval& range, const std::string& label);

}  // namespace spume
