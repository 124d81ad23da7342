// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/cache_bulk.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <system_error>
#include <thread>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/physics/bulk/aligned_fields.h"
#include "spume/physics/domain/grid_domain.h"

namespace spume {
namespace {

/// Those on either side of a time, and of another a little before it.
constexpr std::size_t kMostKept = 4;
/// A time is that of a frame if it differs by less, in frames.
constexpr double kSameTime = 1e-6;

template <int D>
BulkSetting<D> setting_of(const BulkInfo& info, const BulkLiquid& says) {
    BulkSetting<D> r;
    r.transform = {info.voxel, in_plane<D>(info.origin)};
    r.box = {in_plane<D>(info.box.lo), in_plane<D>(info.box.hi)};
    r.frame_seconds = info.every / info.fps;
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            const BulkSide word = a != 1 ? says.sides : side ? says.top : says.bottom;
            r.continued[a][side] =
                word == BulkSide::kWall || (word == BulkSide::kAsMade && info.closed[a][side]);
        }
    return r;
}

}  // namespace

template <int D>
CacheBulk<D>::CacheBulk(const Scene& scene, const Inputs& inputs)
    : source_(inputs.bulk),
      says_(scene.bulk),
      solids_(scene.solids, inputs.meshes, true),
      start_(scene.bulk.start >= 0 ? scene.bulk.start : scene.time.start) {
    SPUME_CHECK(source_ != nullptr);
    const BulkInfo& info = source_->info();
    if (info.dimensions != D)
        throw error_in_file(
            info.path, fmt::format("holds a {}D liquid, the scene is {}D", info.dimensions, D),
            fmt::format("set domain.dimensions = {}, or name another cache", info.dimensions));
    setting_ = setting_of<D>(info, says_);
}

template <int D>
double CacheBulk<D>::time_of(int frame) const {
    return (frame - start_ + 1) / source_->info().fps;
}

template <int D>
Interval CacheBulk<D>::times() const {
    const BulkInfo& info = source_->info();
    const double end = says_.missing == MissingFrame::kHold
                           ? std::numeric_limits<double>::infinity()
                           : time_of(info.last);
    return {time_of(info.first) - info.every / info.fps, end};
}

template <int D>
Frame CacheBulk<D>::take(int frame) const {
    if (ahead_number_ == frame) {
        ahead_number_.reset();
        try {
            return ahead_.get();
        } catch (const std::exception&) {
            // What was wrong then may have been mended: the frame is read again, and judged.
        }
    }
    return source_->read(frame);
}

template <int D>
void CacheBulk<D>::read_ahead(int frame) const {
    if (ahead_number_ == frame || frame > source_->info().last || !source_->has(frame)) return;
    for (const FramePtr& kept : kept_)
        if (kept->number == frame) return;
    // One at a time; what nobody came for is dropped.
    if (ahead_number_ && ahead_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return;
    ahead_number_.reset();
    try {
        ahead_ = std::async(std::launch::async,
                            [source = source_, frame] { return source->read(frame); });
        ahead_number_ = frame;
    } catch (const std::system_error&) {
        // No thread to be had: the frame is read when its time comes.
    }
}

template <int D>
typename CacheBulk<D>::FramePtr CacheBulk<D>::ready(int frame, Context& context) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const FramePtr& kept) { return kept->number == frame; });
    FramePtr r;
    if (found != kept_.end()) {
        r = *found;
        kept_.erase(found);
    } else {
        const double time = time_of(frame);
        const Frame raw = take(frame);
        if (kept_.size() >= kMostKept) kept_.erase(kept_.begin());
        r = std::make_shared<const BulkFrame<D>>(
            bulk_frame<D>(raw, time, setting_, solids_.at(time), source_->info().path, context));
    }
    kept_.push_back(r);
    read_ahead(frame + source_->info().every);
    return r;
}

template <int D>
void CacheBulk<D>::refuse_missing(int frame) const {
    const BulkInfo& info = source_->info();
    throw error_in_file(
        info.path,
        fmt::format("frame {} is missing, which the scene needs at {:.4g} s", frame,
                    std::max(time_of(frame), 0.0)),
        "simulate the liquid further with --resume, or set bulk.missing to \"wait\", \"hold\" or "
        "\"interpolate\"");
}

template <int D>
bool CacheBulk<D>::wait_for(int frame, Context& context) const {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(says_.wait);
    context.note(fmt::format("waiting for frame {} of {}", frame, source_->info().path));
    while (!source_->has(frame)) {
        if (context.stop.requested()) throw Stopped();
        if (Clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
}

/// Frame `before` or `after`, which stand next to the time, is not there.
template <int D>
typename CacheBulk<D>::Shares CacheBulk<D>::in_gap(int before, int after, double time,
                                                   Context& context) const {
    const BulkInfo& info = source_->info();
    const int missing = source_->has(before) ? after : before;
    if (says_.missing == MissingFrame::kError) refuse_missing(missing);
    if (says_.missing == MissingFrame::kWait) {
        if (!wait_for(missing, context)) refuse_missing(missing);
        return shares_at(time, context);
    }
    int low = before, high = after;
    while (low >= info.first && !source_->has(low)) low -= info.every;
    while (high <= info.last && !source_->has(high)) high += info.every;
    if (low < info.first) refuse_missing(info.first);
    if (says_.missing == MissingFrame::kHold) return {{{ready(low, context), 0, 1}}, true};
    if (high > info.last) refuse_missing(missing);
    const double from = time_of(low), span = time_of(high) - from;
    const FramePtr first = ready(low, context), last = ready(high, context);
    return {{{first, time - from, 1 - (time - from) / span},
             {last, time - from - span, (time - from) / span}},
            false};
}

template <int D>
typename CacheBulk<D>::Shares CacheBulk<D>::shares_at(double time, Context& context) const {
    const BulkInfo& info = source_->info();
    const double place = (time * info.fps + start_ - 1 - info.first) / info.every;
    const double nearest = std::round(place);
    const bool exact = std::abs(place - nearest) < kSameTime;
    const double whole = exact ? nearest : std::floor(place);
    const int count = (info.last - info.first) / info.every;
    if (!(place > -1 - kSameTime))
        throw error_in_file(info.path,
                            fmt::format("begins with frame {}, at {:.4g} s, but is asked for at "
                                        "{:.4g} s of the scene",
                                        info.first, time_of(info.first), time),
                            "let the scene start later, or set bulk.start");
    if (whole < 0) {
        if (!source_->has(info.first)) return in_gap(info.first, info.first, time, context);
        return {{{ready(info.first, context), time - time_of(info.first), 1}}, false};
    }
    const auto number = [&](double n) { return info.first + int(std::min(n, 1e8)) * info.every; };
    const int before = number(whole), after = exact ? before : number(whole + 1);
    if (whole > count || (whole == count && !exact)) {
        if (says_.missing == MissingFrame::kHold)
            return in_gap(number(count), number(count + 1.0), time, context);
        throw error_in_file(info.path,
                            fmt::format("ends with frame {}, at {:.4g} s, but is asked for at "
                                        "{:.4g} s of the scene",
                                        info.last, time_of(info.last), time),
                            "simulate the liquid further, let the scene end earlier with -e, or "
                            "set bulk.missing = \"hold\"");
    }
    if (!source_->has(before) || !source_->has(after)) return in_gap(before, after, time, context);
    if (exact) return {{{ready(before, context), 0, 1}}, false};
    const double s = place - whole, span = info.every / info.fps;
    const FramePtr first = ready(before, context), last = ready(after, context);
    return {{{first, s * span, 1 - s}, {last, (s - 1) * span, s}}, false};
}

template <int D>
std::vector<Index<D>> CacheBulk<D>::liquid_tiles(double time, double band, Context& context) const {
    const Shares shares = shares_at(time, context);
    const Box<int, D> cells = setting_.cells();
    std::vector<Index<D>> keys;
    const Box<int, D> inside{tile_of<D>(cells.lo),
                             tile_of<D>(cells.hi - Index<D>::filled(1)) + Index<D>::filled(1)};
    for (const FrameShare<D>& share : shares.frames)
        for (const Index<D>& key : share.frame->below.tiles()->active_keys())
            if (inside.contains(key)) keys.push_back(key);
    const auto tiles = Tiles<D>::build(std::move(keys), setting_.transform);
    const auto fields = between_frames<D>(shares.frames, setting_, tiles, false, context);
    std::vector<std::uint8_t> wanted(std::size_t(tiles->active()));
    for_tiles(context.arena, *tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D> && !wanted[std::size_t(t)]; ++o)
            wanted[std::size_t(t)] =
                fields.phi.at(t, o) < band && cells.contains(tiles->origin(t) + tile_local<D>(o));
    });
    std::vector<Index<D>> liquid;
    for (int t = 0; t < tiles->active(); ++t)
        if (wanted[std::size_t(t)]) liquid.push_back(tiles->key(t));
    return liquid;
}

template <int D>
BulkFields<D> CacheBulk<D>::on(const typename Tiles<D>::Ptr& tiles, double time,
                               Context& context) const {
    const Alignment<D> lies = alignment<D>(tiles->transform(), setting_.transform);
    const Shares shares = shares_at(time, context);
    const bool own = lies.ratio == 1 && lies.offset == Index<D>{};
    BulkFields<D> r = between_frames<D>(
        shares.frames, setting_, own ? tiles : covering_tiles<D>(*tiles, lies, setting_.transform),
        true, context);
    if (!own) r = moved_to<D>(r, tiles, lies, context);
    if (shares.stands) r.velocity = FaceField<double, D>(tiles);
    r.time = time;
    return r;
}

template class CacheBulk<2>;
template class CacheBulk<3>;

}  // namespace spume
