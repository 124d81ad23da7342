// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/surface_blend.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/motion/move_liquid.h"

namespace spume::constraint {
namespace {

/// Liquid so many times as fast as what keeps its surface forgets it.
constexpr double kForgotten = 4;
/// A surface that is remembered but not carried is right for no more than so many voxels a substep.
constexpr double kStill = 0.05;

/// Catmull–Rom weights of the four samples around t in [0, 1) between the second and the third.
void cubic_weights(double t, double (&w)[4]) {
    const double t2 = t * t, t3 = t2 * t;
    w[0] = -0.5 * t + t2 - 0.5 * t3;
    w[1] = 1 - 2.5 * t2 + 1.5 * t3;
    w[2] = 0.5 * t + 2 * t2 - 1.5 * t3;
    w[3] = -0.5 * t2 + 0.5 * t3;
}

/// The level set at a lattice point, samples at integers, if all of the cells that count there are
/// stored; the last cell before a wall goes on beyond it. Linear interpolation would flatten waves.
template <int D>
bool sample_stored(const LevelSet<D>& phi, TileCursor<D>& cursor, const Clamp<D>& clamp,
                   const Point<D>& u, double& out) {
    const Index<D> base = floor_index<D>(u);
    double w[D][4];
    int at[D][4];
    for (int a = 0; a < D; ++a) {
        cubic_weights(u[a] - base[a], w[a]);
        for (int k = 0; k < 4; ++k)
            at[a][k] =
                static_cast<int>(std::clamp<double>(base[a] + k - 1, clamp.lo[a], clamp.hi[a] - 1));
    }
    out = 0;
    for (int c = 0; c < (1 << (2 * D)); ++c) {
        Index<D> i{};
        double weight = 1;
        for (int a = 0; a < D; ++a) {
            const int k = c >> (2 * (D - 1 - a)) & 3;
            i[a] = at[a][k];
            weight *= w[a][k];
        }
        if (weight == 0) continue;
        const std::size_t place = cursor(i);
        if (!phi.tiles()->is_active(cursor.tile())) return false;
        out += weight * phi.read()[place];
    }
    return true;
}

}  // namespace

template <int D>
void blend_with_advected_surface(LevelSet<D>& phi, const LevelSet<D>& before,
                                 const std::type_identity_t<Carrier<D>>& carrier,
                                 const CellField<std::uint8_t, D>& open, const Clamp<D>& clamp,
                                 double dt, double memory, Context& context,
                                 const Parting<D>* parting) {
    if (!(memory > 0) || !before.tiles()) return;
    Stage stage(context, "surface");
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel(), near = 2 * h, most = kLargestBlend * h;
    double* out = phi.write();
    for_tiles(context.arena, tiles, [&](int t) {
        double* own = out + std::size_t(t) * kTileCells<D>;
        VelocitySampler<D> u(carrier, clamp);
        TileCursor<D> cursor(*before.tiles());
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(std::abs(own[o]) < near) || !open.at(t, o)) continue;
            const Index<D> cell = tiles.origin(t) + tile_local<D>(o);
            const Point<D> x = cell.template as<double>() + Point<D>::filled(0.5);
            const Vec<double, D> way = u(x - u(x) * (0.5 * dt / h)) * (dt / h);
            const bool parted = parting && parting->any() && parting->beside.at(t, o);
            const double slow = parted ? std::min(memory, kStill) : memory;
            const double keeps =
                std::min(1.0, (kForgotten - length(way) / slow) / (kForgotten - 1));
            if (!(keeps > 0)) continue;
            Point<D> from = cell.template as<double>();
            if (!parted)
                for (int a = 0; a < D; ++a) from[a] = clamp.side(x[a] - way[a], a) - 0.5;
            double carried = 0;
            if (!sample_stored<D>(before, cursor, clamp, from, carried) ||
                !(std::abs(carried) < near))
                continue;
            own[o] -= std::clamp(keeps * (own[o] - carried), -most, most);
        }
    });
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template void blend_with_advected_surface<D>(                                               \
        LevelSet<D>&, const LevelSet<D>&, const Carrier<D>&, const CellField<std::uint8_t, D>&, \
        const Clamp<D>&, double, double, Context&, const Parting<D>*);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
