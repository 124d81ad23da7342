// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/resolved_air.h"

#include <algorithm>

#include "spume/grid/halo.h"
#include "spume/methods/mixture/tension.h"
#include "spume/particles/transfer.h"

namespace spume::mixture {
namespace {

/// Largest value among a cell and those that share a corner with it.
template <int D>
CellField<double, D> highest_around(const CellField<double, D>& field, Context& context) {
    const Tiles<D>& tiles = *field.tiles();
    CellField<double, D> r(field.tiles());
    double* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        HaloBlock<double, D, 1> block;
        load_halo<double, D, 1>(field.read(), tiles, t, block);
        // One axis after the other, in place: the layer before is kept as it was.
        for (int a = 0; a < D; ++a) {
            HaloBlock<double, D, 1> along = block;
            const int step = block.stride(a);
            for (int i = step; i < block.kSize - step; ++i)
                along.v[i] = std::max({block.v[i - step], block.v[i], block.v[i + step]});
            block = along;
        }
        for (int o = 0; o < kTileCells<D>; ++o)
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                block.v[block.at(tile_local<D>(o))];
    });
    return r;
}

}  // namespace

template <int D>
FaceField<double, D> fullness_near(const MixtureFaces<D>& mixture, const CutCells<D>& open,
                                   const GridDomain<D>& domain, Context& context) {
    constexpr int kSweeps = 1;
    const auto fraction = cell_fraction(mixture.bubble, CellField<std::int32_t, D>{}, context);
    const auto high = highest_around(smoothed(fraction, kSweeps, open, domain, context), context);
    FaceField<double, D> r(fraction.tiles());
    const double* cell = high.read();
    for (int a = 0; a < D; ++a) {
        double* out = r.write(a);
        for_face_pairs(context.arena, *fraction.tiles(), a, [&](std::size_t at, std::size_t below) {
            out[at] = std::max(cell[at], cell[below]);
        });
    }
    return r;
}

template <int D>
bool has_resolved_air(const MixtureFaces<D>& mixture, Context& context) {
    const double most = reduce_tiles<D>(
        context.arena, *mixture.bubble.tiles(), 0.0,
        [&](int t) {
            double high = 0;
            for (int a = 0; a < D; ++a) {
                const double* phi = mixture.bubble.tile(a, t);
                high = std::max(high, *std::max_element(phi, phi + kTileCells<D>));
            }
            return high;
        },
        [](double a, double b) { return std::max(a, b); });
    return resolved_share(most) > 0;
}

template <int D>
void sharpen_surface(MixtureFaces<D>& mixture, double most, const CutCells<D>& open,
                     const GridDomain<D>& domain, Context& context) {
    constexpr double kSteepness = 2;
    const auto near = fullness_near(mixture, open, domain, context);
    for (int a = 0; a < D; ++a) {
        double *bubble = mixture.bubble.write(a), *water = mixture.water.write(a);
        const double *full = near.read(a), *bar = mixture.unclamped.read(a);
        for_values(context.arena, *near.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const double sharp = std::clamp(0.5 + kSteepness * (bar[i] - 0.5), 0.0, most);
                bubble[i] += (1 - swarm_share(full[i])) * (sharp - bubble[i]);
                water[i] = 1 - bubble[i];
            }
        });
    }
}

template <int D>
FaceField<double, D> lock_of(const MixtureFaces<D>& mixture, double water_density,
                             const CutCells<D>& open, const GridDomain<D>& domain,
                             Context& context) {
    auto r = fullness_near(mixture, open, domain, context);
    for (int a = 0; a < D; ++a) {
        double* lock = r.write(a);
        const double* density = mixture.density.read(a);
        for_values(context.arena, *r.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const double heavier = std::max(water_density / density[i] - 1, 0.0);
                const double hold = (1 - swarm_share(lock[i])) * heavier;
                lock[i] = hold / (1 + hold);
            }
        });
    }
    return r;
}

template <int D>
Array<double> fullness_around(const Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                              const TileRanges<D>& ranges, const CutCells<D>& open,
                              const GridDomain<D>& domain, Context& context) {
    Stage stage(context, "even out");
    Array<double> r;
    r.resize_discard(bubbles.size());
    auto fullness = r.write();
    gather_from_faces<double, D>(
        bubbles.position.read(), ranges, domain.clamp(),
        fullness_near(mixture, open, domain, context),
        [&](std::size_t q, const Vec<double, D>& phi) {
            fullness[q] = 0;
            for (int a = 0; a < D; ++a) fullness[q] += phi[a] / D;
        },
        context);
    return r;
}

template <int D>
void join_resolved_air(Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                       const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                       const GridDomain<D>& domain, double water_density, Context& context) {
    Stage stage(context, "even out");
    auto v = bubbles.velocity.write();
    const float* density = bubbles.density.data();
    const double* fullness = mixture.fullness.data();
    gather_from_faces<double, D>(
        bubbles.position.read(), ranges, domain.clamp(), mixed,
        [&](std::size_t q, const Vec<double, D>& u) {
            v[q] += (u - v[q]) * resolved_lock(fullness[q], density[q], water_density);
        },
        context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template FaceField<double, D> fullness_near<D>(const MixtureFaces<D>&, const CutCells<D>&,   \
                                                   const GridDomain<D>&, Context&);              \
    template bool has_resolved_air<D>(const MixtureFaces<D>&, Context&);                         \
    template void sharpen_surface<D>(MixtureFaces<D>&, double, const CutCells<D>&,               \
                                     const GridDomain<D>&, Context&);                            \
    template FaceField<double, D> lock_of<D>(const MixtureFaces<D>&, double, const CutCells<D>&, \
                                             const GridDomain<D>&, Context&);                    \
    template Array<double> fullness_around<D>(const Bubbles<D>&, const MixtureFaces<D>&,         \
                                              const TileRanges<D>&, const CutCells<D>&,          \
                                              const GridDomain<D>&, Context&);                   \
    template void join_resolved_air<D>(Bubbles<D>&, const FaceField<double, D>&,                 \
                                       const MixtureFaces<D>&, const TileRanges<D>&,             \
                                       const GridDomain<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
