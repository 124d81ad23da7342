// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/liquid_set.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "spume/physics/domain/cells_in.h"

namespace spume {
namespace {

/// f(cell) once for each cell that is in any of the boxes, last axis fastest: cost of what they
/// hold, not of the box around them all. Coordinates before `axis` are given.
template <int D, class F>
void for_cells_in_any(const std::vector<Box<int, D>>& boxes, int axis, Index<D> cell, F&& f) {
    std::vector<std::pair<int, int>> spans;
    spans.reserve(boxes.size());
    for (const Box<int, D>& box : boxes) spans.push_back({box.lo[axis], box.hi[axis]});
    std::sort(spans.begin(), spans.end());
    int next = std::numeric_limits<int>::min();
    std::vector<Box<int, D>> here;
    for (const auto& [lo, hi] : spans)
        for (int i = std::max(lo, next); i < hi; ++i) {
            next = i + 1;
            cell[axis] = i;
            if (axis == D - 1) {
                f(cell);
                continue;
            }
            here.clear();
            for (const Box<int, D>& box : boxes)
                if (box.lo[axis] <= i && i < box.hi[axis]) here.push_back(box);
            for_cells_in_any(here, axis + 1, cell, f);
        }
}

/// Parts of cells, 2^D a cell, of the layers across the first axis of boxes that may overlap: a bit
/// each. Layers are the pieces that threads share, so numbers of parts do not depend on them.
template <int D>
struct Parts {
    std::vector<Box<int, D>> boxes;
    int first = 0;                                ///< layer
    std::vector<std::vector<std::uint8_t>> bits;  ///< by layer, by cell
    std::vector<std::size_t> begin;  ///< number of the first of each layer, and the end

    std::size_t count() const { return begin.back(); }
    template <class F>
    void for_layer(std::size_t n, F&& f) const {
        Index<D> cell{};
        cell[0] = first + int(n);
        std::vector<Box<int, D>> here;
        for (const Box<int, D>& box : boxes)
            if (box.lo[0] <= cell[0] && cell[0] < box.hi[0]) here.push_back(box);
        for_cells_in_any<D>(here, 1, cell, f);
    }
};

/// The parts for which test(near, cell, part); each task has a copy of `near`.
template <int D, class Near, class Test>
Parts<D> parts_where(const std::vector<Box<int, D>>& boxes, const Near& near, Context& context,
                     Test&& test) {
    int first = boxes[0].lo[0], last = boxes[0].hi[0];
    for (const Box<int, D>& box : boxes)
        first = std::min(first, box.lo[0]), last = std::max(last, box.hi[0]);
    const std::size_t layers = std::size_t(last - first);
    Parts<D> r{boxes, first, std::vector<std::vector<std::uint8_t>>(layers),
               std::vector<std::size_t>(layers + 1, 0)};
    for_range(context.arena, layers, 1, [&](std::size_t b, std::size_t e) {
        Near own = near;
        for (std::size_t n = b; n < e; ++n)
            r.for_layer(n, [&](const Index<D>& cell) {
                unsigned bits = 0;
                for (int k = 0; k < (1 << D); ++k) bits |= unsigned(test(own, cell, k)) << k;
                r.bits[n].push_back(static_cast<std::uint8_t>(bits));
                r.begin[n + 1] += std::size_t(std::popcount(bits));
            });
    });
    std::partial_sum(r.begin.begin(), r.begin.end(), r.begin.begin());
    return r;
}

/// f(near, number, cell, part) for each of them.
template <int D, class Near, class F>
void for_parts(const Parts<D>& parts, const Near& near, Context& context, F&& f) {
    for_range(context.arena, parts.bits.size(), 1, [&](std::size_t b, std::size_t e) {
        Near own = near;
        for (std::size_t n = b; n < e; ++n) {
            std::size_t i = parts.begin[n];
            const std::uint8_t* bits = parts.bits[n].data();
            parts.for_layer(n, [&](const Index<D>& cell) {
                for (int k = 0; k < (1 << D); ++k)
                    if (*bits >> k & 1) f(own, i++, cell, k);
                ++bits;
            });
        }
    });
}

/// Of many things those that matter in a tile, found anew when the walk comes to another one.
template <int D, class Things>
class NearTile {
  public:
    /// find(things, tile) fills them.
    template <class Find>
    const Things& at(const Index<D>& cell, Find&& find) {
        const Index<D> tile = tile_of<D>(cell);
        if (!known_ || !(tile == tile_)) find(things_, tile);
        known_ = true;
        tile_ = tile;
        return things_;
    }

  private:
    Things things_{};
    Index<D> tile_{};
    bool known_ = false;
};

/// Where the particles of the start lie: one at a random place in each of the 2^D parts of a cell,
/// if that place is filled. A film of less than a part of a cell may so get none, and its surface a
/// hole; where a solid's and the liquid's surface pass within a voxel of an empty cell's centre, it
/// gets one where there is room.
template <int D>
class SeedPlaces {
  public:
    SeedPlaces(const LiquidSet<D>& liquids, const GridDomain<D>& domain, std::uint64_t seed)
        : liquids_(liquids), domain_(domain), seed_(seed) {}

    /// That of part `k`, with the solids near the cell.
    std::optional<Point<D>> operator()(const NearSolids<D>& near, const Index<D>& cell,
                                       int k) const {
        const auto place = filled(near, cell, k, 0);
        if (place || near.empty() || !may_be_film(near, cell)) return place;
        for (int part = 0; part < (1 << D); ++part)
            if (filled(near, cell, part, 0)) return {};
        for (std::uint32_t turn = 1; turn <= kTurns; ++turn)
            for (int part = 0; part < (1 << D); ++part)
                if (const auto other = filled(near, cell, part, turn))
                    return part == k ? other : std::nullopt;
        return {};
    }

  private:
    static constexpr std::uint32_t kTurns = 32;

    std::optional<Point<D>> filled(const NearSolids<D>& near, const Index<D>& cell, int part,
                                   std::uint32_t turn) const {
        const Point<D> x = domain_.transform.to_world(place_in_part<D>(seed_, cell, part, turn));
        const bool free = near.distance_within(x, domain_.voxel()) > 0;
        return free && liquids_.distance(x) < 0 ? std::optional(x) : std::nullopt;
    }
    bool may_be_film(const NearSolids<D>& near, const Index<D>& cell) const {
        const double h = domain_.voxel();
        const Point<D> centre =
            domain_.transform.to_world(cell.template as<double>() + Point<D>::filled(0.5));
        return std::abs(near.distance_within(centre, h)) < h &&
               std::abs(liquids_.distance(centre)) < h;
    }

    const LiquidSet<D>& liquids_;
    const GridDomain<D>& domain_;
    std::uint64_t seed_;
};

/// Is x inside? Asked of many bodies, most of which are far away.
template <int D>
bool holds(const PlacedBody<D>& body, const Point<D>& x) {
    return body.bounds().contains(x) && body.distance(x) < 0;
}

}  // namespace

template <int D>
LiquidSet<D>::LiquidSet(const std::vector<LiquidBody>& liquids, double water_density,
                        std::uint64_t seed, const MeshLibrary& meshes,
                        const std::vector<Solid>& solids)
    : seed_(seed) {
    std::vector<typename ShapeTree<D>::Part> start;
    for (const LiquidBody& l : liquids) {
        const double excess = l.density > 0 ? l.density / water_density - 1 : 0;
        parts_.push_back({l, placed<D>(l.shape, meshes), moving_body<D>(l, solids, meshes),
                          static_cast<float>(excess)});
        if (l.mode == LiquidMode::kFill || l.mode == LiquidMode::kHollow)
            start.push_back({parts_.back().body, l.mode == LiquidMode::kHollow});
    }
    start_ = ShapeTree<D>(std::move(start));
}

template <int D>
double LiquidSet<D>::lowest_density_ratio() const {
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
Box<int, D> LiquidSet<D>::bounds(const GridDomain<D>& domain) const {
    Box<int, D> r{domain.cells.hi, domain.cells.lo};
    for (const Part& part : parts_) {
        if (part.says.mode != LiquidMode::kFill) continue;
        const Box<int, D> box = cells_of<D>(part.body.bounds(), domain);
        if (!box.empty()) r = {min(r.lo, box.lo), max(r.hi, box.hi)};
    }
    return r;
}

template <int D>
Liquid<D> LiquidSet<D>::seed(const GridDomain<D>& domain, const PlacedSolids<D>& bodies,
                             Context& context) const {
    Stage stage(context, "seed");
    Liquid<D> r;
    if (bounds(domain).empty()) return r;
    std::vector<Box<int, D>> boxes;
    for (const Part& part : parts_)
        if (part.says.mode == LiquidMode::kFill)
            if (const auto box = cells_of<D>(part.body.bounds(), domain); !box.empty())
                boxes.push_back(box);
    const auto solids_in = [&](NearSolids<D>& near, const Index<D>& tile) {
        near.find_around_tile(bodies, domain.transform, tile, domain.voxel());
    };
    using SolidsHere = NearTile<D, NearSolids<D>>;
    const SeedPlaces<D> places(*this, domain, seed_);
    const auto place = [&](SolidsHere& near, const Index<D>& cell, int k) {
        return places(near.at(cell, solids_in), cell, k);
    };
    const auto chosen = parts_where<D>(
        boxes, SolidsHere{}, context,
        [&](auto& near, const Index<D>& cell, int k) { return place(near, cell, k).has_value(); });
    resize(r, chosen.count());
    r.next_id = chosen.count();
    auto position = r.position.write();
    auto velocity = r.velocity.write();
    auto excess = r.excess.write();
    auto id = r.id.write();
    using Fills = std::vector<const Part*>;
    const auto fills_in = [&](Fills& near, const Index<D>& tile) {
        const Index<D> first = tile * kTileSide<D>;
        const Box<double, D> box{
            domain.transform.to_world(first.template as<double>()),
            domain.transform.to_world(
                (first + Index<D>::filled(kTileSide<D>)).template as<double>())};
        near.clear();
        for (const Part& part : parts_)
            if (part.says.mode == LiquidMode::kFill &&
                !box.intersected(part.body.bounds().grown(domain.voxel())).empty())
                near.push_back(&part);
    };
    using Here = std::pair<NearTile<D, Fills>, SolidsHere>;
    for_parts<D>(
        chosen, Here{}, context, [&](Here& near, std::size_t i, const Index<D>& cell, int k) {
            const Point<D> x = position[i] = *place(near.second, cell, k);
            id[i] = i;
            for (const Part* part : near.first.at(cell, fills_in))
                if (holds(part->body, x))
                    velocity[i] = in_plane<D>(part->says.velocity), excess[i] = part->excess;
        });
    return r;
}

template <int D>
std::vector<Point<D>> LiquidSet<D>::hollow_points(const GridDomain<D>& domain,
                                                  const PlacedSolids<D>& bodies) const {
    std::vector<Point<D>> r;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].says.mode != LiquidMode::kHollow) continue;
        for_cells<D>(cells_of<D>(parts_[i].body.bounds(), domain), [&](const Index<D>& cell) {
            for (int k = 0; k < (1 << D); ++k) {
                Point<D> u = cell.template as<double>();
                for (int a = 0; a < D; ++a) u[a] += (k >> a & 1) ? 0.75 : 0.25;
                const Point<D> x = domain.transform.to_world(u);
                if (!(parts_[i].body.distance(x) < 0) || distance(x) < 0 ||
                    !(bodies.distance(x) > 0))
                    continue;
                // Hollows may overlap: the first one has the point.
                const bool taken = std::any_of(
                    parts_.begin(), parts_.begin() + std::ptrdiff_t(i), [&](const Part& part) {
                        return part.says.mode == LiquidMode::kHollow && holds(part.body, x);
                    });
                if (!taken) r.push_back(x);
            }
        });
    }
    return r;
}

template <int D>
std::vector<std::string> LiquidSet<D>::blocked_sources(const GridDomain<D>& domain,
                                                       const PlacedSolids<D>& bodies) const {
    std::vector<std::string> r;
    for (const Part& part : parts_) {
        if (part.says.mode != LiquidMode::kSource) continue;
        bool free = false;
        for_cells<D>(cells_of<D>(part.body.bounds(), domain), [&](const Index<D>& cell) {
            for (int k = 0; k < (1 << D) && !free; ++k) {
                Point<D> u = cell.template as<double>();
                for (int a = 0; a < D; ++a) u[a] += (k >> a & 1) ? 0.75 : 0.25;
                const Point<D> x = domain.transform.to_world(u);
                free = part.body.distance(x) < 0 && bodies.distance(x) > 0;
            }
        });
        if (!free) r.push_back(part.says.name);
    }
    return r;
}

template class LiquidSet<2>;
template class LiquidSet<3>;

}  // namespace spume
