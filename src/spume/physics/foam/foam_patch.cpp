// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_patch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/physics/motion/emit.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

/// A cell's number, for random draws.
template <int D>
std::uint64_t number_of(const Index<D>& cell) {
    std::uint64_t r = 0;
    for (int a = 0; a < D; ++a)
        r = r << 21 | static_cast<std::uint64_t>((cell[a] + (1 << 20)) & ((1 << 21) - 1));
    return r;
}

/// Mean of what a bubble of density ∝ r⁻³ covers: of πr², in the plane of 2r.
template <int D>
double mean_cover(double a, double b) {
    if (D == 2) return a == b ? 2 * a : 4 * a * b / (a + b);
    if (b - a < 1e-6 * a) return math::kPi * a * a;
    return math::kPi * 2 * math::log(b / a) / (1 / (a * a) - 1 / (b * b));
}

/// Area of the surface in a cell by a smeared delta; 0 farther from it than 1.5 voxels.
double area_in(double phi, double slope, double voxel, double cell) {
    const double width = 1.5 * voxel;
    if (!(std::abs(phi) < width)) return 0;
    return cell * slope * (1 + math::cos(math::kPi * phi / width)) / (2 * width);
}

template <int D>
struct Placed {
    Point<D> x;
    Vec<double, D> v;
    double radius;
};

template <int D>
Bubbles<D> as_bubbles(const std::vector<std::vector<Placed<D>>>& parts, double density) {
    std::size_t count = 0;
    for (const auto& part : parts) count += part.size();
    Bubbles<D> r;
    resize(r, count);
    auto x = r.position.write();
    auto v = r.velocity.write();
    auto radius = r.radius.write();
    auto air = r.density.write();
    std::size_t n = 0;
    for (const auto& part : parts)
        for (const Placed<D>& one : part) {
            x[n] = one.x;
            v[n] = one.v;
            radius[n] = static_cast<float>(one.radius);
            air[n++] = static_cast<float>(density);
        }
    return r;
}

}  // namespace

template <int D>
bool in_strands(const Point<D>& x, const FoamPatch& patch, std::uint64_t seed) {
    if (patch.streaks == 0) return true;
    const Point<D> u = x / patch.streaks;
    const Index<D> home = floor_index<D>(u);
    double nearest = 1e300, next = 1e300;
    constexpr int kAround = D == 2 ? 9 : 27;
    for (int code = 0; code < kAround; ++code) {
        Index<D> cell = home;
        for (int a = 0, rest = code; a < D; ++a, rest /= 3) cell[a] += rest % 3 - 1;
        const Random random(seed, number_of<D>(cell), 0, Purpose::kPatch);
        const Point<D> site = cell.template as<double>() + random.uniform_vec<D>(0);
        const double d = length(site - u);
        next = std::min(next, std::max(d, nearest));
        nearest = std::min(nearest, d);
    }
    return next - nearest < 0.6 * (1 - patch.sharpness);
}

template <int D>
Bubbles<D> patch_bubbles(const PatchAsk<D>& ask, const SurfaceFields<D>& fields,
                         const GridDomain<D>& domain, const PlacedSolids<D>& solids,
                         Context& context) {
    Stage stage(context, "foam");
    const FoamPatch& p = ask.patch;
    const Tiles<D>& tiles = *fields.phi.tiles();
    const double voxel = tiles.voxel(), cell = D == 2 ? voxel * voxel : voxel * voxel * voxel;
    const double each = mean_cover<D>(p.radius_min, p.radius_max);
    const GridSurface<D> surface(fields, fields);
    const Box<double, D> box = domain.bounds();
    const std::uint64_t seed = ask.seed + 7919 * std::uint64_t(ask.number);
    std::vector<std::vector<Placed<D>>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const auto reader = surface.reader();
        auto& out = parts[std::size_t(t)];
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(std::abs(fields.phi.at(t, o)) < 2 * voxel)) continue;
            const Point<D> centre = fields.phi.position(t, o);
            const SurfacePoint<D> s = reader->at(centre, fields.time);
            const double area = area_in(s.phi, length(s.gradient), voxel, cell);
            const Random random(seed, number_of<D>(tiles.origin(t) + tile_local<D>(o)), ask.moment,
                                Purpose::kPatch);
            const double wanted = ask.cover * area / each;
            const int count = static_cast<int>(wanted + random.uniform(0));
            for (int k = 0; k < count; ++k) {
                const auto draw = 1 + std::uint32_t(k) * (D + 1);
                Point<D> x = centre + (random.uniform_vec<D>(draw) - Point<D>::filled(0.5)) * voxel;
                const double radius =
                    inverse_cubic_radius(random.uniform(draw + D), p.radius_min, p.radius_max);
                if (!project_on_surface<D>(x, *reader, fields.time, 3 * voxel, 0.01 * radius))
                    continue;
                if (!box.contains(x) || ask.body.distance(x) > 0 ||
                    solids.distance_within(x, radius) < radius || !in_strands(x, p, seed))
                    continue;
                out.push_back({x, reader->velocity(x, fields.time), radius});
            }
        }
    });
    return as_bubbles<D>(parts, ask.air_density);
}

namespace {

/// The cells that a patch may lie in, and some around them.
template <int D>
Box<int, D> cells_of_patch(const PlacedBody<D>& body, const GridDomain<D>& domain) {
    constexpr int kAround = 4;
    Box<int, D> cells = domain.cells;
    const Point<D> lo = domain.transform.to_lattice(body.bounds().lo);
    const Point<D> hi = domain.transform.to_lattice(body.bounds().hi);
    for (int a = 0; a < D; ++a) {
        cells.lo[a] = std::max(cells.lo[a], static_cast<int>(std::floor(lo[a]))) - kAround;
        cells.hi[a] = std::min(cells.hi[a], static_cast<int>(std::ceil(hi[a]))) + kAround;
    }
    return cells;
}

/// What part of the surface a patch covers anew.
double cover_given(const FoamPatch& p, Interval time) {
    if (p.rate > 0)
        return p.rate * std::max(0.0, std::min(time.end, p.stop) - std::max(time.begin, p.start));
    return p.start > time.begin && p.start <= time.end ? p.cover : 0;
}

}  // namespace

template <int D>
PatchFoam<D> foam_of_patches(
    const FoamSetting<D>& setting, const std::vector<PlacedBody<D>>& bodies,
    const PlacedSolids<D>& solids, Interval time, std::uint64_t& next_id,
    const std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>& on, Context& context) {
    PatchFoam<D> all;
    for (std::size_t n = 0; n < bodies.size(); ++n) {
        const FoamPatch& p = setting.law.patches[n];
        const double cover = cover_given(p, time);
        const Box<int, D> cells = cells_of_patch(bodies[n], setting.domain);
        if (cover == 0 || cells.empty()) continue;
        const SurfaceFields<D> fields = on(Tiles<D>::dense(cells, setting.domain.transform));
        const auto moment = static_cast<std::uint32_t>(std::lround(time.end * 1e5));
        Bubbles<D> fresh = patch_bubbles<D>({p, bodies[n], cover, setting.seed, moment,
                                             std::uint32_t(n), setting.physics.air_density},
                                            fields, setting.domain, solids, context);
        for (std::uint64_t& id : fresh.id.write()) id = next_id++;
        all.air += total_volume(fresh, context);
        auto r = take_surfaced(fresh, GridSurface<D>(fields, fields), time.end,
                               setting.transitions(), context);
        all.left += r.left + total_volume(fresh, context);
        adopt(all.foam, r.foam);
    }
    return all;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template PatchFoam<D> foam_of_patches<D>(                                             \
        const FoamSetting<D>&, const std::vector<PlacedBody<D>>&, const PlacedSolids<D>&, \
        Interval, std::uint64_t&,                                                         \
        const std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>&, Context&); \
    template bool in_strands<D>(const Point<D>&, const FoamPatch&, std::uint64_t);        \
    template Bubbles<D> patch_bubbles<D>(const PatchAsk<D>&, const SurfaceFields<D>&,     \
                                         const GridDomain<D>&, const PlacedSolids<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
