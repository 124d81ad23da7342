// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/mesh_source.h"

#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/geometry/mesh_distance.h"
#include "spume/io/file_sequence.h"
#include "spume/io/foreign_place.h"
#include "spume/io/read_mesh.h"

namespace spume {
namespace {

constexpr const char* kRemedy =
    "write the velocity of the vertices with the surface (FLIP Fluids: Surface > Generate Surface "
    "Velocity Attributes; PLY: a vector v), or the same faces in every file";

class MeshSource final : public BulkSource {
  public:
    MeshSource(std::shared_ptr<FileSystem> files, const Scene& scene)
        : files_(std::move(files)),
          says_(scene.bulk.foreign),
          sequence_(find_sequence(*files_, scene.bulk.path)) {
        if (sequence_.suffix == ".vdb")
            throw error_in_file(scene.bulk.path, "holds VDB files, not meshes",
                                "set bulk.kind = \"vdb\"");
        // FLIP Fluids writes the axes of Blender.
        z_up_ = says_.up == UpAxis::kZ ||
                (says_.up == UpAxis::kAutomatic && sequence_.suffix.starts_with(".bobj"));
        info_.path = scene.bulk.path;
        info_.first = sequence_.first;
        info_.last = sequence_.last;
        info_.voxel = scene.voxel();
        info_.origin = scene.domain.lower;
        info_.box = {scene.domain.lower, scene.domain.upper};
        info_.fps = (says_.fps > 0 ? says_.fps : scene.time.fps) * says_.time_scale;
    }

    const BulkInfo& info() const override { return info_; }
    bool has(int frame) const override {
        const auto facts = files_->facts(sequence_.file(frame));
        return facts && !facts->directory && facts->bytes > 0;
    }
    Frame read(int frame) const override {
        const ReadMesh raw = read_sequence_mesh(*files_, sequence_, frame);
        const auto speeds = velocities(raw, frame);
        Frame r;
        r.number = frame;
        r.dimensions = 3;
        r.free_surface = true;
        NamedMesh mesh{"surface", raw.mesh};
        for (auto& x : mesh.mesh.vertices) x = turned(x) * says_.unit + says_.offset;
        PointSet points{"surface", Array<Vec<double, 3>>(mesh.mesh.vertices.size()), {}};
        Array<Vec<float, 3>> v(speeds.size());
        const double scale = says_.unit * says_.velocity_scale * says_.time_scale;
        for (std::size_t i = 0; i < speeds.size(); ++i) {
            points.position.write()[i] = mesh.mesh.vertices[i];
            v.write()[i] = (turned(speeds[i]) * scale).as<float>();
        }
        points.columns.push_back({"v", "m/s", std::move(v)});
        r.points.push_back(std::move(points));
        r.meshes.push_back(std::move(mesh));
        return r;
    }

    /// Reads the first frame and says what was recognised.
    std::string look(std::vector<std::string>& notes) const {
        const ReadMesh raw = read_sequence_mesh(*files_, sequence_, info_.first);
        velocities(raw, info_.first);
        notes.push_back(fmt::format(
            "{}: meshes, {} up, frames {} to {} at {:.6g} a second, {}; the liquid is known at its "
            "surface only",
            info_.path, z_up_ ? "z" : "y", info_.first, info_.last, info_.fps,
            raw.velocity.empty() ? "velocities from the motion of their vertices"
                                 : "with velocities"));
        const MeshDistance surface(raw.mesh, MeshUse::kRays);
        for (const std::string& words : surface.warnings())
            notes.push_back(sequence_.file(info_.first) + ": " + words);
        return raw.hash.hex();
    }

  private:
    Vec<double, 3> turned(const Vec<double, 3>& x) const { return z_up_ ? y_up(x) : x; }

    /// Of the vertices, on the file's axes and in its lengths, a second.
    std::vector<Vec<double, 3>> velocities(const ReadMesh& raw, int frame) const {
        std::vector<Vec<double, 3>> r(raw.mesh.vertices.size());
        if (!raw.velocity.empty()) {
            for (std::size_t i = 0; i < r.size(); ++i) {
                r[i] = raw.velocity[i].as<double>();
                if (!std::isfinite(dot(r[i], r[i])))
                    throw error_in_file(sequence_.file(frame),
                                        fmt::format("the velocity of vertex {} is not a number", i),
                                        "simulate the frame again");
            }
            return r;
        }
        const int before = has(frame - 1) && frame > info_.first ? frame - 1 : frame,
                  after = has(frame + 1) && frame < info_.last ? frame + 1 : frame;
        if (before == after)
            throw error_in_file(sequence_.file(frame), "has no velocities", kRemedy);
        const TriangleMesh from = same_faces(raw, before, frame),
                           to = same_faces(raw, after, frame);
        const double rate = info_.fps / says_.time_scale / (after - before);
        for (std::size_t i = 0; i < r.size(); ++i)
            r[i] = (to.vertices[i] - from.vertices[i]) * rate;
        return r;
    }
    TriangleMesh same_faces(const ReadMesh& raw, int other, int frame) const {
        if (other == frame) return raw.mesh;
        const TriangleMesh r = read_sequence_mesh(*files_, sequence_, other).mesh;
        if (r.vertices.size() != raw.mesh.vertices.size() || r.triangles != raw.mesh.triangles)
            throw error_in_file(
                sequence_.file(frame),
                fmt::format("has no velocities, and frame {} has other faces", other), kRemedy);
        return r;
    }

    std::shared_ptr<FileSystem> files_;
    ForeignVolumes says_;
    FileSequence sequence_;
    bool z_up_ = false;
    BulkInfo info_;
};

}  // namespace

std::shared_ptr<const BulkSource> open_mesh_source(std::shared_ptr<FileSystem> files,
                                                   const Scene& scene, std::string& identity,
                                                   std::vector<std::string>& notes) {
    auto source = std::make_shared<const MeshSource>(std::move(files), scene);
    identity = source->look(notes);
    return source;
}

}  // namespace spume
