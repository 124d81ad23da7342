// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/bodies.h"

#include <utility>
#include <vector>

#include "spume/core/error.h"

namespace spume {

template <int D>
BodyShape<D> body_shape(const Shape& shape, const MeshLibrary& meshes) {
    BodyParameters p;
    p.kind = shape.kind == ShapeKind::kBox        ? BodyKind::kBox
             : shape.kind == ShapeKind::kSphere   ? BodyKind::kSphere
             : shape.kind == ShapeKind::kCylinder ? BodyKind::kCylinder
                                                  : BodyKind::kMesh;
    p.size = shape.size;
    p.radius = shape.radius;
    p.height = shape.height;
    p.shell = shape.shell;
    p.open_top = shape.open_top;
    p.scale = shape.scale;
    if (shape.kind == ShapeKind::kMesh) {
        const auto found = meshes.find(shape.file);
        if (found == meshes.end())
            throw UserError("the mesh \"" + shape.file + "\" was not read",
                            "give the path of a PLY or OBJ file as `file`");
        p.mesh = found->second;
    }
    return BodyShape<D>(p);
}

template <int D>
PlacedBody<D> placed(const Shape& shape, const MeshLibrary& meshes) {
    return PlacedBody<D>(body_shape<D>(shape, meshes), rest_pose<D>(shape.center, shape.rotation),
                         Twist{});
}

namespace {

template <int D>
MovingBody<D> keyed_body(const Shape& shape, const std::vector<KeyFrame>& frames,
                         const MeshLibrary& meshes) {
    std::vector<PoseKey> keys;
    for (const KeyFrame& k : frames) keys.push_back({k.time, k.position, k.rotation});
    return MovingBody<D>(body_shape<D>(shape, meshes), rest_pose<D>(shape.center, shape.rotation),
                         keyed_motion<D>(std::move(keys)));
}

}  // namespace

template <int D>
MovingBody<D> moving_body(const Solid& solid, const MeshLibrary& meshes) {
    return keyed_body<D>(
        solid.shape, solid.motion == Motion::kKeyed ? solid.keys : std::vector<KeyFrame>(), meshes);
}

template <int D>
MovingBody<D> moving_body(const LiquidBody& liquid, const MeshLibrary& meshes) {
    return keyed_body<D>(liquid.shape, liquid.keys, meshes);
}

#define SPUME_INSTANTIATE(D)                                                 \
    template BodyShape<D> body_shape<D>(const Shape&, const MeshLibrary&);   \
    template PlacedBody<D> placed<D>(const Shape&, const MeshLibrary&);      \
    template MovingBody<D> moving_body<D>(const Solid&, const MeshLibrary&); \
    template MovingBody<D> moving_body<D>(const LiquidBody&, const MeshLibrary&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
