// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_patch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/physics/motion/emit.h"

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

#define SPUME_INSTANTIATE(D)                                                          \
    template bool in_strands<D>(const Point<D>&, const FoamPatch&, std::uint64_t);    \
    template Bubbles<D> patch_bubbles<D>(const PatchAsk<D>&, const SurfaceFields<D>&, \
                                         const GridDomain<D>&, const PlacedSolids<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
