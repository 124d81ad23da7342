// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <vector>

#include "spume/geometry/moving_body.h"

namespace spume {

/// Rows of a symmetric tensor.
using Tensor = std::array<Vec<double, 3>, 3>;

/// Volume, centre and moments of a body in its own frame, for unit density. In 2D an area, and only
/// the moment about z means anything.
struct MassMoments {
    double volume = 0;
    Vec<double, 3> centre{};
    Tensor inertia{};  ///< about the centre
};

/// Exact: differences of simple ones for shells, the divergence theorem for meshes and profiles;
/// but for capsules, rounded boxes and compounds, whose sums are over small cells.
template <int D>
MassMoments mass_moments(const BodyShape<D>& shape);

/// How a free body is and moves. Doubles only, so that no padding reaches a checkpoint.
struct RigidState {
    Vec<double, 3> position{};  ///< of its centre of mass, m
    Quaternion turn;            ///< from the body's frame to the world
    Vec<double, 3> velocity{};  ///< of its centre of mass, m/s
    Vec<double, 3> spin{};      ///< rotation vector per second, world frame
};

/// R T Rᵀ.
Tensor turned(const Tensor& tensor, const Rotation& rotation);
Vec<double, 3> times(const Tensor& tensor, const Vec<double, 3>& x);
/// Of a symmetric positive definite tensor.
Tensor inverse(const Tensor& tensor);

/// A point of a body's surface that can meet a wall, as a small ball in the body's frame.
struct ContactPoint {
    Vec<double, 3> position{};
    double radius = 0;
};

/// Points that together stand for the outside of the shape: corners and edges of boxes, rims of
/// cylinders, balls for spheres, capsules, tori and rounded edges, vertices of a mesh.
template <int D>
std::vector<ContactPoint> contact_points(const BodyShape<D>& shape);

}  // namespace spume
