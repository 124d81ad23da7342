// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/air/region_overlap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/level_set.h"

namespace spume {
namespace {

constexpr std::int32_t kNone = -1, kSeveral = -2;

/// What two sets of cells have between them: no region, the same one, or several.
std::int32_t joined(std::int32_t a, std::int32_t b) {
    return a == kNone || a == b ? b : b == kNone ? a : kSeveral;
}

/// The regions of each active tile: kNone, the only one there is, or kSeveral.
template <int D>
std::vector<std::int32_t> regions_by_tile(const CellField<std::int32_t, D>& label,
                                          Context& context) {
    std::vector<std::int32_t> r(std::size_t(label.tiles()->active()));
    for_tiles(context.arena, *label.tiles(), [&](int t) {
        // Unsigned, no air is larger than every label.
        std::int32_t most = kNone;
        std::uint32_t least = ~0u;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::int32_t k = label.tile(t)[o];
            most = std::max(most, k);
            least = std::min(least, std::uint32_t(k));
        }
        r[std::size_t(t)] = most < 0 || std::uint32_t(most) == least ? most : kSeveral;
    });
    return r;
}

/// The cells of one tile after the other, and where they came from.
template <int D>
class Origins {
  public:
    Origins(const CellField<std::int32_t, D>& before, std::span<const std::int32_t> by_tile,
            const Carrier<D>& carrier, const Clamp<D>& clamp, double step)
        : before_(before),
          tiles_(*before.tiles()),
          by_tile_(by_tile),
          carrier_(carrier),
          sampler_(carrier, clamp),
          cursor_(tiles_),
          step_(step) {}

    void enter(const Index<D>& key) {
        origin_ = key * kTileSide<D>;
        stored_ = tiles_.find(key);
        own_ = tiles_.is_active(stored_) ? before_.tile(stored_) : nullptr;
        const int moved_by = carrier_.flow.tiles()->find(key);
        centred_ = carrier_.flow.tiles()->is_active(moved_by);
        near_ = kSeveral;
        if (!centred_) return;
        load(moved_by);
        if (own_ && within_reach_) near_ = around(stored_);
    }

    std::int32_t operator()(int o) {
        const std::int32_t here = own_ ? own_[o] : kNone;
        // Nothing but this region is within reach.
        if (near_ == kNone || (near_ >= 0 && here >= 0)) return here;
        const Index<D> cell = origin_ + tile_local<D>(o);
        const Point<D> x = cell.template as<double>() + Point<D>::filled(0.5);
        const std::size_t at =
            cursor_(floor_index<D>(x - (centred_ ? u_[o] : sampler_(x)) * step_));
        const std::int32_t there = tiles_.is_active(cursor_.tile()) ? before_.read()[at] : kNone;
        return there >= 0 ? there : here;
    }

  private:
    /// Velocities at the middle of the cells: there interpolation is the mean of two faces.
    void load(int tile) {
        const Tiles<D>& tiles = *carrier_.flow.tiles();
        double upper[kTileCells<D>];
        float end[kTileCells<D>];
        int far = 0;
        for (int a = 0; a < D; ++a) {
            const double* lower = carrier_.flow.tile(a, tile);
            load_upper_faces<double, D>(carrier_.flow.read(a), tiles, tile, a, upper);
            for (int o = 0; o < kTileCells<D>; ++o) u_[o][a] = lower[o] * 0.5 + upper[o] * 0.5;
            if (carrier_.displaces()) {
                const double rate = 0.5 / carrier_.dt;
                const float* begin = carrier_.displacement.tile(a, tile);
                load_upper_faces<float, D>(carrier_.displacement.read(a), tiles, tile, a, end);
                for (int o = 0; o < kTileCells<D>; ++o)
                    u_[o][a] += rate * (double(begin[o]) + double(end[o]));
            }
            for (int o = 0; o < kTileCells<D>; ++o)
                far += !(std::abs(u_[o][a]) * step_ < kTileSide<D>);
        }
        within_reach_ = far == 0;
    }
    std::int32_t around(int tile) const {
        std::int32_t r = kNone;
        for (int n = 0; n < kTileNeighbours<D>; ++n)
            if (const int t = tiles_.neighbours(tile)[n]; tiles_.is_active(t))
                r = joined(r, by_tile_[std::size_t(t)]);
        return r;
    }

    const CellField<std::int32_t, D>& before_;
    const Tiles<D>& tiles_;
    std::span<const std::int32_t> by_tile_;
    const Carrier<D>& carrier_;
    VelocitySampler<D> sampler_;
    TileCursor<D> cursor_;
    double step_;
    bool within_reach_ = false;  ///< nothing came from beyond the tiles around this one
    Index<D> origin_{};
    int stored_ = 0;
    const std::int32_t* own_ = nullptr;
    bool centred_ = false;
    std::int32_t near_ = kSeveral;  ///< regions within reach of the tile
    Vec<double, D> u_[kTileCells<D>];
};

}  // namespace

template <int D>
std::map<Overlap, double> overlaps(const CellField<std::int32_t, D>& before,
                                   const CellField<std::int32_t, D>& now, const Carrier<D>& carrier,
                                   const Clamp<D>& clamp, double dt, Context& context) {
    const Tiles<D>& tiles = *now.tiles();
    const std::vector<std::int32_t> by_tile = regions_by_tile(before, context);
    std::vector<std::vector<std::pair<Overlap, int>>> parts(std::size_t(tiles.active()));
    for_range(context.arena, parts.size(), 4, [&](std::size_t b, std::size_t e) {
        Origins<D> origin(before, by_tile, carrier, clamp, dt / tiles.voxel());
        for (std::size_t t = b; t < e; ++t) {
            const std::int32_t* label = now.tile(int(t));
            if (std::all_of(label, label + kTileCells<D>, [](std::int32_t k) { return k < 0; }))
                continue;
            origin.enter(tiles.key(int(t)));
            std::vector<std::pair<Overlap, int>>& mine = parts[t];
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (label[o] < 0) continue;
                const Overlap key{label[o], origin(o)};
                const auto same = [&](const auto& entry) {
                    return entry.first.now == key.now && entry.first.before == key.before;
                };
                auto entry = std::find_if(mine.begin(), mine.end(), same);
                if (entry == mine.end()) entry = mine.insert(entry, {key, 0});
                ++entry->second;
            }
        }
    });
    std::map<Overlap, double> sum;
    for (const auto& part : parts)
        for (const auto& [key, cells] : part) sum[key] += cells;
    return sum;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template std::map<Overlap, double> overlaps<D>(                                              \
        const CellField<std::int32_t, D>&, const CellField<std::int32_t, D>&, const Carrier<D>&, \
        const Clamp<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
