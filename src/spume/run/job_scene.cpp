// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_scene.h"

#include <fmt/core.h>

#include "spume/io/mesh_sequence.h"
#include "spume/run/job_bulk.h"
#include "spume/scene/nearest_key.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostSceneBytes = std::uint64_t(16) << 20;

std::string scene_text(FileSystem& files, const std::string& file) {
    try {
        return read_file(files, file, kMostSceneBytes);
    } catch (const FileError& error) {
        throw error_in_file(file, error.what(),
                            "give a scene file; `spume list scenes` names some");
    }
}

void set_frames(Scene& scene, const SceneRequest& request) {
    const int last = request.last_frame.value_or(request.first_frame.value_or(scene.time.start) +
                                                 scene.time.frames - 1);
    if (request.first_frame) scene.time.start = *request.first_frame;
    if (last < scene.time.start)
        throw UserError(
            fmt::format("the last frame, {}, comes before the first, {}", last, scene.time.start),
            "give -s and -e in order");
    scene.time.frames = last - scene.time.start + 1;
}

/// A mesh that a scene names, and the key that does.
struct NamedMesh {
    std::string file, key;
};

std::vector<NamedMesh> mesh_files(const Scene& scene) {
    std::vector<NamedMesh> names;
    auto add = [&](const Shape& shape, const char* list, std::size_t i, const char* table) {
        if (shape.kind == ShapeKind::kMesh)
            names.push_back({shape.file, fmt::format("{}[{}].{}.file", list, i, table)});
        for (std::size_t k = 0; k < shape.parts.size(); ++k)
            if (shape.parts[k].kind == ShapeKind::kMesh)
                names.push_back({shape.parts[k].file,
                                 fmt::format("{}[{}].{}.part[{}].file", list, i, table, k)});
    };
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        add(scene.solids[i].shape, "solid", i, "shape");
    for (std::size_t i = 0; i < scene.liquids.size(); ++i)
        add(scene.liquids[i].shape, "liquid", i, "shape");
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        add(scene.emitters[i].shape, "emitter", i, "shape");
    for (std::size_t i = 0; i < scene.forces.size(); ++i)
        if (!scene.forces[i].everywhere) add(scene.forces[i].region, "force", i, "region");
    for (std::size_t i = 0; i < scene.emission.regions.size(); ++i)
        add(scene.emission.regions[i].shape, "emission.region", i, "shape");
    for (std::size_t i = 0; i < scene.emission.kills.size(); ++i)
        add(scene.emission.kills[i].shape, "emission.kill", i, "shape");
    return names;
}

/// ", or glass.obj, which is there": the name in the folder that is nearest to a missing one.
std::string nearest_file(FileSystem& files, const std::string& path) {
    const std::string folder = path.find('/') == std::string::npos ? "." : directory_of(path);
    const auto facts = files.facts(folder);
    if (!facts || !facts->directory) return {};
    const std::string near = nearest_key(name_of(path), files.list(folder));
    return near.empty() ? "" : fmt::format("; {} is there", near);
}

/// The folder of a bulk, with its place among all other mistakes of the scene.
void look_for_bulk(FileSystem& files, const Scene& scene, SceneDocument& document) {
    const BulkLiquid& b = scene.bulk;
    if (!b.present || b.kind != BulkKind::kCache || b.path.empty()) return;
    const auto facts = files.facts(b.path);
    if (facts && facts->directory) return;
    document.complain(
        "bulk.path",
        fmt::format("{}: {}", b.path, facts ? "is not a directory" : "no such directory"),
        "set bulk.path to the -o of a liquid's run; it is relative to the scene file" +
            nearest_file(files, b.path));
}

/// With their places, among all other mistakes of the scene.
void look_for_meshes(FileSystem& files, const Scene& scene, SceneDocument& document) {
    for (const auto& [file, key] : mesh_files(scene))
        if (const auto problem = file.empty() ? std::nullopt : missing_mesh(files, file))
            document.complain(key, *problem,
                              "give the path of a .ply or .obj file, relative to the scene, or of "
                              "a sequence of them with #### for the number" +
                                  nearest_file(files, file));
}

}  // namespace

Inputs load_inputs(FileSystem& files, const Scene& scene, Manifest& manifest,
                   std::vector<std::string>& warnings) {
    Inputs inputs;
    std::vector<Complaint> complaints;
    for (const auto& [path, key] : mesh_files(scene)) {
        if (inputs.meshes.count(path)) continue;
        try {
            SceneMesh read = read_scene_mesh(files, path, scene.time.fps);
            for (const std::string& text : read.warnings)
                warnings.push_back(fmt::format("{}: {}", path, text));
            // By name, not by path: where the scene lies must not decide whether it is the same.
            std::string name = name_of(path);
            while (manifest.inputs.count(name)) name += "+";
            manifest.inputs[name] = read.hash.hex();
            inputs.meshes[path] = std::move(read.mesh);
        } catch (const UserError& error) {
            for (Complaint complaint : error.complaints()) {
                if (complaint.place.file.empty()) complaint.place.file = path;
                complaints.push_back(std::move(complaint));
            }
        }
    }
    if (!complaints.empty()) throw UserError(std::move(complaints));
    return inputs;
}

std::vector<std::string> check_selections(FileSystem& files, const SceneRequest& request) {
    const std::string text = scene_text(files, request.file);
    const auto read = [&](const SceneSelection& selection) {
        SceneOffers offers;
        const MethodReader reader = [](Scene& scene, SceneDocument& document) {
            read_method(scene, document);
        };
        parse_scene(text, request.file, request.overrides, reader, selection, &offers);
        return offers;
    };
    std::vector<std::string> presets{request.selection.preset};
    if (presets[0].empty()) {
        presets = read({}).presets;
        presets.insert(presets.begin(), "default");
    }
    std::vector<std::string> lines;
    for (const std::string& preset : presets) {
        const SceneOffers offers = read({preset, request.selection.variant});
        for (const SweepVariant& v : offers.sweep.variants) read({preset, v.name});
        const std::size_t n = offers.sweep.variants.size();
        lines.push_back(n == 0 ? fmt::format("preset {}", preset)
                               : fmt::format("preset {}, sweep of {} variants", preset, n));
    }
    return lines;
}

namespace {

/// A scene without the section of its method.
Scene outline_of(FileSystem& files, const std::string& file, SceneOffers& offers) {
    const MethodReader reader = [](Scene& scene, SceneDocument& document) {
        if (!document.has_text("method")) scene.method = methods()[0].name;
        document.accept(scene.method);
    };
    return parse_scene(scene_text(files, file), file, {}, reader, {}, &offers);
}

}  // namespace

std::string title_of(FileSystem& files, const std::string& file) {
    try {
        SceneOffers offers;
        return outline_of(files, file, offers).title;
    } catch (const UserError&) {
        return {};
    }
}

std::vector<std::string> presets_of(FileSystem& files, const std::string& file) {
    SceneOffers offers;
    outline_of(files, file, offers);
    offers.presets.insert(offers.presets.begin(), "default");
    return offers.presets;
}

LoadedScene load_scene(FileSystem& files, const SceneRequest& request, MethodTable table) {
    return load_scene_text(files, scene_text(files, request.file), request, table);
}

LoadedScene load_scene_text(FileSystem& files, const std::string& text, const SceneRequest& request,
                            MethodTable table) {
    LoadedScene loaded;
    loaded.scene = parse_scene(
        text, request.file, request.overrides,
        [&](Scene& scene, SceneDocument& document) {
            loaded.params = read_method(scene, document, table);
            look_for_meshes(files, scene, document);
            look_for_bulk(files, scene, document);
        },
        request.selection, &loaded.offers);
    if (request.seed) loaded.scene.seed = *request.seed;
    set_frames(loaded.scene, request);
    const Scene& scene = loaded.scene;
    Manifest& m = loaded.manifest;
    m.version = SPUME_VERSION;
    m.math = math_of_this_build();
    m.method = scene.method;
    m.free_surface = loaded.params.method.abilities.free_surface;
    m.preset = request.selection.preset.empty() ? "default" : request.selection.preset;
    m.variant = request.selection.variant;
    m.seed = scene.seed;
    m.fps = scene.time.fps;
    m.first_frame = scene.time.start;
    m.last_frame = scene.time.start + scene.time.frames - 1;
    m.scene = print_scene(scene) + "\n" + print_section(scene.method.c_str(), loaded.params);
    m.facts = stable_text(scene) + stable_section(scene.method.c_str(), loaded.params);
    loaded.warnings = loaded.offers.warnings;
    loaded.inputs = load_inputs(files, scene, m, loaded.warnings);
    loaded.inputs.bulk = load_bulk(scene, m, loaded.warnings);
    const auto section = [&](ParamVisitor& v) { describe(loaded.params, v); };
    loaded.inputs.bulk = beside_bubbles(loaded.inputs.bulk, scene, section, m);
    loaded.inputs.list = load_list(files, section, m);
    return loaded;
}

}  // namespace spume
