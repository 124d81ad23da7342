// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/wall_thickness.h"

#include <fmt/core.h>

#include "spume/scene/bodies.h"

namespace spume {
namespace {

constexpr double kRounding = 1e-9;  // a wall of one voxel is not thinner than a voxel

double thickness_of(const Solid& solid, int dimensions, const MeshLibrary& meshes) {
    return dimensions == 2 ? body_shape<2>(solid.shape, meshes).thickness()
                           : body_shape<3>(solid.shape, meshes).thickness();
}

}  // namespace

std::vector<std::string> thin_walls(const Scene& scene, const MeshLibrary& meshes) {
    std::vector<std::string> lines;
    const double h = scene.voxel();
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
        const Solid& solid = scene.solids[i];
        const double thickness = thickness_of(solid, scene.domain.dimensions, meshes);
        if (!(thickness < h * (1 - kRounding))) continue;
        const std::string name =
            solid.name.empty() ? fmt::format("solid[{}]", i) : fmt::format("\"{}\"", solid.name);
        if (thickness > 0)
            lines.push_back(fmt::format(
                "the thinnest wall of {} is {:.3g} m, {:.2g} of a voxel: nothing passes it, but "
                "the grid has it at the nearest faces; domain.voxel = {:.3g} or less resolves it",
                name, thickness, thickness / h, thickness));
        else
            lines.push_back(fmt::format(
                "{} is a sheet without thickness: nothing passes it, but the grid has it at the "
                "nearest faces; only a wall of at least {:.3g} m is resolved",
                name, h));
    }
    return lines;
}

}  // namespace spume
