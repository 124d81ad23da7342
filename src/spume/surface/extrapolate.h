// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/surface/parting.h"

namespace spume {

/// How a field goes on beyond the faces that are known.
enum class Continuation {
    kEven,   ///< as it is on the last of them: first order
    kSloped  ///< by one layer along its slope, then evenly: second order where particles move
};

/// Continues a face field beyond the faces that are `valid`, layer by layer: an unknown face next
/// to known ones along the axes becomes the mean of what they say, and known. Values farther away
/// become zero. Faces beyond a wall that parts say nothing. What comes ahead of liquid that
/// stretches gets there by free flight within `dt`, slower than a line says.
template <int D>
void extrapolate(FaceField<double, D>& field, FaceField<std::uint8_t, D>& valid, int layers,
                 Context& context, Continuation how = Continuation::kEven,
                 const Parting<D>* parting = nullptr, double dt = 0);

}  // namespace spume
