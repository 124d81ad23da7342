// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"

namespace spume {

/// Continues a face field beyond the faces that are `known`, layer by layer: an unknown face next
/// to known ones along the axes becomes their mean, and known. Values farther away become zero.
template <int D>
void extrapolate(FaceField<double, D>& field, FaceField<std::uint8_t, D>& known, int layers,
                 Context& context);

}  // namespace spume
