// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/methods.h"

#include "spume/scene/parse.h"

// The table: a line a method, named like its folder. The first is the default of scenes.
#define SPUME_METHODS(ROW) \
    ROW(mixture)           \
    ROW(constraint)        \
    ROW(guided)            \
    ROW(cip)               \
    ROW(passive)           \
    ROW(particle_level_set)

namespace spume {

#define SPUME_DECLARE(name)     \
    namespace name {            \
    const MethodEntry& entry(); \
    }
SPUME_METHODS(SPUME_DECLARE)
#undef SPUME_DECLARE

MethodTable methods() {
#define SPUME_ROW(name) name::entry(),
    static const MethodEntry kTable[] = {SPUME_METHODS(SPUME_ROW)};
#undef SPUME_ROW
    return kTable;
}

namespace {

/// A remedy, and the methods of the table that need none.
std::string or_use(std::string remedy, MethodTable table, bool Abilities::*ability,
                   bool wanted = true) {
    const char* before = remedy.empty() ? "use method = " : ", or use method = ";
    for (const MethodEntry& other : table) {
        if (other.abilities.*ability != wanted) continue;
        remedy += fmt::format("{}\"{}\"", before, other.name);
        before = " or ";
    }
    return remedy;
}

/// What a scene may say but its method cannot do is an error, never ignored.
void check_abilities(const Scene& scene, const MethodEntry& method, MethodTable table,
                     SceneDocument& document) {
    const Abilities& can = method.abilities;
    const auto lacks = [&](const std::string& path, const char* what, std::string remedy,
                           bool Abilities::*ability) {
        document.complain(path, fmt::format("the method {} has no {}", method.name, what),
                          or_use(std::move(remedy), table, ability));
    };
    if (scene.domain.dimensions == 2 && !can.two_dimensional)
        lacks("domain.dimensions", "2D", "use domain.dimensions = 3", &Abilities::two_dimensional);
    if (scene.domain.dimensions == 3 && !can.three_dimensional)
        lacks("domain.dimensions", "3D", "use domain.dimensions = 2",
              &Abilities::three_dimensional);
    for (std::size_t i = 0; i < scene.liquids.size() && !can.free_surface; ++i)
        lacks(fmt::format("liquid[{}]", i), "free surface: water is everywhere",
              "leave [[liquid]] out", &Abilities::free_surface);
    for (std::size_t i = 0; i < scene.emitters.size() && !can.emitters; ++i)
        lacks(fmt::format("emitter[{}]", i), "bubble emitters",
              can.free_surface ? "cut air out of the liquid with [[liquid]] mode = \"hollow\""
                               : "leave [[emitter]] out",
              &Abilities::emitters);
    for (std::size_t i = 0; i < scene.emitters.size() && can.whitewater && !scene.whitewater.on;
         ++i)
        document.complain(fmt::format("emitter[{}]", i),
                          "bubbles smaller than a voxel are not simulated in this scene",
                          "add the section [whitewater], or cut air out of the liquid with "
                          "[[liquid]] mode = \"hollow\"");
    if (scene.whitewater.on && !can.whitewater)
        lacks("whitewater", "bubbles in a liquid of its own", "leave [whitewater] out",
              &Abilities::whitewater);
    for (std::size_t i = 0; i < scene.solids.size() && !can.dynamic_solids; ++i)
        if (scene.solids[i].motion == Motion::kDynamic)
            lacks(fmt::format("solid[{}].motion", i), "dynamic solids",
                  "use \"fixed\" or \"keyed\"", &Abilities::dynamic_solids);
    if (scene.output.aeration && !can.whitewater)
        lacks("output.aeration", "volume of where its liquid entrains air",
              "leave output.aeration out; `spume aeration` shows that of a bulk",
              &Abilities::whitewater);
    if (can.free_surface && document.gives("output.surface_scale"))
        document.complain("output.surface_scale",
                          "the surface of a liquid is written as it is simulated, always; this is "
                          "for that of connected air",
                          "leave output.surface_scale out");
    if (scene.output.source && !can.emitters)
        lacks("output.source", "bubble emitters", "leave output.source out", &Abilities::emitters);
    if (can.needs_bulk && !scene.bulk.present)
        document.complain(
            "method", fmt::format("the method {} works in a liquid simulated before", method.name),
            or_use("name one in [bulk]", table, &Abilities::needs_bulk, false));
    if (!can.needs_bulk && scene.bulk.present)
        lacks("bulk", "use for a liquid simulated before", "leave [bulk] out",
              &Abilities::needs_bulk);
}

}  // namespace

MethodParams read_method(Scene& scene, SceneDocument& document, MethodTable table) {
    SPUME_CHECK(!table.empty());
    if (!document.has_text("method")) scene.method = table[0].name;
    std::vector<std::string> names;
    for (const MethodEntry& entry : table) {
        names.emplace_back(entry.name);
        if (scene.method != entry.name) continue;
        MethodParams params = entry.defaults();
        document.fill(entry.name, params, entry.summary);
        check_abilities(scene, entry, table, document);
        entry.check(scene, params.values, document);
        return params;
    }
    complain_unknown_method(scene, names, document);
    return table[0].defaults();
}

}  // namespace spume
