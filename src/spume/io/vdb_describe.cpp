// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>

#include <fmt/core.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>

#include "spume/core/error.h"
#include "spume/io/vdb.h"

namespace spume {
namespace {

namespace points = openvdb::points;

std::string describe_points(const points::PointDataGrid& grid) {
    std::string text = fmt::format(", {} points", points::pointCount(grid.tree()));
    const auto leaf = grid.tree().cbeginLeaf();
    if (!leaf) return text;
    std::map<std::size_t, std::string> names;
    for (const auto& [name, position] : leaf->attributeSet().descriptor().map())
        names[position] = name;
    text += ", attributes";
    for (const auto& [position, name] : names) text += " " + name;
    return text;
}

std::string describe_grid(const openvdb::GridBase& grid) {
    const auto box = grid.evalActiveVoxelBoundingBox();
    const auto voxel = grid.voxelSize();
    std::string text =
        fmt::format("{}: {}, {}, voxel {:g} {:g} {:g} m, {} active voxels", grid.getName(),
                    grid.valueType(), openvdb::GridBase::gridClassToMenuName(grid.getGridClass()),
                    voxel[0], voxel[1], voxel[2], grid.activeVoxelCount());
    if (!box.empty()) {
        const auto lo = grid.indexToWorld(box.min()), hi = grid.indexToWorld(box.max());
        text += fmt::format(", from ({:g} {:g} {:g}) to ({:g} {:g} {:g}) m", lo[0], lo[1], lo[2],
                            hi[0], hi[1], hi[2]);
    }
    if (grid.isType<points::PointDataGrid>())
        text += describe_points(static_cast<const points::PointDataGrid&>(grid));
    return text + "\n";
}

}  // namespace

std::string describe_vdb(const std::string& path) {
    openvdb::initialize();
    // Mantaflow's caches hold this type, which OpenVDB itself does not register.
    using Truncated = points::TypedAttributeArray<std::int32_t, points::TruncateCodec>;
    if (!Truncated::isRegistered()) Truncated::registerType();
    try {
        openvdb::io::File file(path);
        file.open(/*delayLoad=*/false);
        std::string text;
        for (auto name = file.beginName(); name != file.endName(); ++name)
            text += describe_grid(*file.readGrid(name.gridName()));
        return text.empty() ? "no grids\n" : text;
    } catch (const openvdb::Exception& error) {
        throw error_in_file(path, error.what(), "the file is damaged or not a VDB");
    }
}

}  // namespace spume
