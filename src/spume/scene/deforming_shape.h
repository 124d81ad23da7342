// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/scene/shape.h"

namespace spume {

/// As describe(), of a shape that may be a mesh that deforms.
void describe_deforming(Shape& shape, ParamVisitor& visitor);

}  // namespace spume
