// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/particles/foam.h"

namespace spume {

/// Foam as points, with the normals of the surface there. `life` is the age at which it bursts;
/// `fade` what is left of its time as foam, from 1 to 0.
template <int D>
PointSet foam_points(const Foam<D>& foam, std::span<const Vec<double, D>> normals, bool sources,
                     Context& context);

}  // namespace spume
