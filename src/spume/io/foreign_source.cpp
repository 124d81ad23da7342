// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/foreign_source.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/io/hash.h"

namespace spume {
namespace {

constexpr double kMantaflowSecond = 2.5;  // of its units of time
constexpr double kBand = 3;               // voxels: how far a foreign distance is believed
constexpr std::uint64_t kMostBytes = std::uint64_t(1) << 36;

Vec<double, 3> y_up(const Vec<double, 3>& x) { return {x[0], x[2], -x[1]}; }

/// A rate as people set it: times kept as floats are off by a few parts in ten million.
double usual_rate(double fps) {
    for (const double unit : {1.0, 1000.0 / 1001.0}) {
        const double whole = std::round(fps / unit) * unit;
        if (std::abs(fps - whole) < 1e-6 * fps) return whole;
    }
    return fps;
}

class ForeignSource final : public BulkSource {
  public:
    ForeignSource(std::shared_ptr<FileSystem> files, const Scene& scene,
                  std::vector<std::string> reader, const ProbeLimits& limits)
        : files_(std::move(files)),
          says_(scene.bulk.foreign),
          sequence_(find_sequence(*files_, scene.bulk.path)),
          reader_(std::move(reader)),
          limits_(limits) {
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
        notes_.push_back(
            fmt::format("{}: {}, level set \"{}\", velocity \"{}\" {}, {} up, frames {} to {} at "
                        "{:.6g} a second, "
                        "voxel {:.6g} m",
                        info_.path, raw.mantaflow ? "Mantaflow" : "VDB", raw.surface, raw.velocity,
                        raw.on_faces ? "on faces" : "in cells", raw.z_up ? "z" : "y", info_.first,
                        info_.last, info_.fps, info_.voxel));
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
        const Placed placed = place(raw, frame);
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
            v.values.resize(std::size_t(components), Array<float>(raw.phi.size()));
            return v;
        };
        const auto scaled = [&](const Array<float>& from, double factor, double most,
                                Array<float>& to) {
            float* out = to.write().data();
            for (std::size_t i = 0; i < from.size(); ++i)
                out[i] = float(std::clamp(double(from[i]) * factor, -most, most));
        };
        Volume surface = volume("surface", VolumeKind::kLevelSet, 1);
        surface.background = float(kBand * placed.voxel);
        scaled(raw.phi, placed.distance, kBand * placed.voxel, surface.values[0]);
        Volume velocity = volume("vel", VolumeKind::kStaggered, 3);
        for (int a = 0; a < 3; ++a)
            scaled(raw.u[a], placed.speed, 1e30, velocity.values[std::size_t(a)]);
        r.volumes = {std::move(surface), std::move(velocity)};
        return r;
    }

  private:
    struct Placed {
        double voxel, distance, speed, fps = 0;  ///< factors on Φ and u
        Vec<double, 3> origin{};
        Box<double, 3> box{};
        bool boxed = false;
    };

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
            reader_, path, {says_.surface, says_.velocity, says_.up, says_.places}, limits_);
        const auto after = files_->facts(path);
        if (!after || after->bytes != before->bytes)
            throw error_in_file(path,
                                fmt::format("frame {} changed while it was being read", frame),
                                "let the other program finish first");
        return r;
    }

    Placed place(const ForeignFrame& raw, int frame) const {
        Placed r{raw.voxel * says_.unit,
                 says_.unit,
                 says_.unit * says_.velocity_scale * says_.time_scale,
                 0,
                 raw.origin * says_.unit,
                 {},
                 false};
        if (raw.mantaflow) {
            // Its grids lie half a voxel low along its own axes.
            const double half = 0.5 * raw.voxel * says_.unit;
            const Vec<double, 3> low{half, half, half};
            r.origin = r.origin + (raw.z_up ? y_up(low) : low);
            const std::string file =
                sequence_.configuration.empty()
                    ? ""
                    : join_path(sequence_.configuration, fmt::format("config_{:04}.uni", frame));
            if (!file.empty() && files_->facts(file)) {
                const MantaflowPlace manta = read_mantaflow_place(*files_, file);
                r.voxel = manta.voxel * says_.unit;
                const Vec<double, 3> size = manta.cells.as<double>() * r.voxel,
                                     corner = manta.corner * says_.unit;
                r.origin = raw.z_up ? y_up(corner) : corner;
                r.box = {r.origin, r.origin + size};
                if (raw.z_up) {
                    r.box.lo[2] = r.origin[2] - size[1];
                    r.box.hi = {r.origin[0] + size[0], r.origin[1] + size[2], r.origin[2]};
                }
                r.boxed = true;
                if (manta.seconds > 0) r.fps = usual_rate(frame / manta.seconds);
            }
            r.distance = r.voxel;
            r.speed = r.voxel * kMantaflowSecond * says_.velocity_scale * says_.time_scale;
        }
        r.origin = r.origin + says_.offset;
        r.box = {r.box.lo + says_.offset, r.box.hi + says_.offset};
        return r;
    }

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
