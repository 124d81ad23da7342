// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/guided/guided.h"
#include "spume/methods/method.h"

namespace spume::guided {

struct Method {
    static constexpr const char* name = "guided";
    static constexpr const char* summary =
        "bubbles added to a liquid that is known beforehand, two-way coupled with water that is "
        "simulated anew around them [WFS22]";
    static constexpr Abilities abilities{.emitters = true, .needs_bulk = true};
    using Params = guided::Params;
    template <int D>
    using State = guided::State<D>;
    template <int D>
    using World = guided::World<D>;
};

void check(const Scene& scene, const Params& params, SceneDocument& document);
std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context);

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::guided
