// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/cip/cip.h"
#include "spume/methods/method.h"

namespace spume::cip {

struct Method {
    static constexpr const char* name = "cip";
    static constexpr const char* summary =
        "water and air as one fluid with a level set, carried by CIP; small drops and bubbles as "
        "particles [SSK05]";
    static constexpr Abilities abilities{.free_surface = true, .dynamic_solids = true};
    using Params = cip::Params;
    template <int D>
    using State = cip::State<D>;
    template <int D>
    using World = cip::World<D>;
};

void check(const Scene& scene, const Params& params, SceneDocument& document);
std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context);

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::cip
