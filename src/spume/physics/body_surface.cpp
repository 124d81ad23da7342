// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/body_surface.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/physics/tension.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr int kSweeps = 2;      // over the fraction, for its direction
constexpr double kSteep = 0.2;  // change of that fraction in a voxel, a voxel below the surface

/// Where the surface is, as a bubble finds it.
template <int D>
struct Surface {
    CellField<double, D> fraction;   ///< φ_b, smoothed
    CellField<double, D> unclamped;  ///< c inside the body
    double voxel;

    /// −∇φ_b, a voxel as the unit of length.
    Vec<double, D> outwards(const Point<D>& x, TileCursor<D>& cursor) const {
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) {
            const auto half = Vec<double, D>::unit(a, voxel / 2);
            r[a] = sample(fraction, cursor, x - half) - sample(fraction, cursor, x + half);
        }
        return r;
    }

    /// Voxels by which the surface is further out than the bubble; nothing well inside the body.
    double distance(const Point<D>& inside, double slope, TileCursor<D>& cursor) const {
        const double crowd = std::max(sample(unclamped, cursor, inside), 1.0);
        return std::min(slope / kSteep, 1.0) * (1 - 1 / std::sqrt(crowd));
    }
};

}  // namespace

template <int D>
void lead_surface(double lead, Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                  const MixtureFaces<D>& mixture, const Openings<D>& open, const Basin<D>& basin,
                  double dt, Context& context) {
    if (!(lead > 0)) return;
    Stage stage(context, "even out");
    const CellField<std::int32_t, D> none{};
    const double h = basin.voxel();
    const Surface<D> surface{
        smoothed(cell_fraction(mixture.bubble, none, context), kSweeps, open, basin, context),
        cell_fraction(mixture.unclamped, none, context), h};
    auto position = bubbles.position.write();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(*mixed.tiles());
        for (std::size_t q = b; q < e; ++q) {
            const Point<D> x = position[q];
            const Vec<double, D> outwards = surface.outwards(x, cursor);
            const double slope = length(outwards);
            if (slope < 1e-3) continue;
            const Point<D> inside = x - outwards * (h / slope);
            position[q] += (sample(mixed, cursor, x) - sample(mixed, cursor, inside)) *
                           (lead * dt * surface.distance(inside, slope, cursor));
        }
    });
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template void lead_surface<D>(double, Bubbles<D>&, const FaceField<double, D>&,            \
                                  const MixtureFaces<D>&, const Openings<D>&, const Basin<D>&, \
                                  double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
