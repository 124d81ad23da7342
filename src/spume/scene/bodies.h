// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/geometry/mesh_library.h"
#include "spume/geometry/moving_body.h"
#include "spume/scene/scene.h"

namespace spume {

/// A scene's shape as a body that can be asked for distances. UserError for impossible sizes.
template <int D>
BodyShape<D> body_shape(const Shape& shape, const MeshLibrary& meshes);

/// The shape where the scene puts it, at rest.
template <int D>
PlacedBody<D> placed(const Shape& shape, const MeshLibrary& meshes);

/// A solid with its keyed motion; a dynamic one stays where it starts: frames say where it is.
template <int D>
MovingBody<D> moving_body(const Solid& solid, const MeshLibrary& meshes);
/// The shape of a source, sink or emitter with its keyed motion, on the solid it is attached to.
template <int D>
MovingBody<D> moving_body(const LiquidBody& liquid, const std::vector<Solid>& solids,
                          const MeshLibrary& meshes);
template <int D>
MovingBody<D> moving_body(const Emitter& emitter, const std::vector<Solid>& solids,
                          const MeshLibrary& meshes);
/// The solid of this name; null if there is none.
const Solid* solid_named(const std::vector<Solid>& solids, const std::string& name);

}  // namespace spume
