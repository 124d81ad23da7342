// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/bulk_points.h"

#include <algorithm>
#include <cmath>

namespace spume {

BulkPoints::BulkPoints(const Scene& scene, std::shared_ptr<const BulkSource> source,
                       std::string name)
    : source_(std::move(source)),
      name_(std::move(name)),
      start_(scene.bulk.start >= 0 ? scene.bulk.start : scene.time.start) {}

std::vector<BulkPoints::Part> BulkPoints::during(const Interval& time) {
    std::vector<Part> r;
    if (!source_) return r;
    const BulkInfo& info = source_->info();
    // Frame n is at (n − start + 1) / fps of the scene, and its points are of the time since n − 1.
    constexpr double kSame = 1e-6;
    const double from = time.begin * info.fps + start_ - 1, to = time.end * info.fps + start_ - 1;
    const auto steps = [&](double frame) { return (frame - info.first) / info.every; };
    const double first = std::max(0.0, std::floor(steps(from) + kSame) + 1);
    const double last = std::min(steps(info.last), std::ceil(steps(to) - kSame));
    for (double n = first; n <= last; ++n) {
        const int frame = info.first + int(n) * info.every;
        if (last_ && last_->frame == frame) {
            r.push_back(*last_);
            continue;
        }
        if (!source_->has(frame)) continue;
        auto points = source_->read_points(frame, name_);
        if (!points) continue;
        Part part;
        part.frame = frame;
        part.time = {(frame - info.every - start_ + 1) / info.fps, (frame - start_ + 1) / info.fps};
        part.later = (info.first - start_) / info.fps;
        part.points = std::make_shared<const PointSet>(std::move(*points));
        r.push_back(part);
        last_ = std::move(part);
    }
    return r;
}

}  // namespace spume
