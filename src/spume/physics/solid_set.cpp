// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/solid_set.h"

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

template <int D>
SolidSet<D>::SolidSet(const std::vector<Solid>& solids, const MeshLibrary& meshes) {
    for (const Solid& solid : solids) {
        std::vector<PoseKey> keys;
        if (solid.motion == Motion::kKeyed)
            for (const KeyFrame& k : solid.keys) keys.push_back({k.time, k.position, k.rotation});
        if (solid.motion == Motion::kDynamic)
            throw UserError(
                "solid \"" + solid.name + "\": motion \"dynamic\" is not part of this method",
                "use \"fixed\" or \"keyed\"");
        bodies_.emplace_back(body_shape<D>(solid.shape, meshes),
                             rest_pose<D>(solid.shape.center, solid.shape.rotation),
                             keyed_motion<D>(std::move(keys)));
    }
}

template <int D>
Bodies<D> SolidSet<D>::at(double time) const {
    Bodies<D> r;
    for (const auto& body : bodies_) r.placed.push_back(body.at(time));
    return r;
}

#define SPUME_INSTANTIATE(D)                                               \
    template BodyShape<D> body_shape<D>(const Shape&, const MeshLibrary&); \
    template PlacedBody<D> placed<D>(const Shape&, const MeshLibrary&);    \
    template class SolidSet<D>;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
