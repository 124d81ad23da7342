// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/water_in_air.h"

#include <algorithm>

#include "spume/grid/halo.h"

namespace spume::mixture {
namespace {

constexpr int kReach = 3;

template <int D>
using Block = HaloBlock<double, D, kReach>;

/// Steps to the faces around, nearest first, and what they count: the inverse fourth power of the
/// distance.
template <int D>
struct Around {
    std::vector<int> step;
    std::vector<double> weight;

    Around() {
        constexpr int kWide = 2 * kReach + 1,
                      kCount = D == 2 ? kWide * kWide : kWide * kWide * kWide;
        for (int i = 0; i < kCount; ++i) {
            int offset = 0, squared = 0;
            for (int a = 0, rest = i; a < D; ++a, rest /= kWide) {
                const int d = rest % kWide - kReach;
                offset += d * Block<D>::stride(a);
                squared += d * d;
            }
            if (squared == 0 || squared > kReach * kReach) continue;
            step.push_back(offset);
            weight.push_back(1.0 / (squared * squared));
        }
    }
};

/// What is to be known of the faces of one axis around a tile.
template <int D>
struct Faces {
    Block<D> water, held;  ///< u_w, and by how much it is not the water's own but the body's

    Faces(const FaceField<double, D>& u, const FaceField<double, D>& part, int axis, int tile) {
        load_halo<double, D, kReach>(u.read(axis), *u.tiles(), tile, water);
        load_halo<double, D, kReach>(part.read(axis), *u.tiles(), tile, held);
    }

    /// Mean of the water's own velocity around one face; `otherwise` where there is none.
    double around(int at, const Around<D>& near, double otherwise) const {
        double sum = 0, total = 0;
        for (std::size_t k = 0; k < near.step.size(); ++k) {
            const int i = at + near.step[k];
            const double w = near.weight[k] * (1 - held.v[i]);
            sum += w * water.v[i];
            total += w;
        }
        return total > 1e-6 ? sum / total : otherwise;
    }
};

/// φ_b, or where a face moves as one ½ up to the fraction from which it has no water to speak of,
/// then up to 1.
double dryness(double phi_b, double one) {
    constexpr double kDry = 0.95;
    const double dry = phi_b > kDry ? 0.5 + 0.5 * (phi_b - kDry) / (1 - kDry) : 0.5;
    return phi_b + one * (dry - phi_b);
}

/// How much the water of a face belongs to a body of air, [0, 1]; one where a solid closes it.
template <int D>
FaceField<double, D> held_part(const MixtureFaces<D>& mixture, const CutCells<D>& open,
                               const Coupling<D>& coupling, Context& context) {
    const auto& tiles = mixture.bubble.tiles();
    FaceField<double, D> r = FaceField<double, D>::unwritten(tiles);
    for (int a = 0; a < D; ++a) {
        const double *phi = mixture.bubble.read(a), *air = mixture.density.read(a);
        const double* one = mixture.lock.tiles() ? mixture.lock.read(a) : nullptr;
        const float* area = open.area.read(a);
        double* out = r.write(a);
        for_values(context.arena, *tiles, [=, &coupling](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                out[i] = area[i] > 0 ? resolved_lock(dryness(phi[i], one ? one[i] : 0), air[i],
                                                     coupling.drag.water_density)
                                     : 1;
        });
    }
    return r;
}

}  // namespace

template <int D>
void extrapolate_water(FaceField<double, D>& water, const FaceField<double, D>& mixed,
                       const MixtureFaces<D>& mixture, const CutCells<D>& open,
                       const Coupling<D>& coupling, Context& context) {
    Stage stage(context, "even out");
    const auto held = held_part(mixture, open, coupling, context);
    const FaceField<double, D> before = water;
    const Around<D> near;
    for (int a = 0; a < D; ++a) {
        double* out = water.write(a);
        const double *part = held.read(a), *whole = mixed.read(a);
        const float* area = open.area.read(a);
        for_tiles(context.arena, *water.tiles(), [&](int t) {
            const std::size_t first = std::size_t(t) * kTileCells<D>;
            const auto inside = [&](std::size_t i) { return part[i] > 0 && area[i] > 0; };
            bool any = false;
            for (int o = 0; o < kTileCells<D> && !any; ++o) any = inside(first + std::size_t(o));
            if (!any) return;
            const Faces<D> faces(before, held, a, t);
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::size_t i = first + std::size_t(o);
                if (!inside(i)) continue;
                const int at = Block<D>::at(tile_local<D>(o));
                out[i] += part[i] * (faces.around(at, near, whole[i]) - out[i]);
            }
        });
    }
}

#define SPUME_INSTANTIATE(D)                                                               \
    template void extrapolate_water<D>(FaceField<double, D>&, const FaceField<double, D>&, \
                                       const MixtureFaces<D>&, const CutCells<D>&,         \
                                       const Coupling<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
