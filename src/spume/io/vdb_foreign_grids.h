// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <openvdb/openvdb.h>

#include "spume/core/error.h"
#include "spume/io/foreign_frame.h"

namespace spume {

/// The grids of a foreign file by their names; of points the metadata only.
struct ForeignGrids {
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
    /// What a name of ours is called in the file, which may write it in capitals; empty: not there.
    std::string spelled(const std::string& name) const;
};

/// UserError for two grids of one name, and where OpenVDB cannot read the file.
ForeignGrids grids_in(const std::string& path);

/// Did Mantaflow write it?
bool is_mantaflow(const ForeignGrids& grids);

/// The level set: the one asked for, or the first of usual names; none where none of these is
/// there. UserError where the one asked for is missing, or it is no grid of floats.
openvdb::FloatGrid::Ptr level_set_of(const ForeignGrids& grids, const ForeignRequest& request,
                                     std::string& name);

/// Does it hold the share of each voxel that liquid fills, 0 to 1, in place of a distance?
bool is_fill(const openvdb::FloatGrid& grid);

/// Voxel edge of a grid that lies square; its value at (0, 0, 0) is at `centre`. UserError for any
/// other, and for one that lies too far away.
double voxel_of(const ForeignGrids& grids, const openvdb::GridBase& grid, const std::string& name,
                openvdb::Vec3d& centre);

/// Lower corners of the blocks of 8³ that leaves of a tree hold, and of those that its tiles inside
/// stand for (values below zero; of a fill above a half). UserError for too many.
std::set<openvdb::Coord> blocks_of(const ForeignGrids& grids, const openvdb::FloatGrid& surface,
                                   bool fill = false);
std::set<openvdb::Coord> leaves_of(const ForeignGrids& grids, const openvdb::FloatGrid& grid);
std::set<openvdb::Coord> leaves_of(const ForeignGrids& grids, const openvdb::Vec3SGrid& grid);

/// Positions of the points grid `particles` of a file, or of the only one, in world space; none
/// without. UserError for more than can be read.
std::vector<openvdb::Vec3d> points_of(const ForeignGrids& grids);

/// A component of values that are means of two faces along its axis, back on the faces: voxel i has
/// that between i − 1 and i.
openvdb::FloatGrid::Ptr faces_of_means(const openvdb::FloatGrid& means, int axis);
openvdb::FloatGrid::Ptr faces_of_means(const openvdb::Vec3SGrid& means, int axis);

/// Velocities on the lattice of a level set, or of their own where there is none.
class ForeignVelocity {
  public:
    ForeignVelocity(const ForeignGrids& grids, const ForeignRequest& request,
                    const openvdb::FloatGrid* surface);
    ~ForeignVelocity();
    const std::string& name() const { return name_; }
    bool on_faces() const { return on_faces_; }
    double voxel() const { return voxel_; }
    const openvdb::Vec3d& centre() const { return centre_; }  ///< of voxel (0, 0, 0)
    const std::set<openvdb::Coord>& blocks() const { return blocks_; }
    /// Component `axis` at index coordinate x: the mean of the voxels around it that are active;
    /// false where none is.
    bool sample(int axis, const openvdb::Vec3d& x, float& value) const;

  private:
    class Component;
    /// A component as it is stored; one of means in cells also as faces rebuilt from them.
    template <class Grid>
    void add(const typename Grid::Ptr& grid, int axis, openvdb::Vec3d shift);

    std::vector<std::unique_ptr<Component>> components_;
    std::vector<std::unique_ptr<Component>> rebuilt_;  ///< on faces, from means in cells
    std::string name_;
    bool on_faces_ = false;
    double voxel_ = 1;
    openvdb::Vec3d centre_{0};
    std::set<openvdb::Coord> blocks_;
};

}  // namespace spume
