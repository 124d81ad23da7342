// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/methods/particle_level_set/particle_level_set.h"

namespace spume::particle_level_set {

/// Where the scene's liquid, or the air in it, is thinner than a voxel of the level set at the
/// start, which then does not see it: two surfaces between the same two samples. One sentence, or
/// none.
template <int D>
std::string thin_parts(const World<D>& world, Context& context);

}  // namespace spume::particle_level_set
