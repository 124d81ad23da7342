// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

/// What water is left in faces that are all but full of air, 0.95 and more, takes the velocity of
/// the water around the body, the nearest most; deeper inside than three voxels that of the
/// mixture. Light air may be fast where it squeezes through, and the little water in its faces with
/// it; a moment later the air has left the face, which is then full of water, a thousand times as
/// heavy, with that velocity: unless it has that of the water that comes to fill it. At equal
/// densities, where neither phase is lighter, nothing happens.
template <int D>
void extrapolate_water(FaceField<double, D>& water, const FaceField<double, D>& mixed,
                       const MixtureFaces<D>& mixture, const CutCells<D>& open,
                       const Coupling<D>& coupling, Context& context);

}  // namespace spume::mixture
