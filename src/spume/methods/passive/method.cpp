// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/passive/method.h"

namespace spume::passive {
namespace {

void check_hand(const Scene& scene, const Params& p, SceneDocument& document) {
    for (std::size_t i = 0; i < p.bubbles.size(); ++i)
        for (int a = 0; a < scene.domain.dimensions; ++a)
            if (p.bubbles[i].position[a] < scene.domain.lower[a] ||
                p.bubbles[i].position[a] > scene.domain.upper[a]) {
                document.complain(fmt::format("passive.bubble[{}].position", i),
                                  fmt::format("lies outside the domain along {}", "xyz"[a]),
                                  "move it inside");
                break;
            }
    for (std::size_t i = 0; i < p.removals.size(); ++i) {
        const std::string path = fmt::format("passive.remove[{}]", i);
        std::vector<IdRange> ranges;
        if (!p.removals[i].shaped && p.removals[i].ids.empty())
            document.complain(path, "says neither where nor which bubbles are removed",
                              "give shape or ids");
        else if (!parse_ids(p.removals[i].ids, ranges))
            document.complain(path + ".ids",
                              fmt::format("\"{}\" is no list of ids", p.removals[i].ids),
                              "write numbers and ranges, like \"3 7-12 40\"");
    }
}

}  // namespace

void check(const Scene& scene, const Params& p, SceneDocument& document) {
    if (scene.foam.given)
        document.complain("foam", "this method has foam of its own",
                          "leave [foam] out; [passive] says how bubbles gather");
    check(static_cast<const ClusterParams&>(p), "passive", document);
    check_hand(scene, p, document);
    if (scene.bulk.present && scene.bulk.only_surface())
        document.complain("bulk.kind",
                          "bubbles move in the water below the surface, of which the meshes of "
                          "bulk.path say nothing",
                          "write the liquid as VDB with its velocity, and set bulk.kind = \"vdb\"");
    for (std::size_t i = 0; i < scene.forces.size(); ++i)
        document.complain(fmt::format("force[{}]", i),
                          "passive bubbles have no mass, and the liquid is what it is",
                          "leave [[force]] out");
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        if (scene.emitters[i].density > scene.physics.water_density)
            document.complain(fmt::format("emitter[{}].density", i),
                              "is above that of water, but passive bubbles are air",
                              "leave density out");
    if (scene.output.surface)
        document.complain("output.surface", "the surface is the bulk's, which has its own files",
                          "leave output.surface out; pictures show it all the same");
    if (scene.output.pressure)
        document.complain("output.pressure", "the pressure is the bulk's, which has its own files",
                          "leave output.pressure out");
    const bool stored =
        p.pressure == PressureFrom::kStored || p.pressure == PressureFrom::kStoredOrMotion;
    if (stored && scene.bulk.present && scene.bulk.kind != BulkKind::kCache)
        document.complain("passive.pressure", "only a cached bulk can have a stored pressure",
                          "use passive.pressure = \"motion\"");
}

std::vector<std::string> foreseen(const Scene& scene, const Params& p, const Inputs& inputs,
                                  Context&) {
    std::vector<std::string> lines;
    const BubbleList list = read_bubble_list(inputs.list, scene);
    const bool cached = scene.bulk.kind == BulkKind::kCache && inputs.bulk;
    const int first = cached ? inputs.bulk->info().first : 0;
    const bool there = cached && inputs.bulk->has(first);
    if (p.pressure == PressureFrom::kStoredOrMotion && there &&
        !inputs.bulk->has_volume(first, "pressure"))
        lines.push_back(fmt::format(
            "{} holds no pressure: bubbles feel that of the liquid's motion between frames, which "
            "impacts shorter than a frame are not part of",
            inputs.bulk->info().path));
    const bool marked = there && p.markers.bubbles && inputs.bulk->read_points(first, "escaped");
    if (scene.emitters.empty() && !scene.emission.on && p.bubbles.empty() && list.bubbles.empty() &&
        !marked)
        lines.push_back(
            "there is no emitter, no emission, no bubble by hand or of a list and no escaped "
            "marker in the bulk: nothing will happen");
    return lines;
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::passive
