// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/liquid_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/core/random.h"
#include "spume/particles/nearest.h"

namespace spume {
namespace {

/// A number for a cell that no other cell of a lattice of this size shares.
template <int D>
std::uint64_t cell_number(const Index<D>& cell) {
    std::uint64_t n = 0;
    for (int a = 0; a < D; ++a)
        n = n << 21 | (static_cast<std::uint64_t>(cell[a] + (1 << 20)) & 0x1fffff);
    return n;
}

/// A random place in part `k` of the 2^D parts of a cell, on the lattice.
template <int D>
Point<D> place_in_part(std::uint64_t seed, const Index<D>& cell, int k, std::uint32_t step) {
    const Random random(seed, cell_number<D>(cell), step, Purpose::kJitter);
    const Vec<double, D> u = random.uniform_vec<D>(static_cast<std::uint32_t>(k * D));
    Point<D> x = cell.template as<double>();
    for (int a = 0; a < D; ++a) x[a] += 0.5 * ((k >> a & 1) + u[a]);
    return x;
}

/// New particles in the making, of one piece of the domain.
template <int D>
struct Newcomers {
    std::vector<Point<D>> positions{};
    std::vector<Vec<double, D>> velocities{};
    std::vector<float> excesses{};

    void add(const Point<D>& x, const Vec<double, D>& v, float excess) {
        positions.push_back(x);
        velocities.push_back(v);
        excesses.push_back(excess);
    }
};

/// Appends all pieces at once, in their order.
template <int D>
std::size_t append_all(Liquid<D>& liquid, std::span<const Newcomers<D>> pieces) {
    std::size_t n = 0;
    for (const auto& piece : pieces) n += piece.positions.size();
    Liquid<D> fresh;
    resize(fresh, n);
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto excess = fresh.excess.write();
    std::size_t at = 0;
    for (const auto& piece : pieces) {
        std::copy(piece.positions.begin(), piece.positions.end(), x.begin() + at);
        std::copy(piece.velocities.begin(), piece.velocities.end(), v.begin() + at);
        std::copy(piece.excesses.begin(), piece.excesses.end(), excess.begin() + at);
        at += piece.positions.size();
    }
    append(liquid, fresh);
    return n;
}

template <int D>
Box<int, D> cells_of(const Box<double, D>& box, const Basin<D>& basin) {
    Box<int, D> r;
    for (int a = 0; a < D; ++a) {
        const auto to_cell = [&](double x) {
            return std::floor((x - basin.transform.origin[a]) / basin.voxel());
        };
        r.lo[a] = static_cast<int>(std::max<double>(to_cell(box.lo[a]), basin.cells.lo[a]));
        r.hi[a] = static_cast<int>(std::min<double>(to_cell(box.hi[a]) + 1, basin.cells.hi[a]));
    }
    return r;
}

/// f(cell) for each cell of the box, last axis fastest.
template <int D, class F>
void for_cells(const Box<int, D>& box, F&& f) {
    if (box.empty()) return;
    Index<D> i = box.lo;
    for (bool more = true; more;) {
        f(i);
        more = false;
        for (int a = D - 1; a >= 0 && !more; --a) {
            more = ++i[a] < box.hi[a];
            if (!more) i[a] = box.lo[a];
        }
    }
}

template <int D>
int part_of(const Point<D>& lattice) {
    int k = 0;
    for (int a = 0; a < D; ++a) k |= int(lattice[a] - std::floor(lattice[a]) >= 0.5) << a;
    return k;
}

}  // namespace

template <int D>
LiquidSet<D>::LiquidSet(const std::vector<LiquidBody>& liquids, double water_density,
                        std::uint64_t seed, const MeshLibrary& meshes)
    : seed_(seed) {
    for (const LiquidBody& l : liquids) {
        const double excess = l.density > 0 ? l.density / water_density - 1 : 0;
        parts_.push_back({l, placed<D>(l.shape, meshes), static_cast<float>(excess)});
    }
}

template <int D>
double LiquidSet<D>::lightest() const {
    double r = std::numeric_limits<double>::infinity();
    for (const Part& part : parts_)
        if (part.says.mode == LiquidMode::kFill || part.says.mode == LiquidMode::kSource)
            r = std::min(r, 1 + double(part.excess));
    return parts_.empty() || r > 1e300 ? 1 : r;
}

template <int D>
bool LiquidSet<D>::several_densities() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.excess != 0; });
}

template <int D>
double LiquidSet<D>::distance(const Point<D>& x) const {
    double d = std::numeric_limits<double>::infinity();
    for (const Part& part : parts_) {
        if (part.says.mode == LiquidMode::kFill) d = std::min(d, part.body.distance(x));
        if (part.says.mode == LiquidMode::kHollow) d = std::max(d, -part.body.distance(x));
    }
    return d;
}

template <int D>
Box<int, D> LiquidSet<D>::bounds(const Basin<D>& basin) const {
    Box<int, D> r{basin.cells.hi, basin.cells.lo};
    for (const Part& part : parts_) {
        if (part.says.mode != LiquidMode::kFill) continue;
        const Box<int, D> box = cells_of<D>(part.body.bounds(), basin);
        if (!box.empty()) r = {min(r.lo, box.lo), max(r.hi, box.hi)};
    }
    return r;
}

template <int D>
Liquid<D> LiquidSet<D>::seed(const Basin<D>& basin, const Bodies<D>& bodies,
                             Context& context) const {
    Stage stage(context, "seed");
    const Box<int, D> box = bounds(basin);
    Liquid<D> r;
    if (box.empty()) return r;
    // Layers across the first axis are the pieces: the same particles on any number of threads.
    std::vector<Newcomers<D>> layers(std::size_t(box.hi[0] - box.lo[0]));
    for_range(context.arena, layers.size(), 1, [&](std::size_t b, std::size_t e) {
        for (std::size_t layer = b; layer < e; ++layer) {
            Box<int, D> slab = box;
            slab.lo[0] = box.lo[0] + int(layer);
            slab.hi[0] = slab.lo[0] + 1;
            for_cells<D>(slab, [&](const Index<D>& cell) {
                for (int k = 0; k < (1 << D); ++k) {
                    const Point<D> x =
                        basin.transform.to_world(place_in_part<D>(seed_, cell, k, 0));
                    if (!(distance(x) < 0) || !(bodies.distance(x) > 0)) continue;
                    Vec<double, D> v{};
                    float excess = 0;
                    for (const Part& part : parts_)
                        if (part.says.mode == LiquidMode::kFill && part.body.distance(x) < 0)
                            v = in_plane<D>(part.says.velocity), excess = part.excess;
                    layers[layer].add(x, v, excess);
                }
            });
        }
    });
    append_all<D>(r, layers);
    return r;
}

template <int D>
std::vector<Point<D>> LiquidSet<D>::hollow_points(const Basin<D>& basin,
                                                  const Bodies<D>& bodies) const {
    std::vector<Point<D>> r;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].says.mode != LiquidMode::kHollow) continue;
        for_cells<D>(cells_of<D>(parts_[i].body.bounds(), basin), [&](const Index<D>& cell) {
            for (int k = 0; k < (1 << D); ++k) {
                Point<D> u = cell.template as<double>();
                for (int a = 0; a < D; ++a) u[a] += (k >> a & 1) ? 0.75 : 0.25;
                const Point<D> x = basin.transform.to_world(u);
                if (!(parts_[i].body.distance(x) < 0) || distance(x) < 0 ||
                    !(bodies.distance(x) > 0))
                    continue;
                // Hollows may overlap: the first one has the point.
                const bool taken = std::any_of(
                    parts_.begin(), parts_.begin() + std::ptrdiff_t(i), [&](const Part& part) {
                        return part.says.mode == LiquidMode::kHollow && part.body.distance(x) < 0;
                    });
                if (!taken) r.push_back(x);
            }
        });
    }
    return r;
}

template <int D>
std::vector<std::string> LiquidSet<D>::blocked_sources(const Basin<D>& basin,
                                                       const Bodies<D>& bodies) const {
    std::vector<std::string> r;
    for (const Part& part : parts_) {
        if (part.says.mode != LiquidMode::kSource) continue;
        bool free = false;
        for_cells<D>(cells_of<D>(part.body.bounds(), basin), [&](const Index<D>& cell) {
            for (int k = 0; k < (1 << D) && !free; ++k) {
                Point<D> u = cell.template as<double>();
                for (int a = 0; a < D; ++a) u[a] += (k >> a & 1) ? 0.75 : 0.25;
                const Point<D> x = basin.transform.to_world(u);
                free = part.body.distance(x) < 0 && bodies.distance(x) > 0;
            }
        });
        if (!free) r.push_back(part.says.name);
    }
    return r;
}

template <int D>
bool LiquidSet<D>::has_flow(double time) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return (part.says.mode == LiquidMode::kSource || part.says.mode == LiquidMode::kSink) &&
               time >= part.says.start && time < part.says.stop;
    });
}

template <int D>
bool LiquidSet<D>::opens(Interval time) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.says.mode == LiquidMode::kSource && part.says.start >= time.begin &&
               part.says.start <= time.end;
    });
}

template <int D>
double LiquidSet<D>::inflow(const Basin<D>& basin, const Bodies<D>& bodies, double time) const {
    const double h = basin.voxel();
    double rate = 0;
    for (const Box<int, D>& box : source_cells(basin, time))
        for_cells<D>(box, [&](const Index<D>& cell) {
            const Point<D> x =
                basin.transform.to_world(cell.template as<double>() + Point<D>::filled(0.5));
            Vec<double, D> v{}, other{};
            if (!in_source(x, time, v)) return;
            for (int side = 0; side < 2 * D; ++side) {
                const int a = side / 2, way = side % 2 ? 1 : -1;
                Index<D> face = cell;
                face[a] += side % 2;
                if (basin.is_wall(a, face) ||
                    in_source(x + Point<D>::unit(a, way * h), time, other))
                    continue;
                if (bodies.distance(x + Point<D>::unit(a, 0.5 * way * h)) > 0) rate += way * v[a];
            }
        });
    return rate * basin.cell_volume() / h;
}

template <int D>
auto LiquidSet<D>::source_at(const Point<D>& x, double time) const -> const Part* {
    for (const Part& part : parts_)
        if (part.says.mode == LiquidMode::kSource && time >= part.says.start &&
            time < part.says.stop && part.body.bounds().contains(x) && part.body.distance(x) < 0)
            return &part;
    return nullptr;
}

template <int D>
bool LiquidSet<D>::in_source(const Point<D>& x, double time, Vec<double, D>& velocity) const {
    const Part* source = source_at(x, time);
    if (source) velocity = in_plane<D>(source->says.velocity);
    return source != nullptr;
}

template <int D>
bool LiquidSet<D>::in_sink(const Point<D>& x, double time) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.says.mode == LiquidMode::kSink && time >= part.says.start &&
               time < part.says.stop && part.body.bounds().contains(x) && part.body.distance(x) < 0;
    });
}

template <int D>
std::vector<Box<int, D>> LiquidSet<D>::source_cells(const Basin<D>& basin, double time) const {
    std::vector<Box<int, D>> r;
    for (const Part& part : parts_)
        if (part.says.mode == LiquidMode::kSource && time >= part.says.start &&
            time < part.says.stop)
            r.push_back(cells_of<D>(part.body.bounds(), basin));
    return r;
}

template <int D>
typename LiquidSet<D>::Flow LiquidSet<D>::flow(Liquid<D>& liquid, const Basin<D>& basin,
                                               const Bodies<D>& bodies, double time,
                                               std::uint32_t step, Context& context) const {
    Flow r;
    if (!has_flow(time)) return r;
    Stage stage(context, "flow");
    r.removed = remove_if(liquid, context,
                          [&](std::size_t i) { return in_sink(liquid.position[i], time); });
    // Parts of source cells that hold a particle already; all moving with the source.
    std::vector<std::uint64_t> taken;
    auto velocity = liquid.velocity.write();
    for (std::size_t i = 0; i < liquid.size(); ++i) {
        Vec<double, D> v{};
        if (!in_source(liquid.position[i], time, v)) continue;
        velocity[i] = v;
        const Point<D> u = basin.transform.to_lattice(liquid.position[i]);
        taken.push_back(cell_number<D>(floor_index<D>(u)) * 8 + std::uint64_t(part_of<D>(u)));
    }
    std::sort(taken.begin(), taken.end());
    Newcomers<D> fresh;
    for (const Box<int, D>& box : source_cells(basin, time))
        for_cells<D>(box, [&](const Index<D>& cell) {
            for (int k = 0; k < (1 << D); ++k) {
                const std::uint64_t number = cell_number<D>(cell) * 8 + std::uint64_t(k);
                if (std::binary_search(taken.begin(), taken.end(), number)) continue;
                const Point<D> x = basin.transform.to_world(place_in_part<D>(seed_, cell, k, step));
                const Part* source = source_at(x, time);
                if (!source || !(bodies.distance(x) > 0)) continue;
                fresh.add(x, in_plane<D>(source->says.velocity), source->excess);
            }
        });
    r.added = append_all<D>(liquid, {&fresh, 1});
    return r;
}

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
bool reseed(Liquid<D>& liquid, const TileRanges<D>& ranges, const CellRanges<D>& cells,
            const LevelSet<D>& phi, const FaceField<double, D>& velocity, const Bodies<D>& bodies,
            const Basin<D>& basin, const Reseeding& limits, std::uint64_t seed, std::uint32_t step,
            Context& context) {
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
            if (count >= limits.fewest || phi.at(t, o) > -h) continue;
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
    const bool any_gone = std::find(crowded.begin(), crowded.end(), 1) != crowded.end();
    if (any_gone) remove_if(liquid, context, [&](std::size_t i) { return gone[i] != 0; });
    return append_all<D>(liquid, fresh) > 0 || any_gone;
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template class LiquidSet<D>;                                                               \
    template bool reseed<D>(Liquid<D>&, const TileRanges<D>&, const CellRanges<D>&,            \
                            const LevelSet<D>&, const FaceField<double, D>&, const Bodies<D>&, \
                            const Basin<D>&, const Reseeding&, std::uint64_t, std::uint32_t,   \
                            Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
