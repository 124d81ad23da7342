// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/check.h"
#include "spume/scene/numbered_name.h"

namespace spume {
namespace {

bool deforms(const Shape& shape) {
    return shape.kind == ShapeKind::kMesh && names_sequence(shape.file);
}

/// A mesh that deforms, where only one that does not can be: `who` is what has the shape.
void refuse(const Shape& shape, const std::string& path, const char* who, const char* remedy,
            SceneDocument& document) {
    if (deforms(shape))
        document.conflict(path + ".file", {path, path.substr(0, path.rfind('.'))},
                          fmt::format("{}.file is a sequence: {} cannot deform", path, who),
                          remedy);
}

}  // namespace

void check_sequences(const Scene& scene, SceneDocument& document) {
    constexpr const char* kOneFile = "Name one file of the sequence.";
    const auto look = [&](const Shape& shape, const std::string& path, const char* who,
                          const char* remedy) {
        if (who) refuse(shape, path, who, remedy, document);
        for (std::size_t i = 0; i < shape.parts.size(); ++i)
            refuse(shape.parts[i], fmt::format("{}.part[{}]", path, i), "a part of a compound",
                   "Make the mesh a solid of its own, or name one file of the sequence.", document);
    };
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
        const Solid& s = scene.solids[i];
        look(s.shape, fmt::format("solid[{}].shape", i),
             s.motion == Motion::kDynamic ? "a dynamic solid" : nullptr,
             "Use motion = \"fixed\" or \"keyed\", or name one file of the sequence.");
    }
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) {
        const LiquidBody& l = scene.liquids[i];
        look(l.shape, fmt::format("liquid[{}].shape", i),
             l.mode == LiquidMode::kSink     ? nullptr
             : l.mode == LiquidMode::kSource ? "a source"
                                             : "what liquid fills at the start",
             kOneFile);
    }
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        look(scene.emitters[i].shape, fmt::format("emitter[{}].shape", i), nullptr, nullptr);
    for (std::size_t i = 0; i < scene.forces.size(); ++i)
        look(scene.forces[i].region, fmt::format("force[{}].region", i), "the region of a force",
             kOneFile);
    for (std::size_t i = 0; i < scene.emission.regions.size(); ++i)
        look(scene.emission.regions[i].shape, fmt::format("emission.region[{}].shape", i),
             "a region of [emission]", kOneFile);
    for (std::size_t i = 0; i < scene.emission.kills.size(); ++i)
        look(scene.emission.kills[i].shape, fmt::format("emission.kill[{}].shape", i),
             "a region of [emission]", kOneFile);
}

}  // namespace spume
