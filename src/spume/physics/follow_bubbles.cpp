// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/follow_bubbles.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/physics/region_overlap.h"

namespace spume {
namespace {

bool is_outside(const AirBubble& b) { return b.outside != 0; }

/// Air that was lost to the grid, now or before, and shows again: up to `volume` of it.
double found_again(std::vector<LostRegion>& gone, double& lost, double volume) {
    const double found = std::clamp(lost, 0.0, volume);
    lost -= found;
    // What was lost just now is in `lost` too: it must not be handed on a second time.
    double now = found;
    for (LostRegion& g : gone) {
        const double part = std::min(now, g.volume);
        g.volume -= part;
        now -= part;
    }
    return found;
}

}  // namespace

std::string to_json(const BubbleEvent& e) {
    const char* names[] = {"birth", "merge", "split", "burst", "loss", "hand_over"};
    std::string text = fmt::format(R"({{"event":"{}","time":{:.17g},"id":{},"volume":{:.17g})",
                                   names[e.kind], e.time, e.id, e.volume);
    if (e.kind == BubbleEvent::kMerge) text += fmt::format(R"(,"into":{})", e.other);
    if (e.kind == BubbleEvent::kSplit) text += fmt::format(R"(,"from":{})", e.other);
    return text + "}";
}

template <int D>
CellField<float, D> open_fractions(const Openings<D>& open, Context& context) {
    const typename Tiles<D>::Ptr tiles = open.kind.tiles();
    CellField<float, D> r(tiles);
    float* out = r.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        const std::uint8_t* kind = open.kind.tile(t);
        float sum[kTileCells<D>] = {}, count[kTileCells<D>] = {}, upper[kTileCells<D>];
        for (int a = 0; a < D; ++a) {
            const float* lower = open.area.tile(a, t);
            load_upper_faces<float, D>(open.area.read(a), *tiles, t, a, upper);
            // Faces on the box's own walls are shut without taking room from the cell.
            for (int o = 0; o < kTileCells<D>; ++o) {
                sum[o] += lower[o] + upper[o];
                count[o] += (lower[o] == 0 ? 0.0f : 1.0f) + (upper[o] == 0 ? 0.0f : 1.0f);
            }
        }
        float* to = out + std::size_t(t) * kTileCells<D>;
        for (int o = 0; o < kTileCells<D>; ++o)
            to[o] = kind[o] == kFluidCell && count[o] > 0 ? sum[o] / count[o] : 0.0f;
    });
    return r;
}

template <int D>
std::vector<LostRegion> follow(FollowedBubbles<D>& followed, const AirRegions<D>& regions,
                               const std::vector<RegionMeasure>& sizes,
                               const FaceField<double, D>& velocity, const Clamp<D>& clamp,
                               Interval time, std::vector<BubbleEvent>& events, Context& context) {
    Stage stage(context, "regions");
    const std::vector<AirBubble> before = followed.bubbles;
    const std::size_t count = regions.regions.size();
    std::vector<AirBubble> now(count);
    for (std::size_t k = 0; k < count; ++k) {
        now[k].outside = regions.regions[k].outside;
        now[k].volume = sizes[k].volume;
        now[k].centre = sizes[k].centre;
    }
    std::map<Overlap, double> shared;
    if (followed.label.tiles())
        shared = overlaps(followed.label, regions.label, velocity, clamp, time.length(), context);
    std::vector<double> reached(before.size(), 0.0), cells(count, 0.0);
    // Cells that were liquid before, or not stored, tell nothing.
    std::erase_if(shared, [&](const auto& entry) {
        return entry.first.before < 0 || !(sizes[std::size_t(entry.first.now)].volume > 0);
    });
    std::vector<double*> most(count, nullptr);
    for (auto& [key, n] : shared) {
        const std::size_t k = std::size_t(key.now);
        cells[k] += n;
        if (!most[k] || n > *most[k]) most[k] = &n;
    }
    // From cells to volumes: cells may be air in part only. Air in tiles that are not stored came
    // from where most of the stored came.
    const double cell = cell_volume(*regions.label.tiles());
    for (auto& [key, n] : shared) {
        const std::size_t k = std::size_t(key.now);
        const double far = regions.regions[k].far_cells * cell;
        n *= std::max(sizes[k].volume - far, 0.0) / cells[k];
        if (&n == most[k]) n += far;
        reached[std::size_t(key.before)] += n;
    }
    // Each old region goes on as the new one that holds most of it; each new one is the heir of
    // the old one that gives most to it. Air outside stays that: what is cut off from it is new,
    // however large.
    std::vector<int> heir(before.size(), -1), parent(count, -1);
    std::vector<double> heir_volume(before.size(), 0.0), parent_volume(count, 0.0);
    for (const auto& [key, n] : shared) {
        const std::size_t j = std::size_t(key.before), k = std::size_t(key.now);
        const bool was_outside = before[j].outside, outside = now[k].outside;
        if (n > heir_volume[j] && (outside || !was_outside)) heir_volume[j] = n, heir[j] = key.now;
        if (n > parent_volume[k] && (was_outside || !outside))
            parent_volume[k] = n, parent[k] = key.before;
    }
    std::vector<double> came(count, 0.0);  // from the outside
    for (const auto& [key, n] : shared) {
        const std::size_t k = std::size_t(key.now);
        const AirBubble& old = before[std::size_t(key.before)];
        if (old.outside) {
            came[k] += n;
        } else if (n > 0) {
            const double share = n / reached[std::size_t(key.before)];
            now[k].rest += share * old.rest;
            if (now[k].outside) followed.burst += share * old.rest;
        }
    }
    std::vector<LostRegion> gone;
    for (std::size_t j = 0; j < before.size(); ++j) {
        if (before[j].outside || heir[j] >= 0) continue;
        events.push_back({BubbleEvent::kLoss, time.end, before[j].id, 0, before[j].volume});
        followed.lost += before[j].rest;
        gone.push_back({before[j].centre, before[j].rest, before[j].id});
    }
    // A region where all was liquid is air found again. More than that came unseen from the
    // outside; without one it is a void, which closes.
    const bool open = !followed.label.tiles() || std::any_of(now.begin(), now.end(), is_outside);
    for (std::size_t k = 0; k < count; ++k) {
        if (cells[k] > 0 || now[k].outside) continue;
        now[k].rest = found_again(gone, followed.lost, sizes[k].volume);
        if (open) came[k] = sizes[k].volume - now[k].rest;
    }
    std::erase_if(gone, [](const LostRegion& g) { return !(g.volume > 0); });
    for (std::size_t k = 0; k < count; ++k) {
        AirBubble& b = now[k];
        const int j = parent[k];
        const bool heirs = j >= 0 && heir[std::size_t(j)] == int(k);
        b.id = heirs ? before[std::size_t(j)].id : followed.next_id++;
        if (j >= 0) b.pressure = before[std::size_t(j)].pressure;
        if (b.outside) {
            b.rest = 0;
            continue;
        }
        b.rest += came[k];
        followed.born += came[k];
        if (heirs) continue;
        if (j < 0 || before[std::size_t(j)].outside)
            events.push_back({BubbleEvent::kBirth, time.end, b.id, 0, b.volume});
        else
            events.push_back(
                {BubbleEvent::kSplit, time.end, b.id, before[std::size_t(j)].id, b.volume});
    }
    for (std::size_t j = 0; j < before.size(); ++j) {
        const AirBubble& old = before[j];
        if (old.outside || heir[j] < 0) continue;
        const AirBubble& next = now[std::size_t(heir[j])];
        if (next.outside)
            events.push_back({BubbleEvent::kBurst, time.end, old.id, next.id, old.volume});
        else if (next.id != old.id)
            events.push_back({BubbleEvent::kMerge, time.end, old.id, next.id, old.volume});
    }
    followed.bubbles = std::move(now);
    followed.label = regions.label;
    return gone;
}

template <int D>
void set_pressures(std::vector<AirBubble>& bubbles, const AirRegions<D>& regions,
                   std::span<const double> pressure) {
    const auto compartment = [&](std::size_t k) {
        return std::size_t(regions.regions[k].compartment);
    };
    std::vector<std::uint8_t> free(std::size_t(regions.compartments), 0);
    std::vector<int> oldest(std::size_t(regions.compartments), -1);
    for (std::size_t k = 0; k < bubbles.size(); ++k) {
        if (bubbles[k].outside) free[compartment(k)] = 1;
        int& best = oldest[compartment(k)];
        if (best < 0 || bubbles[k].id < bubbles[std::size_t(best)].id) best = int(k);
    }
    for (std::size_t k = 0; k < bubbles.size(); ++k) {
        const std::size_t c = compartment(k);
        bubbles[k].pressure = pressure[k] - (free[c] ? 0 : pressure[std::size_t(oldest[c])]);
    }
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template CellField<float, D> open_fractions<D>(const Openings<D>&, Context&);              \
    template std::vector<LostRegion> follow<D>(FollowedBubbles<D>&, const AirRegions<D>&,      \
                                               const std::vector<RegionMeasure>&,              \
                                               const FaceField<double, D>&, const Clamp<D>&,   \
                                               Interval, std::vector<BubbleEvent>&, Context&); \
    template void set_pressures<D>(std::vector<AirBubble>&, const AirRegions<D>&,              \
                                   std::span<const double>);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
