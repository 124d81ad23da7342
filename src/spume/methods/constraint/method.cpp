// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/method.h"

#include "spume/methods/constraint/compartment_check.h"

namespace spume::constraint {

void check(const Scene&, const Params&, SceneDocument&) {}

std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context) {
    return compartment_warnings(scene, params, inputs, context);
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::constraint
