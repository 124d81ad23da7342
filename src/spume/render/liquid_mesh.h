// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/frame/frame.h"

namespace spume {

inline bool is_liquid(const std::string& mesh) {
    return mesh == "surface" || mesh == "liquid" || mesh == "water";
}

inline bool has_liquid(const Frame& frame) {
    return std::any_of(frame.meshes.begin(), frame.meshes.end(), [](const NamedMesh& m) {
        return is_liquid(m.name) && !m.mesh.triangles.empty();
    });
}

/// No surface of a liquid is known. Where one with air around it is known to be empty, all space is
/// air.
inline bool all_water(const Frame& frame) {
    return std::none_of(frame.meshes.begin(), frame.meshes.end(), [&](const NamedMesh& m) {
        return is_liquid(m.name) && (frame.free_surface || !m.mesh.triangles.empty());
    });
}

}  // namespace spume
