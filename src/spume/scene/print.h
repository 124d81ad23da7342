// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/describe.h"
#include "spume/core/parallel.h"
#include "spume/scene/scene.h"

namespace spume {

/// The scene as TOML with every default filled in, in SI units; parses back to the same values, bit
/// for bit. Keys without effect are left out. The method's section is not part of it: see
/// print_section.
std::string print_scene(const Scene& scene);

/// Any described parameters as TOML.
std::string print_params(FunctionRef<void(ParamVisitor&)> describe_all);

/// The same under a header: [name] …
template <class Params>
std::string print_section(const char* name, const Params& params) {
    Params copy = params;
    auto body = [&](ParamVisitor& v) {
        v.section(name, "", [&](ParamVisitor& inner) { describe(copy, inner); });
    };
    return print_params(body);
}

/// The same facts one a line, `emitter[0].shape.radius = 0.04`, for hashing and for finding what
/// differs. Of paths only the file name stays: where a scene lies does not matter, and what its
/// meshes hold is hashed apart.
std::string flat_text(FunctionRef<void(ParamVisitor&)> describe_all);

/// flat_text of what decides the simulated frames: without title, camera, number of frames,
/// checkpoint interval and preview, which a resumed run may change.
std::string stable_text(const Scene& scene);
template <class Params>
std::string stable_section(const char* name, const Params& params) {
    Params copy = params;
    auto body = [&](ParamVisitor& v) {
        v.section(name, "", [&](ParamVisitor& inner) { describe(copy, inner); });
    };
    return flat_text(body);
}

/// What two flat texts do not share: "time.fps: was 24, is 25", in the order of `after`.
std::vector<std::string> differences(const std::string& before, const std::string& after);

}  // namespace spume
