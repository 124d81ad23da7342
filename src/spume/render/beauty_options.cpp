// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/beauty.h"
#include "spume/scene/bodies.h"

namespace spume {

BeautyOptions beauty_options(const Scene& scene, const MeshLibrary& meshes, const Frame& frame,
                             double shutter, int width, int height) {
    BeautyOptions options;
    options.width = width, options.height = height;
    options.domain = {scene.domain.lower, scene.domain.upper};
    options.walled_bottom = scene.domain.bottom == Border::kWall;
    options.tank = options.walled_bottom && scene.domain.sides == Border::kWall;
    options.lid = scene.domain.top == Border::kWall;
    options.sea = scene.bulk.present && scene.domain.sides == Border::kOpen;
    options.voxel = scene.voxel();
    options.tank_overlap = 0.3 * scene.voxel();
    options.field_of_view = scene.camera.field_of_view;
    options.blur = shutter / scene.time.fps;
    options.seed = scene.seed;
    if (scene.domain.dimensions == 2) {
        options.domain.lo[2] = options.domain.hi[2] = 0;
        return options;
    }
    const Camera eye = camera_at(scene.camera, frame.time);
    if (!eye.automatic)
        options.camera = PreviewCamera{
            .position = eye.position, .target = eye.target, .field_of_view = eye.field_of_view};
    for (const Solid& solid : scene.solids) {
        const MovingBody<3> body = moving_body<3>(solid, meshes);
        options.solids.push_back({body.at(frame.time - options.blur / 2),
                                  body.pose(frame.time + options.blur / 2), solid.look,
                                  solid.color});
    }
    for (const BodyPose& body : frame.bodies) {
        if (body.solid < 0 || std::size_t(body.solid) >= options.solids.size()) continue;
        const auto at = [&](double later) { return moved(body.pose, body.twist, later); };
        auto& solid = options.solids[std::size_t(body.solid)];
        solid = {PlacedBody<3>(solid.begin.shape(), at(-options.blur / 2), body.twist),
                 at(options.blur / 2), solid.look, solid.colour};
    }
    return options;
}

}  // namespace spume
