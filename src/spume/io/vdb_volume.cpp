// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <openvdb/openvdb.h>

#include "spume/core/error.h"
#include "spume/io/vdb.h"
#include "spume/io/vdb_archive.h"

namespace spume {
namespace {

openvdb::math::Transform::Ptr transform_of(const Volume& volume) {
    const double h = volume.voxel;
    auto transform = openvdb::math::Transform::createLinearTransform(h);
    transform->postTranslate(
        {volume.origin[0] + h / 2, volume.origin[1] + h / 2, volume.origin[2] + h / 2});
    return transform;
}

/// Gives value and activity of a voxel; one struct a kind of grid.
struct ScalarVoxel {
    const float* values;
    float background;
    bool level_set;

    float value(std::size_t at) const {
        return level_set ? std::clamp(values[at], -background, background) : values[at];
    }
    bool active(float v) const { return level_set ? std::abs(v) < background : v != background; }
};
struct VectorVoxel {
    const float *x, *y, *z;
    float background;

    openvdb::Vec3f value(std::size_t at) const { return {x[at], y[at], z[at]}; }
    bool active(const openvdb::Vec3f& v) const {
        return v[0] != background || v[1] != background || v[2] != background;
    }
};

template <class Grid, class Voxel>
void fill(Grid& grid, const Volume& volume, const Voxel& voxel) {
    using Leaf = typename Grid::TreeType::LeafNodeType;
    const Vec<int, 3> side = volume.side;
    const auto cells = static_cast<std::size_t>(product(side));
    const bool leaves = side == Vec<int, 3>{8, 8, 8};
    auto accessor = grid.getAccessor();
    for (std::size_t t = 0; t < volume.tiles.size(); ++t) {
        const Vec<int, 3> lo = volume.tiles[t];
        const openvdb::Coord origin(lo[0], lo[1], lo[2]);
        if (leaves && (origin & ~7) == origin) {
            // Same order of values as ours: the tile is copied as it stands.
            auto leaf = std::make_unique<Leaf>(origin, grid.background(), false);
            for (std::size_t i = 0; i < cells; ++i) {
                const auto value = voxel.value(t * cells + i);
                if (voxel.active(value))
                    leaf->setValueOn(static_cast<openvdb::Index>(i), value);
                else
                    leaf->setValueOff(static_cast<openvdb::Index>(i), value);
            }
            if (!leaf->isEmpty() || !(leaf->getFirstValue() == grid.background()))
                grid.tree().addLeaf(leaf.release());
            continue;
        }
        std::size_t at = t * cells;
        for (int i = 0; i < side[0]; ++i)
            for (int j = 0; j < side[1]; ++j)
                for (int k = 0; k < side[2]; ++k, ++at) {
                    const auto value = voxel.value(at);
                    const openvdb::Coord ijk = origin.offsetBy(i, j, k);
                    if (voxel.active(value))
                        accessor.setValueOn(ijk, value);
                    else if (!(value == grid.background()))
                        accessor.setValueOff(ijk, value);
                }
    }
}

openvdb::GridClass class_of(VolumeKind kind) {
    switch (kind) {
        case VolumeKind::kFog:
            return openvdb::GRID_FOG_VOLUME;
        case VolumeKind::kLevelSet:
            return openvdb::GRID_LEVEL_SET;
        case VolumeKind::kStaggered:
            return openvdb::GRID_STAGGERED;
        case VolumeKind::kScalar:
            break;
    }
    return openvdb::GRID_UNKNOWN;
}

VolumeKind kind_of(openvdb::GridClass grid_class) {
    switch (grid_class) {
        case openvdb::GRID_FOG_VOLUME:
            return VolumeKind::kFog;
        case openvdb::GRID_LEVEL_SET:
            return VolumeKind::kLevelSet;
        case openvdb::GRID_STAGGERED:
            return VolumeKind::kStaggered;
        case openvdb::GRID_UNKNOWN:
            break;
    }
    return VolumeKind::kScalar;
}

template <class Grid, class Store>
void read_leaves(const Grid& grid, Volume& volume, Store&& store) {
    std::vector<Vec<int, 3>> tiles;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
        tiles.push_back({leaf->origin()[0], leaf->origin()[1], leaf->origin()[2]});
    volume.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
    for (auto& values : volume.values) values = Array<float>(512 * tiles.size());
    std::size_t at = 0;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
        for (openvdb::Index i = 0; i < 512; ++i) store(at++, leaf->getValue(i));
}

openvdb::GridBase::Ptr grid_of(const Volume& volume, const VdbOptions& options) {
    SPUME_CHECK_OP(volume.values.size(), ==, static_cast<std::size_t>(volume.components));
    const std::size_t cells = volume.tiles.size() * static_cast<std::size_t>(product(volume.side));
    for (const auto& values : volume.values) SPUME_CHECK_OP(values.size(), ==, cells);
    openvdb::GridBase::Ptr grid;
    if (volume.components == 3) {
        auto vectors = openvdb::Vec3SGrid::create(openvdb::Vec3f(volume.background));
        fill(*vectors, volume,
             VectorVoxel{volume.values[0].data(), volume.values[1].data(), volume.values[2].data(),
                         volume.background});
        vectors->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
        grid = vectors;
    } else {
        SPUME_CHECK_OP(volume.components, ==, 1);
        auto scalars = openvdb::FloatGrid::create(volume.background);
        fill(*scalars, volume,
             ScalarVoxel{volume.values[0].data(), volume.background,
                         volume.kind == VolumeKind::kLevelSet});
        grid = scalars;
    }
    grid->setName(volume.name);
    grid->setGridClass(class_of(volume.kind));
    grid->setTransform(transform_of(volume));
    grid->setSaveFloatAsHalf(options.half);
    if (!volume.unit.empty()) grid->insertMeta("unit", openvdb::StringMetadata(volume.unit));
    return grid;
}

}  // namespace

std::string encode_vdb(const Volume& volume, const VdbOptions& options) {
    return encode_vdb_volumes({volume}, options);
}

std::string encode_vdb_volumes(const std::vector<Volume>& volumes, const VdbOptions& options,
                               const PointSet* points) {
    openvdb::initialize();
    openvdb::GridCPtrVec grids;
    for (const Volume& volume : volumes) grids.push_back(grid_of(volume, options));
    if (points) grids.push_back(point_grid_of(*points, options));
    return archive_of(grids);
}

Volume decode_vdb_volume(std::string_view bytes, const std::string& file) {
    for (const auto& grid : grids_of(bytes, file)) {
        Volume volume;
        volume.name = grid->getName();
        volume.kind = kind_of(grid->getGridClass());
        volume.voxel = grid->voxelSize()[0];
        const auto corner = grid->transform().indexToWorld(openvdb::Vec3d(-0.5));
        volume.origin = {corner[0], corner[1], corner[2]};
        if (auto scalars = openvdb::gridPtrCast<openvdb::FloatGrid>(grid)) {
            volume.background = scalars->background();
            volume.values.resize(1);
            read_leaves(*scalars, volume, [to = &volume.values](std::size_t at, float value) {
                (*to)[0].write()[at] = value;
            });
            return volume;
        }
        if (auto vectors = openvdb::gridPtrCast<openvdb::Vec3SGrid>(grid)) {
            volume.components = 3;
            volume.background = vectors->background()[0];
            volume.values.resize(3);
            read_leaves(*vectors, volume,
                        [to = &volume.values](std::size_t at, const openvdb::Vec3f& value) {
                            for (std::size_t axis = 0; axis < 3; ++axis)
                                (*to)[axis].write()[at] = value[static_cast<int>(axis)];
                        });
            return volume;
        }
    }
    throw error_in_file(file, "no grid of floats or vectors", "name a volume of a Spume cache");
}

}  // namespace spume
