// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Every way in which files of other programs can be wrong.

#include <random>

#include "bulk/foreign_files.h"

namespace spume {
namespace {

using namespace test;

TEST_F(Foreign, VelocityWithoutDepthIsSaid) {
    Style style;
    style.culled = 1.5 * kVoxel;
    write_sequence(style);
    open();
    EXPECT_NE(notes_.back().find("has no velocity in frame 1 and is taken to be at rest"),
              std::string::npos)
        << notes_.back();
}

TEST_F(Foreign, TwoGridsOfOneNameAndFarGrids) {
    write_sequence({});
    Volume v;
    v.name = "surface";
    v.kind = VolumeKind::kLevelSet;
    v.voxel = kVoxel;
    std::vector<Vec<int, 3>> tiles{{0, 0, 0}};
    v.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
    v.values = {Array<float>(512, -1.F)};
    write("water.0002.vdb", encode_vdb_volumes({v, v}, {}));
    EXPECT_NE(refusal().find("two grids are called \"surface\""), std::string::npos);
    Volume turned = v;
    turned.background = -0.06F;
    write("water.0002.vdb", encode_vdb_volumes({turned}, {}));
    EXPECT_NE(refusal().find("it is negative in the air"), std::string::npos);
    v.origin = {3e9, 0, 0};
    Volume u = v;
    u.name = "vel";
    u.kind = VolumeKind::kStaggered;
    u.components = 3;
    u.values.assign(3, Array<float>(512, 1.F));
    write("water.0002.vdb", encode_vdb_volumes({v, u}, {}));
    EXPECT_NE(refusal().find("lies 3e+09 away"), std::string::npos);
}

TEST_F(Foreign, AGapIsNamed) {
    write_sequence({});
    fs::remove(fs::path(directory_) / "water.0003.vdb");
    Manifest manifest;
    std::vector<std::string> warnings;
    scene_.time.start = 2;
    scene_.time.frames = 3;
    // A scene's own reader is the program that runs, or the one on the path.
    const std::string path = std::getenv("PATH");
    setenv("PATH", (fs::path(SPUME_PROGRAM).parent_path().string() + ":" + path).c_str(), 1);
    try {
        load_bulk(scene_, manifest, warnings);
        FAIL() << "a gap was not noticed";
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("frame 3 is missing"), std::string::npos)
            << error.what();
    }
}

TEST(Bobj, IsReadAndItsLiesAreRefused) {
    const TriangleMesh mesh = ball_mesh(0, 6);
    for (const bool normals : {false, true}) {
        const std::string good = bobj(mesh, normals);
        const TriangleMesh read = decode_bobj(good, "a.bobj");
        ASSERT_EQ(read.triangles, mesh.triangles);
        ASSERT_EQ(read.vertices.size(), mesh.vertices.size());
        EXPECT_LT(length(read.vertices[40] - mesh.vertices[40]), 1e-6);
        for (std::size_t cut = 0; cut < good.size(); cut += 37)
            EXPECT_THROW(decode_bobj(good.substr(0, cut), "a.bobj"), UserError) << cut;
        for (const std::int32_t lie : {-1, 0x7fffffff, 1 << 20}) {
            std::string bad = good;
            std::memcpy(bad.data(), &lie, 4);
            EXPECT_THROW(decode_bobj(bad, "a.bobj"), UserError) << lie;
            bad = good;
            std::memcpy(bad.data() + bad.size() - 4, &lie, 4);
            EXPECT_THROW(decode_bobj(bad, "a.bobj"), UserError) << lie;
        }
        EXPECT_THROW(decode_bobj(good + "x", "a.bobj"), UserError);
    }
}

TEST_F(Foreign, WhatIsWrongIsSaid) {
    EXPECT_NE(refusal().find("no numbered .vdb files"), std::string::npos);
    scene_.bulk.path = directory_ + "/nowhere";
    EXPECT_NE(refusal().find("no such file"), std::string::npos);
    scene_.bulk.path = directory_;
    write_sequence({});
    write("other.0001.vdb", file_of(1, {}));
    EXPECT_NE(refusal().find("2 sequences"), std::string::npos);
    scene_.bulk.path = directory_ + "/water.####.vdb";
    EXPECT_EQ(refusal(), "");
    scene_.bulk.foreign.velocity = "surface";
    EXPECT_NE(refusal().find("a velocity is of vectors"), std::string::npos);
    scene_.bulk.foreign = {};
    scene_.bulk.foreign.surface = "vel";
    EXPECT_NE(refusal().find("a level set is of floats"), std::string::npos);
    scene_.bulk.foreign = {};
    std::string whole = file_of(3, {});
    write("water.0003.vdb", "");
    EXPECT_NE(refusal().find("has no bytes"), std::string::npos);
    write("water.0003.vdb", whole.substr(0, whole.size() / 2));
    EXPECT_NE(refusal(), "");
    fs::remove(fs::path(directory_) / "water.0003.vdb");
    EXPECT_FALSE(open()->has(3));
    EXPECT_NE(refusal().find("not there"), std::string::npos);
    // "nothing" is no usual name, and there are no particles either.
    Style without{"nothing", "velocity", true, true, true, 1};
    write("manta/data/fluid_data_0001.vdb", file_of(1, without));
    scene_.bulk.path = directory_ + "/manta";
    scene_.bulk.foreign.surface = "";
    EXPECT_NE(refusal().find("no mesh beside it and there are no particles"), std::string::npos);
}

TEST_F(Foreign, NoNumbersAreFound) {
    Style style;
    write_sequence(style);
    std::string bytes = file_of(2, style);
    // A level set with a hole of NaN, found wherever it is.
    Volume v;
    v.name = "surface";
    v.kind = VolumeKind::kScalar;
    v.voxel = kVoxel;
    std::vector<Vec<int, 3>> tiles{{0, 0, 0}};
    v.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
    v.values = {Array<float>(512, -1.F)};
    v.values[0].write()[77] = std::nanf("");
    Volume u = v;
    u.name = "vel";
    u.kind = VolumeKind::kStaggered;
    u.components = 3;
    u.values.assign(3, Array<float>(512, 1.F));
    write("water.0002.vdb", encode_vdb_volumes({v, u}, {}));
    EXPECT_NE(refusal().find("\"surface\" is not a number at voxel (1, 1, 5)"), std::string::npos);
}

void expect_no_harm(const std::string& whole, const std::string& path, int mutants, unsigned seed) {
    std::mt19937 random(seed);
    int refused = 0;
    for (int i = 0; i < mutants; ++i) {
        std::string bad = whole;
        if (i % 4 == 0) bad.resize(random() % bad.size());
        for (int n = 0; n < 1 + i % 5 && !bad.empty(); ++n) {
            char& byte = bad[random() % bad.size()];
            byte = i % 3 == 0   ? '\xff'
                   : i % 3 == 1 ? char(random())
                                : char(byte ^ (1 << random() % 8));
        }
        std::ofstream(path, std::ios::binary) << bad;
        try {
            const auto frame = read_foreign({SPUME_PROGRAM, "read-vdb"}, path, {}, {.seconds = 10});
            ASSERT_EQ(frame.phi.size(), frame.tiles.size() * 512);
        } catch (const UserError& error) {
            ++refused;
            ASSERT_EQ(error.complaints()[0].place.file, path);
        }
    }
    EXPECT_GE(refused, mutants / 6) << "cut files at the least";
}

TEST_F(Foreign, DamagedFilesAreRefusedOrRead) {
    expect_no_harm(file_of(1, {}), directory_ + "/bad.vdb", 200, 7);
}

using DeepForeign = Foreign;
TEST_F(DeepForeign, TwoThousandDamagedFiles) {
    expect_no_harm(file_of(1, {}), directory_ + "/bad.vdb", 2000, 8);
}

}  // namespace
}  // namespace spume
