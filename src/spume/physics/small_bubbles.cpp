// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/small_bubbles.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/physics/move_bubbles.h"
#include "spume/physics/move_liquid.h"
#include "spume/physics/two_fluid.h"

namespace spume {

template <int D>
double hand_over(Bubbles<D>& bubbles, std::span<const LostRegion> lost, double air_density,
                 Context&) {
    Bubbles<D> fresh;
    resize(fresh, lost.size());
    auto x = fresh.position.write();
    auto r = fresh.radius.write();
    auto rho = fresh.density.write();
    double volume = 0;
    for (std::size_t i = 0; i < lost.size(); ++i) {
        x[i] = flattened<D>(lost[i].centre);
        const double cubed = lost[i].volume * (D == 2 ? 1 : 3.0 / 4) / math::kPi;
        r[i] = static_cast<float>(D == 2 ? std::sqrt(cubed) : math::cbrt(cubed));
        rho[i] = static_cast<float>(air_density);
        volume += bubble_volume<D>(r[i]);
    }
    append(bubbles, fresh);
    return volume;
}

double slip_speed(const DragLaw& law, double radius, double air_density, double gravity) {
    const DragCoefficients c = coefficients(law, radius);
    const double push = std::max(0.0, law.water_density - air_density) * gravity;
    return (std::sqrt(c.linear * c.linear + 4 * c.quadratic * push) - c.linear) / (2 * c.quadratic);
}

template <int D>
void carry(Bubbles<D>& bubbles, const FaceField<double, D>& velocity, const Bodies<D>& bodies,
           const Basin<D>& basin, const Vec<double, D>& gravity, const DragLaw& law,
           double air_density, double dt, Context& context) {
    if (bubbles.size() == 0) return;
    {
        Stage stage(context, "small bubbles");
        const double g = length(gravity);
        VelocitySampler<D> u(velocity, basin.clamp());
        auto v = bubbles.velocity.write();
        for (std::size_t i = 0; i < bubbles.size(); ++i) {
            v[i] = u(basin.transform.to_lattice(bubbles.position[i]));
            if (g > 0) v[i] -= gravity * (slip_speed(law, bubbles.radius[i], air_density, g) / g);
        }
    }
    advance(bubbles, dt, context);
    keep_out(bubbles, bodies, basin, context);
}

template <int D>
void lift(FaceField<double, D>& velocity, const Bubbles<D>& bubbles, const Vec<double, D>& gravity,
          const DragLaw& law, double air_density, double dt, Context& context) {
    if (bubbles.size() == 0) return;
    Stage stage(context, "small bubbles");
    const Tiles<D>& tiles = *velocity.tiles();
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= tiles.voxel();
    TileCursor<D> cursor(tiles);
    for (int a = 0; a < D; ++a) {
        if (gravity[a] == 0) continue;
        double* u = velocity.write(a);
        for (std::size_t i = 0; i < bubbles.size(); ++i) {
            const double push = -gravity[a] * dt * (1 - air_density / law.water_density) *
                                bubble_volume<D>(bubbles.radius[i]) / cell;
            const Point<D> x = face_coordinate<D>(tiles.transform(), a, bubbles.position[i]);
            const Index<D> base = floor_index<D>(x);
            for (int c = 0; c < (1 << D); ++c) {
                Index<D> face = base;
                double w = push;
                for (int d = 0; d < D; ++d) {
                    const double part = x[d] - base[d];
                    face[d] += c >> d & 1;
                    w *= (c >> d & 1) ? part : 1 - part;
                }
                const std::size_t at = cursor(face);
                if (cursor.tile() != tiles.zero()) u[at] += w;
            }
        }
    }
}

template <int D>
void rejoin(Bubbles<D>& bubbles, FollowedBubbles<D>& followed, const Transform<D>& transform,
            Context& context) {
    if (bubbles.size() == 0) return;
    Stage stage(context, "small bubbles");
    const Tiles<D>& tiles = *followed.label.tiles();
    TileCursor<D> cursor(tiles);
    std::vector<std::uint8_t> gone(bubbles.size(), 0);
    for (std::size_t i = 0; i < bubbles.size(); ++i) {
        const std::size_t at = cursor(floor_index<D>(transform.to_lattice(bubbles.position[i])));
        const double volume = bubble_volume<D>(bubbles.radius[i]);
        // Far from all liquid there is nothing but air.
        const std::int32_t k = tiles.is_active(cursor.tile()) ? followed.label.read()[at] : -2;
        if (k == -1) continue;
        gone[i] = 1;
        if (k >= 0 && !followed.bubbles[std::size_t(k)].outside)
            followed.bubbles[std::size_t(k)].rest += volume;
        else
            followed.burst += volume;
    }
    remove_if(bubbles, context, [&](std::size_t i) { return gone[i] != 0; });
}

template <int D>
void rise_at_once(std::span<const LostRegion> lost, FollowedBubbles<D>& followed,
                  const CellField<std::uint8_t, D>& phase, const Vec<double, D>& gravity,
                  std::vector<BubbleEvent>& events) {
    const double g = length(gravity);
    if (!(g > 0)) return;
    const Tiles<D>& tiles = *phase.tiles();
    TileCursor<D> cursor(tiles);
    const Vec<double, D> up = gravity * (-0.5 / g);
    for (const LostRegion& bubble : lost) {
        Point<D> x = tiles.transform().to_lattice(flattened<D>(bubble.centre));
        std::size_t at = cursor(floor_index<D>(x));
        while (tiles.is_active(cursor.tile()) && phase.read()[at] == kLiquidPhase)
            at = cursor(floor_index<D>(x += up));
        if (!tiles.is_active(cursor.tile()) || followed.label.read()[at] < 0) continue;
        AirBubble& above = followed.bubbles[std::size_t(followed.label.read()[at])];
        (above.outside ? followed.burst : above.rest) += bubble.volume;
        followed.lost -= bubble.volume;
        for (BubbleEvent& e : events)
            if (e.kind == BubbleEvent::kLoss && e.id == bubble.id)
                e.kind = above.outside ? BubbleEvent::kBurst : BubbleEvent::kMerge,
                e.other = above.id;
    }
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template double hand_over<D>(Bubbles<D>&, std::span<const LostRegion>, double, Context&);      \
    template void carry<D>(Bubbles<D>&, const FaceField<double, D>&, const Bodies<D>&,             \
                           const Basin<D>&, const Vec<double, D>&, const DragLaw&, double, double, \
                           Context&);                                                              \
    template void lift<D>(FaceField<double, D>&, const Bubbles<D>&, const Vec<double, D>&,         \
                          const DragLaw&, double, double, Context&);                               \
    template void rejoin<D>(Bubbles<D>&, FollowedBubbles<D>&, const Transform<D>&, Context&);      \
    template void rise_at_once<D>(std::span<const LostRegion>, FollowedBubbles<D>&,                \
                                  const CellField<std::uint8_t, D>&, const Vec<double, D>&,        \
                                  std::vector<BubbleEvent>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
