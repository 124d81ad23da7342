// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/marker_bubbles.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/grid/sample.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/neighbours.h"

namespace spume {
namespace {

constexpr int kDraws = 256;      // of a radius, until the range is met
constexpr int kRounds = 4096;    // over the markers of a pocket
constexpr double kLeast = 1e-3;  // markers up to this much above the least radius count as such

/// A bubble in the making.
template <int D>
struct Candidate {
    typename EscapedMarkers<D>::Marker from;
    Point<D> position{};
    double radius = 0;
    bool small = false;   ///< needs company
    bool pocket = false;  ///< its volume is accounted for
};

/// κ = ∇·(∇Φ/|∇Φ|) by central differences a voxel apart; negative where air bulges into water.
template <int D>
double curvature_at(const CellField<double, D>& phi, TileCursor<D>& cursor, const Point<D>& x) {
    const double h = phi.tiles()->voxel();
    const auto at = [&](int a, double da, int b, double db) {
        Point<D> y = x;
        y[a] += da * h;
        y[b] += db * h;
        return sample(phi, cursor, y);
    };
    const double middle = sample(phi, cursor, x);
    Vec<double, D> g{};
    double trace = 0, along = 0;
    double second[D][D];
    for (int a = 0; a < D; ++a) {
        g[a] = (at(a, 1, a, 0) - at(a, -1, a, 0)) / (2 * h);
        second[a][a] = (at(a, 1, a, 0) - 2 * middle + at(a, -1, a, 0)) / (h * h);
        for (int b = 0; b < a; ++b)
            second[a][b] = second[b][a] =
                (at(a, 1, b, 1) - at(a, 1, b, -1) - at(a, -1, b, 1) + at(a, -1, b, -1)) /
                (4 * h * h);
    }
    const double squared = dot(g, g);
    if (!(squared > 1e-12)) return 0;
    for (int a = 0; a < D; ++a) {
        trace += second[a][a];
        for (int b = 0; b < D; ++b) along += g[a] * g[b] * second[a][b];
    }
    return (trace - along / squared) / std::sqrt(squared);
}

/// Single markers, [G04] §§4.1, 4.3, 4.6.
template <int D>
void take_single(const EscapedMarkers<D>& markers, const CellField<double, D>& phi,
                 const MarkerLaw& law, MarkerBubbles<D>& r, std::vector<Candidate<D>>& out) {
    TileCursor<D> cursor(*phi.tiles());
    for (const auto& m : markers.markers) {
        if (m.pocket != 0) continue;
        if (Random(law.seed, m.id, 0, Purpose::kCount).uniform(0) >= law.keep) {
            ++r.thinned;
        } else if (!(sample(phi, cursor, m.position) < -law.escape * m.radius)) {
            ++r.shallow;
        } else if (law.concave && !(curvature_at(phi, cursor, m.position) < 0)) {
            ++r.convex;
        } else {
            const bool small = m.radius <= law.marker_min * (1 + kLeast);
            out.push_back({m, m.position, marker_bubble_radius(law, m.radius, m.id, 0),
                           law.need_company && small, false});
        }
    }
}

template <int D>
bool within(const Point<D>& x, double radius, const Candidate<D>& other) {
    const double room = other.radius - radius;
    const Vec<double, D> way = x - other.position;
    return room > 0 && dot(way, way) <= room * room;
}

/// Markers of a pocket in an order that is random but theirs: ids follow the lattice on which they
/// were seeded, and the first of these lie all on one side.
template <int D>
void shuffle(std::vector<const typename EscapedMarkers<D>::Marker*>& markers, std::uint64_t seed) {
    std::vector<std::pair<double, const typename EscapedMarkers<D>::Marker*>> drawn;
    drawn.reserve(markers.size());
    for (const auto* m : markers)
        drawn.push_back({Random(seed, m->id, 0, Purpose::kJitter).uniform(0), m});
    std::stable_sort(drawn.begin(), drawn.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < drawn.size(); ++k) markers[k] = drawn[k].second;
}

/// A pocket's air as bubbles, marker after marker until it is used up.
template <int D>
void take_pocket(const std::vector<const typename EscapedMarkers<D>::Marker*>& markers,
                 double volume, const MarkerLaw& law, double& carried,
                 std::vector<Candidate<D>>& out) {
    double left = volume + carried;
    const double about = bubble_radius<D>(volume);  // of the pocket, were it a ball
    const double least = bubble_volume<D>(law.radius_min);
    const std::size_t first = out.size();
    for (int round = 0; round < kRounds && left >= least; ++round)
        for (std::size_t k = 0; k < markers.size() && left >= least; ++k) {
            const auto& m = *markers[k];
            double radius = marker_bubble_radius(law, m.radius, m.id, std::uint32_t(round));
            // The last one takes what is left, if that is a bubble of the range.
            if (bubble_volume<D>(radius) > left) radius = bubble_radius<D>(left);
            Point<D> x = m.position;
            if (round > 0)
                x += (Random(law.seed, m.id, std::uint32_t(round), Purpose::kJitter)
                          .template uniform_vec<D>(0) -
                      Vec<double, D>::filled(0.5)) *
                     std::max(about, 2 * m.radius);
            const bool inside = std::any_of(out.begin() + std::ptrdiff_t(first), out.end(),
                                            [&](const auto& c) { return within(x, radius, c); });
            if (inside) continue;
            out.push_back({m, x, radius, false, true});
            left -= bubble_volume<D>(radius);
        }
    carried = left;
}

template <int D>
void take_pockets(const EscapedMarkers<D>& markers, const MarkerLaw& law, double& carried,
                  MarkerBubbles<D>& r, std::vector<Candidate<D>>& out) {
    std::map<std::int32_t, std::vector<const typename EscapedMarkers<D>::Marker*>> pockets;
    for (const auto& m : markers.markers)
        if (m.pocket != 0) pockets[m.pocket].push_back(&m);
    for (auto& [pocket, members] : pockets) {
        shuffle<D>(members, law.seed);
        double volume = 0;
        for (const auto* m : members) volume += m->volume;
        if (volume == 0) volume = law.marker_volume * double(members.size());
        r.from_pockets += volume;
        take_pocket<D>(members, volume, law, carried, out);
    }
}

/// Drops those without company, then those inside others; pockets' bubbles stay.
template <int D>
void sift(std::vector<Candidate<D>>& all, MarkerBubbles<D>& r, Context& context) {
    if (all.empty()) return;
    std::vector<Point<D>> x;
    double largest = 0;
    for (const auto& c : all) {
        x.push_back(c.position);
        largest = std::max(largest, c.radius);
    }
    const NeighbourLists near = find_neighbours<D>(x, 2 * largest, context);
    std::vector<std::uint8_t> keep(all.size(), 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].small) continue;
        const auto list = near.of(i);
        keep[i] = std::any_of(list.begin(), list.end(), [&](std::uint32_t j) {
            return !all[j].small && length(x[i] - x[j]) < all[i].radius + all[j].radius;
        });
        r.lone += keep[i] == 0;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!keep[i] || all[i].pocket) continue;
        for (const std::uint32_t j : near.of(i))
            if (keep[j] && within(x[i], all[i].radius, all[j])) {
                keep[i] = 0;
                ++r.inside;
                break;
            }
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (keep[i]) all[n++] = all[i];
    all.resize(n);
}

}  // namespace

double considered_part(double density, double markers_a_cell, double voxel, int dimensions,
                       bool by_area) {
    if (!(density > 0)) return 1;
    double cell = 1;
    for (int a = 0; a < dimensions; ++a) cell *= voxel;
    const double part = density * cell / markers_a_cell;
    const double power = by_area ? double(dimensions - 1) / dimensions : 1;
    return std::min(1.0, math::pow(part, power));
}

double marker_bubble_radius(const MarkerLaw& law, double marker_radius, std::uint64_t id,
                            std::uint32_t round) {
    const double span = law.marker_max - law.marker_min;
    const double s = span > 0 ? std::clamp((marker_radius - law.marker_min) / span, 0.0, 1.0) : 0;
    const double mean = law.small_mean + s * (law.large_mean - law.small_mean);
    const double deviation = law.small_deviation + s * (law.large_deviation - law.small_deviation);
    const Random random(law.seed, id, round, Purpose::kRadius);
    double r = mean;
    for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
        const double u = 1 - random.uniform(2 * draw), angle = random.uniform(2 * draw + 1);
        r = mean + deviation * std::sqrt(-2 * math::log(u)) * math::cos(2 * math::kPi * angle);
        if (r >= law.radius_min && r <= law.radius_max) return r;
    }
    return std::clamp(r, law.radius_min, law.radius_max);
}

template <int D>
MarkerBubbles<D> bubbles_from_markers(EscapedMarkers<D> markers, const CellField<double, D>& phi,
                                      const MarkerLaw& law, double& carried, Context& context) {
    Stage stage(context, "markers");
    std::sort(markers.markers.begin(), markers.markers.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    MarkerBubbles<D> r;
    std::vector<Candidate<D>> all;
    take_pockets(markers, law, carried, r, all);
    take_single(markers, phi, law, r, all);
    sift(all, r, context);
    resize(r.bubbles, all.size());
    auto x = r.bubbles.position.write();
    auto v = r.bubbles.velocity.write();
    auto radius = r.bubbles.radius.write();
    for (std::size_t i = 0; i < all.size(); ++i) {
        x[i] = all[i].position;
        v[i] = all[i].from.velocity;
        radius[i] = all[i].radius;
        r.born.push_back(all[i].from.time);
    }
    return r;
}

template MarkerBubbles<2> bubbles_from_markers<2>(EscapedMarkers<2>, const CellField<double, 2>&,
                                                  const MarkerLaw&, double&, Context&);
template MarkerBubbles<3> bubbles_from_markers<3>(EscapedMarkers<3>, const CellField<double, 3>&,
                                                  const MarkerLaw&, double&, Context&);

}  // namespace spume
