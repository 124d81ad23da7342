// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/curvature.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

/// κ = (|∇φ|² Δφ − ∇φᵀ H ∇φ) / |∇φ|³ from values one apart.
template <int D>
double curvature_at(const double* v, const int (&stride)[D]) {
    double g[D], squares = 0, laplace = 0, bend = 0;
    for (int a = 0; a < D; ++a) {
        g[a] = 0.5 * (v[stride[a]] - v[-stride[a]]);
        squares += g[a] * g[a];
    }
    if (!(squares > 1e-8)) return 0;
    for (int a = 0; a < D; ++a) {
        const double second = v[stride[a]] + v[-stride[a]] - 2 * v[0];
        laplace += second;
        bend += g[a] * g[a] * second;
        for (int b = a + 1; b < D; ++b) {
            const int s = stride[a], r = stride[b];
            const double mixed = 0.25 * ((v[s + r] + v[-s - r]) - (v[s - r] + v[r - s]));
            bend += 2 * g[a] * g[b] * mixed;
        }
    }
    return (squares * laplace - bend) / (squares * std::sqrt(squares));
}

}  // namespace

template <int D>
CellField<double, D> curvature_of(const LevelSet<D>& phi, Context& context) {
    Stage stage(context, "curvature");
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel(), most = (D - 1) / h;
    CellField<double, D> r(phi.tiles());
    double* out = r.write();
    using Block = HaloBlock<double, D, 1>;
    for_tiles(context.arena, tiles, [&](int t) {
        const double* own = phi.tile(t);
        if (std::none_of(own, own + kTileCells<D>, [&](double d) { return std::abs(d) < 2 * h; }))
            return;
        Block block;
        load_halo_continued<double, D, 1>(phi.read(), tiles, t, block);
        for (double& x : block.v) x /= h;
        int stride[D];
        for (int a = 0; a < D; ++a) stride[a] = Block::stride(a);
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(std::abs(own[o]) < 2 * h)) continue;
            const double k = curvature_at<D>(block.v + Block::at(tile_local<D>(o)), stride) / h;
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = std::clamp(k, -most, most);
        }
    });
    return r;
}

template CellField<double, 2> curvature_of<2>(const LevelSet<2>&, Context&);
template CellField<double, 3> curvature_of<3>(const LevelSet<3>&, Context&);

}  // namespace spume
