// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <zlib.h>

#include "bulk/flow_frames.h"
#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/geometry/mesh_distance.h"
#include "spume/io/bobj.h"
#include "spume/io/foreign_source.h"
#include "spume/io/read_mesh.h"
#include "spume/io/vdb.h"
#include "spume/physics/bulk/bulk_report.h"
#include "spume/run/job_bulk.h"

namespace spume::test {

namespace fs = std::filesystem;
inline constexpr double kVoxel = 0.02, kFps = 24, kRadius = 0.09;

/// A ball of water thrown along all three axes.
inline Point<3> centre(double t) { return {0.14 + 0.6 * t, 0.2 + 0.5 * t, 0.22 - 0.4 * t}; }
inline const Vec<double, 3> kSpeed{0.6, 0.5, -0.4};
inline double ball(const Point<3>& x, double t) { return length(x - centre(t)) - kRadius; }

/// How another program writes it.
struct Style {
    std::string surface = "surface", velocity = "vel";
    bool staggered = true, z_up = false, mantaflow = false;
    double unit = 1;         ///< m
    bool particles = false;  ///< instead of the level set
    double culled = 1e9;     ///< m: no velocity deeper than that
    bool fill = false;       ///< shares of voxels instead of the level set

    /// With z up the domain reaches from -0.48 m to 0 along y; Mantaflow counts cells from there.
    int low_y() const { return z_up && !mantaflow ? -24 : 0; }
    double shift_y() const { return z_up && mantaflow ? 24 * kVoxel : 0; }
};

/// The ball's surface as triangles, on our axes.
inline TriangleMesh ball_mesh(double t, int n = 48) {
    TriangleMesh r;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const double a = math::kPi * i / n, b = math::kPi * j / n;
            r.vertices.push_back(centre(t) + Vec<double, 3>{std::sin(a) * std::cos(b), std::cos(a),
                                                            std::sin(a) * std::sin(b)} *
                                                 kRadius);
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const int a = i * 2 * n + j, b = i * 2 * n + (j + 1) % (2 * n);
            r.triangles.push_back({a, b, a + 2 * n});
            r.triangles.push_back({b, b + 2 * n, a + 2 * n});
        }
    return r;
}

template <class T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// As FLIP Fluids writes a mesh; with normals as Mantaflow does.
inline std::string bobj(const TriangleMesh& mesh, bool normals) {
    std::string r;
    for (int list = 0; list < (normals ? 2 : 1); ++list) {
        put(r, std::int32_t(mesh.vertices.size()));
        for (const auto& x : mesh.vertices)
            for (int k = 0; k < 3; ++k) put(r, list ? 0.F : float(x[k]));
    }
    put(r, std::int32_t(mesh.triangles.size()));
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) put(r, t[k]);
    return r;
}

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
            if (!flow && style.particles) continue;
            Volume v;
            v.name = flow ? style.velocity : style.surface;
            v.kind = flow ? (style.staggered ? VolumeKind::kStaggered : VolumeKind::kScalar)
                     : style.mantaflow || style.fill ? VolumeKind::kScalar
                                                     : VolumeKind::kLevelSet;
            v.components = flow ? 3 : 1;
            v.voxel = kVoxel / style.unit;
            const double low = style.mantaflow ? -0.5 * v.voxel : 0;
            v.origin = {low, low, low};
            v.background = flow || style.mantaflow || style.fill ? 0.F : float(3 * v.voxel);
            std::vector<Vec<int, 3>> tiles;
            for (int i = 0; i < 24; i += 8)
                for (int j = style.low_y(); j < style.low_y() + 24; j += 8)
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
                    u[1] -= style.shift_y();
                    const Point<3> x = style.z_up ? Point<3>{u[0], u[2], -u[1]} : Point<3>(u);
                    const double phi = ball(x, t);
                    const Vec<double, 3> speed =
                        style.z_up ? Vec<double, 3>{kSpeed[0], -kSpeed[2], kSpeed[1]} : kSpeed;
                    const bool known = phi < 2 * kVoxel && phi > -style.culled;
                    double value = flow ? (known ? speed[c] : 0) : phi;
                    value /= style.unit;
                    if (style.mantaflow && flow) value *= style.unit / (kVoxel * 2.5);
                    if (style.mantaflow && !flow) value = std::clamp(value / kVoxel, -7.0, 5.0);
                    if (style.fill && !flow) value = std::clamp(0.5 - phi / kVoxel, 0.0, 1.0);
                    v.values[std::size_t(c)].write()[at] = float(value);
                }
            }
            volumes.push_back(v);
        }
        if (!style.particles) return encode_vdb_volumes(volumes, {});
        const PointSet points = particles(t, style);
        return encode_vdb_volumes(volumes, {.point_voxel = kVoxel}, &points);
    }
    /// Eight in a voxel, a little off their places.
    static PointSet particles(double t, const Style& style) {
        std::vector<Vec<double, 3>> all;
        for (int i = 0; i < 48; ++i)
            for (int j = 0; j < 48; ++j)
                for (int k = 0; k < 48; ++k) {
                    const double off = 0.2 * ((i * 7 + j * 13 + k * 29) % 11 / 11.0 - 0.5);
                    const Point<3> x =
                        Point<3>{i + 0.5 + off, j + 0.5 - off, k + 0.5 + off} * (kVoxel / 2);
                    if (ball(x, t) < 0)
                        all.push_back(
                            style.z_up ? Vec<double, 3>{x[0], style.shift_y() - x[2], x[1]} : x);
                }
        return {"particles", Array<Vec<double, 3>>(std::span<const Vec<double, 3>>(all)), {}};
    }
    /// As in config_####.uni: 24 cells of 2 cm about (0.24, -0.24, 0.24), z up.
    void write_configuration() {
        for (int n = 1; n <= 4; ++n) {
            std::string bytes(204, '\0');
            const auto set = [&](std::size_t at, auto value) {
                std::memcpy(&bytes[at], &value, 4);
            };
            for (std::size_t a = 0; a < 3; ++a) {
                set(4 + 4 * a, std::int32_t(24));
                set(24 + 4 * a, -1.0F);
                set(36 + 4 * a, 1.0F);
                set(84 + 20 * a, 0.24F);
                set(132 + 4 * a, a == 1 ? -0.24F : 0.24F);
            }
            set(144, 1.0F);
            set(196, float(2.5 * n / kFps));
            write_zipped(fmt::format("config/config_{:04}.uni", n), bytes);
        }
    }
    void write_zipped(const std::string& name, const std::string& bytes) {
        const fs::path path = fs::path(directory_) / name;
        fs::create_directories(path.parent_path());
        const gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, bytes.data(), unsigned(bytes.size()));
        gzclose(file);
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
    /// `off`: how far the surface may be from the ball's, in voxels.
    void expect_ball(double allowed = 0.02, double t = 2.5 / kFps) {
        Inputs inputs;
        inputs.bulk = open();
        const auto bulk = bulk_of<3>(scene_, inputs);
        Context context(2);
        const auto tiles = dense_tiles<3>(scene_);
        const auto f = bulk->on(tiles, t, context);
        EXPECT_LT(difference<3>(f.phi, [&](const Point<3>& x) { return ball(x, t); }), allowed);
        double off = 0;
        for (int tile = 0; tile < tiles->active(); ++tile)
            for (int o = 0; o < 512; ++o)
                if (f.phi.at(tile, o) < 0)
                    for (int a = 0; a < 3; ++a)
                        off = std::max(off, std::abs(f.velocity.at(a, tile, o) - kSpeed[a]));
        EXPECT_LT(off, 1e-4);
        EXPECT_LT(kinematic_residual<3>(*bulk, {1 / kFps, 2 / kFps}, context).share,
                  0.05 + allowed);
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

}  // namespace spume::test
