// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/export_stage.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "spume/io/atomic_file.h"
#include "spume/io/ply.h"
#include "spume/scene/parse.h"
#include "spume/serve/solids.h"

namespace spume {
namespace {

using Json = nlohmann::ordered_json;

/// Looks along its −z, y upwards.
Pose camera_pose(const Camera& camera) {
    const Vec<double, 3> back =
        (camera.position - camera.target) / length(camera.position - camera.target);
    Vec<double, 3> right = cross(Vec<double, 3>{0, 1, 0}, back);
    if (!(length(right) > 1e-9)) right = {1, 0, 0};  // straight up or down
    right = right / length(right);
    const Vec<double, 3> up = cross(back, right);
    Pose pose;
    for (int i = 0; i < 3; ++i) pose.rotation.row[i] = {right[i], up[i], back[i]};
    pose.position = camera.position;
    return pose;
}

/// Sixteen numbers, row after row, for columns of vectors.
Json matrix(const Pose& pose) {
    Json r = Json::array();
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) r.push_back(pose.rotation.row[i][k]);
        r.push_back(pose.position[i]);
    }
    for (const double x : {0.0, 0.0, 0.0, 1.0}) r.push_back(x);
    return r;
}

Json matrices(const std::vector<Pose>& poses) {
    Json r = Json::array();
    for (const Pose& pose : poses) r.push_back(matrix(pose));
    return r;
}

}  // namespace

void add_solids_and_camera(UsdSequence& sequence, const Manifest& manifest,
                           const std::vector<CommitRecord>& records) {
    const Scene scene = parse_scene(manifest.scene, "manifest.json");
    const SceneSolids solids(manifest);
    for (std::size_t i = 0; i < solids.count(); ++i) {
        const Solid& says = scene.solids[std::size_t(solids.solid(i))];
        const double first = records.empty() ? 0 : records[0].time;
        UsdSolid solid{says.name, solids.mesh(i, first), says.color, false, {}};
        solid.glass = says.look == SolidLook::kGlass ||
                      (says.look == SolidLook::kAutomatic && says.shape.shell > 0);
        for (const CommitRecord& record : records)
            solid.poses.push_back(solids.pose(i, record.time, record.bodies));
        for (const CommitRecord& record : records)
            if (solids.deforms(i)) solid.vertices.push_back(solids.mesh(i, record.time).vertices);
        sequence.solids.push_back(std::move(solid));
    }
    if (scene.camera.automatic) return;
    for (const CommitRecord& record : records) {
        const Camera camera = camera_at(scene.camera, record.time);
        sequence.camera.push_back(camera_pose(camera));
        sequence.field_of_view.push_back(camera.field_of_view);
    }
}

void write_solids(FileSystem& files, const std::string& directory, const UsdSequence& sequence) {
    make_directories(files, join_path(directory, "solids"));
    Json all = {{"version", 1}, {"frames", sequence.frames}, {"solids", Json::array()}};
    for (std::size_t i = 0; i < sequence.solids.size(); ++i) {
        const UsdSolid& solid = sequence.solids[i];
        const std::string file = fmt::format("solids/{}.ply", i);
        write_file(files, join_path(directory, file), encode_ply(solid.mesh));
        Json deformed = Json::array();
        for (std::size_t n = 0; n < solid.vertices.size(); ++n) {
            deformed.push_back(fmt::format("solids/{}.{}.ply", i, sequence.frames[n]));
            write_file(files, join_path(directory, deformed.back().get<std::string>()),
                       encode_ply({solid.vertices[n], solid.mesh.triangles}));
        }
        all["solids"].push_back({{"name", solid.name},
                                 {"file", file},
                                 {"colour", {solid.colour[0], solid.colour[1], solid.colour[2]}},
                                 {"glass", solid.glass},
                                 {"deformed", deformed},
                                 {"matrices", matrices(solid.poses)}});
    }
    if (!sequence.camera.empty())
        all["camera"] = {{"field_of_view", sequence.field_of_view},
                         {"matrices", matrices(sequence.camera)}};
    write_file(files, join_path(directory, "solids.json"), all.dump(1) + "\n");
}

}  // namespace spume
