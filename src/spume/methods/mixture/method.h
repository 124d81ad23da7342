// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/method.h"
#include "spume/methods/mixture/mixture.h"

namespace spume::mixture {

struct Method {
    static constexpr const char* name = "mixture";
    static constexpr const char* summary =
        "bubbles as particles with mass in water on a sparse grid, two-way coupled [WSB25]";
    static constexpr Abilities abilities{.emitters = true};
    using Params = mixture::Params;
    template <int D>
    using State = mixture::State<D>;
    template <int D>
    using World = mixture::World<D>;
};

void check(const Scene& scene, const Params& params, SceneDocument& document);
std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context);

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::mixture
