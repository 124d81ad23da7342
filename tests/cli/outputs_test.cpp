// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>

#include "cli/program.h"
#include "spume/io/ply.h"
#include "spume/io/vdb.h"

namespace spume::test {
namespace {

using Cli = ProgramTest;

/// A ball of air and a few bubbles on their own beside it.
const char kBall[] = R"(version = 1
method = "mixture"
[time]
frames = 3
fps = 192
[domain]
lower = [-0.04, 0, -0.04]
upper = [0.04, 0.1, 0.04]
voxel = 0.005
[physics]
water_density = 10
surface_tension = 0.0072
[[emitter]]
mode = "seed"
shape = { kind = "sphere", center = [-0.01, 0.03, 0], radius = 0.014 }
spacing = 0.0025
radius_law = "marker"
[[emitter]]
mode = "seed"
shape = { kind = "box", center = [0.03, 0.05, 0], size = [0.001, 0.08, 0.001] }
count = 4
radius = 0.001
[mixture]
surface_tension = true
[output]
surface = true
preview = "none"
)";

struct Seen {
    Vec<double, 3> place;
    int type;
};

std::map<std::uint64_t, Seen> bubbles_of(const std::string& file) {
    const PointSet points = decode_ply_points(content_of(file), file);
    const auto* id = points.find("id");
    const auto* type = points.find("type");
    std::map<std::uint64_t, Seen> r;
    if (id == nullptr || type == nullptr) return r;
    for (std::size_t i = 0; i < points.size(); ++i)
        r[std::get<Array<std::uint64_t>>(id->values)[i]] = {
            points.position[i], std::get<Array<std::int32_t>>(type->values)[i]};
    return r;
}

TEST_F(Cli, SurfaceMeshAndTypesOfARun) {
    write("ball.toml", kBall);
    ASSERT_EQ(spume({"run", "ball.toml", "-o", "cache", "--progress", "none"}).status, 0);
    std::map<std::uint64_t, Seen> before;
    for (const char* number : {"0001", "0002", "0003"}) {
        const std::string mesh_file = directory + "/cache/mesh/bubbles." + number + ".ply";
        const TriangleMesh mesh = decode_ply_mesh(content_of(mesh_file), mesh_file);
        EXPECT_GT(mesh.triangles.size(), 100u);
        const std::string volume_file = directory + "/cache/volumes/surface." + number + ".vdb";
        const Volume surface = decode_vdb_volume(content_of(volume_file), volume_file);
        EXPECT_EQ(surface.kind, VolumeKind::kLevelSet);
        EXPECT_GT(surface.tiles.size(), 0u);
        const auto now = bubbles_of(directory + "/cache/points/bubbles." + number + ".ply");
        int body = 0, single = 0;
        for (const auto& [id, bubble] : now) {
            ++(bubble.type == 1 ? body : single);
            if (before.empty()) continue;
            ASSERT_TRUE(before.count(id)) << id;
            // The same bubble: none moves farther than a voxel a frame.
            EXPECT_LT(length(bubble.place - before[id].place), 0.005) << id;
        }
        EXPECT_GT(body, 100);
        EXPECT_GE(single, 4);
        EXPECT_TRUE(before.empty() || now.size() == before.size());
        before = now;
    }
}

TEST_F(Cli, APressOnABoxFullOfLiquidIsStatusThree) {
    write("press.toml", R"(version = 1
method = "constraint"
[time]
frames = 60
fps = 60
[domain]
dimensions = 2
lower = [0, 0]
upper = [1, 1]
divisions = 24
sides = "wall"
bottom = "wall"
top = "wall"
[physics]
surface_tension = 0
[[liquid]]
shape = { kind = "box", center = [0.5, 0.5], size = [3, 3] }
[[solid]]
shape = { kind = "box", center = [0.5, 1.95], size = [3, 2.1] }
motion = "keyed"
keys = [{ time = 0, position = [0, 0, 0] }, { time = 1, position = [0, -1, 0] }]
[output]
preview = "none"
)");
    const Outcome outcome = spume({"run", "press.toml", "-o", "cache", "--progress", "none"});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("nowhere to go"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace spume::test
