// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/render/beauty.h"

namespace spume {

/// Sky or water and sun around a scene of that size, m. `toward`: level, from what is looked at to
/// the camera; `deep`: in the water.
Environment beauty_light(const BeautyOptions& options, const Vec<double, 3>& toward,
                         const Vec<double, 3>& center, bool deep, double size);

}  // namespace spume
