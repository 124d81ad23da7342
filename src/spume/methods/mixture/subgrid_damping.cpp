// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/subgrid_damping.h"

#include "spume/particles/transfer.h"

namespace spume::mixture {
namespace {

constexpr std::size_t kGrain = 4096;

/// Particles with weights that say how much each belongs to a body of air.
template <int D>
struct Body {
    const Bubbles<D>& bubbles;
    const TileRanges<D>& ranges;
    const Clamp<D> clamp;
    Array<double> weight;  ///< resolved_share
    Array<double> mass;    ///< weighted

    Body(const Bubbles<D>& b, const MixtureFaces<D>& mixture, const TileRanges<D>& r,
         const GridDomain<D>& domain, Context& context)
        : bubbles(b), ranges(r), clamp(domain.clamp()) {
        weight.resize_discard(b.size());
        mass.resize_discard(b.size());
        auto w = weight.write(), m = mass.write();
        const double per_face = 1 / domain.cell_volume();
        gather_from_faces<double, D>(
            b.position.read(), ranges, clamp, mixture.bubble,
            [&](std::size_t q, const Vec<double, D>& phi) {
                double mean = 0;
                for (int a = 0; a < D; ++a) mean += phi[a] / D;
                w[q] = resolved_share(mean);
                m[q] = w[q] * mixture.volume[q] * per_face * double(b.density[q]);
            },
            context);
    }

    /// v less what faces hand back of it: (1 − P) v. Its momentum is zero, by the weighted mass.
    void unseen_part(Array<Vec<double, D>>& v, Context& context) const {
        const Vec<double, D>* from = v.data();
        std::array<FaceField<double, D>, 2> sums;
        scatter_to_faces<double, D, 2>(
            bubbles.position.read(), ranges, clamp,
            [&](std::size_t q, int axis) {
                return std::array<double, 2>{mass[q] * from[q][axis], mass[q]};
            },
            sums, context);
        for (int a = 0; a < D; ++a) {
            double* u = sums[0].write(a);
            const double* m = sums[1].read(a);
            for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
                for (std::size_t i = b; i < e; ++i) u[i] = m[i] > 0 ? u[i] / m[i] : 0;
            });
        }
        auto out = v.write();
        gather_from_faces<double, D>(
            bubbles.position.read(), ranges, clamp, sums[0],
            [&](std::size_t q, const Vec<double, D>& seen) { out[q] -= seen; }, context);
    }
};

}  // namespace

template <int D>
void damp_subgrid_velocity(Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                           const TileRanges<D>& ranges, const GridDomain<D>& domain, double rate,
                           Context& context) {
    if (!(rate > 0)) return;
    Stage stage(context, "even out");
    const Body<D> body(bubbles, mixture, ranges, domain, context);
    Array<Vec<double, D>> noise = bubbles.velocity;
    body.unseen_part(noise, context);
    body.unseen_part(noise, context);
    auto v = bubbles.velocity.write();
    const Vec<double, D>* off = noise.data();
    const double* w = body.weight.data();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) v[q] -= off[q] * (rate * w[q]);
    });
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template void damp_subgrid_velocity<D>(Bubbles<D>&, const MixtureFaces<D>&,                \
                                           const TileRanges<D>&, const GridDomain<D>&, double, \
                                           Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
