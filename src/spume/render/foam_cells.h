// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/render/ray_scene.h"

namespace spume {

// Foam of touching spheres without an approximation: a point inside several bubbles belongs to the
// one with the least f_i = (|x − c_i|² − r_i²)/r_i. The surfaces f_i = f_j are spheres or planes
// and meet in triple lines; 1/R = 1/r_i − 1/r_j and angles of 120° hold where d² = r_i² + r_j² −
// r_i r_j.

/// Where a ray passes from one bubble's cell to that of another.
struct FilmCrossing {
    double distance = 0;
    Vec<double, 3> normal{};  ///< length one, against the ray
    std::uint64_t beyond = 0;
};

/// The ball bubble of the nest a point belongs to; none if it lies in no ball.
std::optional<std::uint64_t> cell_of(const RayScene& scene, const Nest& nest,
                                     const Vec<double, 3>& x, double time);

/// The first film between `from` and `to` on the way out of the cell `owner`, among the balls of
/// the nest.
std::optional<FilmCrossing> next_film(const RayScene& scene, const Nest& nest, const Ray& ray,
                                      std::uint64_t owner, double from, double to);

}  // namespace spume
