// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/vdb_foreign_grids.h"

#include <cctype>
#include <cmath>
#include <span>

#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>

namespace spume {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::points::PointDataGrid;

namespace {

constexpr const char* kSurfaces[] = {"surface",  "phi",       "sdf",  "liquid",
                                     "levelset", "ls_liquid", "fill", "alpha.water"};
constexpr const char* kSolids[] = {"collision",    "collider", "solid", "surface",
                                   "phi_obstacle", "phi",      "sdf"};
constexpr std::size_t kMostBlocks = std::size_t(1) << 19;  // 4 GB of values
constexpr std::size_t kMostPoints = std::size_t(1) << 27;
constexpr int kFarthest = 1 << 28;

Coord near_enough(const ForeignGrids& grids, const std::string& name, const Coord& origin) {
    for (int a = 0; a < 3; ++a)
        if (std::abs(origin[a]) > kFarthest)
            grids.refuse(fmt::format("\"{}\" reaches to voxel {}", name, origin[a]),
                         "move the liquid nearer to the origin of its grid");
    return origin;
}

[[noreturn]] void refuse_size(const ForeignGrids& grids, const std::string& name) {
    grids.refuse(fmt::format("\"{}\" has more than {} voxels of liquid", name, kMostBlocks * 512),
                 "cut it to the domain");
}

template <class Grid>
std::set<Coord> leaves(const ForeignGrids& grids, const Grid& grid) {
    std::set<Coord> blocks;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        blocks.insert(near_enough(grids, grid.getName(), leaf->origin()));
        if (blocks.size() > kMostBlocks) refuse_size(grids, grid.getName());
    }
    return blocks;
}

std::string in_small(std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

}  // namespace

std::string ForeignGrids::spelled(const std::string& name) const {
    if (find(name)) return name;
    for (const auto& [own, grid] : by_name)
        if (in_small(own) == name) return own;
    return {};
}

ForeignGrids grids_in(const std::string& path) {
    openvdb::initialize();
    using Truncated =
        openvdb::points::TypedAttributeArray<std::int32_t, openvdb::points::TruncateCodec>;
    if (!Truncated::isRegistered()) Truncated::registerType();
    ForeignGrids r{path, {}};
    try {
        openvdb::io::File file(path);
        file.open(/*delayLoad=*/false);
        std::set<std::string> seen;
        for (auto name = file.beginName(); name != file.endName(); ++name) {
            const std::string unique = name.gridName(), bare = unique.substr(0, unique.find('['));
            if (!seen.insert(bare).second)
                r.refuse(fmt::format("two grids are called \"{}\"", bare),
                         "give each grid of the file a name of its own and write it again");
            // Points may be large, and nobody asks for them.
            auto head = file.readGridMetadata(unique);
            r.by_name[bare] =
                head->isType<openvdb::points::PointDataGrid>() ? head : file.readGrid(unique);
        }
    } catch (const openvdb::Exception& error) {
        r.refuse(error.what(), "the file is damaged, half copied or not a VDB");
    }
    return r;
}

bool is_mantaflow(const ForeignGrids& grids) {
    if (grids.path.find("fluid_data_") != std::string::npos) return true;
    for (const auto& [name, grid] : grids.by_name)
        for (auto m = grid->beginMeta(); m != grid->endMeta(); ++m)
            if (m->first == "file_base_resolution") return true;
    return grids.find("phi_particles") || (grids.find("particles") && grids.find("velocity"));
}

FloatGrid::Ptr level_set_of(const ForeignGrids& grids, const ForeignRequest& request,
                            std::string& name) {
    const bool solid = request.use == ForeignUse::kSolid;
    const char* const key = solid ? "grid" : "bulk.surface_grid";
    name = request.surface;
    const auto known =
        solid ? std::span<const char* const>(kSolids) : std::span<const char* const>(kSurfaces);
    for (const char* usual : known)
        if (name.empty()) name = grids.spelled(usual);
    if (name.empty()) return nullptr;
    const auto grid = grids.find(name);
    if (!grid)
        grids.refuse(fmt::format("there is no grid \"{}\"", name),
                     fmt::format("set {} to one of: {}", key, grids.names()));
    auto scalars = openvdb::gridPtrCast<FloatGrid>(grid);
    if (!scalars)
        grids.refuse(
            fmt::format("\"{}\" is of type {}, a level set is of floats", name, grid->valueType()),
            fmt::format("set {} to one of: {}", key, grids.names()));
    const bool fill = is_fill(*scalars);
    if (solid && fill)
        grids.refuse(fmt::format("\"{}\" is no level set: it holds shares of voxels, 0 to 1", name),
                     "write the solid as a level set (Houdini: VDB from Polygons, distance)");
    if (!fill && scalars->background() < 0)
        grids.refuse(fmt::format("\"{}\" is {:.3g} outside of what it holds: it is negative in the "
                                 "air",
                                 name, scalars->background()),
                     "write the level set with the other sign, negative inside");
    return scalars;
}

bool is_fill(const FloatGrid& grid) {
    // Values of a fill overshoot a little where a program filters them.
    constexpr float kMost = 1.5F, kFull = 0.5F, kNone = -1e-4F;
    if (grid.getGridClass() == openvdb::GRID_LEVEL_SET || grid.background() != 0) return false;
    float least = 0, most = 0;
    for (auto value = grid.cbeginValueOn(); value; ++value)
        least = std::min(least, *value), most = std::max(most, *value);
    return least > kNone && most > kFull && most < kMost;
}

double voxel_of(const ForeignGrids& grids, const openvdb::GridBase& grid, const std::string& name,
                openvdb::Vec3d& centre) {
    const auto& transform = grid.transform();
    centre = transform.indexToWorld(openvdb::Vec3d(0));
    const double h = transform.indexToWorld(openvdb::Vec3d(1, 0, 0))[0] - centre[0];
    for (int a = 0; a < 3; ++a) {
        openvdb::Vec3d unit(0), right(0);
        unit[a] = 1;
        right[a] = h;
        const auto step = transform.indexToWorld(unit) - centre;
        if (!transform.isLinear() || !(h > 0) || (step - right).length() > 1e-4 * h)
            grids.refuse(fmt::format("grid \"{}\" is rotated, stretched or tapered", name),
                         "resample it to cubes along the axes");
        if (!(std::abs(centre[a]) < 1e9))
            grids.refuse(fmt::format("grid \"{}\" lies {:.3g} away", name, centre[a]),
                         "move it nearer to the origin");
    }
    return h;
}

std::set<Coord> blocks_of(const ForeignGrids& grids, const FloatGrid& surface, bool fill) {
    std::set<Coord> blocks;
    const std::string name = surface.getName();
    const auto add = [&](const Coord& origin) {
        blocks.insert(near_enough(grids, name, origin));
        if (blocks.size() > kMostBlocks) refuse_size(grids, name);
    };
    for (auto leaf = surface.tree().cbeginLeaf(); leaf; ++leaf) add(leaf->origin());
    for (auto value = surface.tree().cbeginValueAll(); value; ++value) {
        if (value.isVoxelValue() || !(fill ? *value > 0.5F : *value < 0)) continue;
        openvdb::CoordBBox box;
        value.getBoundingBox(box);
        const Coord lo = box.min() & ~7;
        if (double(box.dim()[0]) * box.dim()[1] * box.dim()[2] > 512.0 * double(kMostBlocks))
            refuse_size(grids, name);
        for (int i = lo[0]; i <= box.max()[0]; i += 8)
            for (int j = lo[1]; j <= box.max()[1]; j += 8)
                for (int k = lo[2]; k <= box.max()[2]; k += 8) add({i, j, k});
    }
    if (!fill) return blocks;
    // A fill ends with its last voxel, whose outer face belongs to the block beside.
    const std::set<Coord> own = blocks;
    for (const Coord& at : own)
        for (int a = 0; a < 3; ++a)
            for (const int way : {-8, 8}) {
                Coord beside = at;
                beside[a] += way;
                add(beside);
            }
    return blocks;
}

std::set<Coord> leaves_of(const ForeignGrids& grids, const FloatGrid& grid) {
    return leaves<FloatGrid>(grids, grid);
}
std::set<Coord> leaves_of(const ForeignGrids& grids, const openvdb::Vec3SGrid& grid) {
    return leaves<openvdb::Vec3SGrid>(grids, grid);
}

std::vector<openvdb::Vec3d> points_of(const ForeignGrids& grids) {
    std::string name;
    for (const auto& [one, grid] : grids.by_name)
        if (grid->isType<PointDataGrid>() && (name.empty() || one == "particles")) name = one;
    std::vector<openvdb::Vec3d> r;
    if (name.empty()) return r;
    try {
        openvdb::io::File file(grids.path);
        file.open(/*delayLoad=*/false);
        const auto grid = openvdb::gridPtrCast<PointDataGrid>(file.readGrid(name));
        const auto count = openvdb::points::pointCount(grid->tree());
        if (count > kMostPoints)
            grids.refuse(fmt::format("\"{}\" holds {} points", name, count),
                         "bake the cache with a level set: Cache > Is Resumable in Blender");
        r.reserve(count);
        for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
            near_enough(grids, name, leaf->origin());
            const openvdb::points::AttributeHandle<openvdb::Vec3f> places(
                leaf->constAttributeArray("P"));
            for (auto i = leaf->beginIndexOn(); i; ++i)
                r.push_back(grid->transform().indexToWorld(i.getCoord().asVec3d() +
                                                           openvdb::Vec3d(places.get(*i))));
        }
    } catch (const openvdb::Exception& error) {
        grids.refuse(fmt::format("points \"{}\": {}", name, error.what()),
                     "the file is damaged or half copied");
    }
    return r;
}

}  // namespace spume
