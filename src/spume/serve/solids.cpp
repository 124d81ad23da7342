// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/solids.h"

#include <algorithm>

#include "spume/io/mesh_sequence.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

MeshLibrary meshes_of(const Solid& solid, const Manifest& manifest, FileSystem& files) {
    MeshLibrary meshes;
    // A compound asks for distances, a mesh alone for its faces only.
    const MeshUse use = solid.shape.parts.empty() ? MeshUse::kRays : MeshUse::kDistances;
    each_shape(solid.shape, [&](const Shape& shape) {
        if (shape.kind != ShapeKind::kMesh) return;
        SceneMesh read = read_scene_mesh(files, shape.file, manifest.fps, use);
        const std::string hash = read.hash.hex();
        if (std::none_of(manifest.inputs.begin(), manifest.inputs.end(),
                         [&](const auto& input) { return input.second == hash; }))
            throw UserError("the mesh is not the one of the run", "restore it");
        meshes[shape.file] = std::move(read.mesh);
    });
    return meshes;
}

void append(TriangleMesh& all, const BodyMesh& one, const Pose& pose) {
    const auto first = static_cast<std::int32_t>(all.vertices.size());
    for (const auto& v : one.vertices) all.vertices.push_back(pose.to_world(v));
    for (const auto& t : one.triangles) {
        Vec<std::int32_t, 3> shifted;
        for (int k = 0; k < 3; ++k) shifted[k] = first + static_cast<std::int32_t>(t[k]);
        all.triangles.push_back(shifted);
    }
}

BodyParameters slice(BodyParameters body, double thickness) {
    if (body.kind == BodyKind::kBox) body.size[2] = std::max(body.size[0], body.size[1]);
    const Vec<double, 3> size = BodyShape<3>(body).bounds().size();
    BodyParameters cut;
    cut.kind = BodyKind::kBox;
    cut.size = Vec<double, 3>::filled(4 * (size[0] + size[1] + size[2]));
    cut.size[2] = thickness;
    auto parts = std::make_shared<std::vector<BodyPart>>();
    parts->push_back({std::move(body), {}, Combine::kUnion});
    parts->push_back({std::move(cut), {}, Combine::kIntersection});
    BodyParameters r;
    r.kind = BodyKind::kCompound;
    r.parts = std::move(parts);
    return r;
}

/// What a 2D body looks like from the front: a disc, or a rectangle, or a slice of the body.
BodyParameters thin(BodyParameters body, double thickness) {
    const bool plain = body.kind == BodyKind::kBox && body.round == 0;
    if (!plain && body.kind != BodyKind::kSphere && body.kind != BodyKind::kCylinder)
        return slice(body, thickness);
    if (body.kind == BodyKind::kCylinder) {
        body.kind = BodyKind::kBox;
        body.size = {2 * body.radius, body.height, thickness};
    }
    body.size[2] = thickness;
    return body;
}

}  // namespace

SceneSolids::SceneSolids(const Manifest& manifest) {
    const Scene scene = parse_scene(manifest.scene, "manifest.json");
    const auto files = make_posix_file_system();
    voxel_ = scene.voxel();
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
        const Solid& solid = scene.solids[i];
        try {
            const MeshLibrary meshes = meshes_of(solid, manifest, *files);
            if (scene.domain.dimensions == 2)
                flat_.push_back(moving_body<2>(solid, meshes));
            else
                bodies_.push_back(moving_body<3>(solid, meshes));
            number_.push_back(int(i));
            dynamic_ = dynamic_ || solid.motion == Motion::kDynamic;
        } catch (const UserError&) {
        } catch (const MachineError&) {
        }
    }
}

bool SceneSolids::move() const {
    const auto moves = [](const auto& body) { return body.moves(); };
    return dynamic_ || std::any_of(bodies_.begin(), bodies_.end(), moves) ||
           std::any_of(flat_.begin(), flat_.end(), moves);
}

TriangleMesh SceneSolids::at(double time, std::span<const BodyPose> moved) const {
    TriangleMesh all;
    for (std::size_t i = 0; i < count(); ++i) append(all, surface(i, time), pose(i, time, moved));
    return all;
}

// A scene's solids are all flat or none is.

BodyMesh SceneSolids::surface(std::size_t i, double time) const {
    return flat_.empty() ? body_mesh(bodies_[i].shape().at(time).parameters())
                         : body_mesh(thin(flat_[i].shape().parameters(), voxel_));
}

TriangleMesh SceneSolids::mesh(std::size_t i, double time) const {
    TriangleMesh r;
    if (deforms(i)) {
        const BodyParameters p = bodies_[i].shape().at(time).parameters();
        for (const auto& x : p.moment->position) r.vertices.push_back(x * p.scale);
        r.triangles = *p.moment->triangles;
        return r;
    }
    append(r, surface(i, time), Pose{});
    return r;
}

Pose SceneSolids::pose(std::size_t i, double time, std::span<const BodyPose> moved) const {
    for (const BodyPose& body : moved)
        if (body.solid == number_[i]) return body.pose;
    return flat_.empty() ? bodies_[i].pose(time) : flat_[i].pose(time);
}

}  // namespace spume
