// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/domain/solids.h"
#include "spume/surface/level_set.h"

namespace spume {

/// Where the liquid is that flows along walls.
template <int D>
struct WallSide {
    const FaceField<std::uint8_t, D>& valid;  ///< faces that its velocity was extrapolated to
    const LevelSet<D>& phi;
};

/// Gives the faces inside solids the velocity that the liquid outside would have there: that of the
/// extrapolated liquid without the part that enters or leaves the solid, so that what slides along
/// a wall goes on sliding [BBB07]; that of the solid itself where it is no-slip, and where no
/// liquid is near. Beside air liquid may leave a wall: a jet parts from the edge of its hole. Faces
/// on the box's walls become zero. Without `liquid` the velocity is that of all that flows.
template <int D>
void constrain_velocity(FaceField<double, D>& velocity, const WallSide<D>* liquid,
                        const CutCells<D>& open, const PlacedSolids<D>& bodies,
                        std::span<const std::uint8_t> no_slip, const GridDomain<D>& domain,
                        Context& context);

/// The liquid's velocity beyond its surface: extrapolated from the `valid` faces by `layers`, which
/// become valid, and then along solids as above.
template <int D>
void extrapolate_velocity(FaceField<double, D>& velocity, FaceField<std::uint8_t, D>& valid,
                          int layers, const LevelSet<D>& phi, const CutCells<D>& open,
                          const PlacedSolids<D>& bodies, std::span<const std::uint8_t> no_slip,
                          const GridDomain<D>& domain, Context& context, double dt = 0);

}  // namespace spume
