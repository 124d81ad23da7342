// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Liquids of other programs, from files written here as they write them.

#include "bulk/foreign_files.h"
#include "spume/io/mesh_sequence.h"

namespace spume {
namespace {

using namespace test;

TEST_F(Foreign, HoudiniOnFacesAndInCells) {
    write_sequence({});
    expect_ball();
    EXPECT_NE(notes_.at(0).find("on faces, y up, frames 1 to 4"), std::string::npos) << notes_[0];
    Style centred;
    centred.staggered = false;
    write_sequence(centred);
    expect_ball();
    EXPECT_NE(notes_.at(0).find("in cells"), std::string::npos) << notes_[0];
}

TEST_F(Foreign, OtherNamesAxesAndUnits) {
    Style style;
    style.surface = "water";
    style.velocity = "flow";
    style.z_up = true;
    style.unit = 0.01;
    write_sequence(style, "sim_{:03}.vdb");
    EXPECT_NE(refusal().find("no level set of a usual name"), std::string::npos);
    scene_.bulk.foreign.surface = "water";
    scene_.bulk.foreign.velocity = "flow";
    scene_.bulk.foreign.up = UpAxis::kZ;
    scene_.bulk.foreign.unit = 0.01;
    for (const char* path : {"", "/sim_###.vdb", "/sim_$F3.vdb", "/sim_002.vdb"}) {
        scene_.bulk.path = directory_ + path;
        expect_ball();
    }
}

TEST_F(Foreign, MantaflowFromItsOwnFiles) {
    Style style{"phi", "velocity", true, true, true, 1};
    write_sequence(style, "data/fluid_data_{:04}.vdb");
    write_configuration();
    scene_.time.fps = 30;  // that of the cache is in its files
    const auto source = open();
    EXPECT_NEAR(source->info().fps, kFps, 1e-4);
    EXPECT_NEAR(source->info().voxel, kVoxel, 1e-7);
    EXPECT_LT(length(source->info().origin - Vec<double, 3>{0, 0, 0.48}), 1e-6);
    EXPECT_LT(length(source->info().box.lo), 1e-6);
    // Cell (0, 0, 0) of the files is the last of ours along z.
    EXPECT_NE(notes_.at(0).find("Mantaflow, level set \"phi\""), std::string::npos) << notes_[0];
    scene_.time.fps = kFps;
    expect_ball();
}

TEST_F(Foreign, ACheckNamesTheWrongScale) {
    write_sequence({});
    Context context(2);
    for (const auto& [wrong, right] : {std::pair{100.0, "velocity_scale = 0.01 "},
                                       {1 / kFps, "velocity_scale = 24 "},
                                       {-1.0, "velocity_scale = -1 "}}) {
        scene_.bulk.foreign.velocity_scale = wrong;
        Inputs inputs;
        inputs.bulk = open();
        std::string all;
        for (const std::string& line : bulk_report(scene_, inputs, context)) all += line + "\n";
        EXPECT_NE(all.find(right), std::string::npos) << all;
    }
}

/// Phoenix and programs for free surfaces in pipes write how full each voxel is.
TEST_F(Foreign, AFillOfVoxelsStandsForALevelSet) {
    Style style{"Liquid", "Velocity", true, false, false, 1};
    style.fill = true;
    write_sequence(style);
    expect_ball(0.2);
    EXPECT_NE(notes_.at(0).find("fill of voxels \"Liquid\""), std::string::npos) << notes_.at(0);
}

/// Mantaflow keeps no level set unless the cache can be resumed.
TEST_F(Foreign, ParticlesStandForALevelSet) {
    Style style{"phi", "velocity", true, true, true, 1};
    style.particles = true;
    write_sequence(style, "data/fluid_data_{:04}.vdb");
    write_configuration();
    expect_ball(0.35);
    EXPECT_NE((notes_.at(0) + notes_.at(1)).find("rebuilt from its particles"), std::string::npos);
}

TEST_F(Foreign, AMeshStandsForALevelSet) {
    Style style{"phi", "velocity", true, true, true, 1};
    style.particles = true;
    write_sequence(style, "data/fluid_data_{:04}.vdb");
    write_configuration();
    for (int n = 1; n <= 4; ++n) {
        TriangleMesh mesh = ball_mesh(n / kFps);
        // Fractions of the longest side from the middle of the domain, z up.
        for (auto& x : mesh.vertices)
            x = Vec<double, 3>{x[0] - 0.24, 0.24 - x[2], x[1] - 0.24} / 0.48;
        write_zipped(fmt::format("mesh/fluid_mesh_{:04}.bobj.gz", n), bobj(mesh, true));
    }
    expect_ball(0.05);
    EXPECT_NE((notes_.at(0) + notes_.at(1)).find("that of its mesh"), std::string::npos);
    fs::remove(fs::path(directory_) / "mesh/fluid_mesh_0003.bobj.gz");
    EXPECT_NE(refusal().find("frame 3 of the bulk has no mesh"), std::string::npos);
}

/// A level that sinks along the file's z.
TEST_F(Foreign, ACheckNamesTheWrongAxis) {
    for (const bool z_up : {true, false}) {
        for (int n = 1; n <= 4; ++n) {
            Volume v;
            v.name = "surface";
            v.kind = VolumeKind::kLevelSet;
            v.voxel = kVoxel;
            v.background = float(3 * kVoxel);
            std::vector<Vec<int, 3>> tiles;
            for (int i = 0; i < 24; i += 8)
                for (int j = z_up ? -24 : 0; j < (z_up ? 0 : 24); j += 8)
                    for (int k = 0; k < 24; k += 8) tiles.push_back({i, j, k});
            v.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
            v.values = {Array<float>(tiles.size() * 512)};
            Volume u = v;
            u.name = "vel";
            u.kind = VolumeKind::kStaggered;
            u.components = 3;
            u.background = 0;
            u.values.assign(3, Array<float>(tiles.size() * 512));
            for (std::size_t at = 0; at < tiles.size() * 512; ++at) {
                const int o = int(at % 512);
                const int up =
                    z_up ? tiles[at / 512][2] + (o & 7) : tiles[at / 512][1] + (o >> 3 & 7);
                v.values[0].write()[at] = float((up + 0.5) * kVoxel - (0.3 - 0.5 * n / kFps));
                u.values[z_up ? 2 : 1].write()[at] = -0.5F;
            }
            write(fmt::format("water.{:04}.vdb", n), encode_vdb_volumes({v, u}, {}));
        }
        Context context(2);
        for (const UpAxis says : {UpAxis::kY, UpAxis::kZ}) {
            scene_.bulk.foreign.up = says;
            const bool wrong = (says == UpAxis::kZ) != z_up;
            // Read with the wrong axis up, the files lie elsewhere.
            scene_.domain.lower = {0, wrong && z_up ? -0.48 : 0, wrong && !z_up ? -0.48 : 0};
            scene_.domain.upper = scene_.domain.lower + Vec<double, 3>::filled(0.48);
            Inputs inputs;
            inputs.bulk = open();
            std::string all;
            for (const std::string& line : bulk_report(scene_, inputs, context)) all += line + "\n";
            const std::string advice = fmt::format("set bulk.up = \"{}\"", z_up ? "z" : "y");
            EXPECT_EQ(all.find(advice) != std::string::npos, wrong) << all;
        }
    }
}

/// Solids of other programs are level sets too.
TEST_F(Foreign, ALevelSetBecomesTheSurfaceOfASolid) {
    write_sequence({});
    const auto files = make_posix_file_system();
    const FileSequence sequence = find_sequence(*files, directory_);
    const ReadMesh read =
        read_sequence_mesh(*files, sequence, 2, "surface", {SPUME_PROGRAM, "read-vdb"});
    const MeshDistance mesh(read.mesh);
    EXPECT_TRUE(mesh.closed());
    EXPECT_GT(mesh.enclosed_volume(), 0) << "faces look outwards";
    for (const auto& x : read.mesh.vertices)
        ASSERT_LT(std::abs(ball(x, 2 / kFps)), 0.1 * kVoxel) << "h²/8r is 0.03";
    // A single file is a solid as it stands.
    const std::string path = std::getenv("PATH");
    setenv("PATH", (fs::path(SPUME_PROGRAM).parent_path().string() + ":" + path).c_str(), 1);
    EXPECT_EQ(read_mesh(*files, sequence.file(2)).mesh.vertices, read.mesh.vertices);
    // Several are one that moves, faces or not.
    const SceneMesh thrown = read_scene_mesh(*files, directory_ + "/water.####.vdb", kFps);
    ASSERT_TRUE(thrown.mesh.sequence);
    for (const double place : {0.0, 0.5, 1.25, 3.0}) {
        const auto moment = thrown.mesh.sequence->at(place);
        const double t = (1 + place) / kFps;
        for (std::size_t v = 0; v < moment->position.size(); ++v) {
            ASSERT_LT(std::abs(ball(moment->position[v], t)), 0.1 * kVoxel) << place;
            if (place < 3) {
                ASSERT_LT(length(moment->velocity[v] * kFps - kSpeed), 0.1 * length(kSpeed));
            }
        }
    }
    try {
        read_sequence_mesh(*files, sequence, 2, "nothing", {SPUME_PROGRAM, "read-vdb"});
        FAIL() << "no such grid";
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("set grid to one of: surface"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace spume
