// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/method.h"

#include "spume/physics/bulk/wave_spectrum.h"
#include "spume/physics/foam/check_foam.h"
#include "spume/scene/lint.h"

namespace spume::guided {

namespace {

/// A mesh tells nothing of the water in which bubbles rise.
void check_surface_bulk(const Scene& scene, const Params& params, SceneDocument& document) {
    constexpr const char* kWhy =
        "bubbles move in the water below the surface, of which the meshes of bulk.path say nothing";
    if (!scene.bulk.present || !scene.bulk.only_surface()) return;
    for (std::size_t i = 0; i < scene.emitters.size() && params.bubbles.empty(); ++i)
        document.complain(fmt::format("emitter[{}]", i), kWhy,
                          "write the liquid as VDB with its velocity, or put foam on it: "
                          "[[foam.patch]], guided.bubbles");
    if (scene.emission.on && params.bubbles.empty())
        document.complain("emission", kWhy,
                          "write the liquid as VDB with its velocity, or put foam on it: "
                          "[[foam.patch]], guided.bubbles");
    if (!scene.foam.on)
        document.complain("bulk.kind", "there is foam only over meshes of a surface",
                          "give the scene [foam]");
}

}  // namespace

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    check_foam(scene, document);
    check_surface_bulk(scene, params, document);
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        if (scene.solids[i].no_slip)
            document.complain(fmt::format("solid[{}].no_slip", i),
                              "the water around bubbles slips along solids", "leave no_slip out");
    for (std::size_t i = 0; i < scene.forces.size(); ++i)
        if (params.mode == Mode::kOneWay)
            document.complain(fmt::format("force[{}]", i),
                              "one-way bubbles move in the bulk as it is",
                              "leave [[force]] out, or set guided.mode = \"guided\"");
    if (!params.bubbles.empty() && !scene.foam.on)
        document.complain("guided.bubbles", "bubbles are taken from a run to make foam of them",
                          "leave foam.on = false out, or guided.bubbles");
    if (scene.output.surface)
        document.complain("output.surface", "the surface is the bulk's, which has its own files",
                          "leave output.surface out; pictures show it all the same");
    if (params.scheme != Scheme::kImplicitDrag && params.max_fraction == 1)
        document.complain("guided.max_fraction",
                          "the schemes of the paper divide by the water's share, which may be 0",
                          "set it to 0.3 to 0.7, or use guided.scheme = \"implicit_drag\"");
}

std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context&) {
    std::vector<std::string> words = dry_emitters(scene, inputs.meshes);
    if (params.mode == Mode::kGuided)
        for (std::string& line : wide_bubbles(scene)) words.push_back(std::move(line));
    if (scene.bulk.kind == BulkKind::kOcean) words.push_back(cut_by_tile(scene));
    if (!params.bubbles.empty() && (!scene.emitters.empty() || scene.emission.on))
        words.push_back(
            "guided.bubbles names a run whose bubbles are taken as they were: [[emitter]] and "
            "[emission] make none");
    std::erase(words, std::string());
    return words;
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::guided
