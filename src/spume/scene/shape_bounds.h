// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/box.h"
#include "spume/scene/scene.h"

namespace spume {

/// The smallest upright box around a shape. Of a mesh only its centre is known.
Box<double, 3> shape_bounds(const Shape& shape);

}  // namespace spume
