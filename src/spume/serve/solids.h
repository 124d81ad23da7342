// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <string>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/io/manifest.h"
#include "spume/render/body_mesh.h"
#include "spume/scene/bodies.h"

namespace spume {

/// The solids of a cache's scene. A mesh the scene names is read only while it is still the file
/// that the run used; a solid that cannot be shown is left out, the others remain.
class SceneSolids {
  public:
    SceneSolids() = default;
    explicit SceneSolids(const Manifest& manifest);

    std::size_t count() const { return bodies_.size() + flat_.size(); }
    bool move() const;
    /// All of them at a time, as one mesh; those the run moves where the frame has them. In 2D they
    /// are as thick as a voxel.
    TriangleMesh at(double time, std::span<const BodyPose> moved = {}) const;

    /// Of one: its place among the scene's solids, its surface in its own frame, and where that is.
    /// The faces of one that deforms stay the same.
    int solid(std::size_t i) const { return number_[i]; }
    TriangleMesh mesh(std::size_t i, double time) const;
    bool deforms(std::size_t i) const { return flat_.empty() && bodies_[i].shape().deforms(); }
    Pose pose(std::size_t i, double time, std::span<const BodyPose> moved = {}) const;

  private:
    BodyMesh surface(std::size_t i, double time) const;

    std::vector<MovingBody<3>> bodies_;
    std::vector<MovingBody<2>> flat_;
    std::vector<int> number_;  ///< of each among the scene's solids
    bool dynamic_ = false;     ///< the run moves some
    double voxel_ = 1;
};

}  // namespace spume
