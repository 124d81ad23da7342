// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <pybind11/stl.h>

#include "python/bindings.h"

namespace py = pybind11;

namespace spume::python {
namespace {

/// The arguments that load_scene and make_scene share.
SceneRequest request_of(std::string file, std::vector<std::string> overrides, std::string preset,
                        std::string variant, std::optional<std::uint64_t> seed,
                        std::optional<int> first_frame, std::optional<int> last_frame) {
    return {std::move(file),
            std::move(overrides),
            {std::move(preset), std::move(variant)},
            seed,
            first_frame,
            last_frame};
}

SceneHandle load(const SceneRequest& request) {
    const auto files = make_posix_file_system();
    return {std::make_shared<const LoadedScene>(load_scene(*files, request))};
}

/// The text was made from a dictionary: its lines would tell the user nothing.
SceneHandle make(const std::string& text, const SceneRequest& request) {
    const auto files = make_posix_file_system();
    try {
        return {std::make_shared<const LoadedScene>(load_scene_text(*files, text, request))};
    } catch (const UserError& error) {
        std::vector<Complaint> complaints = error.complaints();
        for (Complaint& c : complaints)
            if (c.place.file == request.file) c.place = {};
        throw UserError(std::move(complaints));
    }
}

py::dict needs_of(const SceneHandle& handle) {
    const Estimate needs = estimate(*handle.loaded);
    py::dict d;
    d["voxels"] = needs.voxels;
    d["bubbles"] = needs.bubbles;
    d["memory"] = needs.memory;
    d["frame"] = needs.frame;
    return d;
}

std::vector<std::string> variants_of(const SceneHandle& handle) {
    std::vector<std::string> names;
    for (const SweepVariant& v : handle.loaded->offers.sweep.variants) names.push_back(v.name);
    return names;
}

}  // namespace

void add_scenes(py::module_& module) {
    py::class_<SceneHandle>(module, "Scene", "A checked scene with everything it names.")
        .def_property_readonly("title", [](const SceneHandle& s) { return s.loaded->scene.title; })
        .def_property_readonly("method",
                               [](const SceneHandle& s) { return s.loaded->scene.method; })
        .def_property_readonly("seed", [](const SceneHandle& s) { return s.loaded->scene.seed; })
        .def_property_readonly("fps", [](const SceneHandle& s) { return s.loaded->scene.time.fps; })
        .def_property_readonly("first_frame",
                               [](const SceneHandle& s) { return s.loaded->manifest.first_frame; })
        .def_property_readonly("last_frame",
                               [](const SceneHandle& s) { return s.loaded->manifest.last_frame; })
        .def_property_readonly(
            "dimensions", [](const SceneHandle& s) { return s.loaded->scene.domain.dimensions; })
        .def_property_readonly(
            "voxel", [](const SceneHandle& s) { return s.loaded->scene.voxel(); }, "m")
        .def_property_readonly(
            "text", [](const SceneHandle& s) { return s.loaded->manifest.scene; },
            "The scene as a file, every default filled in.")
        .def_property_readonly("presets",
                               [](const SceneHandle& s) { return s.loaded->offers.presets; })
        .def_property_readonly("variants", variants_of, "Of its sweep.")
        .def_property_readonly(
            "warnings", [](const SceneHandle& s) { return s.loaded->warnings; }, "About meshes.")
        .def("estimate", needs_of,
             "What it may need: voxels and bubbles at most, bytes of memory and of a frame.");
    module.def("load_scene",
               [](std::string file, std::vector<std::string> overrides, std::string preset,
                  std::string variant, std::optional<std::uint64_t> seed, std::optional<int> first,
                  std::optional<int> last) {
                   return load(request_of(std::move(file), std::move(overrides), std::move(preset),
                                          std::move(variant), seed, first, last));
               });
    module.def("make_scene", [](const std::string& text, const std::string& folder,
                                std::vector<std::string> overrides, std::string preset,
                                std::string variant, std::optional<std::uint64_t> seed,
                                std::optional<int> first, std::optional<int> last) {
        return make(text, request_of(join_path(folder, "scene"), std::move(overrides),
                                     std::move(preset), std::move(variant), seed, first, last));
    });
}

}  // namespace spume::python
