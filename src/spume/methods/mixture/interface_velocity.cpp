// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/interface_velocity.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/methods/mixture/tension.h"

namespace spume::mixture {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr int kSweeps = 2;      // over the fraction, for its direction
constexpr double kSteep = 0.2;  // change of that fraction in a voxel, a voxel below the surface
/// Radii in voxels, of bodies of light air (half the water's density or less) that are not led and
/// of those that are led wholly: what leaves a small one at its rear is not brought back.
constexpr double kSmallBody = 9, kLargeBody = 12;

/// Where the surface is, as a bubble finds it.
template <int D>
struct Surface {
    CellField<double, D> fraction;   ///< φ_b, smoothed
    CellField<double, D> unclamped;  ///< c inside the body
    Pockets<D> pockets;
    std::vector<double> weight;  ///< by pocket, 0 … 1
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

    double weight_at(const Point<D>& x, TileCursor<D>& cursor) const {
        const auto& transform = pockets.label.tiles()->transform();
        const std::size_t cell = cursor(floor_index<D>(transform.to_lattice(x)));
        return weight[std::size_t(pockets.label.read()[cell])];
    }

    /// Voxels by which the surface is further out than the bubble; nothing well inside the body.
    double distance(const Point<D>& inside, double slope, TileCursor<D>& cursor) const {
        const double excess = std::max(sample(unclamped, cursor, inside), 1.0);
        return std::min(slope / kSteep, 1.0) * (1 - 1 / std::sqrt(excess));
    }
};

template <int D>
Surface<D> surface_of(const MixtureFaces<D>& mixture, const CutCells<D>& open,
                      const GridDomain<D>& domain, Context& context) {
    const CellField<std::int32_t, D> none{};
    const auto fraction = cell_fraction(mixture.bubble, none, context);
    Pockets<D> pockets = pockets_of(fraction, context);
    std::vector<double> weight = radii_of(pockets, fraction, context);
    for (double& w : weight) w = std::clamp((w - kSmallBody) / (kLargeBody - kSmallBody), 0.0, 1.0);
    return {smoothed(fraction, kSweeps, open, domain, context),
            cell_fraction(mixture.unclamped, none, context), std::move(pockets), std::move(weight),
            domain.voxel()};
}

}  // namespace

template <int D>
void correct_interface_velocity(double lead, Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                                const MixtureFaces<D>& mixture, const CutCells<D>& open,
                                const GridDomain<D>& domain, double water_density, double dt,
                                Context& context) {
    if (!(lead > 0)) return;
    Stage stage(context, "even out");
    const Surface<D> surface = surface_of(mixture, open, domain, context);
    const double h = domain.voxel();
    auto position = bubbles.position.write();
    const float* density = bubbles.density.data();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(*mixed.tiles());
        for (std::size_t q = b; q < e; ++q) {
            const Point<D> x = position[q];
            const double light = std::clamp(2 * (1 - density[q] / water_density), 0.0, 1.0);
            const double share = lead * (1 - light * (1 - surface.weight_at(x, cursor)));
            if (!(share > 0)) continue;
            const Vec<double, D> outwards = surface.outwards(x, cursor);
            const double slope = length(outwards);
            if (slope < 1e-3) continue;
            const Point<D> inside = x - outwards * (h / slope);
            position[q] += (sample(mixed, cursor, x) - sample(mixed, cursor, inside)) *
                           (share * dt * surface.distance(inside, slope, cursor));
        }
    });
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template void correct_interface_velocity<D>(double, Bubbles<D>&, const FaceField<double, D>&, \
                                                const MixtureFaces<D>&, const CutCells<D>&,       \
                                                const GridDomain<D>&, double, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
