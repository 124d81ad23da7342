// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/geometry/mesh_library.h"
#include "spume/scene/scene.h"

namespace spume {

/// What is right in a scene but hardly meant, whatever the method: walls thinner than a voxel,
/// emitters that start after the end or lie in a solid or outside of the domain, bubbles that no
/// water could hold together.
std::vector<std::string> scene_lint(const Scene& scene, const MeshLibrary& meshes);

/// Emitters of bubbles that are too large for the voxel where bubbles and water move each other.
std::vector<std::string> wide_bubbles(const Scene& scene);

/// Emitters of which nothing is in the scene's liquid, or in a still bulk, at the start.
std::vector<std::string> dry_emitters(const Scene& scene, const MeshLibrary& meshes);

/// `"name"`, or `emitter[2]` where it has none.
std::string emitter_name(const Scene& scene, std::size_t index);

/// Radius of bubbles that are particles of their own; 0 for bodies of air.
double largest_bubble(const Emitter& emitter);

/// Speed at which a bubble of this radius rises in the scene's water, m/s.
double bubble_rise_speed(double radius, const Physics& physics);

}  // namespace spume
