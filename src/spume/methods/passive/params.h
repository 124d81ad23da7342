// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/describe.h"
#include "spume/methods/passive/bubble_list.h"
#include "spume/physics/foam/cluster_params.h"
#include "spume/scene/shape.h"

namespace spume::passive {

/// Where the pressure that pushes bubbles comes from.
enum class PressureFrom { kMotion, kStored, kStoredOrMotion, kHydrostatic };

/// Bubbles to be taken away: in a shape, or by their ids.
struct Removal {
    std::string name;
    bool shaped = false;
    Shape shape;
    std::string ids;
    double start = 0, stop = 1e9;
};

/// What a scene may say in its [passive] section; describe() says what each key does.
struct Params : ClusterParams {
    PressureFrom pressure = PressureFrom::kMotion;
    std::string list;
    std::vector<HandBubble> bubbles;
    std::vector<Removal> removals;
    double cfl = 2;
    int min_substeps = 1;
};

void describe(Params& params, ParamVisitor& visitor);

}  // namespace spume::passive
