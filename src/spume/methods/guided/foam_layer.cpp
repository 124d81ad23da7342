// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/foam_layer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"
#include "spume/grid/topology.h"
#include "spume/methods/guided/bubble_exchange.h"
#include "spume/physics/foam/foam_coverage.h"
#include "spume/physics/foam/foam_implicit.h"
#include "spume/physics/foam/foam_patch.h"
#include "spume/physics/foam/foam_pruning.h"
#include "spume/physics/foam/foam_transitions.h"
#include "spume/physics/foam/menisci.h"
#include "spume/physics/foam/sph_foam.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume::guided {
namespace {

template <int D>
SurfaceFields<D> as_surface(BulkFields<D> fields) {
    return {fields.time, std::move(fields.phi), std::move(fields.velocity)};
}

/// Cells around foam that a substep may look at: what it crosses, what it is corrected by, and two
/// for differences.
template <int D>
int cells_around(const World<D>& w, double cfl) {
    return static_cast<int>(std::ceil(cfl + w.scene.foam.max_correction)) + 2;
}

/// Also beyond walls: what is read beside them must be there.
template <int D>
typename Tiles<D>::Ptr surface_tiles(std::span<const Point<D>> points, const World<D>& w, int reach,
                                     Context& ctx) {
    Box<int, D> limits = w.domain.cells;
    limits.lo -= Index<D>::filled(reach);
    limits.hi += Index<D>::filled(reach);
    return Tiles<D>::build(tiles_around<D>(points, w.domain.transform, reach, 0, limits, ctx),
                           w.domain.transform);
}

template <int D>
TransitionLaw transition_law(const World<D>& w) {
    const WetFoam& f = w.scene.foam;
    TransitionLaw law;
    law.kept_speed = f.kept_speed;
    law.reach = f.max_correction * w.domain.voxel();
    law.densest = w.scene.physics.water_density;
    law.life = f.life;
    law.life_mean = f.life_mean;
    law.life_variance = f.life_variance;
    law.life_power = f.life_power;
    law.seed = w.scene.seed;
    law.keeps_speed = f.rotation == FoamRotation::kPrinted;
    return law;
}

/// Of radii: the least, and the mean by area.
struct FoamSizes {
    double smallest = std::numeric_limits<double>::max(), cubes = 0, squares = 0;
    double mean() const { return cubes / squares; }
};
template <int D>
FoamSizes sizes_of(const Foam<D>& foam, Context& ctx) {
    return reduce(
        ctx.arena, foam.size(), 1 << 14, FoamSizes{},
        [&](std::size_t b, std::size_t e) {
            FoamSizes s;
            for (std::size_t i = b; i < e; ++i) {
                const auto r = double(foam.radius[i]);
                s.smallest = std::min(s.smallest, r);
                s.cubes += r * r * r;
                s.squares += r * r;
            }
            return s;
        },
        [](const FoamSizes& a, const FoamSizes& b) {
            return FoamSizes{std::min(a.smallest, b.smallest), a.cubes + b.cubes,
                             a.squares + b.squares};
        });
}

template <int D>
StepLimit own_limit(const Foam<D>& foam, const World<D>& w, Context& ctx) {
    const FoamSizes sizes = sizes_of(foam, ctx);
    return foam_limit<D>(w.scene.foam, sizes.smallest, sizes.mean());
}

template <int D>
MeniscusLaw meniscus_law(const World<D>& w) {
    const Physics& p = w.scene.physics;
    return {p.water_density, length(w.gravity()), p.surface_tension, p.viscosity,
            w.scene.foam.capillarity};
}

/// Of all forces but drag and gravity over a step dt.
template <int D>
Array<Vec<double, D>> accelerations(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                    const World<D>& w, double dt, Context& ctx) {
    const WetFoam& f = w.scene.foam;
    const auto density = foam_density(foam, pairs, f, ctx);
    Array<Vec<double, D>> other(foam.size());
    if (f.capillarity > 0) add_menisci(other, foam, pairs, meniscus_law(w), ctx);
    Array<Vec<double, D>> own;
    if (f.integration == FoamIntegration::kImplicit) {
        auto known = other;
        for (Vec<double, D>& a : known.write()) a += w.gravity();
        own = implicit_acceleration(foam, known.read(), pairs, density, f, dt, ctx).acceleration;
    } else {
        own = foam_acceleration(foam, pairs, density, f, ctx);
    }
    if (f.capillarity > 0) {
        auto sum = own.write();
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
    }
    return own;
}

/// Out of solids and walls, as bubbles are; what crossed an open side leaves.
template <int D>
double keep_in_domain(Foam<D>& foam, const World<D>& w, const PlacedSolids<D>& solids,
                      const Departure<D>& departure, Context& ctx) {
    Bubbles<D> same;  // their arrays, not copies of them
    same.position = std::move(foam.position);
    same.velocity = std::move(foam.velocity);
    same.radius = foam.radius;
    keep_out(same, solids, w.domain, ctx, &departure);
    foam.position = std::move(same.position);
    foam.velocity = std::move(same.velocity);
    const Box<double, D> box = w.domain.bounds();
    const auto outside = [&](std::size_t i) {
        for (int a = 0; a < D; ++a) {
            const double x = foam.position[i][a];
            if ((!w.domain.wall[a][0] && x < box.lo[a]) || (!w.domain.wall[a][1] && x >= box.hi[a]))
                return true;
        }
        return false;
    };
    Foam<D> kept = foam;
    remove_if(kept, ctx, outside);
    if (kept.size() == foam.size()) return 0;
    Foam<D> gone = foam;
    remove_if(gone, ctx, [&](std::size_t i) { return !outside(i); });
    foam = std::move(kept);
    return total_volume(gone, ctx);
}

template <int D>
void glide(Foam<D>& foam, const World<D>& w, const MovingSurface<D>& surface, Interval time,
           Context& ctx) {
    const WetFoam& f = w.scene.foam;
    const double limit = own_limit(foam, w, ctx).seconds;
    const int steps =
        static_cast<int>(std::clamp(std::ceil(time.length() / limit), 1.0, double(f.max_substeps)));
    ManifoldLaw law;
    law.rotation = f.rotation;
    law.iterations = f.newton_iterations;
    law.max_correction = f.max_correction * w.domain.voxel();
    law.drag = f.drag;
    double least = 0;  // that pairs must reach
    if (f.capillarity > 0) {
        law.drag_by_size = meniscus_law(w).drag();
        least = meniscus_law(w).reach();
    }
    FoamPairs<D> pairs;
    for (int n = 0; n < steps; ++n) {
        const auto at = [&](int k) {
            return k == steps ? time.end : time.begin + time.length() * k / steps;
        };
        const Interval part{at(n), at(n + 1)};
        pairs.follow(foam, foam_reach(f), ctx, least);
        const auto force = accelerations(foam, pairs, w, part.length(), ctx);
        advect_on_surface<D>(foam, force.read(), w.gravity(), surface, law, part, ctx);
        pairs.moved(foam, part.length(), ctx);
    }
}

/// Foam of patches at a time, named; counts as emitted.
template <int D>
Foam<D> foam_of_patch(State<D>& s, const World<D>& w, std::size_t number, double cover,
                      const PlacedSolids<D>& solids, double time, Context& ctx) {
    const FoamPatch& p = w.scene.foam.patches[number];
    const PlacedBody<D>& body = w.patches[number];
    const auto transform = w.domain.transform;
    Box<int, D> cells = w.domain.cells;
    const Point<D> lo = transform.to_lattice(body.bounds().lo);
    const Point<D> hi = transform.to_lattice(body.bounds().hi);
    for (int a = 0; a < D; ++a) {
        cells.lo[a] = std::max(cells.lo[a], static_cast<int>(std::floor(lo[a]))) - 4;
        cells.hi[a] = std::min(cells.hi[a], static_cast<int>(std::ceil(hi[a]))) + 4;
        if (cells.hi[a] <= cells.lo[a]) return {};
    }
    const auto fields = as_surface(w.bulk->on(Tiles<D>::dense(cells, transform), time, ctx));
    const auto moment = static_cast<std::uint32_t>(std::lround(time * 1e5));
    Bubbles<D> fresh = patch_bubbles<D>(
        {p, body, cover, w.scene.seed, moment, std::uint32_t(number), w.scene.physics.air_density},
        fields, w.domain, solids, ctx);
    auto id = fresh.id.write();
    for (std::size_t i = 0; i < fresh.size(); ++i) id[i] = s.bubbles.next_id++;
    const double air = total_volume(fresh, ctx);
    s.emitted += air;
    s.seeded += air;
    const GridSurface<D> surface(fields, fields);
    auto r = take_surfaced(fresh, surface, time, transition_law(w), ctx);
    s.left += r.left + total_volume(fresh, ctx);
    return std::move(r.foam);
}

/// What patches give in an interval.
template <int D>
Foam<D> foam_of_patches(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                        Interval time, Context& ctx) {
    Foam<D> all;
    for (std::size_t n = 0; n < w.patches.size(); ++n) {
        const FoamPatch& p = w.scene.foam.patches[n];
        double cover = 0;
        if (p.rate > 0)
            cover =
                p.rate * std::max(0.0, std::min(time.end, p.stop) - std::max(time.begin, p.start));
        else if (p.start > time.begin && p.start <= time.end)
            cover = p.cover;
        if (cover > 0) adopt(all, foam_of_patch(s, w, n, cover, solids, time.end, ctx));
    }
    return all;
}

/// By active tile: the greatest Φ of its cells and of the layer around them. What is not stored is
/// farther than a cell from all bubbles.
template <int D>
std::vector<double> highest_around(const CellField<double, D>& phi, Context& ctx) {
    const Tiles<D>& tiles = *phi.tiles();
    std::vector<double> r(std::size_t(tiles.active()));
    for_tiles(ctx.arena, tiles, [&](int t) {
        HaloBlock<double, D, 1> block;
        load_halo_continued(phi.read(), tiles, t, block);
        r[std::size_t(t)] = *std::max_element(block.v, block.v + block.kSize);
    });
    return r;
}

/// The bubbles that reach, with their own size and a voxel to spare, to the surface.
template <int D>
std::vector<std::uint32_t> near_surface(const Bubbles<D>& bubbles, const CellField<double, D>& phi,
                                        Context& ctx) {
    const Tiles<D>& tiles = *phi.tiles();
    const std::vector<double> highest = highest_around(phi, ctx);
    std::vector<std::uint8_t> is_near(bubbles.size());
    for_range(ctx.arena, bubbles.size(), 4096, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(tiles), look(tiles);
        for (std::size_t q = b; q < e; ++q) {
            const Point<D>& x = bubbles.position[q];
            const double reach = -2 * double(bubbles.radius[q]) - tiles.voxel();
            look(floor_index<D>(tiles.transform().to_lattice(x)));
            const int t = look.tile();
            const bool deep = tiles.is_active(t) && highest[std::size_t(t)] < reach;
            is_near[q] = !deep && sample(phi, cursor, x) > reach;
        }
    });
    std::vector<std::uint32_t> r;
    for (std::size_t q = 0; q < bubbles.size(); ++q)
        if (is_near[q]) r.push_back(std::uint32_t(q));
    return r;
}

/// Removes those of `chosen` that are not in `stay`, which has the others in their order.
template <int D>
void remove_others(Bubbles<D>& bubbles, const std::vector<std::uint32_t>& chosen,
                   const Bubbles<D>& stay, Context& ctx) {
    if (stay.size() == chosen.size()) return;
    std::vector<std::uint8_t> gone(bubbles.size());
    std::size_t next = 0;
    for (const std::uint32_t q : chosen) {
        const bool stays = next < stay.size() && stay.id[next] == bubbles.id[q];
        next += stays;
        gone[q] = !stays;
    }
    remove_if(bubbles, ctx, [&](std::size_t q) { return gone[q] != 0; });
}

}  // namespace

template <int D>
void move_foam(State<D>& s, World<D>& w, const PlacedSolids<D>& solids, Interval time,
               StepReport& report, Context& ctx) {
    if (s.foam.size() == 0) return;
    Stage stage(ctx, "foam");
    const int reach = cells_around(w, w.foam_cfl);
    const auto tiles = surface_tiles<D>(s.foam.position.read(), w, reach, ctx);
    const auto before = w.foam_window.at(*w.bulk, tiles, time.begin, ctx);
    const auto after = w.foam_window.at(*w.bulk, tiles, time.end, ctx);
    const GridSurface<D> surface(as_surface(before), as_surface(after));
    const auto departure =
        Departure<D>::of(w.solids.at(time.begin), s.foam.position, w.domain.voxel());
    glide(s.foam, w, surface, time, ctx);
    for (const Vec<double, D>& x : s.foam.position.read())
        if (!(dot(x, x) < 1e30)) {
            report.failed = true;
            report.why = "foam moved by what is no number";
            return;
        }
    s.left += keep_in_domain(s.foam, w, solids, departure, ctx);
    s.left += take_submerged(s.foam, s.bubbles, surface, time.end, transition_law(w), ctx);
    s.burst += take_burst(s.foam, ctx);
}

template <int D>
void surface_bubbles(State<D>& s, World<D>& w, const CellField<double, D>& phi,
                     const PlacedSolids<D>& solids, Interval time, Context& ctx) {
    const WetFoam& f = w.scene.foam;
    if (!f.on) {
        s.left += remove_surfaced(s.bubbles, phi, w.scene.physics.water_density, ctx);
        return;
    }
    Stage stage(ctx, "foam");
    // Far from the surface its tiles are missing, and nothing may be read there.
    const std::vector<std::uint32_t> near = near_surface(s.bubbles, phi, ctx);
    Foam<D> newcomers;
    if (!near.empty()) {
        Bubbles<D> close = s.bubbles;
        permute(close, near, ctx);
        const auto tiles = surface_tiles<D>(close.position.read(), w, cells_around(w, 1), ctx);
        const auto fields = as_surface(w.bulk->on(tiles, time.end, ctx));
        auto r =
            take_surfaced(close, GridSurface<D>(fields, fields), time.end, transition_law(w), ctx);
        s.left += r.left;
        newcomers = std::move(r.foam);
        remove_others(s.bubbles, near, close, ctx);
    }
    s.pruned += prune(newcomers, s.foam, f, w.scene.seed, ctx);
    adopt(s.foam, newcomers);
    adopt(s.foam, foam_of_patches(s, w, solids, time, ctx));
}

template <int D>
void first_foam(State<D>& s, const World<D>& w, Context& ctx) {
    for (std::size_t n = 0; n < w.patches.size(); ++n) {
        const FoamPatch& p = w.scene.foam.patches[n];
        if (p.rate == 0 && p.start <= 0)
            adopt(s.foam, foam_of_patch(s, w, n, p.cover, w.solids.at(s.time), s.time, ctx));
    }
}

template <int D>
CellField<float, D> coverage_of(const State<D>& s, const World<D>& w, Context& ctx) {
    const auto tiles = surface_tiles<D>(s.foam.position.read(), w, kCoverageReach, ctx);
    return foam_coverage(s.foam, as_surface(w.bulk->on(tiles, s.time, ctx)), ctx);
}

template <int D>
StepLimit foam_max_dt(const State<D>& s, const World<D>& w, const Reach& reach, Context& ctx) {
    if (s.foam.size() == 0) return {};
    const double fastest = reduce(
        ctx.arena, s.foam.size(), 4096, 0.0,
        [&](std::size_t b, std::size_t e) {
            double m = 0;
            for (std::size_t i = b; i < e; ++i) m = std::max(m, length(s.foam.velocity[i]));
            return m;
        },
        [](double a, double b) { return std::max(a, b); });
    StepLimit limit = own_limit(s.foam, w, ctx);
    limit.seconds *= w.scene.foam.max_substeps;
    limit.remedy += ", or raise foam.max_substeps";
    return speed_limit(reach, "foam", fastest).also(limit);
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template void move_foam<D>(State<D>&, World<D>&, const PlacedSolids<D>&, Interval,       \
                               StepReport&, Context&);                                       \
    template void surface_bubbles<D>(State<D>&, World<D>&, const CellField<double, D>&,      \
                                     const PlacedSolids<D>&, Interval, Context&);            \
    template void first_foam<D>(State<D>&, const World<D>&, Context&);                       \
    template CellField<float, D> coverage_of<D>(const State<D>&, const World<D>&, Context&); \
    template StepLimit foam_max_dt<D>(const State<D>&, const World<D>&, const Reach&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided
