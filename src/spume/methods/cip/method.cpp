// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/method.h"

#include <fmt/format.h>

namespace spume::cip {

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    const Domain& d = scene.domain;
    const std::pair<const char*, Border> sides[] = {
        {"domain.sides", d.sides}, {"domain.bottom", d.bottom}, {"domain.top", d.top}};
    for (const auto& [path, border] : sides)
        if (border == Border::kOpen)
            document.complain(
                path,
                fmt::format(
                    "{} = \"open\", but the method cip fills a closed box with water and air",
                    path),
                fmt::format("set {} = \"wall\"; air above the water is simulated, not void", path));
    for (std::size_t i = 0; i < params.ink.size(); ++i)
        if (params.ink[i].shape.kind == ShapeKind::kMesh)
            document.complain(fmt::format("cip.ink[{}].shape.kind", i),
                              "ink lies in a box, a sphere or a cylinder, not in a mesh",
                              "use one of these");
    for (std::size_t i = 0; i < params.hands.size(); ++i)
        if (const Hand& hand = params.hands[i]; !(hand.stop > hand.start)) {
            const std::string path = fmt::format("cip.hand[{}]", i);
            document.conflict(path + ".stop", {path},
                              fmt::format("{}.stop = {} s is not after start = {} s", path,
                                          hand.stop, hand.start),
                              "Let it let go later than it takes hold.");
        }
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) {
        const LiquidBody& liquid = scene.liquids[i];
        if (liquid.mode == LiquidMode::kSource || liquid.mode == LiquidMode::kSink)
            document.complain(fmt::format("liquid[{}].mode", i),
                              "the method cip has no sources and sinks: its box is closed and "
                              "full of incompressible fluid",
                              "use \"fill\" or \"hollow\"");
        if (liquid.density > 0 && liquid.density != scene.physics.water_density)
            document.complain(fmt::format("liquid[{}].density", i),
                              "the method cip has one density of water and one of air",
                              "use physics.water_density and physics.air_density");
    }
}

std::vector<std::string> foreseen(const Scene&, const Params&, const Inputs&, Context&) {
    return {};
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::cip
