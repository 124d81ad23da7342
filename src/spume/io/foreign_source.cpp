// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/foreign_source.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/io/foreign_place.h"
#include "spume/io/hash.h"
#include "spume/io/read_mesh.h"

namespace spume {
namespace {

constexpr double kBand = 3;        // voxels: how far a foreign distance is believed
constexpr double kFillBand = 0.5;  // a fill: not at all
constexpr std::uint64_t kMostBytes = std::uint64_t(1) << 36;

class ForeignSource final : public BulkSource {
  public:
    ForeignSource(std::shared_ptr<FileSystem> files, const Scene& scene,
                  std::vector<std::string> reader, const ProbeLimits& limits)
        : files_(std::move(files)),
          says_(scene.bulk.foreign),
          sequence_(find_sequence(*files_, scene.bulk.path)),
          reader_(std::move(reader)),
          limits_(limits) {
        if (sequence_.suffix != ".vdb")
            throw error_in_file(
                scene.bulk.path,
                fmt::format("holds meshes ({}), which say nothing of the water below the surface: "
                            "bubbles cannot be simulated in it",
                            sequence_.suffix),
                "write the liquid as VDB with a level set and its velocity; for foam alone set "
                "bulk.kind = \"mesh\"");
        info_.path = scene.bulk.path;
        info_.first = sequence_.first;
        info_.last = sequence_.last;
        const ForeignFrame raw = load(info_.first);
        const auto placed = place(raw, info_.first);
        info_.voxel = placed.voxel;
        info_.origin = placed.origin;
        info_.fps = says_.fps > 0 ? says_.fps : placed.fps > 0 ? placed.fps : scene.time.fps;
        info_.fps *= says_.time_scale;
        // Where nobody says what it was simulated in, the scene does.
        for (int a = 0; a < 3; ++a) {
            const double lo = (scene.domain.lower[a] - info_.origin[a]) / info_.voxel,
                         hi = (scene.domain.upper[a] - info_.origin[a]) / info_.voxel;
            info_.box.lo[a] = info_.origin[a] + std::floor(lo + 1e-3) * info_.voxel;
            info_.box.hi[a] = info_.origin[a] + std::ceil(hi - 1e-3) * info_.voxel;
        }
        if (placed.boxed) info_.box = placed.box;
        notes_.push_back(fmt::format(
            "{}: {}, {}, velocity \"{}\" {}, {} up, frames {} to {} at "
            "{:.6g} a second, "
            "voxel {:.6g} m",
            info_.path, raw.mantaflow ? "Mantaflow" : "VDB",
            raw.surface.empty()
                ? "no level set"
                : fmt::format("{} \"{}\"", raw.fill ? "fill of voxels" : "level set", raw.surface),
            raw.velocity, raw.on_faces ? "on faces" : "in cells", raw.z_up ? "z" : "y", info_.first,
            info_.last, info_.fps, info_.voxel));
        choose_surface(raw, placed);
        if (raw.mantaflow && !placed.boxed)
            notes_.push_back(info_.path +
                             ": there are no config files of Mantaflow: place and "
                             "time are those of the grids and the scene");
        if (raw.still > 0.2 && !raw.mantaflow)
            notes_.push_back(
                fmt::format("{}: {:.0f} % of the liquid has no velocity in frame {} and is taken "
                            "to be at rest: "
                            "write it with its full depth",
                            info_.path, 100 * raw.still, info_.first));
    }

    const BulkInfo& info() const override { return info_; }
    const std::vector<std::string>& notes() const { return notes_; }
    bool has(int frame) const override {
        const auto facts = files_->facts(sequence_.file(frame));
        return facts && !facts->directory && facts->bytes > 0;
    }
    std::string identity() const {
        return hash_of(read_file(*files_, sequence_.file(info_.first), kMostBytes)).hex();
    }

    Frame read(int frame) const override {
        const ForeignFrame raw = load(frame);
        const ForeignPlace placed = place(raw, frame);
        Frame r;
        r.number = frame;
        r.dimensions = 3;
        r.free_surface = true;
        const auto volume = [&](const char* name, VolumeKind kind, int components) {
            Volume v;
            v.name = name;
            v.kind = kind;
            v.voxel = placed.voxel;
            v.origin = placed.origin;
            v.tiles = raw.tiles;
            v.components = components;
            v.values.resize(std::size_t(components), Array<float>(raw.tiles.size() * 512));
            return v;
        };
        const auto scaled = [&](const Array<float>& from, double factor, double most,
                                Array<float>& to) {
            float* out = to.write().data();
            for (std::size_t i = 0; i < from.size(); ++i)
                out[i] = float(std::clamp(double(from[i]) * factor, -most, most));
        };
        Volume surface = volume("surface", VolumeKind::kLevelSet, 1);
        const double band = (raw.fill ? kFillBand : kBand) * placed.voxel;
        surface.background = float(band);
        if (!raw.surface.empty()) scaled(raw.phi, placed.distance, band, surface.values[0]);
        Volume velocity = volume("vel", VolumeKind::kStaggered, 3);
        for (int a = 0; a < 3; ++a)
            scaled(raw.u[a], placed.speed, 1e30, velocity.values[std::size_t(a)]);
        if (instead_ != Instead::kNothing)
            add_instead(raw, placed, frame, r);
        else if (raw.surface.empty())
            throw error_in_file(sequence_.file(frame),
                                fmt::format("frame {} of the bulk has no level set", frame),
                                "write it again, or set bulk.missing");
        else
            r.volumes.push_back(std::move(surface));
        r.volumes.push_back(std::move(velocity));
        return r;
    }

  private:
    ForeignFrame load(int frame) const {
        const std::string path = sequence_.file(frame);
        const auto before = files_->facts(path);
        if (!before)
            throw error_in_file(path, fmt::format("frame {} of the bulk is not there", frame),
                                "write it again, or set bulk.missing");
        if (before->bytes == 0)
            throw error_in_file(path, fmt::format("frame {} of the bulk has no bytes", frame),
                                "write it again, or set bulk.missing");
        ForeignFrame r = read_foreign(
            reader_, path,
            {says_.surface, says_.velocity, says_.up, says_.places, ForeignUse::kLiquid}, limits_);
        const auto after = files_->facts(path);
        if (!after || after->bytes != before->bytes)
            throw error_in_file(path,
                                fmt::format("frame {} changed while it was being read", frame),
                                "let the other program finish first");
        return r;
    }

    ForeignPlace place(const ForeignFrame& raw, int frame) const {
        return place_of(*files_, raw, sequence_, frame, says_);
    }

    /// Mantaflow's own mesh of a frame, beside the folder of its data.
    std::string mesh_file(int frame) const {
        if (sequence_.configuration.empty()) return {};
        return join_path(join_path(directory_of(sequence_.configuration), "mesh"),
                         fmt::format("fluid_mesh_{:04}.bobj.gz", frame));
    }

    /// What stands for the level set that the first frame does not have.
    void choose_surface(const ForeignFrame& raw, const ForeignPlace& placed) {
        if (!raw.surface.empty()) return;
        const std::string mesh = mesh_file(info_.first);
        instead_ = placed.boxed && !mesh.empty() && files_->facts(mesh) ? Instead::kMesh
                                                                        : Instead::kPoints;
        if (instead_ == Instead::kPoints && raw.points.empty())
            throw error_in_file(sequence_.file(info_.first),
                                "there is no level set, no mesh beside it and there are no "
                                "particles: Mantaflow writes phi only into caches that can be "
                                "resumed",
                                "switch on Cache > Is Resumable in Blender and bake the data "
                                "again, or bake its mesh");
        notes_.push_back(fmt::format(
            "{}: there is no level set{}; the surface is {}", info_.path,
            raw.mantaflow ? " (Mantaflow writes phi only into caches that can be resumed)" : "",
            instead_ == Instead::kMesh
                ? "that of its mesh, " + mesh_file(info_.first)
                : fmt::format("rebuilt from its particles, {} in frame {}, and rougher than the "
                              "liquid's own",
                              raw.points.size(), info_.first)));
    }

    /// The mesh or the particles of a frame instead of a level set, in the world.
    void add_instead(const ForeignFrame& raw, const ForeignPlace& placed, int frame,
                     Frame& r) const {
        if (instead_ == Instead::kMesh) {
            const std::string file = mesh_file(frame);
            if (!files_->facts(file))
                throw error_in_file(file, fmt::format("frame {} of the bulk has no mesh", frame),
                                    "bake the mesh of all frames, or the data as resumable");
            NamedMesh mesh{"surface", read_mesh(*files_, file).mesh};
            // Fractions of the domain's longest side from its middle, on Mantaflow's axes.
            const Vec<double, 3> size = placed.box.size(), middle = placed.box.lo + size * 0.5;
            const double side = std::max({size[0], size[1], size[2]});
            for (auto& x : mesh.mesh.vertices) x = middle + (raw.z_up ? y_up(x) : x) * side;
            r.meshes.push_back(std::move(mesh));
            return;
        }
        if (raw.points.empty())
            throw error_in_file(sequence_.file(frame),
                                fmt::format("frame {} of the bulk has neither level set nor "
                                            "particles",
                                            frame),
                                "write it again, or set bulk.missing");
        PointSet points{"liquid", Array<Vec<double, 3>>(raw.points.size()), {}};
        auto out = points.position.write();
        for (std::size_t i = 0; i < raw.points.size(); ++i)
            out[i] = placed.of_point(raw, raw.points[i].as<double>());
        r.points.push_back(std::move(points));
    }

    enum class Instead { kNothing, kMesh, kPoints };
    Instead instead_ = Instead::kNothing;
    std::shared_ptr<FileSystem> files_;
    ForeignVolumes says_;
    FileSequence sequence_;
    std::vector<std::string> reader_, notes_;
    ProbeLimits limits_;
    BulkInfo info_;
};

}  // namespace

std::shared_ptr<const BulkSource> open_foreign_source(std::shared_ptr<FileSystem> files,
                                                      const Scene& scene, std::string& identity,
                                                      std::vector<std::string>& notes,
                                                      std::vector<std::string> reader,
                                                      const ProbeLimits& limits) {
    auto source =
        std::make_shared<ForeignSource>(std::move(files), scene, std::move(reader), limits);
    identity = source->identity();
    notes.insert(notes.end(), source->notes().begin(), source->notes().end());
    return source;
}

}  // namespace spume
