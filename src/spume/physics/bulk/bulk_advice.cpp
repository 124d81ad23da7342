// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/bulk_advice.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

#include <fmt/core.h>

#include "spume/core/error.h"

namespace spume {
namespace {

struct Candidate {
    std::string what;
    double scale = 1;
    int axes = 0;    ///< 1: (x, y, z) is (x, z, −y) of ours; 2: (x, −z, y)
    int frames = 0;  ///< the velocity is that of so many frames later
};

/// Frames of another source, read once.
class KeptFrames final : public BulkSource {
  public:
    explicit KeptFrames(std::shared_ptr<const BulkSource> source) : source_(std::move(source)) {}
    const BulkInfo& info() const override { return source_->info(); }
    bool has(int frame) const override { return source_->has(frame); }
    Frame read(int frame) const override {
        const std::lock_guard lock(mutex_);
        const auto [at, fresh] = kept_.try_emplace(frame);
        if (fresh) at->second = source_->read(frame);
        return at->second;
    }

  private:
    std::shared_ptr<const BulkSource> source_;
    mutable std::mutex mutex_;
    mutable std::map<int, Frame> kept_;
};

/// Frames of another source with their velocities changed.
class ChangedVelocity final : public BulkSource {
  public:
    ChangedVelocity(std::shared_ptr<const BulkSource> source, const Candidate& change)
        : source_(std::move(source)), change_(change) {}
    const BulkInfo& info() const override { return source_->info(); }
    bool has(int frame) const override { return source_->has(frame); }
    Frame read(int frame) const override {
        Frame r = source_->read(frame);
        const int other = frame + change_.frames * info().every;
        if (change_.frames != 0 && source_->has(other)) {
            const Frame taken = source_->read(other);
            for (Volume& v : r.volumes)
                for (const Volume& w : taken.volumes)
                    if (v.name == "vel" && w.name == v.name) v = w;
        }
        for (Volume& v : r.volumes) {
            if (v.name != "vel" || v.values.size() != 3) continue;
            if (change_.axes != 0) std::swap(v.values[1], v.values[2]);
            for (std::size_t a = 0; a < 3; ++a) {
                const bool turned = change_.axes == 1 ? a == 2 : change_.axes == 2 && a == 1;
                const auto factor = static_cast<float>(turned ? -change_.scale : change_.scale);
                for (float& value : v.values[a].write()) value *= factor;
            }
        }
        return r;
    }

  private:
    std::shared_ptr<const BulkSource> source_;
    Candidate change_;
};

std::vector<Candidate> usual_mistakes(const BulkInfo& info) {
    std::vector<Candidate> r;
    const auto scale = [&](double factor, const char* why) {
        r.push_back({fmt::format("bulk.velocity_scale = {:.4g} ({})", factor, why), factor});
    };
    scale(0.01, "centimetres a second");
    scale(100, "metres of a file in centimetres");
    scale(info.fps, "velocities a frame");
    scale(1 / info.fps, "velocities were multiplied by the frames a second");
    scale(info.voxel, "voxels a second");
    scale(info.voxel * info.fps, "voxels a frame");
    scale(2.5 * info.voxel, "Mantaflow's units");
    scale(1 / info.voxel, "velocities were multiplied by the voxel");
    scale(2.5, "Mantaflow's second");
    scale(0.4, "Mantaflow's second, applied twice");
    scale(-1, "the other way round");
    r.push_back({"velocities with z up: write them on the axes of the level set", 1, 1});
    r.push_back({"velocities with y up: write them on the axes of the level set", 1, 2});
    r.push_back({"the velocities of the next frame: shift them by one", 1, 0, 1});
    r.push_back({"the velocities of the frame before: shift them by one", 1, 0, -1});
    return r;
}

template <int D>
BulkAdvice advice(const Scene& scene, const Inputs& inputs, Interval time,
                  const KinematicResidual& found, Context& context) {
    // Velocities that carry everything out of the box leave no residual at all.
    const double wrong = found.cells > 0 ? found.share : std::numeric_limits<double>::max();
    BulkAdvice best{"", wrong};
    const auto frames = std::make_shared<KeptFrames>(inputs.bulk);
    for (const Candidate& candidate : usual_mistakes(inputs.bulk->info())) {
        if (D == 2 && candidate.axes != 0) continue;
        Inputs changed = inputs;
        changed.bulk = std::make_shared<ChangedVelocity>(frames, candidate);
        const auto share = kinematic_residual<D>(*bulk_of<D>(scene, changed), time, context).share;
        // Zero is rest: velocities too small to say anything.
        if (share > 0 && share < 0.6 * wrong && share < best.share) best = {candidate.what, share};
    }
    return best;
}

}  // namespace

BulkAdvice bulk_advice(const Scene& scene, const Inputs& inputs, Interval time,
                       const KinematicResidual& found, Context& context) {
    SPUME_CHECK(inputs.bulk != nullptr);
    return scene.domain.dimensions == 2 ? advice<2>(scene, inputs, time, found, context)
                                        : advice<3>(scene, inputs, time, found, context);
}

}  // namespace spume
