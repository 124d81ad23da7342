// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/method.h"

#include <algorithm>

#include "spume/physics/foam/sph_foam.h"

namespace spume::guided {
namespace {

constexpr double kMostRatio = 100;   // of radii in one foam
constexpr double kMostSteps = 1000;  // of foam a frame

/// A source of foam: where a scene says which radii it has.
struct FoamSource {
    std::string path;
    double smallest, largest;
};
std::vector<FoamSource> foam_sources(const Scene& scene) {
    std::vector<FoamSource> all;
    for (std::size_t i = 0; i < scene.foam.patches.size(); ++i) {
        const FoamPatch& p = scene.foam.patches[i];
        all.push_back({fmt::format("foam.patch[{}].radius_max", i), p.radius_min, p.radius_max});
    }
    if (scene.emission.on)
        all.push_back(
            {"emission.radius_max", scene.emission.radius_min, scene.emission.radius_max});
    return all;
}

/// Foam that no number of steps can hold, or whose bubbles are too unlike for one search.
void check_foam(const Scene& scene, SceneDocument& document) {
    const auto sources = foam_sources(scene);
    if (!scene.foam.on || sources.empty()) return;
    double smallest = sources[0].smallest;
    const FoamSource* with_largest = &sources[0];
    for (const FoamSource& s : sources) {
        smallest = std::min(smallest, s.smallest);
        if (s.largest > with_largest->largest) with_largest = &s;
    }
    if (with_largest->largest > kMostRatio * smallest)
        document.complain(
            with_largest->path,
            fmt::format("bubbles of {:.3g} m and of {:.3g} m in one foam: more than 1 : {}",
                        smallest, with_largest->largest, kMostRatio),
            "raise the smallest radius or lower the largest");
    const StepLimit limit = scene.domain.dimensions == 2
                                ? foam_limit<2>(scene.foam, smallest, smallest)
                                : foam_limit<3>(scene.foam, smallest, smallest);
    const double steps = 1 / (scene.time.fps * limit.seconds);
    if (steps <= kMostSteps) return;
    const std::size_t key = limit.cause.find("foam.");
    document.complain(limit.cause.substr(key, limit.cause.find(' ', key) - key),
                      fmt::format("{} needs {:.3g} steps a frame", limit.cause, steps),
                      limit.remedy + (limit.cause.find("viscosity") != std::string::npos
                                          ? ", or set foam.integration = \"implicit\""
                                          : ""));
}

}  // namespace

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    check_foam(scene, document);
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        if (scene.solids[i].no_slip)
            document.complain(fmt::format("solid[{}].no_slip", i),
                              "the water around bubbles slips along solids", "leave no_slip out");
    for (std::size_t i = 0; i < scene.forces.size(); ++i)
        if (params.mode == Mode::kOneWay)
            document.complain(fmt::format("force[{}]", i),
                              "one-way bubbles move in the bulk as it is",
                              "leave [[force]] out, or set guided.mode = \"guided\"");
    if (scene.output.surface)
        document.complain("output.surface", "the surface is the bulk's, which has its own files",
                          "leave output.surface out; pictures show it all the same");
    if (params.scheme != Scheme::kImplicitDrag && params.max_fraction == 1)
        document.complain("guided.max_fraction",
                          "the schemes of the paper divide by the water's share, which may be 0",
                          "set it to 0.3 to 0.7, or use guided.scheme = \"implicit_drag\"");
}

std::vector<std::string> foreseen(const Scene&, const Params&, const Inputs&, Context&) {
    return {};
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::guided
