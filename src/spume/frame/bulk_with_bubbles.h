// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>

#include "spume/frame/bulk_source.h"
#include "spume/frame/point_frames.h"

namespace spume {

/// The frames of a cached liquid, or none where a scene's bulk has a formula, and beside them the
/// bubbles of a run that was made over it.
class BulkWithBubbles final : public BulkSource {
  public:
    BulkWithBubbles(std::shared_ptr<const BulkSource> bulk,
                    std::shared_ptr<const PointFrames> bubbles)
        : bulk_(std::move(bulk)), bubbles_(std::move(bubbles)) {
        if (bulk_) info_ = bulk_->info();
    }
    const std::shared_ptr<const PointFrames>& bubbles() const { return bubbles_; }

    const BulkInfo& info() const override { return info_; }
    bool has(int frame) const override { return bulk_ && bulk_->has(frame); }
    Frame read(int frame) const override { return bulk_->read(frame); }
    Volume read_volume(int frame, const std::string& name) const override {
        return bulk_->read_volume(frame, name);
    }
    bool has_volume(int frame, const std::string& name) const override {
        return bulk_ && bulk_->has_volume(frame, name);
    }
    std::optional<PointSet> read_points(int frame, const std::string& name) const override {
        if (bulk_) return bulk_->read_points(frame, name);
        return std::nullopt;
    }

  private:
    std::shared_ptr<const BulkSource> bulk_;
    std::shared_ptr<const PointFrames> bubbles_;
    BulkInfo info_;
};

/// The bubbles beside a bulk; null where there are none.
inline std::shared_ptr<const PointFrames> bubbles_beside(const BulkSource* bulk) {
    const auto* both = dynamic_cast<const BulkWithBubbles*>(bulk);
    return both ? both->bubbles() : nullptr;
}

}  // namespace spume
