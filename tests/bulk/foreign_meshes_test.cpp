// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A liquid of which only its surface is known, as a mesh a frame: what foam needs, and no more.
// What reads VDB files is SPUME_PROGRAM, which CMake defines where a test names it.

#include "bulk/foreign_files.h"
#include "spume/io/mesh_source.h"
#include "spume/io/ply.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

using namespace test;

class ForeignMeshes : public Foreign {
  protected:
    void SetUp() override {
        Foreign::SetUp();
        scene_.bulk.kind = BulkKind::kMesh;
    }
    /// As FLIP Fluids does: z up, velocities beside.
    void write_flip_fluids() {
        for (int n = 1; n <= 4; ++n) {
            TriangleMesh mesh = ball_mesh(n / kFps);
            for (auto& x : mesh.vertices) x = {x[0], -x[2], x[1]};
            write(fmt::format("{:06}.bobj", n), bobj(mesh, false));
            std::string speeds;
            put(speeds, std::int32_t(mesh.vertices.size()));
            for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
                for (const double u : {kSpeed[0], -kSpeed[2], kSpeed[1]}) put(speeds, float(u));
            write(fmt::format("velocity{:06}.bobj", n), speeds);
        }
    }
    void write_ply(bool other_faces = false) {
        for (int n = 1; n <= 4; ++n)
            write(fmt::format("ball_{:04}.ply", n),
                  encode_ply(ball_mesh(n / kFps, other_faces ? 40 + n : 48)));
    }
    std::shared_ptr<const BulkSource> open_meshes() {
        std::string identity;
        notes_.clear();
        return open_mesh_source(make_posix_file_system(), scene_, identity, notes_);
    }
    /// Surface and velocity near it, between two frames.
    void expect_surface() {
        Inputs inputs;
        inputs.bulk = open_meshes();
        const auto bulk = bulk_of<3>(scene_, inputs);
        Context context(2);
        const double t = 2.5 / kFps;
        const auto tiles = dense_tiles<3>(scene_);
        const auto f = bulk->on(tiles, t, context);
        EXPECT_LT(difference<3>(f.phi, [&](const Point<3>& x) { return ball(x, t); }), 0.05);
        double off = 0;
        for (int tile = 0; tile < tiles->active(); ++tile)
            for (int o = 0; o < 512; ++o)
                if (std::abs(f.phi.at(tile, o)) < kVoxel)
                    for (int a = 0; a < 3; ++a)
                        off = std::max(off, std::abs(f.velocity.at(a, tile, o) - kSpeed[a]));
        EXPECT_LT(off, 1e-3);
        EXPECT_LT(kinematic_residual<3>(*bulk, {1 / kFps, 2 / kFps}, context).share, 0.1);
    }
    std::string mesh_refusal() {
        try {
            const auto source = open_meshes();
            for (int n = source->info().first; n <= source->info().last; ++n) source->read(n);
        } catch (const UserError& error) {
            EXPECT_FALSE(error.complaints()[0].remedy.empty());
            return error.complaints()[0].message;
        }
        return "";
    }
};

TEST_F(ForeignMeshes, HaveASurfaceAndItsVelocity) {
    write_flip_fluids();
    expect_surface();
    EXPECT_NE(notes_.at(0).find("z up, frames 1 to 4 at 24 a second, with velocities"),
              std::string::npos)
        << notes_[0];
}

TEST_F(ForeignMeshes, TheSameFacesTellTheirVelocity) {
    write_ply();
    expect_surface();
    EXPECT_NE(notes_.at(0).find("velocities from the motion of their vertices"), std::string::npos);
}

TEST_F(ForeignMeshes, WhatIsWrongIsSaid) {
    write_ply(true);
    EXPECT_NE(mesh_refusal().find("has no velocities, and frame 2 has other faces"),
              std::string::npos);
    fs::remove(fs::path(directory_) / "ball_0003.ply");
    write("ball_0002.ply", "");
    EXPECT_NE(mesh_refusal().find("has no velocities"), std::string::npos);
    scene_.bulk.kind = BulkKind::kVdb;
    EXPECT_NE(refusal().find("holds meshes (.ply), which say nothing of the water below"),
              std::string::npos);
    write("vdb/water.0001.vdb", file_of(1, {}));
    scene_.bulk.path = directory_ + "/vdb";
    EXPECT_NE(mesh_refusal().find("holds VDB files"), std::string::npos);
    write("flip/000001.bobj", bobj(ball_mesh(0, 8), false));
    std::string speeds;
    put(speeds, std::int32_t(1));
    for (int a = 0; a < 3; ++a) put(speeds, 0.F);
    write("flip/velocity000001.bobj", speeds);
    scene_.bulk.path = directory_ + "/flip";
    EXPECT_NE(mesh_refusal().find("holds 1 velocities for"), std::string::npos);
}

constexpr const char* kFoamScene = R"(method = "guided"
[time]
fps = 24
frames = 3
[domain]
upper = [0.4, 0.4, 0.4]
voxel = 0.02
[physics]
gravity = [0, 0, 0]
[bulk]
kind = "mesh"
path = "{}"
start = 2
[foam]
life = "forever"
cohesion = 0
[[foam.patch]]
shape = {{ kind = "sphere", center = [0.165, 0.31, 0.2], radius = 0.05 }}
cover = 0.2
radius_min = 0.001
radius_max = 0.001
{}
)";

/// Foam on the ball goes along with it.
TEST_F(ForeignMeshes, CarryFoam) {
    write_flip_fluids();
    const auto files = make_posix_file_system();
    SceneRequest request;
    request.file = directory_ + "/foam.toml";
    const LoadedScene loaded =
        load_scene_text(*files, fmt::format(fmt::runtime(kFoamScene), directory_, ""), request);
    Context context(2);
    const auto run = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    const auto foam = [&] {
        for (const PointSet& p : run->view().points)
            if (p.name == "foam") return p;
        return PointSet{};
    };
    const auto middle = [&](const PointSet& p) {
        Point<3> sum{};
        for (const auto& x : p.position) sum += x;
        return sum / double(p.size());
    };
    const PointSet before = foam();
    ASSERT_GT(before.size(), 50u);
    for (int n = 1; n <= 3; ++n) run->advance_frame(n);
    const PointSet after = foam();
    ASSERT_EQ(after.size(), before.size());
    const Vec<double, 3> way = middle(after) - middle(before);
    EXPECT_LT(length(way - kSpeed * (3 / kFps)), 0.03 * length(kSpeed) * 3 / kFps);
    // The scene begins with the second file.
    for (const auto& x : after.position) EXPECT_LT(std::abs(ball(x, 4 / kFps)), 0.1 * kVoxel);

    const auto words = [&](const std::string& more) {
        try {
            load_scene_text(*files, fmt::format(fmt::runtime(kFoamScene), directory_, more),
                            request);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(
        words("[emission]\n[aeration]\n").find("of which the meshes of bulk.path say nothing"),
        std::string::npos);
}

}  // namespace
}  // namespace spume
