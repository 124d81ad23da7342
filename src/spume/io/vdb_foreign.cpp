// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <limits>

#include <openvdb/tools/ChangeBackground.h>
#include <openvdb/tools/VolumeToMesh.h>

#include "spume/io/vdb_foreign_grids.h"

namespace spume {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;

constexpr std::size_t kMostVertices = std::size_t(1) << 26;

/// (x, y, z) of the file is (x, z, −y) of ours.
Vec<double, 3> on_our_axes(const openvdb::Vec3d& x, bool z_up) {
    return z_up ? Vec<double, 3>{x[0], x[2], -x[1]} : Vec<double, 3>{x[0], x[1], x[2]};
}

[[noreturn]] void refuse_nan(const ForeignGrids& grids, const std::string& name, const Coord& at) {
    grids.refuse(
        fmt::format("\"{}\" is not a number at voxel ({}, {}, {})", name, at[0], at[1], at[2]),
        "simulate the frame again");
}

/// What of the file goes into a block: all but its points and meshes.
class Reading {
  public:
    Reading(const ForeignGrids& grids, const FloatGrid* surface, const ForeignVelocity& velocity,
            ForeignFrame& r)
        : grids_(grids), velocity_(velocity), r_(r) {
        if (!surface) return;
        values_ = std::make_unique<FloatGrid::ConstAccessor>(surface->getConstAccessor());
        background_ = surface->background();
    }

    void block(std::size_t t, const Coord& corner) {
        // Cell j along the file's y is cell −1 − j along our z.
        r_.tiles.write()[t] = r_.z_up ? Vec<int, 3>{corner[0], corner[2], -8 - corner[1]}
                                      : Vec<int, 3>{corner[0], corner[1], corner[2]};
        const Vec<int, 3> lo = r_.tiles[t];
        for (int o = 0; o < 512; ++o) {
            const int i = lo[0] + (o >> 6), j = lo[1] + (o >> 3 & 7), k = lo[2] + (o & 7);
            const Coord ijk = r_.z_up ? Coord(i, -1 - k, j) : Coord(i, j, k);
            const std::size_t at = t * 512 + std::size_t(o);
            const bool known = faces(at, ijk);
            if (!values_) continue;
            const float phi = level(ijk);
            r_.phi.write()[at] = phi;
            if (phi < 0) {
                ++liquid_;
                if (!known) ++still_;
            }
        }
    }
    double still() const { return liquid_ ? double(still_) / double(liquid_) : 0; }

  private:
    /// The lower faces of a cell; is one of them known?
    bool faces(std::size_t at, const Coord& ijk) {
        bool known = false;
        for (int axis = 0; axis < 3; ++axis) {
            // The middle of our lower face across `axis`, in the file's index space.
            const int theirs = r_.z_up && axis > 0 ? 3 - axis : axis;
            const bool turned = r_.z_up && axis == 2;
            openvdb::Vec3d x(ijk[0], ijk[1], ijk[2]);
            x[theirs] += turned ? 0.5 : -0.5;
            float v = 0;
            known = velocity_.sample(theirs, x, v) || known;
            if (!std::isfinite(v)) refuse_nan(grids_, velocity_.name(), ijk);
            r_.u[axis].write()[at] = turned ? -v : v;
        }
        return known;
    }
    float level(const Coord& ijk) const {
        float phi = 0;
        // A level set whose background is 0 holds air where it holds nothing.
        const bool known = values_->probeValue(ijk, phi);
        if (r_.fill)
            phi = float(std::clamp(0.5 - double(phi), -0.5, 0.5) * r_.voxel);
        else if (!known && background_ <= 0 && phi == background_)
            phi = std::numeric_limits<float>::max();
        if (!std::isfinite(phi)) refuse_nan(grids_, r_.surface, ijk);
        return phi;
    }

    const ForeignGrids& grids_;
    const ForeignVelocity& velocity_;
    ForeignFrame& r_;
    std::unique_ptr<FloatGrid::ConstAccessor> values_;
    float background_ = 0;
    std::size_t liquid_ = 0, still_ = 0;
};

[[noreturn]] void refuse_no_surface(const ForeignGrids& grids, bool mantaflow, bool solid) {
    if (mantaflow && !solid)
        grids.refuse(
            "there is no level set and there are no particles: Mantaflow writes phi only into "
            "caches that can be resumed",
            "switch on Cache > Is Resumable in Blender and bake the data again");
    grids.refuse(
        "there is no level set of a usual name",
        fmt::format("set {} to one of: {}", solid ? "grid" : "bulk.surface_grid", grids.names()));
}

/// The surface of a level set as triangles, for bodies.
void take_mesh(const ForeignGrids& grids, const FloatGrid& surface, ForeignFrame& r) {
    for (auto value = surface.cbeginValueOn(); value; ++value)
        if (!std::isfinite(*value)) refuse_nan(grids, r.surface, value.getCoord());
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    // Dense grids of background 0 are air outside.
    FloatGrid::Ptr solid = surface.deepCopy();
    if (solid->background() <= 0) {
        const float air = static_cast<float>(3 * r.voxel);
        openvdb::tools::changeBackground(solid->tree(), air);
    }
    openvdb::tools::volumeToMesh(*solid, points, triangles, quads, 0.0);
    if (points.size() > kMostVertices)
        grids.refuse(fmt::format("\"{}\" has {} vertices", r.surface, points.size()),
                     "write it at a coarser resolution");
    r.vertices = Array<Vec<float, 3>>(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        r.vertices.write()[i] = on_our_axes(openvdb::Vec3d(points[i]), r.z_up).as<float>();
    r.triangles = Array<Vec<std::int32_t, 3>>(triangles.size() + 2 * quads.size());
    auto out = r.triangles.write();
    std::size_t n = 0;
    // OpenVDB goes round the other way.
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        out[n++] = {std::int32_t(a), std::int32_t(c), std::int32_t(b)};
    };
    for (const auto& t : triangles) add(t[0], t[1], t[2]);
    for (const auto& q : quads) add(q[0], q[1], q[2]), add(q[0], q[2], q[3]);
}

ForeignFrame read_solid(const ForeignGrids& grids, const ForeignRequest& request) {
    ForeignFrame r;
    r.mantaflow = is_mantaflow(grids);
    const FloatGrid::Ptr surface = level_set_of(grids, request, r.surface);
    if (!surface) refuse_no_surface(grids, r.mantaflow, true);
    r.z_up = request.up == UpAxis::kZ || (request.up == UpAxis::kAutomatic && r.mantaflow);
    openvdb::Vec3d centre;
    r.voxel = voxel_of(grids, *surface, r.surface, centre);
    blocks_of(grids, *surface);  // refuses what is too large
    take_mesh(grids, *surface, r);
    return r;
}

}  // namespace

ForeignFrame read_foreign_vdb(const std::string& path, const ForeignRequest& request) {
    const ForeignGrids grids = grids_in(path);
    if (request.use == ForeignUse::kSolid) return read_solid(grids, request);
    ForeignFrame r;
    r.mantaflow = is_mantaflow(grids);
    const FloatGrid::Ptr surface = level_set_of(grids, request, r.surface);
    r.z_up = request.up == UpAxis::kZ || (request.up == UpAxis::kAutomatic && r.mantaflow);
    if (!surface) {
        // Particles, or a mesh that Mantaflow keeps beside, stand for it.
        const auto points = points_of(grids);
        if (points.empty() && !r.mantaflow) refuse_no_surface(grids, false, false);
        r.points = Array<Vec<float, 3>>(points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            r.points.write()[i] = on_our_axes(points[i], r.z_up).as<float>();
    }
    r.fill = surface && is_fill(*surface);
    const ForeignVelocity velocity(grids, request, surface.get());
    r.velocity = velocity.name();
    r.on_faces = velocity.on_faces();
    r.voxel = velocity.voxel();
    r.origin = on_our_axes(velocity.centre() - openvdb::Vec3d(0.5 * r.voxel), r.z_up);

    const auto blocks = surface ? blocks_of(grids, *surface, r.fill) : velocity.blocks();
    r.tiles = Array<Vec<int, 3>>(blocks.size());
    if (surface) r.phi = Array<float>(blocks.size() * 512);
    for (auto& u : r.u) u = Array<float>(blocks.size() * 512);
    Reading reading(grids, surface.get(), velocity, r);
    std::size_t t = 0;
    for (const Coord& block : blocks) reading.block(t++, block);
    r.still = reading.still();
    return r;
}

}  // namespace spume
