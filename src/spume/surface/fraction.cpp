// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/fraction.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

/// Part of a unit cell below the plane m·x = alpha with m ≥ 0 summing to one and x from the lower
/// corner: inclusion and exclusion of the simplices that the plane cuts from the corner.
template <int D>
double cut_volume(const double (&m)[D], double alpha) {
    double sum = 0, scale = 1;
    for (int a = 0; a < D; ++a) scale *= m[a] * (a + 1);
    const auto power = [](double x) {
        double p = 1;
        for (int a = 0; a < D; ++a) p *= std::max(x, 0.0);
        return p;
    };
    for (int corner = 0; corner < (1 << D); ++corner) {
        double rest = alpha;
        int sign = 1;
        for (int a = 0; a < D; ++a)
            if (corner >> a & 1) rest -= m[a], sign = -sign;
        sum += sign * power(rest);
    }
    return sum / scale;
}

template <int D>
double part_below(const Vec<double, D>& n, double distance) {
    double m[D], total = 0;
    for (int a = 0; a < D; ++a) total += std::abs(n[a]);
    if (!(total > 0)) return distance < 0 ? 1 : 0;
    // Tiny components are lifted: the closed form divides by all of them.
    double lifted = 0;
    for (int a = 0; a < D; ++a) lifted += m[a] = std::max(std::abs(n[a]) / total, 1e-4);
    for (double& x : m) x /= lifted;
    const double alpha = 0.5 - distance / total;
    if (alpha <= 0) return 0;
    if (alpha >= 1) return 1;
    // The smaller half loses fewer digits.
    const double part = alpha <= 0.5 ? cut_volume<D>(m, alpha) : 1 - cut_volume<D>(m, 1 - alpha);
    return std::clamp(part, 0.0, 1.0);
}

}  // namespace

double plane_fraction(const Vec<double, 2>& n, double distance) {
    return part_below<2>(n, distance);
}
double plane_fraction(const Vec<double, 3>& n, double distance) {
    return part_below<3>(n, distance);
}

template <int D>
CellField<float, D> liquid_fractions(const LevelSet<D>& phi, Context& context,
                                     const Parting<D>* parting) {
    Stage stage(context, "surface");
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel(), reach = h * std::sqrt(double(D));
    auto r = CellField<float, D>::unwritten(phi.tiles());
    float* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        float* to = out + std::size_t(t) * kTileCells<D>;
        const double* own = phi.tile(t);
        bool near = false;
        for (int o = 0; o < kTileCells<D>; ++o) near = near || std::abs(own[o]) < reach;
        if (!near) {
            for (int o = 0; o < kTileCells<D>; ++o) to[o] = own[o] < 0 ? 1.0f : 0.0f;
            return;
        }
        HaloBlock<double, D, 1> block;
        load_halo_continued<double, D, 1>(phi.read(), tiles, t, block);
        const PartedBlock<D> parted(parting, t);
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int at = block.at(tile_local<D>(o));
            const double* v = block.v + at;
            if (!(std::abs(*v) < reach)) {
                to[o] = *v < 0 ? 1.0f : 0.0f;
                continue;
            }
            Vec<double, D> n{};
            for (int a = 0; a < D; ++a)
                n[a] = (parted(at, a, 1) ? *v : v[block.stride(a)]) -
                       (parted(at, a, 0) ? *v : v[-block.stride(a)]);
            const double size = length(n);
            to[o] = static_cast<float>(size > 0 ? plane_fraction(n / size, *v / h)
                                                : (*v < 0 ? 1.0 : 0.0));
        }
    });
    return r;
}

template CellField<float, 2> liquid_fractions<2>(const LevelSet<2>&, Context&, const Parting<2>*);
template CellField<float, 3> liquid_fractions<3>(const LevelSet<3>&, Context&, const Parting<3>*);

}  // namespace spume
