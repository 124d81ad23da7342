// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/constraint.h"
#include "spume/methods/method.h"

namespace spume::constraint {

struct Method {
    static constexpr const char* name = "constraint";
    static constexpr const char* summary =
        "liquid with a free surface whose trapped air keeps its volume, without simulating the "
        "air [GB17]";
    static constexpr Abilities abilities{
        .free_surface = true, .emitters = true, .dynamic_solids = true, .whitewater = true};
    using Params = constraint::Params;
    template <int D>
    using State = constraint::State<D>;
    template <int D>
    using World = constraint::World<D>;
};

void check(const Scene& scene, const Params& params, SceneDocument& document);
std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context);

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::constraint
