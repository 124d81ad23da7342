// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/solids.h"

namespace spume {

/// Gives the faces inside solids the velocity that the liquid outside would have there: that of the
/// extrapolated liquid without the part that enters or leaves the solid, so that what slides along
/// a wall goes on sliding [BBB07]; that of the solid itself where it is no-slip, and where no
/// liquid is near: `known` says how far the velocity was extrapolated (everywhere, if null). Faces
/// on the box's walls become zero.
template <int D>
void follow_walls(FaceField<double, D>& velocity, const FaceField<std::uint8_t, D>* known,
                  const Openings<D>& open, const Bodies<D>& bodies,
                  std::span<const std::uint8_t> no_slip, const Basin<D>& basin, Context& context);

}  // namespace spume
