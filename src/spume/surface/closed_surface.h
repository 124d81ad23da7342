// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/surface/level_set.h"

namespace spume {

/// Signed distance at a point, negative inside; right where its size is less than a band.
template <int D>
using DistanceWithin = std::function<double(const Point<D>&, double band)>;

/// The level set cut off at the sides of a box and at solids, so that its surface is closed there.
/// `solids`: distance to them; empty: none.
template <int D>
LevelSet<D> closed_surface(LevelSet<D> phi, const Box<double, D>& box,
                           const DistanceWithin<D>& solids, Context& context);

}  // namespace spume
