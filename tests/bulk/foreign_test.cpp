// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Liquids of other programs: files written here as they write them, and every way in which they can
// be wrong.

#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <zlib.h>

#include "bulk/flow_frames.h"
#include "spume/core/error.h"
#include "spume/io/foreign_source.h"
#include "spume/io/vdb.h"
#include "spume/physics/bulk/bulk_report.h"

namespace spume {
namespace {

namespace fs = std::filesystem;
constexpr double kVoxel = 0.02, kFps = 24, kRadius = 0.09;

/// A ball of water thrown along all three axes.
Point<3> centre(double t) { return {0.14 + 0.6 * t, 0.2 + 0.5 * t, 0.22 - 0.4 * t}; }
const Vec<double, 3> kSpeed{0.6, 0.5, -0.4};
double ball(const Point<3>& x, double t) { return length(x - centre(t)) - kRadius; }

/// How another program writes it.
struct Style {
    std::string surface = "surface", velocity = "vel";
    bool staggered = true, z_up = false, mantaflow = false;
    double unit = 1;  ///< m
};

class Foreign : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/spume_foreign_XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory_ = name;
        scene_.domain.lower = {0, 0, 0};
        scene_.domain.upper = {0.4, 0.4, 0.4};
        scene_.domain.voxel = kVoxel;
        scene_.time.fps = kFps;
        scene_.time.frames = 4;
        scene_.bulk.present = true;
        scene_.bulk.kind = BulkKind::kVdb;
        scene_.bulk.path = directory_;
    }
    void TearDown() override { fs::remove_all(directory_); }

    /// Volumes of frame n on the program's axes and in its units, in one file.
    std::string file_of(int n, const Style& style) const {
        const double t = n / kFps;
        std::vector<Volume> volumes;
        for (const bool flow : {false, true}) {
            Volume v;
            v.name = flow ? style.velocity : style.surface;
            v.kind = flow ? (style.staggered ? VolumeKind::kStaggered : VolumeKind::kScalar)
                          : VolumeKind::kLevelSet;
            v.components = flow ? 3 : 1;
            v.voxel = kVoxel / style.unit;
            const double low = style.mantaflow ? -0.5 * v.voxel : 0;
            v.origin = {low, low, low};
            v.background = flow || style.mantaflow ? 0.F : float(3 * v.voxel);
            std::vector<Vec<int, 3>> tiles;
            for (int i = 0; i < 24; i += 8)
                for (int j = style.z_up ? -24 : 0; j < (style.z_up ? 0 : 24); j += 8)
                    for (int k = 0; k < 24; k += 8) tiles.push_back({i, j, k});
            v.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
            v.values.resize(std::size_t(v.components), Array<float>(tiles.size() * 512));
            for (std::size_t at = 0; at < tiles.size() * 512; ++at) {
                const Vec<int, 3> lo = tiles[at / 512];
                const int o = int(at % 512);
                const Vec<double, 3> cell{lo[0] + (o >> 6) + 0.5, lo[1] + (o >> 3 & 7) + 0.5,
                                          lo[2] + (o & 7) + 0.5};
                for (int c = 0; c < v.components; ++c) {
                    Vec<double, 3> u = cell * kVoxel;
                    if (flow && style.staggered) u[c] -= 0.5 * kVoxel;
                    const Point<3> x = style.z_up ? Point<3>{u[0], u[2], -u[1]} : Point<3>(u);
                    const double phi = ball(x, t);
                    const Vec<double, 3> speed =
                        style.z_up ? Vec<double, 3>{kSpeed[0], -kSpeed[2], kSpeed[1]} : kSpeed;
                    double value = flow ? (phi < 2 * kVoxel ? speed[c] : 0) : phi;
                    value /= style.unit;
                    if (style.mantaflow && flow) value *= style.unit / (kVoxel * 2.5);
                    if (style.mantaflow && !flow) value = std::clamp(value / kVoxel, -7.0, 5.0);
                    v.values[std::size_t(c)].write()[at] = float(value);
                }
            }
            volumes.push_back(v);
        }
        return encode_vdb_volumes(volumes, {});
    }
    void write(const std::string& name, const std::string& bytes) {
        const fs::path path = fs::path(directory_) / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
    }
    void write_sequence(const Style& style, const std::string& name = "water.{:04}.vdb") {
        for (int n = 1; n <= 4; ++n) write(fmt::format(fmt::runtime(name), n), file_of(n, style));
    }
    std::shared_ptr<const BulkSource> open() {
        std::string identity;
        notes_.clear();
        return open_foreign_source(make_posix_file_system(), scene_, identity, notes_,
                                   {SPUME_PROGRAM, "read-vdb"});
    }
    void expect_ball(double t = 2.5 / kFps) {
        Inputs inputs;
        inputs.bulk = open();
        const auto bulk = bulk_of<3>(scene_, inputs);
        Context context(2);
        const auto tiles = test::dense_tiles<3>(scene_);
        const auto f = bulk->on(tiles, t, context);
        EXPECT_LT(test::difference<3>(f.phi, [&](const Point<3>& x) { return ball(x, t); }), 0.02);
        double off = 0;
        for (int tile = 0; tile < tiles->active(); ++tile)
            for (int o = 0; o < 512; ++o)
                if (f.phi.at(tile, o) < 0)
                    for (int a = 0; a < 3; ++a)
                        off = std::max(off, std::abs(f.velocity.at(a, tile, o) - kSpeed[a]));
        EXPECT_LT(off, 1e-4);
        EXPECT_LT(kinematic_residual<3>(*bulk, {1 / kFps, 2 / kFps}, context).share, 0.05);
    }
    std::string refusal() {
        try {
            const auto source = open();
            for (int n = source->info().first; n <= source->info().last; ++n) source->read(n);
        } catch (const UserError& error) {
            const Complaint& c = error.complaints()[0];
            EXPECT_FALSE(c.remedy.empty());
            EXPECT_FALSE(c.place.file.empty());
            return c.message;
        }
        return "";
    }

    std::string directory_;
    Scene scene_;
    std::vector<std::string> notes_;
};

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
    // As in config_####.uni: 24 cells of 2 cm about (0.24, -0.24, 0.24), z up.
    for (int n = 1; n <= 4; ++n) {
        std::string bytes(204, '\0');
        const auto put = [&](std::size_t at, auto value) { std::memcpy(&bytes[at], &value, 4); };
        for (std::size_t a = 0; a < 3; ++a) {
            put(4 + 4 * a, std::int32_t(24));
            put(24 + 4 * a, -1.0F);
            put(36 + 4 * a, 1.0F);
            put(84 + 20 * a, 0.24F);
            put(132 + 4 * a, a == 1 ? -0.24F : 0.24F);
        }
        put(144, 1.0F);
        put(196, float(2.5 * n / kFps));
        const std::string name = directory_ + fmt::format("/config/config_{:04}.uni", n);
        fs::create_directories(directory_ + "/config");
        const gzFile file = gzopen(name.c_str(), "wb");
        gzwrite(file, bytes.data(), unsigned(bytes.size()));
        gzclose(file);
    }
    scene_.time.fps = 30;  // that of the cache is in its files
    const auto source = open();
    EXPECT_NEAR(source->info().fps, kFps, 1e-4);
    EXPECT_NEAR(source->info().voxel, kVoxel, 1e-7);
    EXPECT_LT(length(source->info().origin - Vec<double, 3>{0, 0, 0.48}), 1e-6);
    EXPECT_LT(length(source->info().box.lo), 1e-6);
    // Cell (0, 0, 0) of the files is the last of ours along z.
    EXPECT_NE(notes_.at(0).find("Mantaflow, level set \"phi\""), std::string::npos) << notes_[0];
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
    Style without{"nothing", "velocity", true, true, true, 1};
    write("manta/data/fluid_data_0001.vdb", file_of(1, without));
    scene_.bulk.path = directory_ + "/manta";
    scene_.bulk.foreign.surface = "";
    EXPECT_NE(refusal(), "");
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
