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
constexpr double kLight = 0.01, kHeavy = 0.1;  // ρ_b / ρ_w: nothing below, all above

double weight_of(double air, double water) {
    return std::clamp((air / water - kLight) / (kHeavy - kLight), 0.0, 1.0);
}

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
bool lead_surface(Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                  const MixtureFaces<D>& mixture, const Openings<D>& open, const Basin<D>& basin,
                  const Coupling<D>& coupling, Context& context) {
    const double water = coupling.drag.water_density;
    const auto& density = bubbles.density;
    if (std::none_of(density.begin(), density.end(),
                     [&](float air) { return weight_of(air, water) > 0; }))
        return false;
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
            const double lead =
                weight_of(density[q], water) * surface.distance(inside, slope, cursor);
            if (lead > 0)
                position[q] += (sample(mixed, cursor, x) - sample(mixed, cursor, inside)) *
                               (coupling.dt * lead);
        }
    });
    return true;
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template bool lead_surface<D>(Bubbles<D>&, const FaceField<double, D>&,                    \
                                  const MixtureFaces<D>&, const Openings<D>&, const Basin<D>&, \
                                  const Coupling<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
