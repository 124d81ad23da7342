// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/geometry/mesh_library.h"
#include "spume/geometry/moving_body.h"
#include "spume/physics/domain/solids.h"
#include "spume/scene/bodies.h"
#include "spume/scene/scene.h"

namespace spume {

/// The solids of a scene: built once, asked at each moment.
template <int D>
class SolidSet {
  public:
    SolidSet() = default;
    /// Dynamic solids are an error unless the method moves them itself
    /// (physics/free_surface/rigid.h).
    SolidSet(const std::vector<Solid>& solids, const MeshLibrary& meshes, bool dynamic_too = false);

    /// Dynamic ones where they start.
    PlacedSolids<D> at(double time) const;
    bool empty() const { return bodies_.empty(); }

  private:
    std::vector<MovingBody<D>> bodies_;
};

}  // namespace spume
