// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/thin_walls.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace spume {
namespace {

constexpr double kTouch = 1e-6;  // of a voxel: nearer is on the surface, as for corners
constexpr int kSlides = 3;       // along how many walls a point slides in one substep

template <int D>
bool apart(const Box<double, D>& box, const Point<D>& a, const Point<D>& b) {
    for (int i = 0; i < D; ++i)
        if (std::max(a[i], b[i]) < box.lo[i] || std::min(a[i], b[i]) > box.hi[i]) return true;
    return false;
}

}  // namespace

template <int D>
std::vector<std::size_t> thin_bodies(const PlacedSolids<D>& bodies, double voxel) {
    std::vector<std::size_t> r;
    for (std::size_t i = 0; i < bodies.placed.size(); ++i)
        if (is_thin(bodies.placed[i], voxel)) r.push_back(i);
    return r;
}

template <int D>
bool has_thin(const PlacedSolids<D>& bodies, double voxel) {
    return std::any_of(bodies.placed.begin(), bodies.placed.end(),
                       [&](const PlacedBody<D>& b) { return is_thin(b, voxel); });
}

template <int D>
ThinWalls<D>::ThinWalls(const NearSolids<D>& near, const Transform<D>& transform)
    : near_(near), transform_(transform) {
    for (const PlacedBody<D>* body : near)
        if (is_thin(*body, transform.voxel)) thin_.push_back(body);
}

template <int D>
bool ThinWalls<D>::within(const Point<D>& x, double voxels) const {
    const double reach = voxels * transform_.voxel;
    return std::any_of(thin_.begin(), thin_.end(), [&](const PlacedBody<D>* body) {
        return body->bounds().grown(reach).contains(x) && body->distance_within(x, reach) < reach;
    });
}

template <int D>
bool ThinWalls<D>::covers(const Point<D>& x) const {
    const double touch = kTouch * transform_.voxel;
    return near_.distance_within(x, touch) <= touch;
}

template <int D>
bool ThinWalls<D>::sees(const Point<D>& a, const Point<D>& b) const {
    return std::none_of(near_.begin(), near_.end(), [&](const PlacedBody<D>* body) {
        return !apart(body->bounds(), a, b) && body->first_crossing(a, b);
    });
}

template <int D>
bool ThinWalls<D>::is_split(const Index<D>& cell) const {
    Point<D> outside[1 << D];
    int count = 0;
    for (int k = 0; k < (1 << D); ++k) {
        Index<D> corner = cell;
        for (int a = 0; a < D; ++a) corner[a] += k >> a & 1;
        const Point<D> x = transform_.to_world(corner.template as<double>());
        if (covers(x)) continue;
        for (int n = 0; n < count; ++n)
            if (!sees(outside[n], x)) return true;
        outside[count++] = x;
    }
    return false;
}

template <int D>
FaceByWalls ThinWalls<D>::face(int axis, const Index<D>& face, bool open) const {
    // Every point between the two centres is within half a voxel of the middle of the face.
    Point<D> middle = face.template as<double>() + Point<D>::filled(0.5);
    middle[axis] -= 0.5;
    middle = transform_.to_world(middle);
    if (!within(middle, 0.5 + 2 * kTouch)) return {};
    const Vec<double, D> half = Vec<double, D>::unit(axis, 0.5 * transform_.voxel);
    const Point<D> centre[2] = {middle - half, middle + half};
    const bool covered[2] = {covers(centre[0]), covers(centre[1])};
    if (!covered[0] && !covered[1]) {
        const bool parted = !sees(centre[0], centre[1]);
        return {parted, parted};
    }
    if (!open) return {false, true};
    for (int side = 0; side < 2; ++side) {
        if (covered[side]) {
            if (is_split(side ? face : face - Index<D>::unit(axis))) return {true, true};
            continue;
        }
        // The corners that leave the face open must be on the side of this centre.
        for (int k = 0; k < (1 << D); ++k) {
            if (k >> axis & 1) continue;
            Index<D> corner = face;
            for (int a = 0; a < D; ++a) corner[a] += k >> a & 1;
            const Point<D> x = transform_.to_world(corner.template as<double>());
            if (!covers(x) && !sees(centre[side], x)) return {true, true};
        }
    }
    return {};
}

template <int D>
std::function<bool(const Point<D>&, const Point<D>&)> sight_past(const PlacedSolids<D>& bodies,
                                                                 double voxel) {
    auto thin = std::make_shared<std::vector<PlacedBody<D>>>();
    for (const std::size_t i : thin_bodies(bodies, voxel)) thin->push_back(bodies.placed[i]);
    return [thin = std::shared_ptr<const std::vector<PlacedBody<D>>>(std::move(thin))](
               const Point<D>& a, const Point<D>& b) {
        return std::none_of(thin->begin(), thin->end(), [&](const PlacedBody<D>& body) {
            return !apart(body.bounds(), a, b) && body.first_crossing(a, b);
        });
    };
}

template <int D>
WayStops<D>::WayStops(const Departure<D>* before, const PlacedSolids<D>& after, double voxel)
    : before_(before) {
    if (!before || before->bodies.empty()) return;
    for (const std::size_t i : thin_bodies(after, voxel)) {
        const PlacedBody<D>&b = before->bodies.placed[i], &a = after.placed[i];
        // A turning body may bulge out of both its boxes, by less than these differ.
        double bulge = 0;
        for (int k = 0; k < D; ++k)
            bulge = std::max({bulge, std::abs(a.bounds().lo[k] - b.bounds().lo[k]),
                              std::abs(a.bounds().hi[k] - b.bounds().hi[k])});
        const Box<double, D> both = b.bounds().including(a.bounds().lo).including(a.bounds().hi);
        thin_.push_back({&b, &a, both.grown(bulge)});
    }
}

template <int D>
bool WayStops<D>::first(const Point<D>& from, const Point<D>& x, bool moving, Hit& hit) const {
    bool any = false;
    for (const Pair& pair : thin_) {
        if (apart(pair.swept, from, x)) continue;
        const auto at = pair.after->first_crossing(moving ? *pair.before : *pair.after, from, x);
        if (!at || (any && at->part >= hit.at.part)) continue;
        hit = {moving ? pair.before : pair.after, pair.after, *at};
        any = true;
    }
    return any;
}

template <int D>
void WayStops<D>::stop(const Point<D>& from, Point<D>& x, Vec<double, D>& v, double clear) const {
    Point<D> start = from;
    Hit hit;
    for (int n = 0; first(start, x, n == 0, hit); ++n) {
        const Point<D> begin = hit.after->carried(*hit.before, start);
        const Point<D> end = hit.after->to_body(x);
        const Point<D> met = hit.after->to_world(begin + (end - begin) * hit.at.part);
        const Vec<double, D>& normal = hit.at.normal;
        const double into = dot(v - hit.after->velocity(met), normal);
        if (into < 0) v -= normal * into;
        // The start, carried along, is on the right side for certain.
        start = hit.after->to_world(begin);
        const Point<D> aside = met + normal * clear;
        Hit other;
        if (!first(start, aside, false, other)) start = aside;
        if (n == kSlides) {
            x = start;
            return;
        }
        const Vec<double, D> rest = x - start;
        x = start + rest - normal * dot(rest, normal);
    }
}

template <int D>
void WayStops<D>::hold(const Point<D>& from, Point<D>& x) const {
    Hit hit;
    if (first(from, x, true, hit)) x = hit.after->to_world(hit.after->carried(*hit.before, from));
}

#define SPUME_INSTANTIATE(D)                                                          \
    template std::vector<std::size_t> thin_bodies<D>(const PlacedSolids<D>&, double); \
    template bool has_thin<D>(const PlacedSolids<D>&, double);                        \
    template class ThinWalls<D>;                                                      \
    template std::function<bool(const Point<D>&, const Point<D>&)> sight_past<D>(     \
        const PlacedSolids<D>&, double);                                              \
    template class WayStops<D>;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
