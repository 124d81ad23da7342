// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/scene/scene.h"

namespace spume {

/// The accelerations of a scene besides gravity: uniform, or a swirl about a region's y axis whose
/// speed-up grows linearly to `strength` at `radius` and falls as 1 / distance beyond.
template <int D>
class ForceSet {
  public:
    ForceSet() = default;
    ForceSet(const std::vector<Force>& forces, const MeshLibrary& meshes);

    bool empty() const { return forces_.empty(); }
    Vec<double, D> acceleration(const Point<D>& x, double time) const;

    /// u ← u + Δt a on faces and bubbles, with a at the middle of the interval.
    void add(FaceField<double, D>& water, Bubbles<D>& bubbles, Interval time,
             Context& context) const;
    /// The same where there are faces alone.
    void add(FaceField<double, D>& velocity, Interval time, Context& context) const;

  private:
    struct Part {
        Force says;
        PlacedBody<D> region;
    };
    std::vector<Part> forces_;
};

/// u ← u + Δt g on all faces.
template <int D>
void add_gravity(FaceField<double, D>& velocity, const Vec<double, D>& gravity, double dt,
                 Context& context);

}  // namespace spume
