// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/frame/inputs.h"
#include "spume/methods/constraint/params.h"
#include "spume/scene/scene.h"

namespace spume::constraint {

/// Closed compartments whose volume keyed solids change: they have no incompressible answer. Looks
/// at solids alone, all that is not solid counts as one fluid, on a grid of bounded size. In words,
/// one text a compartment; none where trapped air is not constrained.
std::vector<std::string> compartment_warnings(const Scene& scene, const Params& params,
                                              const Inputs& inputs, Context& context);

}  // namespace spume::constraint
