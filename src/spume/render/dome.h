// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/geometry/floating_bubble.h"
#include "spume/render/world.h"

namespace spume {

/// A floating bubble for the tracer: y up from the water's level far away, turned around the y
/// axis.
struct DomeSurfaces {
    Surface bubble;    ///< cap and cavity, closed
    Surface meniscus;  ///< the water raised around it, closed below the level and in the bubble
};

DomeSurfaces dome_surfaces(const FloatingBubble& bubble, int around = 48);

}  // namespace spume
