// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/fit_surface.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/physics/domain/cell_centres.h"
#include "spume/physics/domain/seeding.h"

namespace spume::constraint {
namespace {

constexpr int kRounds = 12;
/// Then so many for level surfaces, where in each fourth gaps of more than so many voxels are
/// filled.
constexpr int kLevelRounds = 16;
constexpr double kGap = 0.03;
constexpr double kShare = 0.3;  ///< of what lacks that a round makes up for; more swings
/// In voxels: how deep particles are moved, how far in a round, and errors that are no bumps but
/// another surface.
constexpr double kDepth = 1, kFarthest = 0.1, kOther = 0.5;

/// A cell with so many particles gets no more. A quarter more than full is a cluster, which would
/// be taken for liquid that stands higher (cover_full_cells); one may still be moved into the cell.
template <int D>
constexpr int kMostInACell = (1 << D) * 5 / 4 - 1;

template <int D>
Vec<double, D> normal_of(const DistanceTo<D>& distance, const Point<D>& x, double step) {
    Vec<double, D> n{};
    for (int a = 0; a < D; ++a) {
        const Point<D> e = Point<D>::unit(a, step);
        n[a] = distance(x + e) - distance(x - e);
    }
    const double size = length(n);
    return size > 0 ? n / size : n;
}

/// Where cells on all sides are inside the box: half a voxel from its walls.
template <int D>
Point<D> inside_walls(Point<D> x, const GridDomain<D>& domain) {
    const Box<double, D> box = domain.bounds();
    const double half = domain.voxel() / 2;
    for (int a = 0; a < D; ++a)
        x[a] = std::clamp(x[a], box.lo[a] + half, std::max(box.lo[a] + half, box.hi[a] - half));
    return x;
}

/// Is it level as far as the next voxel? Drops and bubbles have too few particles for one more.
template <int D>
bool is_level(const DistanceTo<D>& distance, const Point<D>& x, double voxel) {
    double bend = 0;
    for (int a = 0; a < D; ++a) {
        const Point<D> e = Point<D>::unit(a, voxel);
        bend += distance(x + e) + distance(x - e) - 2 * distance(x);
    }
    return std::abs(bend) < 0.02 * voxel;
}

/// Is a body so near a place of the surface with this normal that the reconstruction there is not
/// to be trusted? Below a film it is near and does no harm.
template <int D>
bool is_beside(const PlacedSolids<D>& bodies, const Point<D>& foot, const Vec<double, D>& normal,
               double away, double voxel) {
    return away < 0.5 * voxel &&
           (away <= 0 || dot(bodies.nearest(foot).normal(foot), normal) < 0.7);
}

/// A particle's way to the wanted surface. It moves along it only, which changes neither foot nor
/// normal: shapes are asked once, not in each round.
template <int D>
struct Way {
    Point<D> foot;
    Vec<double, D> normal;
    bool level = false;  ///< the surface around the foot
    bool clear = false;  ///< no body is as near as the particle may come to one
};

/// The ways of the particles of the last voxel below the wanted surface, by their ids.
template <int D>
class WaysToSurface {
  public:
    WaysToSurface(const DistanceTo<D>& wanted, const PlacedSolids<D>& bodies, double voxel)
        : wanted_(wanted), bodies_(bodies), voxel_(voxel) {}

    /// Asks for those that were not there when it last did. Particles lie in their cells.
    void find(const Liquid<D>& liquid, const CellRanges<D>& cells, const LevelSet<D>& near_by,
              Context& context) {
        const Tiles<D>& tiles = *near_by.tiles();
        const std::uint64_t known = of_.size();
        if (known == liquid.next_id) return;
        of_.resize(liquid.next_id, kNone);
        std::vector<std::vector<std::pair<std::uint64_t, Way<D>>>> found(
            std::size_t(tiles.active()));
        for_tiles(context.arena, tiles, [&](int t) {
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(o);
                if (near_by.at(t, o) < -(kDepth + 1.5) * voxel_ || cells.count(cell) == 0) continue;
                // Distances change by no more than the way from the centre.
                const double reach = 0.5 * std::sqrt(double(D)) * voxel_;
                if (known == 0 && wanted_(near_by.position(t, o)) < -kDepth * voxel_ - reach)
                    continue;
                for (std::size_t i = cells.begin[cell]; i < cells.begin[cell + 1]; ++i)
                    if (liquid.id[i] >= known)
                        add(liquid.position[i], liquid.id[i], found[std::size_t(t)]);
            }
        });
        for (const auto& list : found)
            for (const auto& [id, way] : list) {
                of_[id] = std::int64_t(ways_.size());
                ways_.push_back(way);
            }
    }
    /// None for a particle that stays where it is.
    const Way<D>* of(std::uint64_t id) const {
        return of_[id] == kNone ? nullptr : &ways_[std::size_t(of_[id])];
    }

  private:
    static constexpr std::int64_t kNone = -1;

    void add(const Point<D>& x, std::uint64_t id,
             std::vector<std::pair<std::uint64_t, Way<D>>>& list) const {
        const double depth = -wanted_(x);
        if (!(depth >= 0) || depth > kDepth * voxel_) return;
        Way<D> way;
        way.normal = normal_of<D>(wanted_, x, 0.1 * voxel_);
        way.foot = x + way.normal * depth;
        const double clear = (kDepth + 1) * voxel_;
        const double away = bodies_.empty() ? clear : bodies_.distance_within(way.foot, clear);
        if (is_beside<D>(bodies_, way.foot, way.normal, away, voxel_)) return;
        way.clear = away >= clear * (1 - 1e-9);
        way.level = is_level<D>(wanted_, way.foot, voxel_);
        list.push_back({id, way});
    }

    const DistanceTo<D>& wanted_;
    const PlacedSolids<D>& bodies_;
    double voxel_;
    std::vector<std::int64_t> of_;
    std::vector<Way<D>> ways_;
};

/// Where a particle should be, if the reconstructed surface lacks something above it.
template <int D>
Point<D> fitted(const Point<D>& x, const Way<D>& along, const LevelSet<D>& reconstructed,
                TileCursor<D>& cursor, const PlacedSolids<D>& bodies, const GridDomain<D>& domain) {
    const double h = domain.voxel(), depth = dot(along.foot - x, along.normal) / h;
    if (!(depth >= 0) || depth > kDepth) return x;
    const double lacks =
        sample<double, D>(reconstructed, cursor, inside_walls<D>(along.foot, domain)) / h;
    if (!(std::abs(lacks) < kOther)) return x;
    const double way = std::clamp(kShare * (1 - depth / kDepth) * lacks, -kFarthest, kFarthest);
    const Point<D> moved = x + along.normal * (std::min(way, depth) * h);
    return along.clear || bodies.distance_within(moved, h) > 0 ? moved : x;
}

/// A cell that a level surface passes through, and where.
template <int D>
struct LevelCell {
    int offset = 0;
    Point<D> foot;
    Vec<double, D> normal;
    double room = 1;  ///< voxels to the next body, if there is less
};

/// Those of each tile; `near_by`: the surface to about a voxel.
template <int D>
std::vector<std::vector<LevelCell<D>>> level_cells(const LevelSet<D>& near_by,
                                                   const DistanceTo<D>& wanted,
                                                   const PlacedSolids<D>& bodies,
                                                   Context& context) {
    const Tiles<D>& tiles = *near_by.tiles();
    const double h = tiles.voxel();
    std::vector<std::vector<LevelCell<D>>> r(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(std::abs(near_by.at(t, o)) < 2 * h)) continue;
            const Point<D> x = near_by.position(t, o);
            const double depth = -wanted(x);
            if (!(std::abs(depth) <= 0.5 * h)) continue;
            const Vec<double, D> n = normal_of<D>(wanted, x, 0.1 * h);
            const Point<D> foot = x + n * depth;
            if (!is_level<D>(wanted, foot, h)) continue;
            const double away = bodies.empty() ? h : std::min(h, bodies.distance_within(foot, h));
            if (!is_beside<D>(bodies, foot, n, away, h))
                r[std::size_t(t)].push_back({o, foot, n, away / h});
        }
    });
    return r;
}

/// A particle more in the middle of each cell where a level surface lacks so much that those around
/// cannot mend it: they do not rise above the wanted surface.
template <int D>
void fill_gaps(Liquid<D>& liquid, const CellRanges<D>& cells, const LevelSet<D>& reconstructed,
               const std::vector<std::vector<LevelCell<D>>>& level, const GridDomain<D>& domain,
               Context& context) {
    const Tiles<D>& tiles = *reconstructed.tiles();
    const double h = tiles.voxel();
    std::vector<SeededParticles<D>> fresh(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        TileCursor<D> cursor(tiles);
        for (const LevelCell<D>& at : level[std::size_t(t)]) {
            const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(at.offset);
            if (cells.count(cell) == 0) continue;
            const double lacks =
                sample<double, D>(reconstructed, cursor, inside_walls<D>(at.foot, domain)) / h;
            if (!(lacks > kGap && lacks < kOther)) continue;
            const Point<D> place = at.foot - at.normal * (std::min(0.25, 0.5 * at.room) * h);
            const std::size_t there = cursor(floor_index<D>(tiles.transform().to_lattice(place)));
            if (tiles.is_active(cursor.tile()) && cells.count(there) >= kMostInACell<D>) continue;
            const std::uint32_t like = cells.first(cell);
            fresh[std::size_t(t)].add(place, liquid.velocity[like], liquid.excess[like]);
        }
    });
    append_all<D>(liquid, fresh);
}

/// Where the particles of a part of the liquid are fitted.
template <int D>
struct Ground {
    CutCells<D> open;
    CellField<std::uint8_t, D> centres;  ///< cells whose centre no solid covers

    Ground(const typename Tiles<D>::Ptr& tiles, const PlacedSolids<D>& bodies,
           const GridDomain<D>& domain, Context& context)
        : open(cut_cells(bodies, domain, tiles, context)),
          centres(centres_outside(open, bodies, context)) {}
};

/// The particles of some tiles and of those around them, which their surface depends on: what
/// `work` does with them is done to the liquid. It may move particles and append others.
template <int D, class Work>
void with_part(Liquid<D>& liquid, const TileRanges<D>& ranges,
               const std::vector<std::uint8_t>& marked, Context& context, Work&& work) {
    const Tiles<D>& tiles = *ranges.tiles;
    std::vector<std::uint8_t> taken(std::size_t(tiles.stored()), 0);
    for (int t = 0; t < tiles.active(); ++t)
        for (int n = 0; marked[std::size_t(t)] && n < kTileNeighbours<D>; ++n)
            taken[std::size_t(tiles.neighbours(t)[n])] = 1;
    std::vector<Index<D>> keys;
    std::vector<std::uint32_t> members;
    for (int t = 0; t < tiles.active(); ++t) {
        if (!taken[std::size_t(t)]) continue;
        keys.push_back(tiles.key(t));
        for (std::size_t i = ranges.first(t); i < ranges.last(t); ++i)
            members.push_back(std::uint32_t(i));
    }
    if (keys.empty()) return;
    const std::uint64_t known = liquid.next_id;
    std::vector<std::uint32_t> place(known);
    for (const std::uint32_t i : members) place[liquid.id[i]] = i;
    Liquid<D> part = liquid;
    permute(part, members, context);
    work(part, Tiles<D>::build(std::move(keys), tiles.transform()));
    auto x = liquid.position.write();
    std::vector<std::uint32_t> fresh;
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part.id[i] < known)
            x[place[part.id[i]]] = part.position[i];
        else
            fresh.push_back(std::uint32_t(i));
    std::sort(fresh.begin(), fresh.end(), [&](auto a, auto b) { return part.id[a] < part.id[b]; });
    permute(part, fresh, context);
    append(liquid, part);
}

/// Rounds of the fit. The first ones are for all that is near the surface, those that fill gaps
/// for level parts of it.
template <int D>
class Fitting {
  public:
    Fitting(const DistanceTo<D>& wanted, const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
            const ParticleSurface& how, Context& context)
        : wanted_(wanted),
          bodies_(bodies),
          domain_(domain),
          how_(how),
          context_(context),
          ways_(wanted_, bodies, domain.voxel()) {}

    void fit(Liquid<D>& liquid, const typename Tiles<D>::Ptr& tiles) {
        const TileRanges<D> all = sort(liquid, tiles);
        ways_.find(liquid, cells_, surface(liquid, Ground<D>(tiles, bodies_, domain_, context_)),
                   context_);
        with_part<D>(liquid, all, tiles_with_ways(liquid, all, false), context_,
                     [&](Liquid<D>& near, const typename Tiles<D>::Ptr& around) {
                         const Ground<D> ground(around, bodies_, domain_, context_);
                         for (int n = 0; n < kRounds; ++n) move_particles(near, ground, false);
                         const TileRanges<D> moved = sort(near, around);
                         fit_level(near, moved);
                     });
    }

  private:
    void fit_level(Liquid<D>& liquid, const TileRanges<D>& ranges) {
        with_part<D>(liquid, ranges, tiles_with_ways(liquid, ranges, true), context_,
                     [&](Liquid<D>& part, const typename Tiles<D>::Ptr& tiles) {
                         const Ground<D> ground(tiles, bodies_, domain_, context_);
                         std::vector<std::vector<LevelCell<D>>> level;
                         for (int n = 0; n < kLevelRounds; ++n)
                             if (n % 4 == 0)
                                 fill(part, ground, level);
                             else
                                 move_particles(part, ground, true);
                     });
    }

    TileRanges<D> sort(Liquid<D>& liquid, const typename Tiles<D>::Ptr& tiles) {
        return sort_by_cell(liquid, tiles, domain_.clamp(), cells_, context_);
    }
    LevelSet<D> surface(const Liquid<D>& liquid, const Ground<D>& ground) {
        const FaceField<float, D>& area = ground.open.area;
        LevelSet<D> phi = liquid_surface<D>(liquid.position.read(), cells_, ground.centres, area,
                                            how_, context_, &ground.open.parting);
        const Films<D> films{cells_, ground.open.kind};
        extrapolate_into_solids(phi, ground.centres, area, context_, &films);
        return phi;
    }
    /// 1: tiles with particles that have a way, to level parts of the surface or any.
    std::vector<std::uint8_t> tiles_with_ways(const Liquid<D>& liquid, const TileRanges<D>& ranges,
                                              bool level) const {
        std::vector<std::uint8_t> r(std::size_t(ranges.tiles->active()), 0);
        for_tiles(context_.arena, *ranges.tiles, [&](int t) {
            for (std::size_t i = ranges.first(t); i < ranges.last(t) && !r[std::size_t(t)]; ++i)
                if (const Way<D>* way = ways_.of(liquid.id[i]))
                    r[std::size_t(t)] = !level || way->level;
        });
        return r;
    }

    void fill(Liquid<D>& liquid, const Ground<D>& ground,
              std::vector<std::vector<LevelCell<D>>>& level) {
        sort(liquid, ground.centres.tiles());
        const LevelSet<D> reconstructed = surface(liquid, ground);
        if (level.empty()) level = level_cells<D>(reconstructed, wanted_, bodies_, context_);
        fill_gaps<D>(liquid, cells_, reconstructed, level, domain_, context_);
    }

    void move_particles(Liquid<D>& liquid, const Ground<D>& ground, bool only_level) {
        sort(liquid, ground.centres.tiles());
        const LevelSet<D> reconstructed = surface(liquid, ground);
        ways_.find(liquid, cells_, reconstructed, context_);
        const Tiles<D>& tiles = *reconstructed.tiles();
        const Parting<D>& parting = ground.open.parting;
        auto x = liquid.position.write();
        for_tiles(context_.arena, tiles, [&](int t) {
            TileCursor<D> cursor(tiles);
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (reconstructed.at(t, o) < -(kDepth + 1.5) * tiles.voxel()) continue;
                const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(o);
                for (std::size_t i = cells_.begin[cell]; i < cells_.begin[cell + 1]; ++i) {
                    const Way<D>* way = ways_.of(liquid.id[i]);
                    if (!way || (only_level && !way->level)) continue;
                    const Point<D> to =
                        fitted<D>(x[i], *way, reconstructed, cursor, bodies_, domain_);
                    if (!parting.any() || parting.sees(x[i], to)) x[i] = to;
                }
            }
        });
    }

    DistanceTo<D> wanted_;
    const PlacedSolids<D>& bodies_;
    const GridDomain<D>& domain_;
    const ParticleSurface& how_;
    Context& context_;
    WaysToSurface<D> ways_;
    CellRanges<D> cells_;
};

}  // namespace

template <int D>
void fit_surface(Liquid<D>& liquid, const typename Tiles<D>::Ptr& tiles,
                 const DistanceTo<D>& wanted, const PlacedSolids<D>& bodies,
                 const GridDomain<D>& domain, const ParticleSurface& how, Context& context) {
    Fitting<D>(wanted, bodies, domain, how, context).fit(liquid, tiles);
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template void fit_surface<D>(Liquid<D>&, const typename Tiles<D>::Ptr&, const DistanceTo<D>&, \
                                 const PlacedSolids<D>&, const GridDomain<D>&,                    \
                                 const ParticleSurface&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
