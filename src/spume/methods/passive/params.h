// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spume/core/describe.h"
#include "spume/physics/foam/cluster_params.h"
#include "spume/scene/shape.h"

namespace spume::passive {

/// Where the pressure that pushes bubbles comes from.
enum class PressureFrom { kMotion, kStored, kStoredOrMotion, kHydrostatic };

/// A bubble by hand.
struct HandBubble {
    Vec<double, 3> position{0, 0, 0};
    double radius = 2e-3;
    double time = 0;
};

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
    std::vector<HandBubble> bubbles;
    std::vector<Removal> removals;
    double cfl = 2;
    int min_substeps = 1;
};

void describe(Params& params, ParamVisitor& visitor);

/// "3 7-12 40" as ranges from … to, both counted in. False where it is nothing of the kind.
bool parse_ids(const std::string& text,
               std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges);

}  // namespace spume::passive
