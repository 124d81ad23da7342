// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/frame/inputs.h"
#include "spume/run/methods.h"
#include "spume/run/simulation.h"
#include "spume/scene/scene.h"

namespace spume {

/// Sets a scene up with a method: a simulation at the time before its first frame. Inputs must hold
/// every mesh the scene names. The context must outlive the simulation. Throws Stopped if its stop
/// token is set.
std::unique_ptr<Simulation> start_session(const Scene& scene, const MethodParams& params,
                                          const Inputs& inputs, Context& context);

/// Peak memory for a number of cells and bubbles, in bytes.
double expected_bytes(const Scene& scene, const MethodParams& params, double voxels,
                      double bubbles);

/// What can be told before the start about a scene that is right but will not do well, in words.
std::vector<std::string> foreseen(const Scene& scene, const MethodParams& params,
                                  const Inputs& inputs, Context& context);

}  // namespace spume
