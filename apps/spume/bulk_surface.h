// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/scene/scene.h"

namespace spume {

/// The surface of a scene's bulk in the domain at the frame's time, for pictures: the bubbles' run
/// does not write it again. In space a mesh "surface", in the plane a volume of that name.
void add_bulk_surface(Frame& frame, const Scene& scene, const Inputs& inputs, Context& context);

}  // namespace spume
