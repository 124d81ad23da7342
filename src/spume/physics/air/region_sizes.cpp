// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/physics/air/track_bubbles.h"

namespace spume {
namespace {

/// What one tile holds of a region: several entries where its cells are not one after the other.
struct Part {
    std::int32_t region;
    double cells;
    Vec<double, 3> moment;
};

/// The region whose air is in a liquid cell: that of the neighbour farthest from the liquid.
template <int D>
std::int32_t region_beside(const CellField<std::int32_t, D>& label, const LevelSet<D>& phi, int t,
                           int o) {
    const Tiles<D>& tiles = *phi.tiles();
    std::int32_t k = -1;
    double farthest = 0;
    for (int side = 0; side < 2 * D; ++side) {
        const Neighbour<D> n = neighbour_of<D>(tiles, t, o, side);
        if (!tiles.is_active(n.tile) || label.at(n.tile, n.offset) < 0) continue;
        if (phi.at(n.tile, n.offset) <= farthest && k >= 0) continue;
        farthest = phi.at(n.tile, n.offset);
        k = label.at(n.tile, n.offset);
    }
    return k;
}

/// Where the middles of a tile's cells lie along each axis.
template <int D>
struct Middles {
    double at[D][kTileSide<D>];

    Middles(const LevelSet<D>& phi, int t) {
        for (int i = 0; i < kTileSide<D>; ++i) {
            const Point<D> x = phi.position(t, tile_offset<D>(Index<D>::filled(i)));
            for (int a = 0; a < D; ++a) at[a][i] = x[a];
        }
    }
    Vec<double, 3> operator()(int o) const {
        const Index<D> local = tile_local<D>(o);
        Vec<double, 3> r{};
        for (int a = 0; a < D; ++a) r[a] = at[a][local[a]];
        return r;
    }
};

}  // namespace

template <int D>
std::vector<RegionMeasure> measured(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                    const CellField<float, D>& liquid,
                                    const CellField<float, D>& open_fraction, Context& context) {
    Stage stage(context, "regions");
    const Tiles<D>& tiles = *phi.tiles();
    std::vector<std::vector<Part>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const float *open = open_fraction.tile(t), *full = liquid.tile(t);
        const std::int32_t* label = regions.label.tile(t);
        double air[kTileCells<D>];
        int some = 0;
        for (int o = 0; o < kTileCells<D>; ++o) {
            air[o] = double(open[o]) * (1 - double(full[o]));
            some += air[o] > 0;
        }
        if (some == 0) return;
        auto& mine = parts[std::size_t(t)];
        const Middles<D> middle(phi, t);
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(air[o] > 0)) continue;
            const std::int32_t k =
                label[o] >= 0 ? label[o] : region_beside(regions.label, phi, t, o);
            if (k < 0) continue;
            if (mine.empty() || mine.back().region != k) mine.push_back({k, 0, {}});
            mine.back().cells += air[o];
            mine.back().moment += middle(o) * air[o];
        }
    });
    std::vector<RegionMeasure> r(regions.regions.size());
    for (const auto& list : parts)
        for (const Part& p : list) {
            r[std::size_t(p.region)].volume += p.cells;
            r[std::size_t(p.region)].centre += p.moment;
        }
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= tiles.voxel();
    for (std::size_t k = 0; k < r.size(); ++k) {
        if (r[k].volume > 0) r[k].centre = r[k].centre / r[k].volume;
        r[k].volume = (r[k].volume + regions.regions[k].far_cells) * cell;
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template std::vector<RegionMeasure> measured<D>(const AirRegions<D>&, const LevelSet<D>&, \
                                                    const CellField<float, D>&,               \
                                                    const CellField<float, D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
