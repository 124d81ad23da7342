// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <limits>

#include "spume/particles/nearest.h"
#include "spume/physics/liquid_set.h"
#include "spume/physics/newcomers.h"

namespace spume {
namespace {

/// Excess density of the particle nearest to x; cells deep in the liquid have one around them.
template <int D>
float excess_near(const Liquid<D>& liquid, const CellRanges<D>& cells, const Tiles<D>& tiles, int t,
                  const Index<D>& local, const Point<D>& x) {
    double least = std::numeric_limits<double>::infinity();
    float r = 0;
    for_particles_around<D>(cells, tiles, t, local, [&](std::uint32_t i) {
        const double d = length(liquid.position[i] - x);
        if (d < least) least = d, r = liquid.excess[i];
    });
    return r;
}

}  // namespace

template <int D>
void reseed(Liquid<D>& liquid, const TileRanges<D>& ranges, const CellRanges<D>& cells,
            const LevelSet<D>& phi, const CellField<float, D>& crowding,
            const FaceField<double, D>& velocity, const Bodies<D>& bodies, const Basin<D>& basin,
            const Reseeding& limits, std::uint64_t seed, std::uint32_t step, Context& context) {
    Stage stage(context, "reseed");
    const Tiles<D>& tiles = *ranges.tiles;
    const Transform<D>& transform = tiles.transform();
    const double h = tiles.voxel();
    std::vector<Newcomers<D>> fresh(std::size_t(tiles.active()));
    std::vector<std::uint8_t> gone(liquid.size(), 0);
    std::vector<std::uint8_t> crowded(std::size_t(tiles.active()), 0);
    for_tiles(context.arena, tiles, [&](int t) {
        TileCursor<D> cursor(tiles);
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            const int count = cells.count(at);
            if (count > limits.most) {
                // Ids grow inside a cell: the youngest are last.
                for (std::uint32_t i = cells.first(at) + std::uint32_t(limits.most);
                     i < cells.last(at); ++i)
                    gone[i] = 1;
                crowded[std::size_t(t)] = 1;
            }
            if (count >= limits.fewest || phi.at(t, o) > -h ||
                !(double(crowding.at(t, o)) < -limits.thin))
                continue;
            unsigned taken = 0;
            for (std::uint32_t i = cells.first(at); i < cells.last(at); ++i)
                taken |= 1u << part_of<D>(transform.to_lattice(liquid.position[i]));
            const Index<D> cell = tiles.origin(t) + tile_local<D>(o);
            for (int k = 0; k < (1 << D); ++k) {
                if (taken >> k & 1) continue;
                const Point<D> x = transform.to_world(place_in_part<D>(seed, cell, k, step + 1));
                if (!basin.bounds().contains(x) || !(bodies.distance_within(x, h) > 0)) continue;
                fresh[std::size_t(t)].add(
                    x, sample<double, D>(velocity, cursor, x),
                    excess_near<D>(liquid, cells, tiles, t, tile_local<D>(o), x));
            }
        }
    });
    if (std::find(crowded.begin(), crowded.end(), 1) != crowded.end())
        remove_if(liquid, context, [&](std::size_t i) { return gone[i] != 0; });
    append_all<D>(liquid, fresh);
}

#define SPUME_INSTANTIATE(D)                                                                \
    template void reseed<D>(Liquid<D>&, const TileRanges<D>&, const CellRanges<D>&,         \
                            const LevelSet<D>&, const CellField<float, D>&,                 \
                            const FaceField<double, D>&, const Bodies<D>&, const Basin<D>&, \
                            const Reseeding&, std::uint64_t, std::uint32_t, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
