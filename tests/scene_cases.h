// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "emission_cases.h"
#include "scene_bulk_cases.h"
#include "scene_foam_cases.h"
#include "shape_cases.h"
#include "spume/core/random.h"
#include "spume/scene/reference.h"

namespace spume {

/// One key of a scene in which every key there is appears, and where it was written.
struct SceneEntry {
    std::string header;  ///< "[time]", "[[solid]]"; empty at the top
    std::string item;    ///< "time", "solid[1]"
    std::string key;     ///< "fps", "shape.kind"
    std::string value;
    int header_line = 1;  ///< 1 at the top
    int line = 0, key_column = 0, last_column = 0,
        value_column = 0;  ///< last: of the last key piece

    std::string path() const { return item.empty() ? key : item + "." + key; }
    std::string name() const { return key.substr(key.rfind('.') + 1); }
    /// The table as list_params names it: item numbers left out.
    std::string table() const;
};

struct SceneText {
    std::string text;
    std::vector<SceneEntry> entries;
};

/// Lays entries out with uneven blanks, comments and blank lines, so that columns must be right to
/// agree.
inline SceneText write_scene(std::vector<SceneEntry> entries) {
    SceneText out;
    int line = 1, header_line = 1;
    std::string open;
    auto end_line = [&] {
        out.text += '\n';
        ++line;
    };
    int n = 0;
    for (SceneEntry& e : entries) {
        if (e.item != open) {
            if (n % 3 == 0) out.text += "# next", end_line();
            header_line = line;
            out.text += e.header;
            end_line();
            open = e.item;
        }
        e.header_line = header_line;
        const std::string indent(static_cast<std::size_t>(n % 4), ' '),
            gap(static_cast<std::size_t>(n % 3), ' ');
        e.line = line;
        e.key_column = n % 4 + 1;
        e.last_column = e.key_column + static_cast<int>(e.key.size() - e.name().size());
        e.value_column = e.key_column + static_cast<int>(e.key.size() + 2 * gap.size()) + 1;
        out.text += indent + e.key + gap + "=" + gap + e.value;
        if (n % 5 == 0) out.text += "  # é";
        end_line();
        ++n;
    }
    out.entries = std::move(entries);
    return out;
}

inline std::string SceneEntry::table() const {
    std::string t;
    bool number = false;
    for (char c : item) {
        if (c == ']') number = false;
        if (!number) t += c;
        if (c == '[') number = true;
    }
    const std::size_t dot = key.rfind('.');
    if (dot != std::string::npos) t += (t.empty() ? "" : ".") + key.substr(0, dot);
    return t;
}

/// Every key of a scene, each where it has an effect, if all variants are taken together: the bulk
/// is of another kind in each, and variant 1 has domain.voxel instead of divisions.
inline std::vector<SceneEntry> every_key(int variant) {
    std::vector<SceneEntry> list;
    std::string header, item;
    auto open = [&](const char* h, const char* i) { header = h, item = i; };
    auto put = [&](const char* key, const char* value) {
        list.push_back({header, item, key, value});
    };
    put("version", "1");
    put("title", "\"every key\"");
    put("method", "\"mixture\"");
    put("seed", "7");
    open("[time]", "time");
    for (auto [k, v] :
         {std::pair{"fps", "24"}, {"frames", "3"}, {"start", "1"}, {"max_substeps", "8"}})
        put(k, v);
    open("[domain]", "domain");
    put("dimensions", "3");
    put("lower", "[-1, 0.0, \"-100 cm\"]");
    put("upper", "[1, 2, 1]");
    variant == 1 ? put("voxel", "\"5 cm\"") : put("divisions", "40");
    for (auto [k, v] : {std::pair{"dense", "true"},
                        {"sides", "\"wall\""},
                        {"bottom", "\"wall\""},
                        {"top", "\"open\""}})
        put(k, v);
    open("[physics]", "physics");
    for (auto [k, v] : {std::pair{"gravity", "[0, -9.81, 0]"},
                        {"water_density", "\"1 g/cm^3\""},
                        {"air_density", "1.2"},
                        {"viscosity", "\"1 mPa*s\""},
                        {"surface_tension", "\"72 mN/m\""}})
        put(k, v);
    open("[[solid]]", "solid[0]");
    for (auto [k, v] : {std::pair{"name", "\"cup\""},
                        {"shape.kind", "\"box\""},
                        {"shape.center", "[0, 1, 0]"},
                        {"shape.size", "[0.5, 0.5, 0.5]"},
                        {"shape.shell", "0.01"},
                        {"shape.open_top", "true"},
                        {"shape.rotation", "[0, \"0.5 rad\", 10]"},
                        {"motion", "\"fixed\""},
                        {"no_slip", "true"},
                        {"look", "\"matte\""},
                        {"color", "[0.2, 0.3, 0.9]"}})
        put(k, v);
    open("[[solid]]", "solid[1]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"cylinder\""},
                        {"shape.radius", "0.1"},
                        {"shape.height", "0.3"},
                        {"motion", "\"keyed\""}})
        put(k, v);
    open("[[solid.keys]]", "solid[1].keys[0]");
    for (auto [k, v] :
         {std::pair{"time", "0"}, {"position", "[0, 0, 0]"}, {"rotation", "[0, 0, 90]"}})
        put(k, v);
    open("[[solid.keys]]", "solid[1].keys[1]");
    put("position", "[0, 0.1, 0]");
    put("time", "\"500 ms\"");
    open("[[solid]]", "solid[2]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"mesh\""},
                        {"shape.file", "\"bunny.ply\""},
                        {"shape.scale", "0.1"},
                        {"motion", "\"dynamic\""},
                        {"density", "800"},
                        {"velocity", "[\"10 cm/s\", 0, 0]"},
                        {"spin", "[0, 0, 2]"}})
        put(k, v);
    const auto put_shapes = [&](const char* of, const char* shape, int first,
                                std::vector<std::pair<std::string, std::string>> others) {
        for (const ShapeEntry& e : shape_keys(of, shape, first, others))
            list.push_back({e.header, e.item, e.key, e.value});
    };
    put_shapes("solid", "shape", 3, {});
    open("[[solid]]", "solid[8]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"mesh\""},
                        {"shape.file", "\"flag.$F4.ply\""},
                        {"shape.fps", "30"},
                        {"shape.start", "\"500 ms\""},
                        {"shape.repeat", "true"}})
        put(k, v);
    open("[[liquid]]", "liquid[0]");
    for (auto [k, v] : {std::pair{"name", "\"pool\""},
                        {"shape.kind", "\"box\""},
                        {"shape.center", "[0, 0.5, 0]"},
                        {"shape.size", "[1, 1, 1]"},
                        {"shape.shell", "0.1"},
                        {"shape.open_top", "true"},
                        {"shape.rotation", "[0, 0, 5]"},
                        {"mode", "\"source\""},
                        {"density", "900"},
                        {"velocity", "[0, -1, 0]"},
                        {"attach", "\"cup\""},
                        {"start", "0.5"},
                        {"stop", "\"900 ms\""}})
        put(k, v);
    open("[[liquid.keys]]", "liquid[0].keys[0]");
    for (auto [k, v] :
         {std::pair{"time", "0"}, {"position", "[0, 0, 0]"}, {"rotation", "[0, 0, 10]"}})
        put(k, v);
    open("[[liquid.keys]]", "liquid[0].keys[1]");
    put("position", "[0, 0.1, 0]");
    put("time", "\"400 ms\"");
    open("[[liquid]]", "liquid[1]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"cylinder\""},
                        {"shape.radius", "0.1"},
                        {"shape.height", "0.1"},
                        {"mode", "\"hollow\""}})
        put(k, v);
    open("[[liquid]]", "liquid[2]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"mesh\""},
                        {"shape.file", "\"pool_####.ply\""},
                        {"shape.fps", "12"},
                        {"shape.start", "0.25"},
                        {"shape.repeat", "true"},
                        {"shape.scale", "0.5"},
                        {"mode", "\"sink\""}})
        put(k, v);
    put_shapes("liquid", "shape", 3, {});
    open("[[emitter]]", "emitter[0]");
    for (auto [k, v] : {std::pair{"name", "\"jet\""},
                        {"shape.kind", "\"sphere\""},
                        {"shape.radius", "\"5 cm\""},
                        {"shape.center", "[0, 0.5, 0]"},
                        {"shape.shell", "0.01"},
                        {"mode", "\"rate\""},
                        {"rate", "\"0.1 l/s\""},
                        {"start", "0.1"},
                        {"stop", "2"},
                        {"period", "0.5"},
                        {"burst", "0.1"},
                        {"radius_law", "\"fixed\""},
                        {"radius", "\"2 mm\""},
                        {"density", "1.3"},
                        {"velocity", "[0, 1, 0]"},
                        {"attach", "\"cup\""}})
        put(k, v);
    open("[[emitter.keys]]", "emitter[0].keys[0]");
    for (auto [k, v] :
         {std::pair{"time", "0"}, {"position", "[0, 0, 0]"}, {"rotation", "[0, 0, 10]"}})
        put(k, v);
    open("[[emitter]]", "emitter[1]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"cylinder\""},
                        {"shape.radius", "0.1"},
                        {"shape.height", "0.1"},
                        {"shape.rotation", "[90, 0, 0]"},
                        {"shape.shell", "0.02"},
                        {"shape.open_top", "true"},
                        {"mode", "\"seed\""},
                        {"fraction", "0.2"},
                        {"radius_law", "\"inverse_cubic\""},
                        {"radius_min", "\"0.5 mm\""},
                        {"radius_max", "\"5 mm\""}})
        put(k, v);
    open("[[emitter]]", "emitter[2]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"box\""},
                        {"shape.size", "[0.1, 0.1, 0.1]"},
                        {"mode", "\"seed\""},
                        {"spacing", "0.01"}})
        put(k, v);
    open("[[emitter]]", "emitter[3]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"mesh\""},
                        {"shape.file", "\"a b.####.obj\""},
                        {"shape.fps", "25"},
                        {"shape.start", "-0.5"},
                        {"shape.repeat", "true"},
                        {"shape.scale", "2"},
                        {"mode", "\"seed\""},
                        {"count", "100"}})
        put(k, v);
    open("[[emitter]]", "emitter[4]");
    for (auto [k, v] : {std::pair{"shape.kind", "\"sphere\""},
                        {"shape.radius", "0.1"},
                        {"rate", "\"1 l/s\""},
                        {"period", "2"}})
        put(k, v);
    open("[[emitter.pulse]]", "emitter[4].pulse[0]");
    put("time", "0.1");
    put("strength", "0");
    open("[[emitter.pulse]]", "emitter[4].pulse[1]");
    put("time", "\"500 ms\"");
    put("strength", "1");
    put_shapes("emitter", "shape", 5, {{"rate", "1e-5"}, {"radius", "1e-3"}});
    open("[[force]]", "force[0]");
    for (auto [k, v] : {std::pair{"kind", "\"uniform\""},
                        {"region.kind", "\"box\""},
                        {"region.center", "[0, 1, 0]"},
                        {"region.size", "[1, 1, 1]"},
                        {"region.shell", "0.1"},
                        {"region.open_top", "false"},
                        {"region.rotation", "[0, 0, 0]"},
                        {"acceleration", "[1, 0, 0]"},
                        {"start", "0.5"},
                        {"stop", "0.75"}})
        put(k, v);
    open("[[force]]", "force[1]");
    for (auto [k, v] : {std::pair{"kind", "\"swirl\""},
                        {"region.kind", "\"cylinder\""},
                        {"region.radius", "1"},
                        {"region.height", "2"},
                        {"strength", "3"},
                        {"radius", "0.2"}})
        put(k, v);
    open("[[force]]", "force[2]");
    for (auto [k, v] : {std::pair{"region.kind", "\"mesh\""},
                        {"region.file", "\"r.ply\""},
                        {"region.scale", "1"},
                        {"acceleration", "[0, 0, 1]"}})
        put(k, v);
    put_shapes("force", "region", 3, {{"acceleration", "[0, 0, 1]"}});
    open("[bulk]", "bulk");
    for (auto [k, v] : bulk_keys(variant)) put(k, v);
    for (const EmissionEntry& e : emission_keys()) {
        open(e.header, e.item);
        put(e.key, e.value);
        if (variant == 0 && e.key == std::string("outside")) put("mask", "\"foam\"");
    }
    put_shapes("emission.region", "shape", 3, {});
    put_shapes("emission.kill", "shape", 3, {});
    for (const FoamEntry& e : foam_keys()) {
        open(e.header, e.item);
        put(e.key, e.value);
    }
    put_shapes("foam.patch", "shape", 3, {{"shape.center", "[0, 1, 0]"}});
    open("[whitewater]", "whitewater");
    for (auto [k, v] : {std::pair{"drag", "0.9"}, {"max_fraction", "0.6"}}) put(k, v);
    open("[camera]", "camera");
    for (auto [k, v] : {std::pair{"automatic", "false"},
                        {"position", "[0, 1, 5]"},
                        {"target", "[0, 1, 0]"},
                        {"field_of_view", "35"}})
        put(k, v);
    if (variant == 1) {
        list.erase(list.end() - 3, list.end() - 1);  // the keys say where it is
        open("[[camera.keys]]", "camera.keys[0]");
        for (auto [k, v] : {std::pair{"time", "0"},
                            {"position", "[0, 1, 5]"},
                            {"target", "[0, 1, 0]"},
                            {"field_of_view", "30"}})
            put(k, v);
    }
    open("[output]", "output");
    for (auto [k, v] : {std::pair{"vdb", "true"},
                        {"ply", "false"},
                        {"vtk", "true"},
                        {"velocity", "true"},
                        {"pressure", "true"},
                        {"density", "false"},
                        {"aeration", "true"},
                        {"source", "true"},
                        {"surface", "true"},
                        {"surface_scale", "3"},
                        {"every", "2"},
                        {"checkpoint_every", "5"},
                        {"half", "true"},
                        {"preview", "\"all\""}})
        put(k, v);
    return list;
}

/// A word at the given number of slips from `word`: letters inserted, left out, replaced, swapped.
inline std::string mistyped(std::string word, int slips, const Random& random) {
    std::uint32_t draw = 0;
    auto below = [&](std::size_t n) {
        return static_cast<std::size_t>(random.uniform(draw++) * static_cast<double>(n));
    };
    for (int i = 0; i < slips; ++i) {
        const char letter = static_cast<char>('a' + below(26));
        switch (below(4)) {
            case 0:
                word.insert(below(word.size() + 1), 1, letter);
                break;
            case 1:
                if (word.size() > 2) word.erase(below(word.size()), 1);
                break;
            case 2:
                word[below(word.size())] = letter;
                break;
            default:
                if (const std::size_t at = below(word.size() - 1); word.size() > 2)
                    std::swap(word[at], word[at + 1]);
        }
    }
    return word;
}

}  // namespace spume
