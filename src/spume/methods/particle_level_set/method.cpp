// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/method.h"

#include <fmt/format.h>

#include "spume/methods/particle_level_set/thin_parts.h"

namespace spume::particle_level_set {

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    if (!(params.least_radius < params.most_radius))
        document.conflict("particle_level_set.least_radius", {"particle_level_set.most_radius"},
                          "the least radius of markers is not below the most",
                          "Use 0.1 and 0.5, as [G04] does.");
    if (params.live_bubbles) check(params.bubbles, "particle_level_set.bubbles", document);
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) {
        const LiquidBody& liquid = scene.liquids[i];
        if (liquid.mode == LiquidMode::kSource || liquid.mode == LiquidMode::kSink)
            document.complain(fmt::format("liquid[{}].mode", i),
                              "the method particle_level_set has no sources and sinks",
                              "use \"fill\" or \"hollow\"");
        if (liquid.density > 0 && liquid.density != scene.physics.water_density)
            document.complain(fmt::format("liquid[{}].density", i),
                              "the method particle_level_set has one density of liquid",
                              "use physics.water_density");
    }
}

std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context& context) {
    const std::string thin = scene.domain.dimensions == 2
                                 ? thin_parts(world_of<2>(scene, params, inputs), context)
                                 : thin_parts(world_of<3>(scene, params, inputs), context);
    return thin.empty() ? std::vector<std::string>{} : std::vector<std::string>{thin};
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::particle_level_set
