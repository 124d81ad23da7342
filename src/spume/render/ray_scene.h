// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>

#include "spume/render/world.h"

namespace spume {

struct Ray {
    Vec<double, 3> origin{}, direction{0, 0, -1};  ///< direction has length one
    double time = 0;                               ///< 0 … 1
};

struct Hit {
    double distance = 0;
    double seen = 0;  ///< the distance as the index rounds it; the next search starts beyond both
    Vec<double, 3> position{};
    Vec<double, 3> normal{};   ///< of the surface, outwards, length one
    Vec<double, 3> shading{};  ///< smoothed, on the same side
    std::uint64_t object = 0;  ///< which closed surface
    int material = 0;
    double film = 0;  ///< thickness of the film there, m
    double veil = 0;  ///< Finish::kVeil: part of the light that is sent back
    bool found = false;
};

/// The world with an index for rays (Embree). Built by one thread, so that ties between surfaces
/// fall the same way on every machine; any number of threads may ask.
class RayScene {
  public:
    explicit RayScene(World world);
    ~RayScene();
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;

    const World& world() const;
    /// The nearest surface beyond `from` along the ray.
    Hit nearest(const Ray& ray, double from) const;
    /// True for a ball or ellipsoid that does not hold x: a chord too short to see can lose a
    /// ball's far side.
    bool outside_ball(std::uint64_t object, const Vec<double, 3>& x, double time) const;
    /// Centre and radius; none where the object is no ball.
    std::optional<Vec<double, 4>> ball(std::uint64_t object, double time) const;
    /// Thickness of an object's film, m.
    double film_of(std::uint64_t object) const;
    /// The closed surfaces around x.
    Nest around(const Vec<double, 3>& x, double time) const;
    /// Distances below this are not told apart near the origin of the world.
    double grain() const;

  private:
    struct Index;
    std::unique_ptr<Index> index_;
};

}  // namespace spume
