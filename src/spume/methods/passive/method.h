// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/method.h"
#include "spume/methods/passive/passive.h"

namespace spume::passive {

struct Method {
    static constexpr const char* name = "passive";
    static constexpr const char* summary =
        "bubbles and foam that stick together, carried by a liquid that is known beforehand and "
        "does not feel them [G04]";
    static constexpr Abilities abilities{.emitters = true, .needs_bulk = true};
    using Params = passive::Params;
    template <int D>
    using State = passive::State<D>;
    template <int D>
    using World = passive::World<D>;
};

void check(const Scene& scene, const Params& params, SceneDocument& document);
std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context);

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::passive
