// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/check_foam.h"

#include <algorithm>

#include "spume/physics/foam/sph_foam.h"

namespace spume {
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
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        const Emitter& e = scene.emitters[i];
        if (e.density > scene.physics.water_density) continue;
        const RadiusSpan span = radius_span(e, scene.domain.dimensions, scene.voxel());
        all.push_back(
            {fmt::format("emitter[{}].{}", i, e.law == RadiusLaw::kFixed ? "radius" : "radius_max"),
             span.min, span.max});
    }
    if (scene.emission.on)
        all.push_back(
            {"emission.radius_max", scene.emission.radius_min, scene.emission.radius_max});
    return all;
}

}  // namespace

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

}  // namespace spume
