// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/continued_velocity.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/topology.h"
#include "spume/surface/extrapolate.h"

namespace spume {
namespace {

constexpr double kMostLayers = 64;

/// Fastest face that touches liquid, m/s, and which faces do.
template <int D>
double mark_liquid_faces(const BulkFields<D>& f, FaceField<std::uint8_t, D>& valid,
                         Context& context) {
    const double* phi = f.phi.read();
    const Tiles<D>& tiles = *f.phi.tiles();
    double fastest = 0;
    for (int a = 0; a < D; ++a) {
        std::uint8_t* out = valid.write(a);
        const double* u = f.velocity.read(a);
        // The zero tile is no liquid: its Φ is 0.
        for_face_pairs(context.arena, tiles, a, [&](std::size_t above, std::size_t below) {
            const bool upper = tiles.is_active(int(above / kTileCells<D>)) && phi[above] < 0;
            const bool lower = tiles.is_active(int(below / kTileCells<D>)) && phi[below] < 0;
            out[above] = std::uint8_t(upper || lower);
        });
        fastest = std::max(fastest, reduce_tiles(
                                        context.arena, tiles, 0.0,
                                        [&](int t) {
                                            double most = 0;
                                            for (std::size_t i = std::size_t(t) * kTileCells<D>;
                                                 i < std::size_t(t + 1) * kTileCells<D>; ++i)
                                                if (out[i]) most = std::max(most, std::abs(u[i]));
                                            return most;
                                        },
                                        [](double x, double y) { return std::max(x, y); }));
    }
    return fastest;
}

}  // namespace

template <int D>
FaceField<double, D> continued_velocity(const BulkFields<D>& f, const typename Tiles<D>::Ptr& to,
                                        double seconds, Context& context) {
    const auto& from = f.phi.tiles();
    FaceField<std::uint8_t, D> valid(from, 0);
    const double fastest = mark_liquid_faces(f, valid, context);
    std::vector<Index<D>> keys(from->active_keys().begin(), from->active_keys().end());
    keys.insert(keys.end(), to->active_keys().begin(), to->active_keys().end());
    const auto both = Tiles<D>::build(std::move(keys), to->transform());
    FaceField<double, D> u = carried(f.velocity, both, 0.0, context);
    FaceField<std::uint8_t, D> known = carried(valid, both, std::uint8_t(0), context);
    const double layers = std::ceil(fastest * seconds / to->voxel()) + 2;
    extrapolate(u, known, int(std::min(layers, kMostLayers)), context);
    return carried(u, to, 0.0, context);
}

#define SPUME_INSTANTIATE(D)                             \
    template FaceField<double, D> continued_velocity<D>( \
        const BulkFields<D>&, const typename Tiles<D>::Ptr&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
