// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/reseed.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "spume/grid/sample.h"
#include "spume/particles/nearest.h"
#include "spume/physics/domain/seeding.h"
#include "spume/physics/domain/thin_walls.h"

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

template <int D>
using Sight = std::function<bool(const Point<D>&, const Point<D>&)>;

/// Is a point beyond a thin wall, seen from the middle of its cell?
template <int D>
bool is_hidden(const Index<D>& cell, const Point<D>& x, const Sight<D>& sees,
               const GridDomain<D>& domain) {
    return sees &&
           !sees(domain.transform.to_world(cell.template as<double>() + Point<D>::filled(0.5)), x);
}

/// In how many of a cell's 2^D parts is there room?
template <int D>
int open_parts(const Index<D>& cell, const PlacedSolids<D>& bodies, const Sight<D>& sees,
               const GridDomain<D>& domain) {
    int r = 0;
    for (int k = 0; k < (1 << D); ++k) {
        Point<D> x = cell.template as<double>();
        for (int a = 0; a < D; ++a) x[a] += 0.25 + 0.5 * (k >> a & 1);
        x = domain.transform.to_world(x);
        r += domain.bounds().contains(x) && !bodies.covers(x) &&
             !is_hidden<D>(cell, x, sees, domain);
    }
    return r;
}

/// The particles of a tile that its deep cells can spare: those over a full cell's number, of the
/// fullest cells first, the youngest of each.
template <int D>
class Spare {
  public:
    Spare(const CellRanges<D>& cells, const LevelSet<D>& phi, int tile, const Reseeding& limits) {
        const double deep = -phi.tiles()->voxel();
        std::vector<std::pair<int, std::size_t>> fuller;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(tile) * kTileCells<D> + std::size_t(o);
            const int count = std::min(cells.count(at), limits.most);
            if (count > limits.full && phi.at(tile, o) <= deep) fuller.emplace_back(-count, at);
        }
        std::sort(fuller.begin(), fuller.end());
        for (const auto& [count, at] : fuller)
            // Ids grow inside a cell: the youngest are last.
            for (int n = -count; n-- > limits.full;)
                list_.push_back(cells.first(at) + std::uint32_t(n));
    }

    /// The next, if it is of that density; beside thin walls the next that is on the same side.
    std::optional<std::uint32_t> take(const Liquid<D>& liquid, float excess, const Point<D>& x,
                                      const Sight<D>& sees) {
        std::size_t i = next_;
        while (sees && i < list_.size() && !sees(liquid.position[list_[i]], x)) ++i;
        if (i >= list_.size() || liquid.excess[list_[i]] != excess) return std::nullopt;
        const auto begin = list_.begin();
        std::rotate(begin + std::ptrdiff_t(next_), begin + std::ptrdiff_t(i),
                    begin + std::ptrdiff_t(i) + 1);
        return list_[next_++];
    }

  private:
    std::vector<std::uint32_t> list_;
    std::size_t next_ = 0;
};

/// A particle that gets another place in its tile, with the velocity there.
template <int D>
struct Move {
    std::uint32_t particle;
    Point<D> position;
    Vec<double, D> velocity;
};

template <int D>
void make(Liquid<D>& liquid, const std::vector<std::vector<Move<D>>>& moves) {
    auto position = liquid.position.write();
    auto velocity = liquid.velocity.write();
    auto gradient = liquid.gradient.write();
    for (const auto& list : moves)
        for (const Move<D>& m : list) {
            position[m.particle] = m.position;
            velocity[m.particle] = m.velocity;
            if (!gradient.empty()) gradient[m.particle] = {};
        }
}

}  // namespace

template <int D>
void reseed(Liquid<D>& liquid, const CellRanges<D>& cells, const LevelSet<D>& phi,
            const CellField<float, D>& density_error, const FaceField<double, D>& velocity,
            const PlacedSolids<D>& bodies, const GridDomain<D>& domain, const Reseeding& limits,
            const RandomPlaces& places, Context& context) {
    Stage stage(context, "reseed");
    const Tiles<D>& tiles = *phi.tiles();
    const Transform<D>& transform = tiles.transform();
    const double h = tiles.voxel();
    const Sight<D> sees = has_thin(bodies, h) ? sight_past(bodies, h) : Sight<D>();
    std::vector<SeededParticles<D>> fresh(std::size_t(tiles.active()));
    std::vector<std::vector<Move<D>>> moves(std::size_t(tiles.active()));
    std::vector<std::uint8_t> gone(liquid.size(), 0);
    const auto fill = [&](int t, int o, Spare<D>& spare, TileCursor<D>& cursor) {
        const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
        const Index<D> cell = tiles.origin(t) + tile_local<D>(o);
        const int count = cells.count(at), parts = open_parts<D>(cell, bodies, sees, domain);
        if (count << D >= limits.fewest * parts) return;  // few, but for all there is room
        const bool makes_new =
            double(density_error.at(t, o)) < -limits.thin || (count == 0 && parts == 1 << D);
        unsigned taken = 0;
        for (std::uint32_t i = cells.first(at); i < cells.last(at); ++i)
            taken |= 1u << part_of<D>(transform.to_lattice(liquid.position[i]));
        for (int k = 0; k < (1 << D); ++k) {
            if (taken >> k & 1) continue;
            const Point<D> x =
                transform.to_world(place_in_part<D>(places.seed, cell, k, places.step + 1));
            if (!domain.bounds().contains(x) || bodies.covers(x) ||
                is_hidden<D>(cell, x, sees, domain))
                continue;
            const float excess = excess_near<D>(liquid, cells, tiles, t, tile_local<D>(o), x);
            if (const auto one = spare.take(liquid, excess, x, sees))
                moves[std::size_t(t)].push_back({*one, x, sample<double, D>(velocity, cursor, x)});
            else if (makes_new)
                fresh[std::size_t(t)].add(x, sample<double, D>(velocity, cursor, x), excess);
        }
    };
    for_tiles(context.arena, tiles, [&](int t) {
        TileCursor<D> cursor(tiles);
        std::optional<Spare<D>> spare;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            const int count = cells.count(at);
            for (int n = limits.most; n < count; ++n) gone[cells.first(at) + std::uint32_t(n)] = 1;
            if (count >= limits.fewest || phi.at(t, o) > -h) continue;
            if (!spare) spare.emplace(cells, phi, t, limits);
            fill(t, o, *spare, cursor);
        }
    });
    make(liquid, moves);
    if (std::find(gone.begin(), gone.end(), 1) != gone.end())
        remove_if(liquid, context, [&](std::size_t i) { return gone[i] != 0; });
    append_all<D>(liquid, fresh);
}

#define SPUME_INSTANTIATE(D)                                                                \
    template void reseed<D>(Liquid<D>&, const CellRanges<D>&, const LevelSet<D>&,           \
                            const CellField<float, D>&, const FaceField<double, D>&,        \
                            const PlacedSolids<D>&, const GridDomain<D>&, const Reseeding&, \
                            const RandomPlaces&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
