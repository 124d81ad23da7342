// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/frame/mesh_columns.h"
#include "spume/io/ply.h"
#include "spume/io/usd.h"
#include "spume/io/vtk.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// Linear in space: interpolation between faces gives it back.
Vec3 flow(const Vec3& x) { return {1 + 2 * x[1], x[0] - x[2], 3 * x[0] + x[1]}; }

/// The flow on the faces of two tiles side by side, below and above zero.
Volume linear_flow() {
    Volume v;
    v.name = "vel";
    v.kind = VolumeKind::kStaggered;
    v.components = 3;
    v.voxel = 0.1;
    v.origin = {0.03, -0.2, 0.07};
    v.tiles = Array<Vec<int, 3>>(2);
    v.tiles.write()[0] = {-8, 0, 0};
    v.tiles.write()[1] = {0, 0, 0};
    for (int a = 0; a < 3; ++a) {
        Array<float> values(2 * 512);
        auto to = values.write();
        std::size_t at = 0;
        for (int t = 0; t < 2; ++t)
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    for (int k = 0; k < 8; ++k, ++at) {
                        Vec3 cell{v.tiles[std::size_t(t)][0] + i + 0.5, j + 0.5, k + 0.5};
                        cell[a] -= 0.5;
                        to[at] = float(flow(v.origin + cell * v.voxel)[a]);
                    }
        v.values.push_back(values);
    }
    return v;
}

const Array<Vec<float, 3>>& velocity_in(const std::vector<NamedColumn>& columns) {
    return std::get<Array<Vec<float, 3>>>(columns.at(0).values);
}

TEST(MeshColumns, VelocityIsThatOfTheFacesAround) {
    Frame frame;
    frame.volumes = {linear_flow()};
    NamedMesh mesh{"surface", {}};
    for (const double s : {-0.55, -0.031, 0.0, 0.04, 0.29, 0.61})
        mesh.mesh.vertices.push_back(frame.volumes[0].origin + Vec3{s, 0.35 + s / 10, 0.41});
    const auto columns = mesh_columns(frame, mesh);
    ASSERT_EQ(columns.size(), 1u);
    EXPECT_EQ(columns[0].name, "v");
    EXPECT_EQ(columns[0].unit, "m/s");
    for (std::size_t i = 0; i < mesh.mesh.vertices.size(); ++i)
        EXPECT_LT(length(velocity_in(columns)[i].as<double>() - flow(mesh.mesh.vertices[i])), 2e-6);
    // Where nothing is stored on one side, what is stored counts; far away there is none.
    mesh.mesh.vertices = {frame.volumes[0].origin + Vec3{0.3, -0.04, 0.4}, {9, 9, 9}};
    const auto edge = mesh_columns(frame, mesh);
    const Vec3 inside = flow(frame.volumes[0].origin + Vec3{0.3, 0.05, 0.4});
    EXPECT_NEAR(double(velocity_in(edge)[0][0]), inside[0], 1e-6);
    EXPECT_EQ(velocity_in(edge)[1], (Vec<float, 3>{0, 0, 0}));
    frame.volumes.clear();
    EXPECT_TRUE(mesh_columns(frame, mesh).empty());
}

/// Around bubbles each vertex has what the bubble has whose surface is nearest, however large.
TEST(MeshColumns, SurfacesOfBubblesMoveWithThem) {
    Frame frame;
    frame.volumes = {linear_flow()};
    PointSet points;
    points.name = "bubbles";
    points.position = Array<Vec3>(3);
    points.position.write()[1] = {1, 0, 0};
    points.position.write()[2] = {0, 5, 0};
    Array<float> radius(3, 0.1f), age(3, 0.0f);
    radius.write()[1] = 0.6f;
    Array<Vec<float, 3>> v(3);
    Array<std::int32_t> source(3, 0);
    for (int i = 0; i < 3; ++i) {
        v.write()[std::size_t(i)] = {float(i + 1), 0, 0};
        age.write()[std::size_t(i)] = float(10 * (i + 1));
        source.write()[std::size_t(i)] = 7 + i;
    }
    points.columns = {{"v", "m/s", v}, {"pscale", "m", radius}, {"age", "s", age}};
    frame.points = {points};
    NamedMesh mesh{"bubbles", {}};
    mesh.mesh.vertices = {{0.1, 0, 0}, {0.4, 0.05, 0}, {0.3, 0, 0}, {0, 5.1, 0}, {3, 3, 3}};
    const auto plain = mesh_columns(frame, mesh);
    ASSERT_EQ(plain.size(), 1u);
    const float wanted[] = {1, 2, 2, 3, 0};  // (0.3, 0, 0) is 0.2 from one and 0.1 from the other
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(velocity_in(plain)[i][0], wanted[i]) << i;
    frame.points[0].columns.push_back({"source", "", source});
    const auto marked = mesh_columns(frame, mesh);
    ASSERT_EQ(marked.size(), 3u);
    EXPECT_EQ(std::get<Array<float>>(marked[1].values)[1], 20.0f);
    EXPECT_EQ(std::get<Array<std::int32_t>>(marked[2].values)[3], 9);
}

NamedMesh triangle() { return {"surface", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}; }

std::vector<NamedColumn> columns_of_three() {
    Array<Vec<float, 3>> v(3);
    v.write()[2] = {0.5f, -2, 3};
    Array<std::int32_t> source(3, 4);
    return {{"v", "m/s", v}, {"age", "s", Array<float>(3, 1.5f)}, {"source", "", source}};
}

TEST(MeshColumns, ComeBackFromPly) {
    const std::string bytes = encode_ply(triangle().mesh, columns_of_three());
    EXPECT_NE(bytes.find("property float vx\nproperty float vy\nproperty float vz\nproperty float "
                         "age\nproperty int source\nelement face 1\n"),
              std::string::npos);
    std::vector<NamedColumn> columns;
    const TriangleMesh mesh = decode_ply_mesh(bytes, "m.ply", &columns);
    EXPECT_EQ(mesh.vertices, triangle().mesh.vertices);
    EXPECT_EQ(mesh.triangles, triangle().mesh.triangles);
    ASSERT_EQ(columns.size(), 3u);
    EXPECT_EQ(velocity_in(columns)[2], (Vec<float, 3>{0.5f, -2, 3}));
    EXPECT_EQ(std::get<Array<std::int32_t>>(columns[2].values)[0], 4);
    // Who does not ask for them reads the mesh alone.
    EXPECT_EQ(decode_ply_mesh(bytes, "m.ply").vertices, mesh.vertices);
}

TEST(MeshColumns, AreInVtkAndUsd) {
    const std::string vtp = encode_vtp(triangle().mesh, columns_of_three());
    for (const char* part : {"NumberOfPoints=\"3\"", "NumberOfPolys=\"1\"",
                             "Name=\"v\" NumberOfComponents=\"3\"", "Name=\"connectivity\""})
        EXPECT_NE(vtp.find(part), std::string::npos) << part;
    EXPECT_EQ(sequence_name("points/bubbles.0003.vtp"), "bubbles");
    EXPECT_EQ(sequence_name("mesh/bubbles.0003.vtp"), "bubbles_mesh");
    Frame frame;
    frame.number = 5;
    frame.volumes = {linear_flow()};
    frame.meshes = {triangle()};
    const std::string usd = encode_usda(frame, {});
    EXPECT_NE(usd.find("vector3f[] velocities.timeSamples = { 5: [("), std::string::npos) << usd;
}

TEST(Usd, SolidsRestOrMoveAndTheCameraLooksAtItsTarget) {
    UsdSequence s;
    s.frames = {1, 2};
    UsdSolid still{"cup", triangle().mesh, {1, 0, 0}, true, {}};
    still.poses = {Pose{}, Pose{}};
    UsdSolid moving{"arm", triangle().mesh, {0, 1, 0}, false, {}};
    // A quarter turn about z: the body's x axis becomes the world's y.
    moving.poses = {Pose{}, Pose{Rotation::from_degrees({0, 0, 90}), {1, 2, 3}}};
    s.solids = {still, moving};
    s.camera = {Pose{{}, {0, 0, 4}}, Pose{{}, {0, 1, 4}}};
    s.field_of_view = {90, 90};
    const std::string text = encode_usda_stage(s, "./clips.usda");
    for (const char* part :
         {"def Mesh \"solid_0_cup\"", "def Mesh \"solid_1_arm\"",
          "matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )",
          "primvars:displayOpacity = [0.15]", "def Camera \"camera\"",
          "1: 12,",  // 24 / 2 / tan 45°
          "2: ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 4, 1) )"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    // Rows of the matrix are the images of the axes.
    const std::size_t turned = text.find("2: ( (");
    double first[3] = {};
    ASSERT_EQ(
        std::sscanf(text.c_str() + turned, "2: ( (%lf, %lf, %lf", first, first + 1, first + 2), 3);
    EXPECT_NEAR(first[0], 0, 1e-9);
    EXPECT_NEAR(first[1], 1, 1e-9);
    EXPECT_NE(text.find("(1, 2, 3, 1) )"), std::string::npos);
}

}  // namespace
}  // namespace spume
