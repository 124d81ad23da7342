// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/method.h"

#include "spume/methods/constraint/compartment_check.h"
#include "spume/physics/foam/check_foam.h"
#include "spume/scene/lint.h"

namespace spume::constraint {

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    if (scene.whitewater.on) check_foam(scene, document);
    if (scene.whitewater.on && params.bubbles == BubbleMode::kOff)
        document.complain("constraint.bubbles",
                          "bubbles of [whitewater] give their air to regions that keep theirs",
                          "leave constraint.bubbles out, or [whitewater]");
}

std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context) {
    auto r = compartment_warnings(scene, params, inputs, context);
    if (params.small_bubbles)
        r.push_back(
            "constraint.small_bubbles is now the section [whitewater]: write that in its place");
    for (auto& lines : {wide_bubbles(scene), dry_emitters(scene, inputs.meshes)})
        r.insert(r.end(), lines.begin(), lines.end());
    return r;
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::constraint
