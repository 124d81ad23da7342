// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/method.h"

namespace spume::mixture {

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        if (scene.solids[i].no_slip && !params.mixture_viscosity)
            document.complain(fmt::format("solid[{}].no_slip", i),
                              "without viscosity water slips along solids",
                              "leave no_slip out, or set mixture.mixture_viscosity = true");
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::mixture
