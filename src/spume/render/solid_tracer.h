// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/geometry/moving_body.h"
#include "spume/render/camera.h"
#include "spume/render/image.h"

namespace spume {

/// Finds and lights the solid things along a line of sight: bodies of the scene and meshes of the
/// frame. Bodies with a shell are glass, or nobody could look into a tank.
class SolidTracer {
  public:
    SolidTracer(const std::vector<PlacedBody<3>>& bodies, const std::vector<PlacedBody<2>>& flat,
                const Frame& frame, const Box<double, 3>& domain);

    struct Hit {
        double depth = 1e300;  ///< of the nearest opaque surface
        Colour colour{};
        double glass_depth = 1e300;  ///< of the nearest glass surface before it
        float glass = 0;             ///< its opacity
    };
    bool empty() const { return bodies_.empty() && flat_.empty() && meshes_.empty(); }
    /// `right` is the camera's level right: it says where the light stands.
    Hit trace(const Projection::Ray& ray, const Vec<double, 3>& right) const;

  private:
    void meet(const PlacedBody<3>& body, const Projection::Ray& ray, const Vec<double, 3>& right,
              Hit& hit) const;
    Colour lit(const Vec<double, 3>& x, const Vec<double, 3>& normal, const Vec<double, 3>& sight,
               const Vec<double, 3>& right) const;

    /// Water seen from the air.
    static Colour wet(const Vec<double, 3>& normal, const Vec<double, 3>& sight);

    std::vector<PlacedBody<3>> bodies_;
    std::vector<PlacedBody<2>> flat_;
    struct Surface {
        std::shared_ptr<const MeshDistance> mesh;
        bool liquid;
    };
    std::vector<Surface> meshes_;
    double scale_;  ///< of the domain, for the size of the light's pattern
};

}  // namespace spume
