// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/scene/document.h"
#include "spume/scene/scene.h"

namespace spume {

/// Values that are right one by one but cannot go together: empty boxes, emitters outside the
/// water, more cells or bubbles than any machine holds.
void check_scene(const Scene& scene, SceneDocument& document);

/// Sizes of a shape that cannot be, at `path`; only solids may be sheets.
void check_shape(const Scene& scene, const Shape& shape, const std::string& path,
                 SceneDocument& document, bool may_be_sheet = false);
/// The tables that a shape is written in: on these, and on the domain, depends where it is.
std::vector<std::string> tables_of(const Shape& shape, const std::string& path);
/// Meshes that deform, where only what stays as it is can be.
void check_sequences(const Scene& scene, SceneDocument& document);
/// [aeration] and [emission]: ranges without extent, bubbles larger than voxels, places outside.
void check_emission(const Scene& scene, SceneDocument& document);

/// Why a grid of the whole domain does not fit into `bytes` of memory, with what it would need;
/// empty if it fits. A sparse scene may need far less.
std::string memory_problem(const Scene& scene, double bytes_per_cell, double bytes);

/// "1.5 GB", for messages.
std::string bytes_text(double bytes);

}  // namespace spume
