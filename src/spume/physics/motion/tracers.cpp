// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/tracers.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/physics/motion/ralston.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;

template <int D>
Vec<double, D> gradient(const LevelSet<D>& phi, TileCursor<D>& cursor, const Point<D>& x) {
    Vec<double, D> g{};
    const double h = phi.tiles()->voxel();
    for (int a = 0; a < D; ++a) {
        const Point<D> step = Point<D>::unit(a, 0.5 * h);
        g[a] =
            (sample<double, D>(phi, cursor, x + step) - sample<double, D>(phi, cursor, x - step)) /
            h;
    }
    const double n = length(g);
    return n > 0 ? g / n : Vec<double, D>::unit(1);
}

}  // namespace

template <int D>
double advance(Tracers<D>& tracers, const std::type_identity_t<Carrier<D>>& carrier,
               const PlacedSolids<D>& bodies, const GridDomain<D>& domain, double dt,
               Context& context, const PlacedSolids<D>* earlier) {
    if (tracers.size() == 0) return 0;
    Stage stage(context, "tracers");
    const auto departure =
        earlier ? Departure<D>::of(*earlier, tracers.position, domain.voxel()) : Departure<D>{};
    const WayStops<D> stops(&departure, bodies, domain.voxel());
    const Box<double, D> box = domain.bounds();
    const double h = domain.voxel(), step = dt / h, clear = 1e-3 * h;
    Point<D>* position = tracers.position.write().data();
    for_range(context.arena, tracers.size(), kGrain, [&](std::size_t b, std::size_t e) {
        VelocitySampler<D> u(carrier, domain.clamp());
        for (std::size_t i = b; i < e; ++i) {
            Point<D>& x = position[i];
            const Point<D> from[1] = {domain.transform.to_lattice(x)};
            Vec<double, D> way[1];
            trace_ralston(from, u, step, dt, way);
            x += way[0];
            Vec<double, D> none{};
            if (!stops.empty()) stops.stop(stops.from(i), x, none, clear);
            for (const PlacedBody<D>& body : bodies.placed)
                if (body.bounds().contains(x) && body.distance_within(x, clear) < clear)
                    x += body.normal(x) * (clear - body.distance(x));
            for (int a = 0; a < D; ++a) {
                if (domain.wall[a][0]) x[a] = std::max(x[a], box.lo[a] + clear);
                if (domain.wall[a][1]) x[a] = std::min(x[a], box.hi[a] - clear);
            }
            if (!stops.empty()) stops.hold(stops.from(i), x);
        }
    });
    const double before = total_amount(tracers, context);
    remove_if(tracers, context, [&](std::size_t i) { return !box.contains(tracers.position[i]); });
    return before - total_amount(tracers, context);
}

template <int D>
double keep_in_air(Tracers<D>& tracers, const LevelSet<D>& phi, double deepest, Context& context) {
    if (tracers.size() == 0) return 0;
    Stage stage(context, "tracers");
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel();
    std::vector<std::uint8_t> gone(tracers.size(), 0);
    Point<D>* position = tracers.position.write().data();
    for_range(context.arena, tracers.size(), kGrain, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(tiles);
        for (std::size_t i = b; i < e; ++i) {
            Point<D>& x = position[i];
            const auto stored = [&] {
                cursor(floor_index<D>(tiles.transform().to_lattice(x)));
                return tiles.is_active(cursor.tile());
            };
            // Where nothing is stored there is only air.
            for (int n = 0; n < 4 && stored(); ++n) {
                const double d = sample<double, D>(phi, cursor, x);
                if (d >= 0) break;
                if (d < -deepest) {
                    gone[i] = 1;
                    break;
                }
                x += gradient(phi, cursor, x) * (0.1 * h - d);
            }
        }
    });
    const double before = total_amount(tracers, context);
    remove_if(tracers, context, [&](std::size_t i) { return gone[i] != 0; });
    return before - total_amount(tracers, context);
}

template <int D>
double total_amount(const Tracers<D>& tracers, Context& context) {
    return reduce(
        context.arena, tracers.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double s = 0;
            for (std::size_t i = b; i < e; ++i) s += double(tracers.amount[i]);
            return s;
        },
        [](double a, double b) { return a + b; });
}

template <int D>
CellField<float, D> density_of(const Tracers<D>& tracers, const typename Tiles<D>::Ptr& tiles,
                               Context& context) {
    Stage stage(context, "tracers");
    CellField<float, D> r(tiles);
    float* out = r.write();
    const double h = tiles->voxel();
    double volume = 1;
    for (int a = 0; a < D; ++a) volume *= h;
    TileCursor<D> cursor(*tiles);
    for (std::size_t i = 0; i < tracers.size(); ++i) {
        const Point<D> u = cell_coordinate<D>(tiles->transform(), tracers.position[i]);
        const Index<D> base = floor_index<D>(u);
        for (int c = 0; c < (1 << D); ++c) {
            Index<D> cell = base;
            double w = double(tracers.amount[i]) / volume;
            for (int a = 0; a < D; ++a) {
                const double part = u[a] - base[a];
                cell[a] += c >> a & 1;
                w *= (c >> a & 1) ? part : 1 - part;
            }
            const std::size_t at = cursor(cell);
            if (tiles->is_active(cursor.tile())) out[at] += static_cast<float>(w);
        }
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template double advance<D>(Tracers<D>&, const Carrier<D>&, const PlacedSolids<D>&,          \
                               const GridDomain<D>&, double, Context&, const PlacedSolids<D>*); \
    template double keep_in_air<D>(Tracers<D>&, const LevelSet<D>&, double, Context&);          \
    template double total_amount<D>(const Tracers<D>&, Context&);                               \
    template CellField<float, D> density_of<D>(const Tracers<D>&, const Tiles<D>::Ptr&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
