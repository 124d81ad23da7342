// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "python/bindings.h"
#include "spume/run/session.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
    using namespace spume::python;
    add_errors();
    add_frames(module);
    add_scenes(module);
    add_simulation(module);
    add_caches(module);
    module.def("version", [] { return SPUME_VERSION; });
    module.attr("source_scenes") = SPUME_SCENES;
    module.def(
        "methods",
        [] {
            py::dict names;
            for (const spume::MethodEntry& entry : spume::methods())
                names[entry.name] = entry.summary;
            return names;
        },
        "What each method is, by name.");
}
