// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/foreign_place.h"

#include <cmath>

#include <fmt/core.h>

namespace spume {
namespace {

constexpr double kMantaflowSecond = 2.5;  // of its units of time

/// A rate as people set it: times kept as floats are off by a few parts in ten million.
double usual_rate(double fps) {
    for (const double unit : {1.0, 1000.0 / 1001.0}) {
        const double whole = std::round(fps / unit) * unit;
        if (std::abs(fps - whole) < 1e-6 * fps) return whole;
    }
    return fps;
}

}  // namespace

ForeignPlace place_of(FileSystem& files, const ForeignFrame& raw, const FileSequence& sequence,
                      int frame, const ForeignVolumes& says) {
    ForeignPlace r{raw.voxel * says.unit,
                   says.unit,
                   says.unit * says.velocity_scale * says.time_scale,
                   0,
                   raw.origin * says.unit,
                   {},
                   false};
    if (raw.mantaflow) {
        // Its grids lie half a voxel low along its own axes.
        const double half = 0.5 * raw.voxel * says.unit;
        const Vec<double, 3> low{half, half, half};
        r.origin = r.origin + (raw.z_up ? y_up(low) : low);
        const std::string file =
            sequence.configuration.empty()
                ? ""
                : join_path(sequence.configuration, fmt::format("config_{:04}.uni", frame));
        if (!file.empty() && files.facts(file)) {
            const MantaflowPlace manta = read_mantaflow_place(files, file);
            r.voxel = manta.voxel * says.unit;
            const Vec<double, 3> size = manta.cells.as<double>() * r.voxel,
                                 corner = manta.corner * says.unit;
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
        r.speed = r.voxel * kMantaflowSecond * says.velocity_scale * says.time_scale;
    }
    r.origin = r.origin + says.offset;
    r.box = {r.box.lo + says.offset, r.box.hi + says.offset};
    return r;
}

}  // namespace spume
