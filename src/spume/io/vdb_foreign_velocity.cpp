// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include "spume/io/vdb_foreign_grids.h"

namespace spume {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Vec3SGrid;

namespace {

constexpr const char* kVelocities[] = {"vel", "velocity", "v", "u"};

}  // namespace

/// One component at places of the surface's lattice.
class ForeignVelocity::Component {
  public:
    Component(const Vec3SGrid::Ptr& grid, int axis, const openvdb::Vec3d& shift)
        : vectors_(grid),
          vector_values_(std::make_unique<Vec3SGrid::ConstAccessor>(grid->getConstAccessor())),
          axis_(axis),
          shift_(shift) {}
    Component(const FloatGrid::Ptr& grid, int axis, const openvdb::Vec3d& shift)
        : scalars_(grid),
          scalar_values_(std::make_unique<FloatGrid::ConstAccessor>(grid->getConstAccessor())),
          axis_(axis),
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

ForeignVelocity::~ForeignVelocity() = default;

bool ForeignVelocity::sample(int axis, const openvdb::Vec3d& x, float& value) const {
    const auto at = std::size_t(axis);
    return (!on_faces_ && rebuilt_[at]->sample(x, value)) || components_[at]->sample(x, value);
}

template <class Grid>
void ForeignVelocity::add(const typename Grid::Ptr& grid, int axis, openvdb::Vec3d shift) {
    components_.push_back(std::make_unique<Component>(grid, axis, shift));
    if (on_faces_) return;
    shift[axis] += 0.5;
    rebuilt_.push_back(std::make_unique<Component>(faces_of_means(*grid, axis), axis, shift));
}

ForeignVelocity::ForeignVelocity(const ForeignGrids& grids, const ForeignRequest& request,
                                 const FloatGrid* surface) {
    std::vector<std::string> names(std::begin(kVelocities), std::end(kVelocities));
    for (std::string& usual : names)
        if (const std::string own = grids.spelled(usual); !own.empty()) usual = own;
    if (!request.velocity.empty()) names = {request.velocity};
    if (surface) voxel_ = voxel_of(grids, *surface, surface->getName(), centre_);
    bool placed = surface != nullptr;
    // The first grid gives the lattice where there is no surface; half of its voxel lower on faces
    // of their own.
    const auto shift_of = [&](const openvdb::GridBase& grid, const std::string& name, bool apart) {
        openvdb::Vec3d own_centre;
        const double own = voxel_of(grids, grid, name, own_centre);
        if (!placed) {
            voxel_ = own;
            centre_ = own_centre;
            if (apart) centre_[0] += 0.5 * own;
            placed = true;
        }
        if (std::abs(own / voxel_ - 1) > 1e-4)
            grids.refuse(
                fmt::format("\"{}\" has voxels of {:.6g}, the level set {:.6g}", name, own, voxel_),
                "write both at one resolution");
        return (centre_ - own_centre) / voxel_;
    };
    const auto staggered = [&](const openvdb::GridBase& grid) {
        return request.places == VelocityPlaces::kFaces ||
               (request.places == VelocityPlaces::kAutomatic &&
                (is_mantaflow(grids) || grid.getGridClass() == openvdb::GRID_STAGGERED));
    };
    for (const std::string& name : names) {
        if (const auto whole = grids.find(name)) {
            const auto vectors = openvdb::gridPtrCast<Vec3SGrid>(whole);
            if (!vectors)
                grids.refuse(fmt::format("\"{}\" is of type {}, a velocity is of vectors of floats",
                                         name, whole->valueType()),
                             "set bulk.velocity_grid to one of: " + grids.names());
            on_faces_ = staggered(*whole);
            for (int a = 0; a < 3; ++a) {
                auto shift = shift_of(*whole, name, false);
                // On faces, voxel i holds that between i − 1 and i: half a voxel below its middle.
                if (on_faces_) shift[a] += 0.5;
                add<Vec3SGrid>(vectors, a, shift);
            }
            name_ = name;
            blocks_ = leaves_of(grids, *vectors);
            return;
        }
        for (const char* dot : {".", "_", ""}) {
            FloatGrid::Ptr parts[3];
            for (int a = 0; a < 3; ++a)
                if (const auto part = grids.find(name + dot + "xyz"[a]))
                    parts[a] = openvdb::gridPtrCast<FloatGrid>(part);
            if (!parts[0] || !parts[1] || !parts[2]) continue;
            openvdb::Vec3d first, second;
            const double h = voxel_of(grids, *parts[0], name, first);
            voxel_of(grids, *parts[1], name, second);
            // Components on faces have transforms of their own, or the class of grids that do.
            const bool apart = (first - second).length() > 0.25 * h;
            on_faces_ = apart || staggered(*parts[0]);
            for (int a = 0; a < 3; ++a) {
                auto shift = shift_of(*parts[a], name, apart);
                if (on_faces_ && !apart) shift[a] += 0.5;
                add<FloatGrid>(parts[a], a, shift);
                blocks_.merge(leaves_of(grids, *parts[a]));
            }
            name_ = name + dot + "xyz";
            return;
        }
    }
    grids.refuse(request.velocity.empty()
                     ? "there is no velocity of a usual name"
                     : fmt::format("there is no grid \"{}\"", request.velocity),
                 "set bulk.velocity_grid to one of: " + grids.names());
}

}  // namespace spume
