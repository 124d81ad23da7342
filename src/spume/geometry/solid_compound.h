// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/geometry/moving_body.h"

namespace spume {

/// A part of a compound, where it is in the compound's frame.
template <int D>
struct BodyShape<D>::Part {
    PlacedBody<D> body;
    Combine combine = Combine::kUnion;
};

}  // namespace spume
