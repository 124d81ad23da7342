// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/box.h"
#include "spume/render/image.h"

namespace spume {

/// Dark violet over green to yellow; lightness grows evenly, so it also reads in grey.
Colour ramp_colour(double s);
/// Well separated colours for a few kinds of things.
Colour kind_colour(int kind);

}  // namespace spume
