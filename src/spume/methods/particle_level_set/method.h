// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/method.h"
#include "spume/methods/particle_level_set/particle_level_set.h"

namespace spume::particle_level_set {

struct Method {
    static constexpr const char* name = "particle_level_set";
    static constexpr const char* summary =
        "liquid with a free surface, a level set corrected by markers on both sides; markers that "
        "cross it become bubbles and drops [G04]";
    static constexpr Abilities abilities{.free_surface = true, .dynamic_solids = true};
    using Params = particle_level_set::Params;
    template <int D>
    using State = particle_level_set::State<D>;
    template <int D>
    using World = particle_level_set::World<D>;
};

void check(const Scene& scene, const Params& params, SceneDocument& document);
std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context);

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::particle_level_set
