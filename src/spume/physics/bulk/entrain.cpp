// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/entrain.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/core/bits.h"
#include "spume/core/random.h"
#include "spume/grid/sample.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/scene/bodies.h"

namespace spume {
namespace {

constexpr double kBand = 2;            // voxels below the surface, [WFS22] §5.2
constexpr std::uint32_t kPlaces = 16;  // drawn for a bubble before its air is given back

/// A voxel that wants air.
struct Demand {
    int offset;           ///< in its tile
    std::int32_t source;  ///< Bubbles::source
    double volume;        ///< m³ (2D: m²)
};

template <int D>
struct Newborn {
    Point<D> position;
    Vec<double, D> velocity;
    float radius;
    std::int32_t source;
};

/// Who asks for random numbers: a voxel, at a time.
template <int D>
std::uint64_t voxel_name(const Index<D>& cell) {
    std::uint64_t name = 0;
    for (int a = 0; a < D; ++a)
        name = name << 21 | (static_cast<std::uint64_t>(std::int64_t(cell[a])) & 0x1fffff);
    return name;
}
std::uint32_t moment_name(double time) {
    const auto bits = bits_as<std::uint64_t>(time + 0.0) * 0x9E3779B97F4A7C15u;
    return static_cast<std::uint32_t>(bits >> 32);
}

/// φ_b where a point is: of the cell that holds it.
template <int D>
class FractionAt {
  public:
    explicit FractionAt(const CellField<double, D>& fraction) : fraction_(fraction) {}
    double operator()(const Point<D>& x) const {
        const auto& tiles = fraction_.tiles();
        if (!tiles) return 0;
        const Index<D> cell = floor_index<D>(tiles->transform().to_lattice(x));
        const int tile = tiles->find(tile_of<D>(cell));
        if (!tiles->is_active(tile)) return 0;
        return fraction_.at(tile, tile_offset<D>(local_of<D>(cell)));
    }

  private:
    const CellField<double, D>& fraction_;
};

/// How strong the emission is at a place, and the id of what made it.
template <int D>
std::pair<double, std::int32_t> strength_at(const Point<D>& x, const EntrainLaw<D>& law) {
    for (std::size_t i = 0; i < law.regions.size(); ++i)
        if (law.regions[i].body.distance(x) < 0)
            return {law.regions[i].strength, -static_cast<std::int32_t>(i + 1)};
    return {law.outside, 0};
}

/// What each voxel wants, by tile.
template <int D>
std::vector<std::vector<Demand>> demands(const AeratedBulk<D>& bulk,
                                         const CellField<double, D>* mask,
                                         const CellField<double, D>& fraction,
                                         const EntrainLaw<D>& law, double dt, Context& context) {
    const CellField<double, D>& aeration = bulk.aeration;
    const Tiles<D>&tiles = *aeration.tiles(), &all = *bulk.now.phi.tiles();
    const double h = tiles.voxel();
    const double share = std::min(1.0, dt / law.time) * (D == 2 ? h * h : h * h * h);
    const FractionAt<D> present(fraction);
    std::vector<std::vector<Demand>> r(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const int own = all.find(tiles.key(t));
        const double *a = aeration.tile(t), *phi = bulk.now.phi.tile(own);
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(a[o] > 0) || !(phi[o] < 0 && phi[o] >= -kBand * h)) continue;
            const Point<D> x = aeration.position(t, o);
            if (!law.bounds.contains(x)) continue;
            auto [strength, source] = strength_at(x, law);
            if (mask) strength *= std::max(0.0, mask->at(t, o));
            if (!(strength > 0)) continue;
            const double mean =
                bulk.mean(t, o, [&](double value) { return target_fraction(value, law.range); });
            const double target = std::min(mean * strength, law.range.fraction_max);
            const double missing = target - present(x);
            if (missing > 0) r[std::size_t(t)].push_back({o, source, missing * share});
        }
    });
    return r;
}

/// The part of all demands that budgets leave: the same for every voxel, so that no order matters.
template <int D>
double thinning(double demand, const EntrainLaw<D>& law, double dt) {
    double part = 1;
    if (law.air_rate > 0 && demand > law.air_rate * dt) part = law.air_rate * dt / demand;
    const double count = demand / law.sizes.template mean_volume<D>();
    if (law.bubble_rate > 0 && count * part > law.bubble_rate * dt)
        part = law.bubble_rate * dt / count;
    return part;
}

/// The bubbles of one voxel; the number that found no place is returned.
template <int D>
class Maker {
  public:
    Maker(const AeratedBulk<D>& bulk, const PlacedSolids<D>& solids, const EntrainLaw<D>& law,
          std::uint32_t moment)
        : bulk_(bulk),
          solids_(solids),
          law_(law),
          moment_(moment),
          mean_(law.sizes.template mean_volume<D>()) {}

    /// Returns the air that found no place.
    double make(int tile, const Demand& demand, double part, std::vector<Newborn<D>>& out) const {
        const Tiles<D>& tiles = *bulk_.aeration.tiles();
        const std::uint64_t who = voxel_name<D>(tiles.origin(tile) + tile_local<D>(demand.offset));
        const Random count(law_.seed, who, moment_, Purpose::kCount);
        const Random size(law_.seed, who, moment_, Purpose::kRadius);
        const double lambda = demand.volume * part / mean_, whole = std::floor(lambda);
        const auto n = static_cast<std::uint32_t>(whole) +
                       static_cast<std::uint32_t>(count.uniform(0) < lambda - whole);
        TileCursor<D> cursor(*bulk_.now.phi.tiles());
        const Point<D> centre = bulk_.aeration.position(tile, demand.offset);
        double returned = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto radius = static_cast<float>(law_.sizes.radius(size.uniform(i)));
            Newborn<D> b{{}, {}, radius, demand.source};
            if (!find_place(centre, who, i, cursor, b.position)) {
                returned += bubble_volume<D>(radius);
                continue;
            }
            b.velocity = sample(bulk_.now.velocity, cursor, b.position);
            out.push_back(b);
        }
        return returned;
    }

  private:
    bool find_place(const Point<D>& centre, std::uint64_t who, std::uint32_t i,
                    TileCursor<D>& cursor, Point<D>& x) const {
        const Random random(law_.seed, who, moment_, Purpose::kPosition);
        const double h = bulk_.now.phi.tiles()->voxel();
        const auto draws = static_cast<std::uint32_t>(law_.jitter * D);
        for (std::uint32_t attempt = 0; attempt < kPlaces; ++attempt) {
            std::uint32_t draw = (i * kPlaces + attempt) * draws;
            x = centre;
            for (int k = 0; k < law_.jitter; ++k, draw += D)
                x += (random.template uniform_vec<D>(draw) - Vec<double, D>::filled(0.5)) * h;
            if (sample(bulk_.now.phi, cursor, x) < 0 && law_.bounds.contains(x) &&
                (solids_.empty() || !solids_.covers(x)))
                return true;
        }
        return false;
    }

    const AeratedBulk<D>& bulk_;
    const PlacedSolids<D>& solids_;
    const EntrainLaw<D>& law_;
    std::uint32_t moment_;
    double mean_;
};

template <int D>
Bubbles<D> gathered(const std::vector<std::vector<Newborn<D>>>& made, const EntrainLaw<D>& law,
                    Context& context) {
    std::vector<std::size_t> first(made.size() + 1, 0);
    for (std::size_t t = 0; t < made.size(); ++t) first[t + 1] = first[t] + made[t].size();
    Bubbles<D> r;
    resize(r, first.back());
    if (law.mark_sources) r.source.resize(first.back());
    auto x = r.position.write();
    auto u = r.velocity.write();
    auto radius = r.radius.write(), density = r.density.write();
    auto source = r.source.write();
    for_range(context.arena, made.size(), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t)
            for (std::size_t k = 0; k < made[t].size(); ++k) {
                const Newborn<D>& n = made[t][k];
                const std::size_t i = first[t] + k;
                x[i] = n.position;
                u[i] = n.velocity;
                radius[i] = n.radius;
                density[i] = static_cast<float>(law.air_density);
                if (law.mark_sources) source[i] = n.source;
            }
    });
    return r;
}

}  // namespace

template <int D>
EntrainLaw<D> entrain_law(const Scene& scene, const MeshLibrary& meshes) {
    const Emission& e = scene.emission;
    EntrainLaw<D> r;
    r.aeration = aeration_law(scene);
    r.range = scene.aeration;
    r.sizes = RadiusDistribution(e);
    r.jitter = e.jitter;
    r.time = e.time;
    r.bubble_rate = e.bubble_rate;
    r.air_rate = e.air_rate;
    r.air_density = scene.physics.air_density;
    r.seed = scene.seed;
    r.bounds = grid_domain_of<D>(scene).bounds();
    r.mask = e.mask;
    for (const EmissionRegion& region : e.regions)
        r.regions.push_back({placed<D>(region.shape, meshes), region.strength});
    r.outside = e.regions.empty() ? 1 : e.outside;
    for (const KillZone& zone : e.kills) r.kills.push_back(placed<D>(zone.shape, meshes));
    r.mark_sources = scene.output.source;
    return r;
}

template <int D>
Entrained entrain(Bubbles<D>& bubbles, const CellField<double, D>& fraction,
                  const AeratedBulk<D>& liquid, const CellField<double, D>* mask,
                  const PlacedSolids<D>& solids, const EntrainLaw<D>& law, Interval time,
                  Context& context) {
    Stage stage(context, "entrain");
    Entrained r;
    const double dt = time.length();
    const auto& tiles = liquid.aeration.tiles();
    const auto sum = [](double a, double b) { return a + b; };
    const auto wanted = demands<D>(liquid, mask, fraction, law, dt, context);
    const double all = reduce_tiles(
        context.arena, *tiles, 0.0,
        [&](int t) {
            double v = 0;
            for (const Demand& d : wanted[std::size_t(t)]) v += d.volume;
            return v;
        },
        sum);
    const double part = thinning(all, law, dt);
    const Maker<D> maker(liquid, solids, law, moment_name(time.end));
    std::vector<std::vector<Newborn<D>>> made(wanted.size());
    r.demand = all * part;
    r.returned = reduce_tiles(
        context.arena, *tiles, 0.0,
        [&](int t) {
            double v = 0;
            for (const Demand& d : wanted[std::size_t(t)])
                v += maker.make(t, d, part, made[std::size_t(t)]);
            return v;
        },
        sum);
    const Bubbles<D> fresh = gathered(made, law, context);
    r.bubbles = fresh.size();
    r.volume = total_volume(fresh, context);
    append(bubbles, fresh);
    return r;
}

template <int D>
Entrained entrain(Bubbles<D>& bubbles, const CellField<double, D>& fraction, const Bulk<D>& bulk,
                  const PlacedSolids<D>& solids, const EntrainLaw<D>& law, Interval time,
                  Context& context) {
    Stage stage(context, "entrain");
    Entrained r;
    const auto aerated_bulk = law.frames->at(bulk, time.end, law.aeration, context);
    if (!aerated_bulk) {
        r.warnings.push_back(fmt::format(
            "no air is entrained until {:.4g} s: the bulk begins at {:.4g} s, and aeration "
            "compares "
            "with what was {:.4g} s before",
            bulk.times().begin + law.aeration.tau, bulk.times().begin, law.aeration.tau));
        return r;
    }
    CellField<double, D> mask;
    if (!law.mask.empty())
        mask = bulk.volume(law.mask, aerated_bulk->aeration.tiles(), time.end, context);
    return entrain(bubbles, fraction, *aerated_bulk, law.mask.empty() ? nullptr : &mask, solids,
                   law, time, context);
}

template <int D>
double remove_in_kill_zones(Bubbles<D>& bubbles, const EntrainLaw<D>& law, Context& context) {
    if (law.kills.empty() || bubbles.size() == 0) return 0;
    Stage stage(context, "entrain");
    const double before = total_volume(bubbles, context);
    const Array<Point<D>> x = bubbles.position;
    const std::size_t gone = remove_if(bubbles, context, [&](std::size_t i) {
        return std::any_of(law.kills.begin(), law.kills.end(),
                           [&](const PlacedBody<D>& zone) { return zone.distance(x[i]) < 0; });
    });
    return gone > 0 ? before - total_volume(bubbles, context) : 0;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template EntrainLaw<D> entrain_law<D>(const Scene&, const MeshLibrary&);                       \
    template Entrained entrain<D>(Bubbles<D>&, const CellField<double, D>&, const Bulk<D>&,        \
                                  const PlacedSolids<D>&, const EntrainLaw<D>&, Interval,          \
                                  Context&);                                                       \
    template Entrained entrain<D>(Bubbles<D>&, const CellField<double, D>&, const AeratedBulk<D>&, \
                                  const CellField<double, D>*, const PlacedSolids<D>&,             \
                                  const EntrainLaw<D>&, Interval, Context&);                       \
    template double remove_in_kill_zones<D>(Bubbles<D>&, const EntrainLaw<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
