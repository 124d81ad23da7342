// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <future>
#include <mutex>
#include <optional>

#include "spume/physics/bulk/between_frames.h"
#include "spume/physics/domain/solid_set.h"

namespace spume {

/// Frames of a liquid as a bulk. Frame `start` of the cache begins when the scene does, so that
/// frame n is at (n − start + 1) / fps. Up to one frame before the first the liquid is carried back
/// along its velocity: caches hold no frame of the beginning.
///
/// A few frames are kept ready; the next one is read by a thread of its own. Neither decides a
/// result: a frame is what its file says.
template <int D>
class CacheBulk final : public Bulk<D> {
  public:
    CacheBulk(const Scene& scene, const Inputs& inputs);

    Interval times() const override;
    const Transform<D>& transform() const override { return setting_.transform; }
    Box<double, D> box(double) const override { return setting_.box; }
    std::vector<Index<D>> liquid_tiles(double time, double band, Context& context) const override;
    BulkFields<D> on(const typename Tiles<D>::Ptr& tiles, double time,
                     Context& context) const override;
    std::vector<double> times_around(double time) const override;
    /// Blended between frames where they are: a mask need not move with the liquid.
    CellField<double, D> volume(const std::string& name, const typename Tiles<D>::Ptr& tiles,
                                double time, Context& context) const override;

  private:
    using FramePtr = std::shared_ptr<const BulkFrame<D>>;
    struct Shares {
        std::vector<FrameShare<D>> frames;
        bool stands = false;  ///< the liquid is held: it does not move
    };

    double time_of(int frame) const;
    Shares shares_at(double time, Context& context) const;
    Shares in_gap(int before, int after, double time, Context& context) const;
    bool wait_for(int frame, Context& context) const;
    [[noreturn]] void refuse_missing(int frame) const;
    FramePtr ready(int frame, Context& context) const;
    Frame take(int frame) const;
    void read_ahead(int frame) const;

    std::shared_ptr<const BulkSource> source_;
    BulkLiquid says_;
    BulkSetting<D> setting_;
    SolidSet<D> solids_;
    int start_ = 1;

    mutable std::mutex mutex_;
    mutable std::vector<FramePtr> kept_;  ///< the latest asked for last
    mutable std::optional<int> ahead_number_;
    mutable std::future<Frame> ahead_;
};

}  // namespace spume
