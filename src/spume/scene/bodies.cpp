// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/bodies.h"

#include <utility>
#include <vector>

#include "spume/core/error.h"

namespace spume {

namespace {

BodyKind kind_of(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::kBox:
            return BodyKind::kBox;
        case ShapeKind::kSphere:
            return BodyKind::kSphere;
        case ShapeKind::kCylinder:
            return BodyKind::kCylinder;
        case ShapeKind::kCone:
            return BodyKind::kCone;
        case ShapeKind::kCapsule:
            return BodyKind::kCapsule;
        case ShapeKind::kTorus:
            return BodyKind::kTorus;
        case ShapeKind::kLathe:
            return BodyKind::kLathe;
        case ShapeKind::kMesh:
            return BodyKind::kMesh;
        case ShapeKind::kCompound:
            break;
    }
    return BodyKind::kCompound;
}

template <int D>
BodyParameters body_parameters(const Shape& shape, const MeshLibrary& meshes) {
    BodyParameters p;
    p.kind = kind_of(shape.kind);
    p.size = shape.size;
    p.round = shape.round;
    p.radius = shape.radius;
    p.radius_top = shape.radius_top;
    p.tube = shape.tube;
    p.height = shape.height;
    p.shell = shape.shell;
    p.open_top = shape.open_top;
    p.scale = shape.scale;
    for (const OutlinePoint& x : shape.profile) p.outline.push_back({x.radius, x.height});
    if (shape.kind == ShapeKind::kMesh) {
        const auto found = meshes.find(shape.file);
        if (found == meshes.end())
            throw UserError("the mesh \"" + shape.file + "\" was not read",
                            "give the path of a PLY or OBJ file as `file`");
        p.mesh = found->second.mesh;
        p.sequence = found->second.sequence;
        p.begin = shape.start;
        p.frame_rate = shape.fps > 0 ? shape.fps : found->second.fps;
        if (p.sequence) {
            p.repeats = shape.repeat;
            p.moment = p.sequence->at(-p.begin * p.frame_rate, p.repeats);
            p.mesh = p.moment->mesh;
        }
    }
    if (shape.kind == ShapeKind::kCompound) {
        std::vector<BodyPart> parts;
        for (const Shape& part : shape.parts)
            parts.push_back({body_parameters<D>(part, meshes),
                             rest_pose<D>(part.center, part.rotation),
                             part.combine == PartUse::kUnion        ? Combine::kUnion
                             : part.combine == PartUse::kDifference ? Combine::kDifference
                                                                    : Combine::kIntersection});
        p.parts = std::make_shared<const std::vector<BodyPart>>(std::move(parts));
    }
    return p;
}

}  // namespace

template <int D>
BodyShape<D> body_shape(const Shape& shape, const MeshLibrary& meshes) {
    return BodyShape<D>(body_parameters<D>(shape, meshes));
}

template <int D>
PlacedBody<D> placed(const Shape& shape, const MeshLibrary& meshes) {
    return PlacedBody<D>(body_shape<D>(shape, meshes), rest_pose<D>(shape.center, shape.rotation),
                         Twist{});
}

namespace {

template <int D>
PosedMotion posed_motion(const Shape& shape, const std::vector<KeyFrame>& frames) {
    std::vector<PoseKey> keys;
    keys.reserve(frames.size());
    for (const KeyFrame& k : frames) keys.push_back({k.time, k.position, k.rotation});
    return {rest_pose<D>(shape.center, shape.rotation), keyed_motion<D>(std::move(keys))};
}

template <int D>
PosedMotion motion_of(const Solid& solid) {
    return posed_motion<D>(solid.shape,
                           solid.motion == Motion::kKeyed ? solid.keys : std::vector<KeyFrame>());
}

template <int D>
MovingBody<D> attached_body(const Shape& shape, const std::vector<KeyFrame>& keys,
                            const std::string& attach, const std::vector<Solid>& solids,
                            const MeshLibrary& meshes) {
    const Solid* carrier = attach.empty() ? nullptr : solid_named(solids, attach);
    MovingBody<D> r(body_shape<D>(shape, meshes), posed_motion<D>(shape, keys),
                    carrier ? motion_of<D>(*carrier) : PosedMotion{});
    if (carrier && carrier->motion == Motion::kDynamic) r.ride(int(carrier - solids.data()));
    return r;
}

}  // namespace

template <int D>
MovingBody<D> moving_body(const Solid& solid, const MeshLibrary& meshes) {
    return MovingBody<D>(body_shape<D>(solid.shape, meshes), motion_of<D>(solid), PosedMotion{});
}

template <int D>
MovingBody<D> moving_body(const LiquidBody& liquid, const std::vector<Solid>& solids,
                          const MeshLibrary& meshes) {
    return attached_body<D>(liquid.shape, liquid.keys, liquid.attach, solids, meshes);
}

template <int D>
MovingBody<D> moving_body(const Emitter& emitter, const std::vector<Solid>& solids,
                          const MeshLibrary& meshes) {
    return attached_body<D>(emitter.shape, emitter.keys, emitter.attach, solids, meshes);
}

const Solid* solid_named(const std::vector<Solid>& solids, const std::string& name) {
    for (const Solid& solid : solids)
        if (solid.name == name) return &solid;
    return nullptr;
}

#define SPUME_INSTANTIATE(D)                                                            \
    template BodyShape<D> body_shape<D>(const Shape&, const MeshLibrary&);              \
    template PlacedBody<D> placed<D>(const Shape&, const MeshLibrary&);                 \
    template MovingBody<D> moving_body<D>(const Solid&, const MeshLibrary&);            \
    template MovingBody<D> moving_body<D>(const LiquidBody&, const std::vector<Solid>&, \
                                          const MeshLibrary&);                          \
    template MovingBody<D> moving_body<D>(const Emitter&, const std::vector<Solid>&,    \
                                          const MeshLibrary&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
