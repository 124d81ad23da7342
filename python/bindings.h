// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include "spume/frame/frame.h"
#include "spume/run/job_scene.h"

namespace spume::python {

// Each adds its part to the module.
void add_errors();
void add_frames(pybind11::module_& module);
void add_scenes(pybind11::module_& module);
void add_simulation(pybind11::module_& module);
void add_caches(pybind11::module_& module);

/// A scene is shared by Python and the simulations made from it, and never changes.
struct SceneHandle {
    std::shared_ptr<const LoadedScene> loaded;
};

/// A frame with what could not be read of it.
struct FrameHandle {
    std::shared_ptr<const Frame> frame;
    std::vector<Complaint> problems;
};

pybind11::list to_python(const std::vector<Complaint>& complaints);

/// JSON text, such as a line of stats.jsonl, as Python's own values.
pybind11::object from_json(const std::string& text);

}  // namespace spume::python
