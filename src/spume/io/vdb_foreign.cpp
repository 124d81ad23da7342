// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include <fmt/core.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointDataGrid.h>

#include "spume/core/error.h"
#include "spume/io/foreign_frame.h"

namespace spume {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Vec3SGrid;

constexpr const char* kSurfaces[] = {"surface", "phi", "sdf", "liquid", "levelset", "ls_liquid"};
constexpr const char* kVelocities[] = {"vel", "velocity", "v", "Velocity"};
constexpr std::size_t kMostBlocks = std::size_t(1) << 19;  // 4 GB of values
constexpr int kFarthest = 1 << 28;

struct Grids {
    std::string path;
    std::map<std::string, openvdb::GridBase::Ptr> by_name;

    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
        throw error_in_file(path, what, remedy);
    }
    std::string names() const {
        std::string r;
        for (const auto& [name, grid] : by_name)
            r += fmt::format("{}{} ({})", r.empty() ? "" : ", ", name, grid->valueType());
        return r.empty() ? "none" : r;
    }
    openvdb::GridBase::Ptr find(const std::string& name) const {
        const auto at = by_name.find(name);
        return at == by_name.end() ? nullptr : at->second;
    }
};

Grids grids_in(const std::string& path) {
    openvdb::initialize();
    using Truncated =
        openvdb::points::TypedAttributeArray<std::int32_t, openvdb::points::TruncateCodec>;
    if (!Truncated::isRegistered()) Truncated::registerType();
    Grids r{path, {}};
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

bool is_mantaflow(const Grids& grids) {
    if (grids.path.find("fluid_data_") != std::string::npos) return true;
    for (const auto& [name, grid] : grids.by_name)
        for (auto m = grid->beginMeta(); m != grid->endMeta(); ++m)
            if (m->first == "file_base_resolution") return true;
    return grids.find("phi_particles") || (grids.find("particles") && grids.find("velocity"));
}

FloatGrid::Ptr surface_of(const Grids& grids, const std::string& asked, bool mantaflow,
                          std::string& name) {
    name = asked;
    for (const char* known : kSurfaces)
        if (name.empty() && grids.find(known)) name = known;
    const auto grid = grids.find(name);
    if (!grid && mantaflow && asked.empty())
        grids.refuse(
            "there is no level set: Mantaflow writes phi only into caches that can be "
            "resumed",
            "switch on Cache > Is Resumable in Blender and bake the data again");
    if (!grid)
        grids.refuse(asked.empty() ? "there is no level set of a usual name"
                                   : fmt::format("there is no grid \"{}\"", asked),
                     "set bulk.surface_grid to one of: " + grids.names());
    const auto scalars = openvdb::gridPtrCast<FloatGrid>(grid);
    if (!scalars)
        grids.refuse(
            fmt::format("\"{}\" is of type {}, a level set is of floats", name, grid->valueType()),
            "set bulk.surface_grid to one of: " + grids.names());
    return scalars;
}

/// Voxel edge of a grid that lies square; its value at (0, 0, 0) is at `centre`.
double voxel_of(const Grids& grids, const openvdb::GridBase& grid, const std::string& name,
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

/// One component of a velocity at places of the surface's lattice.
class Component {
  public:
    Component(const Vec3SGrid::Ptr& grid, int axis, const openvdb::Vec3d& shift)
        : vectors_(grid),
          vector_values_(std::make_unique<Vec3SGrid::ConstAccessor>(grid->getConstAccessor())),
          axis_(axis),
          shift_(shift) {}
    Component(const FloatGrid::Ptr& grid, const openvdb::Vec3d& shift)
        : scalars_(grid),
          scalar_values_(std::make_unique<FloatGrid::ConstAccessor>(grid->getConstAccessor())),
          shift_(shift) {}

    /// At index coordinate x of the surface: among the voxels around it those that are active.
    bool sample(const openvdb::Vec3d& x, float& value) const {
        const openvdb::Vec3d at = x + shift_;
        Coord low;
        double w[3];
        for (int a = 0; a < 3; ++a) {
            double base = std::floor(at[a] + 1e-3);
            w[a] = std::max(at[a] - base, 0.0);
            if (w[a] < 2e-3) w[a] = 0;
            low[a] = int(base);
        }
        double sum = 0, weight = 0;
        for (int c = 0; c < 8; ++c) {
            double share = 1;
            Coord ijk = low;
            for (int a = 0; a < 3; ++a) {
                share *= c >> a & 1 ? w[a] : 1 - w[a];
                ijk[a] += c >> a & 1;
            }
            float v = 0;
            if (share == 0 || !read(ijk, v)) continue;
            sum += share * double(v);
            weight += share;
        }
        if (weight == 0) return false;
        value = float(sum / weight);
        return true;
    }

  private:
    bool read(const Coord& ijk, float& v) const {
        if (scalars_) return scalar_values_->probeValue(ijk, v);
        openvdb::Vec3f all;
        const bool active = vector_values_->probeValue(ijk, all);
        v = all[axis_];
        return active;
    }
    Vec3SGrid::Ptr vectors_;
    FloatGrid::Ptr scalars_;
    std::unique_ptr<Vec3SGrid::ConstAccessor> vector_values_;
    std::unique_ptr<FloatGrid::ConstAccessor> scalar_values_;
    int axis_ = 0;
    openvdb::Vec3d shift_;
};

struct Velocity {
    std::vector<Component> components;
    std::string name;
    bool on_faces = false;
};

/// `asked` or a usual name; a vector grid, or three of floats with .x .y .z or x y z behind it.
Velocity velocity_of(const Grids& grids, const ForeignRequest& request, const FloatGrid& surface,
                     bool mantaflow) {
    std::vector<std::string> names(std::begin(kVelocities), std::end(kVelocities));
    if (!request.velocity.empty()) names = {request.velocity};
    openvdb::Vec3d centre, other;
    const double h = voxel_of(grids, surface, surface.getName(), centre);
    Velocity r;
    const auto shift_of = [&](const openvdb::GridBase& grid, const std::string& name) {
        const double own = voxel_of(grids, grid, name, other);
        if (std::abs(own / h - 1) > 1e-4)
            grids.refuse(
                fmt::format("\"{}\" has voxels of {:.6g}, the level set {:.6g}", name, own, h),
                "write both at one resolution");
        return (centre - other) / h;
    };
    for (const std::string& name : names) {
        const auto whole = grids.find(name);
        if (whole) {
            const auto vectors = openvdb::gridPtrCast<Vec3SGrid>(whole);
            if (!vectors)
                grids.refuse(fmt::format("\"{}\" is of type {}, a velocity is of vectors of floats",
                                         name, whole->valueType()),
                             "set bulk.velocity_grid to one of: " + grids.names());
            r.on_faces = request.places == VelocityPlaces::kFaces ||
                         (request.places == VelocityPlaces::kAutomatic &&
                          (mantaflow || whole->getGridClass() == openvdb::GRID_STAGGERED));
            for (int a = 0; a < 3; ++a) {
                auto shift = shift_of(*whole, name);
                // On faces, voxel i holds that between i − 1 and i: half a voxel below its middle.
                if (r.on_faces) shift[a] += 0.5;
                r.components.emplace_back(vectors, a, shift);
            }
            r.name = name;
            return r;
        }
        for (const char* dot : {".", "_", ""}) {
            FloatGrid::Ptr parts[3];
            for (int a = 0; a < 3; ++a)
                if (const auto part = grids.find(name + dot + "xyz"[a]))
                    parts[a] = openvdb::gridPtrCast<FloatGrid>(part);
            if (!parts[0] || !parts[1] || !parts[2]) continue;
            const auto first = shift_of(*parts[0], name), second = shift_of(*parts[1], name);
            // Components on faces have transforms of their own, or the class of grids that do.
            const bool apart = (first - second).length() > 0.25;
            r.on_faces = apart || request.places == VelocityPlaces::kFaces ||
                         (request.places == VelocityPlaces::kAutomatic &&
                          parts[0]->getGridClass() == openvdb::GRID_STAGGERED);
            for (int a = 0; a < 3; ++a) {
                auto shift = shift_of(*parts[a], name);
                if (r.on_faces && !apart) shift[a] += 0.5;
                r.components.emplace_back(parts[a], shift);
            }
            r.name = name + dot + "xyz";
            return r;
        }
    }
    grids.refuse(request.velocity.empty()
                     ? "there is no velocity of a usual name"
                     : fmt::format("there is no grid \"{}\"", request.velocity),
                 "set bulk.velocity_grid to one of: " + grids.names());
}

/// Blocks of 8³ that hold liquid or the surface: leaves, and what tiles inside stand for.
std::set<Coord> blocks_of(const Grids& grids, const FloatGrid& surface) {
    std::set<Coord> blocks;
    const auto add = [&](const Coord& origin) {
        for (int a = 0; a < 3; ++a)
            if (std::abs(origin[a]) > kFarthest)
                grids.refuse(
                    fmt::format("\"{}\" reaches to voxel {}", surface.getName(), origin[a]),
                    "move the liquid nearer to the origin of its grid");
        blocks.insert(origin);
        if (blocks.size() > kMostBlocks)
            grids.refuse(fmt::format("\"{}\" has more than {} voxels of liquid", surface.getName(),
                                     kMostBlocks * 512),
                         "cut it to the domain");
    };
    for (auto leaf = surface.tree().cbeginLeaf(); leaf; ++leaf) add(leaf->origin());
    for (auto value = surface.tree().cbeginValueAll(); value; ++value) {
        if (value.isVoxelValue() || !(*value < 0)) continue;
        openvdb::CoordBBox box;
        value.getBoundingBox(box);
        const Coord lo = box.min() & ~7;
        if (double(box.dim()[0]) * box.dim()[1] * box.dim()[2] > 512.0 * double(kMostBlocks))
            grids.refuse(fmt::format("\"{}\" has more than {} voxels of liquid", surface.getName(),
                                     kMostBlocks * 512),
                         "cut it to the domain");
        for (int i = lo[0]; i <= box.max()[0]; i += 8)
            for (int j = lo[1]; j <= box.max()[1]; j += 8)
                for (int k = lo[2]; k <= box.max()[2]; k += 8) add({i, j, k});
    }
    return blocks;
}

}  // namespace

ForeignFrame read_foreign_vdb(const std::string& path, const ForeignRequest& request) {
    const Grids grids = grids_in(path);
    ForeignFrame r;
    r.mantaflow = is_mantaflow(grids);
    const FloatGrid::Ptr surface = surface_of(grids, request.surface, r.mantaflow, r.surface);
    const Velocity velocity = velocity_of(grids, request, *surface, r.mantaflow);
    r.velocity = velocity.name;
    r.on_faces = velocity.on_faces;
    r.z_up = request.up == UpAxis::kZ || (request.up == UpAxis::kAutomatic && r.mantaflow);
    openvdb::Vec3d centre;
    r.voxel = voxel_of(grids, *surface, r.surface, centre);
    const openvdb::Vec3d corner = centre - openvdb::Vec3d(0.5 * r.voxel);
    r.origin = r.z_up ? Vec<double, 3>{corner[0], corner[2], -corner[1]}
                      : Vec<double, 3>{corner[0], corner[1], corner[2]};

    const auto blocks = blocks_of(grids, *surface);
    r.tiles = Array<Vec<int, 3>>(blocks.size());
    r.phi = Array<float>(blocks.size() * 512);
    for (auto& u : r.u) u = Array<float>(blocks.size() * 512);
    const auto values = surface->getConstAccessor();
    const float far_air = std::numeric_limits<float>::max();
    const bool no_background = surface->background() <= 0;
    std::size_t liquid = 0, still = 0, t = 0;
    // (x, y, z) of the file is (x, z, −y) of ours: cell j along y is cell −1 − j along z.
    for (const Coord& block : blocks) {
        r.tiles.write()[t] = r.z_up ? Vec<int, 3>{block[0], block[2], -8 - block[1]}
                                    : Vec<int, 3>{block[0], block[1], block[2]};
        const Vec<int, 3> lo = r.tiles[t];
        for (int o = 0; o < 512; ++o) {
            const int i = lo[0] + (o >> 6), j = lo[1] + (o >> 3 & 7), k = lo[2] + (o & 7);
            const Coord ijk = r.z_up ? Coord(i, -1 - k, j) : Coord(i, j, k);
            const std::size_t at = t * 512 + std::size_t(o);
            float phi = 0;
            if (!values.probeValue(ijk, phi) && no_background && phi == surface->background())
                phi = far_air;
            bool known = false;
            for (int axis = 0; axis < 3; ++axis) {
                // The middle of our lower face across `axis`, in the file's index space.
                const int theirs = r.z_up && axis > 0 ? 3 - axis : axis;
                openvdb::Vec3d x(ijk[0], ijk[1], ijk[2]);
                x[theirs] += r.z_up && axis == 2 ? 0.5 : -0.5;
                float v = 0;
                known = velocity.components[std::size_t(theirs)].sample(x, v) || known;
                r.u[axis].write()[at] = r.z_up && axis == 2 ? -v : v;
                if (!std::isfinite(v))
                    grids.refuse(fmt::format("\"{}\" is not a number at voxel ({}, {}, {})",
                                             velocity.name, ijk[0], ijk[1], ijk[2]),
                                 "simulate the frame again");
            }
            if (!std::isfinite(phi))
                grids.refuse(fmt::format("\"{}\" is not a number at voxel ({}, {}, {})", r.surface,
                                         ijk[0], ijk[1], ijk[2]),
                             "simulate the frame again");
            r.phi.write()[at] = phi;
            liquid += phi < 0;
            still += phi < 0 && !known;
        }
        ++t;
    }
    r.still = liquid ? double(still) / double(liquid) : 0;
    return r;
}

}  // namespace spume
