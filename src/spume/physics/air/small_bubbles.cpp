// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/air/small_bubbles.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/scene/rise_speed.h"

namespace spume {
namespace {

template <int D>
double mass_of(const Bubbles<D>& bubbles, std::size_t i) {
    return bubble_volume<D>(bubbles.radius[i]) * double(bubbles.density[i]);
}

/// The faces across one axis that share an impulse.
template <int D>
class Sharers {
  public:
    Sharers(const Tiles<D>& tiles, const LiquidFaces<D>& faces, int axis)
        : tiles_(tiles), faces_(faces), axis_(axis), cursor_(tiles), cells_(tiles) {}

    /// f(place, share) for each, shares of one; false: there is none within reach.
    template <class F>
    bool around(const Point<D>& x, double volume, F&& f) {
        const double side = D == 2 ? std::sqrt(volume) : math::cbrt(volume);
        near(face_coordinate<D>(tiles_.transform(), axis_, x),
             std::max(1.0, side / tiles_.voxel()));
        for (int reach = 1; reach <= kScatterReach && found_.empty(); ++reach) within(reach);
        double sum = 0;
        for (const auto& [at, w] : found_) sum += w;
        for (const auto& [at, w] : found_) f(at, w / sum);
        return !found_.empty();
    }

  private:
    void near(const Point<D>& u, double width) {
        base_ = floor_index<D>(u);
        found_.clear();
        const int reach = int(std::ceil(width)) - 1;
        for_cube(reach, [&](const Index<D>& face) {
            double w = 1;
            for (int d = 0; d < D; ++d) w *= std::max(0.0, 1 - std::abs(u[d] - face[d]) / width);
            if (w > 0) add(face, w);
        });
    }
    /// All faces of a cube around, each with the same share.
    void within(int reach) {
        for_cube(reach, [&](const Index<D>& face) { add(face, 1); });
    }
    /// f(face) from `reach` below the base to `reach` above the next one.
    template <class F>
    void for_cube(int reach, F&& f) {
        const int side = 2 * reach + 2;
        int count = 1;
        for (int d = 0; d < D; ++d) count *= side;
        for (int c = 0; c < count; ++c) {
            Index<D> face = base_;
            for (int d = 0, rest = c; d < D; ++d, rest /= side) face[d] += rest % side - reach;
            f(face);
        }
    }
    void add(const Index<D>& face, double weight) {
        const std::size_t at = cursor_(face);
        if (cursor_.tile() == tiles_.zero()) return;
        if (faces_.phase && (faces_.area->read(axis_)[at] == 0 ||
                             (!liquid(face) && !liquid(face - Index<D>::unit(axis_)))))
            return;
        found_.push_back({at, weight});
    }
    bool liquid(const Index<D>& cell) {
        const std::size_t at = cells_(cell);
        return tiles_.is_active(cells_.tile()) && faces_.phase->read()[at] == kLiquidPhase;
    }

    const Tiles<D>& tiles_;
    const LiquidFaces<D>& faces_;
    int axis_;
    TileCursor<D> cursor_, cells_;
    Index<D> base_{};
    std::vector<std::pair<std::size_t, double>> found_;
};

}  // namespace

template <int D>
Vec<double, D> scatter_impulses(FaceField<double, D>& velocity,
                                std::span<const Impulse<D>> impulses, const LiquidFaces<D>& faces,
                                double water_density, Context& context) {
    Vec<double, D> left{};
    if (impulses.empty()) return left;
    Stage stage(context, "small bubbles");
    const Tiles<D>& tiles = *velocity.tiles();
    const double mass = water_density * cell_volume(tiles);
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        const double* light =
            faces.inverse_density_ratio ? faces.inverse_density_ratio->read(a) : nullptr;
        Sharers<D> sharers(tiles, faces, a);
        for (const Impulse<D>& j : impulses) {
            if (j.momentum[a] == 0) continue;
            const double push = j.momentum[a] / mass;
            const bool given = sharers.around(j.at, j.volume, [&](std::size_t at, double share) {
                u[at] += push * share * (light ? light[at] : 1.0);
            });
            if (!given) left[a] += j.momentum[a];
        }
    }
    return left;
}

template <int D>
double hand_over(Bubbles<D>& bubbles, std::span<const LostRegion> lost, double air_density,
                 Context&, std::vector<Impulse<D>>* owed) {
    Bubbles<D> fresh;
    resize(fresh, lost.size());
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto r = fresh.radius.write();
    auto rho = fresh.density.write();
    double volume = 0;
    for (std::size_t i = 0; i < lost.size(); ++i) {
        x[i] = flattened<D>(lost[i].centre);
        v[i] = flattened<D>(lost[i].velocity);
        r[i] = static_cast<float>(bubble_radius<D>(lost[i].volume));
        rho[i] = static_cast<float>(air_density);
        volume += bubble_volume<D>(r[i]);
        if (owed) owed->push_back({x[i], v[i] * -mass_of(fresh, i), bubble_volume<D>(r[i])});
    }
    append(bubbles, fresh);
    return volume;
}

double slip_speed(const DragLaw& law, double radius, double air_density, double gravity) {
    const DragCoefficients c = coefficients(law, radius);
    return rise_speed(c.linear, c.quadratic, law.water_density - air_density, gravity);
}

template <int D>
std::vector<Impulse<D>> bubble_to_region(Bubbles<D>& bubbles, BubbleTracker<D>& tracker,
                                         const Transform<D>& transform, Context& context) {
    std::vector<Impulse<D>> owed;
    if (bubbles.size() == 0) return owed;
    Stage stage(context, "small bubbles");
    const Tiles<D>& tiles = *tracker.label.tiles();
    TileCursor<D> cursor(tiles);
    std::vector<std::uint8_t> gone(bubbles.size(), 0);
    for (std::size_t i = 0; i < bubbles.size(); ++i) {
        const std::size_t at = cursor(floor_index<D>(transform.to_lattice(bubbles.position[i])));
        const double volume = bubble_volume<D>(bubbles.radius[i]);
        // Far from all liquid there is nothing but air.
        const std::int32_t k = tiles.is_active(cursor.tile()) ? tracker.label.read()[at] : -2;
        if (k == -1) continue;
        gone[i] = 1;
        owed.push_back({bubbles.position[i], bubbles.velocity[i] * mass_of(bubbles, i), volume});
        if (k >= 0 && !tracker.bubbles[std::size_t(k)].outside)
            tracker.bubbles[std::size_t(k)].rest += volume;
        else
            tracker.burst += volume;
    }
    remove_if(bubbles, context, [&](std::size_t i) { return gone[i] != 0; });
    return owed;
}

template <int D>
void rise_at_once(std::span<const LostRegion> lost, BubbleTracker<D>& tracker,
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
        if (!tiles.is_active(cursor.tile()) || tracker.label.read()[at] < 0) continue;
        AirBubble& above = tracker.bubbles[std::size_t(tracker.label.read()[at])];
        (above.outside ? tracker.burst : above.rest) += bubble.volume;
        tracker.lost -= bubble.volume;
        for (BubbleEvent& e : events)
            if (e.kind == BubbleEvent::kLoss && e.id == bubble.id)
                e.kind = above.outside ? BubbleEvent::kBurst : BubbleEvent::kMerge,
                e.other = above.id;
    }
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template Vec<double, D> scatter_impulses<D>(FaceField<double, D>&,                       \
                                                std::span<const Impulse<D>>,                 \
                                                const LiquidFaces<D>&, double, Context&);    \
    template double hand_over<D>(Bubbles<D>&, std::span<const LostRegion>, double, Context&, \
                                 std::vector<Impulse<D>>*);                                  \
    template std::vector<Impulse<D>> bubble_to_region<D>(Bubbles<D>&, BubbleTracker<D>&,     \
                                                         const Transform<D>&, Context&);     \
    template void rise_at_once<D>(std::span<const LostRegion>, BubbleTracker<D>&,            \
                                  const CellField<std::uint8_t, D>&, const Vec<double, D>&,  \
                                  std::vector<BubbleEvent>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
