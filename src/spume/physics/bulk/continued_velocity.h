// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/physics/bulk/bulk_fields.h"

namespace spume {

/// The velocity of a liquid on tiles `to`, continued beyond its surface as far as it moves in
/// `seconds`, and two voxels. The way there may lead over any tiles of the fields.
template <int D>
FaceField<double, D> continued_velocity(const BulkFields<D>& fields,
                                        const typename Tiles<D>::Ptr& to, double seconds,
                                        Context& context);

}  // namespace spume
