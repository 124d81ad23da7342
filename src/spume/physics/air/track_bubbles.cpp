// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/air/track_bubbles.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/air/region_overlap.h"

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

/// How much each new region holds of each old one.
struct Shares {
    std::map<Overlap, double> volume;
    std::vector<double> cells;    ///< of each new region that were air before
    std::vector<double> reached;  ///< of each old region, in all
};

template <int D>
Shares shares_of(const BubbleTracker<D>& tracker, const AirRegions<D>& regions,
                 const std::vector<RegionMeasure>& sizes, const Carrier<D>& carrier,
                 const Clamp<D>& clamp, double dt, Context& context) {
    const std::size_t count = regions.regions.size();
    Shares r{{}, std::vector<double>(count, 0.0), std::vector<double>(tracker.bubbles.size(), 0)};
    if (tracker.label.tiles())
        r.volume = overlaps(tracker.label, regions.label, carrier, clamp, dt, context);
    // Cells that were liquid before, or not stored, tell nothing.
    std::erase_if(r.volume, [&](const auto& entry) {
        return entry.first.before < 0 || !(sizes[std::size_t(entry.first.now)].volume > 0);
    });
    std::vector<double*> most(count, nullptr);
    for (auto& [key, n] : r.volume) {
        const std::size_t k = std::size_t(key.now);
        r.cells[k] += n;
        if (!most[k] || n > *most[k]) most[k] = &n;
    }
    // From cells to volumes: cells may be air in part only. Air in tiles that are not stored came
    // from where most of the stored came.
    const double cell = cell_volume(*regions.label.tiles());
    for (auto& [key, n] : r.volume) {
        const std::size_t k = std::size_t(key.now);
        const double far = regions.regions[k].far_cells * cell;
        n *= std::max(sizes[k].volume - far, 0.0) / r.cells[k];
        if (&n == most[k]) n += far;
        r.reached[std::size_t(key.before)] += n;
    }
    return r;
}

/// Each old region goes on as its heir, the new one that holds most of it; the parent of a new one
/// is the old one that gives most to it. Air outside stays that: what is cut off from it is new,
/// however large.
struct Lineage {
    std::vector<int> heir, parent;

    bool is_heir(std::size_t now) const {
        return parent[now] >= 0 && heir[std::size_t(parent[now])] == int(now);
    }
};

Lineage lineage_of(const Shares& shares, const std::vector<AirBubble>& before,
                   const std::vector<AirBubble>& now) {
    Lineage r{std::vector<int>(before.size(), -1), std::vector<int>(now.size(), -1)};
    std::vector<double> heir_volume(before.size(), 0.0), parent_volume(now.size(), 0.0);
    for (const auto& [key, n] : shares.volume) {
        const std::size_t j = std::size_t(key.before), k = std::size_t(key.now);
        const bool was_outside = before[j].outside != 0, outside = now[k].outside != 0;
        if (n > heir_volume[j] && (outside || !was_outside))
            heir_volume[j] = n, r.heir[j] = key.now;
        if (n > parent_volume[k] && (was_outside || !outside))
            parent_volume[k] = n, r.parent[k] = key.before;
    }
    return r;
}

/// Shares rest volumes out. Returns what came to each region from the outside; adds to `burst` what
/// went there.
std::vector<double> inherit(std::vector<AirBubble>& now, const std::vector<AirBubble>& before,
                            const Shares& shares, double& burst) {
    std::vector<double> came(now.size(), 0.0);
    for (const auto& [key, n] : shares.volume) {
        const std::size_t k = std::size_t(key.now);
        const AirBubble& old = before[std::size_t(key.before)];
        if (old.outside) {
            came[k] += n;
        } else if (n > 0) {
            const double share = n / shares.reached[std::size_t(key.before)];
            now[k].rest += share * old.rest;
            if (now[k].outside) burst += share * old.rest;
        }
    }
    return came;
}

/// Old regions without an heir.
std::vector<LostRegion> lost_regions(const std::vector<AirBubble>& before, const Lineage& lineage) {
    std::vector<LostRegion> gone;
    for (std::size_t j = 0; j < before.size(); ++j)
        if (!before[j].outside && lineage.heir[j] < 0)
            gone.push_back({before[j].centre, before[j].rest, before[j].id});
    return gone;
}

/// What became of old regions, and where new ones came from.
void report(const std::vector<AirBubble>& before, const std::vector<AirBubble>& now,
            const Lineage& lineage, double time, std::vector<BubbleEvent>& events) {
    for (std::size_t j = 0; j < before.size(); ++j)
        if (!before[j].outside && lineage.heir[j] < 0)
            events.push_back({BubbleEvent::kLoss, time, before[j].id, 0, before[j].volume});
    for (std::size_t k = 0; k < now.size(); ++k) {
        if (now[k].outside || lineage.is_heir(k)) continue;
        const AirBubble* from =
            lineage.parent[k] < 0 ? nullptr : &before[std::size_t(lineage.parent[k])];
        if (!from || from->outside)
            events.push_back({BubbleEvent::kBirth, time, now[k].id, 0, now[k].volume});
        else
            events.push_back({BubbleEvent::kSplit, time, now[k].id, from->id, now[k].volume});
    }
    for (std::size_t j = 0; j < before.size(); ++j) {
        const AirBubble& old = before[j];
        if (old.outside || lineage.heir[j] < 0) continue;
        const AirBubble& next = now[std::size_t(lineage.heir[j])];
        if (next.outside)
            events.push_back({BubbleEvent::kBurst, time, old.id, next.id, old.volume});
        else if (next.id != old.id)
            events.push_back({BubbleEvent::kMerge, time, old.id, next.id, old.volume});
    }
}

}  // namespace

template <int D>
CellField<float, D> open_fractions(const CutCells<D>& open, Context& context) {
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
std::vector<LostRegion> track(BubbleTracker<D>& tracker, const AirRegions<D>& regions,
                              const std::vector<RegionMeasure>& sizes,
                              const std::type_identity_t<Carrier<D>>& carrier,
                              const Clamp<D>& clamp, Interval time,
                              std::vector<BubbleEvent>& events, Context& context) {
    Stage stage(context, "regions");
    const std::vector<AirBubble> before = tracker.bubbles;
    const std::size_t count = regions.regions.size();
    std::vector<AirBubble> now(count);
    for (std::size_t k = 0; k < count; ++k) {
        now[k].outside = regions.regions[k].outside;
        now[k].volume = sizes[k].volume;
        now[k].centre = sizes[k].centre;
    }
    const Shares shares =
        shares_of(tracker, regions, sizes, carrier, clamp, time.length(), context);
    const Lineage lineage = lineage_of(shares, before, now);
    std::vector<double> came = inherit(now, before, shares, tracker.burst);
    std::vector<LostRegion> gone = lost_regions(before, lineage);
    for (const LostRegion& g : gone) tracker.lost += g.volume;
    // A region where all was liquid is air found again. More than that came unseen from the
    // outside; without one it is a void, which closes.
    const bool open = !tracker.label.tiles() || std::any_of(now.begin(), now.end(), is_outside);
    for (std::size_t k = 0; k < count; ++k) {
        if (shares.cells[k] > 0 || now[k].outside) continue;
        now[k].rest = found_again(gone, tracker.lost, sizes[k].volume);
        if (open) came[k] = sizes[k].volume - now[k].rest;
    }
    std::erase_if(gone, [](const LostRegion& g) { return !(g.volume > 0); });
    for (std::size_t k = 0; k < count; ++k) {
        AirBubble& b = now[k];
        const AirBubble* parent =
            lineage.parent[k] < 0 ? nullptr : &before[std::size_t(lineage.parent[k])];
        b.id = lineage.is_heir(k) ? parent->id : tracker.next_id++;
        if (parent) b.pressure = parent->pressure;
        b.rest = b.outside ? 0.0 : b.rest + came[k];
        if (!b.outside) tracker.born += came[k];
    }
    report(before, now, lineage, time.end, events);
    tracker.bubbles = std::move(now);
    tracker.label = regions.label;
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

#define SPUME_INSTANTIATE(D)                                                                \
    template CellField<float, D> open_fractions<D>(const CutCells<D>&, Context&);           \
    template std::vector<LostRegion> track<D>(                                              \
        BubbleTracker<D>&, const AirRegions<D>&, const std::vector<RegionMeasure>&,         \
        const Carrier<D>&, const Clamp<D>&, Interval, std::vector<BubbleEvent>&, Context&); \
    template void set_pressures<D>(std::vector<AirBubble>&, const AirRegions<D>&,           \
                                   std::span<const double>);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
