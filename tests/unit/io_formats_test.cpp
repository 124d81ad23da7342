// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/io/obj.h"
#include "spume/io/ply.h"
#include "spume/io/vdb.h"
#include "spume/io/vtk.h"

namespace spume {
namespace {

PointSet random_points(std::size_t n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> unit(-1, 1);
    PointSet set;
    set.name = "bubbles";
    set.position = Array<Vec<double, 3>>(n);
    Array<Vec<float, 3>> v(n);
    Array<float> pscale(n), age(n);
    Array<std::int32_t> type(n);
    Array<std::uint64_t> id(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (int a = 0; a < 3; ++a) {
            set.position.write()[i][a] = unit(random);
            v.write()[i][a] = unit(random);
        }
        pscale.write()[i] = std::abs(unit(random));
        age.write()[i] = unit(random);
        type.write()[i] = static_cast<std::int32_t>(i % 3);
        id.write()[i] = (std::uint64_t(i) << 33) + i;  // needs both halves, unique
    }
    set.columns = {{"v", "m/s", v},
                   {"id", "", id},
                   {"pscale", "m", pscale},
                   {"age", "s", age},
                   {"type", "", type}};
    return set;
}

template <class T>
const Array<T>& column(const PointSet& set, const char* name) {
    return std::get<Array<T>>(set.find(name)->values);
}

/// Which point of `b` has the id of point i of `a`.
std::vector<std::size_t> matched_by_id(const PointSet& a, const PointSet& b) {
    std::map<std::uint64_t, std::size_t> where;
    for (std::size_t i = 0; i < b.size(); ++i) where[column<std::uint64_t>(b, "id")[i]] = i;
    EXPECT_EQ(where.size(), b.size());
    std::vector<std::size_t> match;
    for (std::size_t i = 0; i < a.size(); ++i)
        match.push_back(where.at(column<std::uint64_t>(a, "id")[i]));
    return match;
}

void expect_same_points(const PointSet& a, const PointSet& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    const auto match = matched_by_id(a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::size_t j = match[i];
        EXPECT_LE(length(a.position[i] - b.position[j]), tolerance);
        EXPECT_EQ((column<Vec<float, 3>>(a, "v")[i]), (column<Vec<float, 3>>(b, "v")[j]));
        EXPECT_EQ(column<float>(a, "pscale")[i], column<float>(b, "pscale")[j]);
        EXPECT_EQ(column<float>(a, "age")[i], column<float>(b, "age")[j]);
        EXPECT_EQ(column<std::int32_t>(a, "type")[i], column<std::int32_t>(b, "type")[j]);
    }
}

TEST(IoPly, PointsComeBack) {
    const PointSet set = random_points(500, 1);
    const std::string bytes = encode_ply(set);
    EXPECT_NE(
        bytes.find("property uint id_lo\nproperty uint id_hi\nproperty float density\nend_header"),
        std::string::npos);
    expect_same_points(set, decode_ply_points(bytes, "p.ply"), 1e-7 * std::sqrt(3.0));
    EXPECT_EQ(decode_ply_points(encode_ply(PointSet{}), "p.ply").size(), 0u);
}

TEST(IoPly, ReadsTextAndBigEndian) {
    const std::string header =
        "element vertex 2\nproperty short x\nproperty float y\nproperty "
        "double z\nelement face 1\nproperty list uchar int vertex_index\n"
        "end_header\n";
    const TriangleMesh text = decode_ply_mesh(
        "ply\nformat ascii 1.0\ncomment hello\n" + header + "1 2.5 3\n-4 5 6e1\n3 0 1 0\n",
        "a.ply");
    ASSERT_EQ(text.vertices.size(), 2u);
    EXPECT_EQ(text.vertices[1], (Vec<double, 3>{-4, 5, 60}));
    const std::string body(
        "\x00\x01\x40\x20\x00\x00\x40\x08\x00\x00\x00\x00\x00\x00"
        "\xff\xfc\x40\xa0\x00\x00\x40\x4e\x00\x00\x00\x00\x00\x00"
        "\x03\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00",
        41);
    const TriangleMesh big =
        decode_ply_mesh("ply\nformat binary_big_endian 1.0\n" + header + body, "b.ply");
    EXPECT_EQ(big.vertices[0], text.vertices[0]);
    EXPECT_EQ(big.vertices[1], text.vertices[1]);
    EXPECT_EQ(big.triangles.size(), 1u);
    EXPECT_EQ(big.triangles[0], text.triangles[0]);
}

TEST(IoPly, MeshComesBackAndPolygonsBecomeFans) {
    TriangleMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const TriangleMesh back = decode_ply_mesh(encode_ply(mesh), "m.ply");
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.triangles, mesh.triangles);
    const TriangleMesh quad = decode_ply_mesh(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
        "float "
        "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2 3\n",
        "q.ply");
    EXPECT_EQ(quad.triangles, (std::vector<Vec<std::int32_t, 3>>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(IoPly, LiesAreRefused) {
    auto with = [](const std::string& rest) {
        return "ply\nformat binary_little_endian 1.0\n" + rest;
    };
    const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
    const std::string face = "element face 1\nproperty list uint int vertex_indices\n";
    const std::string cases[] = {
        "",
        "ply",
        "plx\n",
        with(""),
        with("element vertex 4294967295\n" + xyz + "end_header\n"),
        with("element vertex 18446744073709551615\n" + xyz + "end_header\n"),
        with("element vertex 4000000000\nend_header\n"),
        with("element vertex -1\n" + xyz + "end_header\n"),
        with("element vertex 1\n" + xyz + face + "end_header\n" + std::string(12, '\0') +
             "\xff\xff\xff\xff"),
        with("element vertex 1\n" + xyz + face + "end_header\n" + std::string(12, '\0') +
             std::string("\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0", 16)),
        with("element vertex 1\n" + xyz + "end_header\n" +
             std::string("\0\0\xc0\x7f\0\0\0\0\0\0\0\0", 12)),
        with("element vertex 0\n" + xyz + "property float vx\nelement vertex 1\n" + xyz +
             "property float vx\nend_header\n" + std::string(16, '\0')),
        with("property float x\n"),
        with("element vertex 1\nproperty quad x\nend_header\n"),
        with(std::string(5000, 'x')),
        "ply\nformat ascii 1.0\nelement vertex 2\n" + xyz + "end_header\n0 0 0\n",
        "ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "end_header\n0 0 zero\n"};
    for (const std::string& bytes : cases)
        EXPECT_THROW(decode_ply_mesh(bytes, "x.ply"), UserError) << bytes;
}

TEST(IoObj, FacesAndErrors) {
    const TriangleMesh mesh = decode_obj(
        "# cube\nmtllib ../../x\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\nv 0 1 0 1.0\nvn 0 0 1\nf 1/1/1 2//1 "
        "3 4\n"
        "f -4 -3 -2\n",
        "a.obj");
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles, (std::vector<Vec<std::int32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
    try {
        decode_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 4\n", "b.obj");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, 46),
                  "b.obj:4:1: error: vertex 4 does not exist: 3 s");
    }
    for (const char* bad :
         {"v 0 0\n", "v 0 0 nan\n", "v 1e999 0 0\n", "f 1 2 3\n", "v 0 0 0\nf 0 0 0\n",
          "v 0 0 0\nf 1 1\n", "v 0 0 0\nf -2 1 1\n", "v 0 0 0\nf 99999999999999999999 1 1\n"})
        EXPECT_THROW(decode_obj(bad, "c.obj"), UserError) << bad;
}

/// f at cell centres, on a few tiles.
template <class F>
Volume sampled(VolumeKind kind, Vec<int, 3> side, const std::vector<Vec<int, 3>>& tiles, F&& f) {
    Volume volume;
    volume.name = "surface";
    volume.kind = kind;
    volume.voxel = 0.25;
    volume.origin = {-1, 0, 2};
    volume.side = side;
    volume.background = 0.75f;
    volume.components = kind == VolumeKind::kStaggered ? 3 : 1;
    volume.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
    for (int c = 0; c < volume.components; ++c) {
        std::vector<float> values;
        for (const auto& t : tiles)
            for (int i = 0; i < side[0]; ++i)
                for (int j = 0; j < side[1]; ++j)
                    for (int k = 0; k < side[2]; ++k)
                        values.push_back(f(t + Vec<int, 3>{i, j, k}, c));
        volume.values.emplace_back(std::span<const float>(values));
    }
    return volume;
}

float value_at(const Volume& volume, Vec<int, 3> cell, std::size_t component) {
    for (std::size_t t = 0; t < volume.tiles.size(); ++t) {
        const Vec<int, 3> at = cell - volume.tiles[t];
        bool inside = true;
        for (int a = 0; a < 3; ++a) inside = inside && at[a] >= 0 && at[a] < volume.side[a];
        if (inside)
            return volume
                .values[component][t * static_cast<std::size_t>(product(volume.side)) +
                                   static_cast<std::size_t>(
                                       (at[0] * volume.side[1] + at[1]) * volume.side[2] + at[2])];
    }
    return volume.background;
}

TEST(IoVdb, VolumesComeBackInPlace) {
    auto f = [](Vec<int, 3> c, int component) {
        return c[0] % 3 == 0
                   ? 0.75f
                   : 0.1f * static_cast<float>(c[0] - 2 * c[1] + 3 * c[2] + 100 * component);
    };
    struct Case {
        VolumeKind kind;
        Vec<int, 3> side;
        std::vector<Vec<int, 3>> tiles;
    };
    const Case cases[] = {{VolumeKind::kScalar, {8, 8, 8}, {{0, 0, 0}, {-8, 16, 8}}},
                          {VolumeKind::kStaggered, {8, 8, 8}, {{-16, -8, 0}, {0, 0, 8}}},
                          {VolumeKind::kFog, {16, 16, 1}, {{0, 0, 0}, {-16, 16, 0}}}};
    for (const Case& c : cases) {
        const Volume volume = sampled(c.kind, c.side, c.tiles, f);
        const std::string bytes = encode_vdb(volume, {});
        EXPECT_EQ(bytes, encode_vdb(volume, {})) << "equal input, equal bytes";
        const Volume back = decode_vdb_volume(bytes, "v.vdb");
        EXPECT_EQ(back.kind, volume.kind);
        EXPECT_EQ(back.name, "surface");
        EXPECT_EQ(back.voxel, 0.25);
        EXPECT_NEAR(length(back.origin - volume.origin), 0, 1e-15);
        for (const auto& t : c.tiles)
            for (int i = 0; i < c.side[0]; ++i)
                for (int j = 0; j < c.side[1]; ++j)
                    for (int k = 0; k < c.side[2]; ++k)
                        for (int m = 0; m < volume.components; ++m) {
                            const Vec<int, 3> cell = t + Vec<int, 3>{i, j, k};
                            ASSERT_EQ(value_at(back, cell, static_cast<std::size_t>(m)),
                                      f(cell, m));
                        }
        const std::string half = encode_vdb(volume, {.half = true});
        const Volume rounded = decode_vdb_volume(half, "h.vdb");
        const Vec<int, 3> cell = c.tiles[0] + Vec<int, 3>{1, 2, 0};
        EXPECT_NEAR(value_at(rounded, cell, 0), f(cell, 0), 1e-3 * std::abs(f(cell, 0)));
    }
}

TEST(IoVdb, LevelSetIsClampedToItsBand) {
    const Volume volume =
        sampled(VolumeKind::kLevelSet, {8, 8, 8}, {{0, 0, 0}},
                [](Vec<int, 3> c, int) { return 0.5f * static_cast<float>(c[0] - 4); });
    const Volume back = decode_vdb_volume(encode_vdb(volume, {}), "l.vdb");
    EXPECT_EQ(value_at(back, {0, 0, 0}, 0), -0.75f);
    EXPECT_EQ(value_at(back, {3, 0, 0}, 0), -0.5f);
    EXPECT_EQ(value_at(back, {7, 0, 0}, 0), 0.75f);
}

TEST(IoVdb, PointsComeBack) {
    const PointSet set = random_points(3000, 2);
    for (double voxel : {0.0, 0.01, 0.3}) {
        const std::string bytes = encode_vdb(set, {.point_voxel = voxel});
        EXPECT_EQ(bytes, encode_vdb(set, {.point_voxel = voxel}));
        expect_same_points(set, decode_vdb_points(bytes, "p.vdb"), 1e-7);
    }
    EXPECT_EQ(decode_vdb_points(encode_vdb(PointSet{}, {}), "e.vdb").size(), 0u);
    PointSet far = random_points(2, 3);
    far.position.write()[0] = {1e12, 0, 0};
    expect_same_points(far, decode_vdb_points(encode_vdb(far, {.point_voxel = 1e-3}), "f.vdb"),
                       1e-3);
}

TEST(IoVdb, DamagedHeadersAreUserErrors) {
    EXPECT_THROW(
        decode_vdb_points("not a vdb at all, but long enough to be read as one....", "x.vdb"),
        UserError);
    EXPECT_THROW(describe_vdb("/nonexistent.vdb"), UserError);
}

/// The appended block of the array called `name`.
std::string vtk_block(const std::string& file, const std::string& name) {
    const std::size_t array = file.find("Name=\"" + name + "\"");
    const std::size_t offset = std::stoul(file.substr(file.find("offset=\"", array) + 8));
    const std::size_t data = file.find("\n_") + 2;
    std::uint64_t bytes;
    std::memcpy(&bytes, file.data() + data + offset, 8);
    return file.substr(data + offset + 8, bytes);
}

TEST(IoVtk, StaggeredVelocityIsAveragedToCentres) {
    // u = x at the faces: the centre of cell i must hold x of the centre, in index units i + 1/2.
    const Volume volume = sampled(VolumeKind::kStaggered, {8, 8, 8}, {{0, 0, 0}, {8, 0, 0}},
                                  [](Vec<int, 3> c, int m) { return static_cast<float>(c[m]); });
    const std::string file = encode_vti(volume);
    EXPECT_NE(
        file.find("WholeExtent=\"0 16 0 8 0 8\" Origin=\"-1 0 2\" Spacing=\"0.25 0.25 0.25\""),
        std::string::npos);
    const std::string block = vtk_block(file, "surface");
    ASSERT_EQ(block.size(), 16u * 8 * 8 * 3 * 4);
    for (int k = 0; k < 7; ++k)
        for (int j = 0; j < 7; ++j)
            for (int i = 0; i < 15; ++i) {
                float v[3];
                std::memcpy(v, block.data() + 12 * (i + 16 * (j + 8 * k)), 12);
                EXPECT_EQ(v[0], static_cast<float>(i) + 0.5f);
                EXPECT_EQ(v[1], static_cast<float>(j) + 0.5f);
                EXPECT_EQ(v[2], static_cast<float>(k) + 0.5f);
            }
}

TEST(IoVtk, PointsAndCollections) {
    const PointSet set = random_points(10, 5);
    const std::string file = encode_vtp(set);
    const std::string block = vtk_block(file, "P");
    ASSERT_EQ(block.size(), 240u);
    EXPECT_EQ(std::memcmp(block.data(), set.position.data(), 240), 0);
    EXPECT_EQ(vtk_block(file, "id").size(), 80u);
    EXPECT_NE(encode_pvd({{0.5, "points/a.0001.vtp"}})
                  .find("timestep=\"0.5\" file=\"points/a.0001.vtp\""),
              std::string::npos);
}

}  // namespace
}  // namespace spume
