// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/solid_compound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"

namespace spume {
namespace {

constexpr std::size_t kMostParts = 100;
constexpr double kFarAway = std::numeric_limits<double>::infinity();

/// In 2D a part stays in the plane.
template <int D>
Pose in_plane(const Pose& pose) {
    if constexpr (D == 3) return pose;
    Pose r = pose;
    r.position[2] = 0;
    return r;
}

}  // namespace

template <int D>
void BodyShape<D>::take_parts() {
    if (parameters_.kind != BodyKind::kCompound) return;
    if (!parameters_.parts || parameters_.parts->empty())
        throw UserError("a compound without parts", "give at least one");
    if (parameters_.parts->size() > kMostParts)
        throw UserError(fmt::format("a compound of {} parts", parameters_.parts->size()),
                        fmt::format("give at most {}, or several solids", kMostParts));
    auto parts = std::make_shared<std::vector<Part>>();
    for (const BodyPart& p : *parameters_.parts)
        parts->push_back({PlacedBody<D>(BodyShape<D>(p.body), in_plane<D>(p.pose), {}), p.combine});
    if (parts->front().combine != Combine::kUnion)
        throw UserError("the first part of a compound has nothing before it",
                        "give it combine = \"union\", or leave that out");
    parts_ = std::move(parts);
}

template <int D>
Box<double, D> BodyShape<D>::own_bounds() const {
    Box<double, D> r = parts_->front().body.bounds();
    for (const Part& part : *parts_) {
        const Box<double, D>& b = part.body.bounds();
        if (part.combine == Combine::kUnion) r = {min(r.lo, b.lo), max(r.hi, b.hi)};
        if (part.combine == Combine::kIntersection) r = r.intersected(b);
    }
    if (r.empty()) throw UserError("nothing is left of a compound", "let its parts overlap");
    return r;
}

template <int D>
double BodyShape<D>::compound_distance(const Point<D>& x, double band) const {
    double d = kFarAway;
    for (const Part& part : *parts_) {
        const double own =
            band < kFarAway ? part.body.distance_within(x, band) : part.body.distance(x);
        d = part.combine == Combine::kUnion        ? std::min(d, own)
            : part.combine == Combine::kDifference ? std::max(d, -own)
                                                   : std::max(d, own);
    }
    return d;
}

/// From where lines of a lattice enter it, straight inwards to the other side.
template <int D>
double BodyShape<D>::thinnest_of_compound() const {
    constexpr int kLines = 12, kSteps = 400;
    const Vec<double, D> size = bounds_.size();
    const double near = 1e-6 * length(size);
    double least = length(size);
    const int lines = D == 2 ? kLines : kLines * kLines;
    for (int axis = 0; axis < D; ++axis)
        for (int n = 0; n < lines; ++n) {
            Point<D> from = bounds_.lo;
            int rest = n;
            for (int a = 0; a < D; ++a) {
                if (a == axis) continue;
                from[a] += size[a] * (rest % kLines + 0.5) / kLines;
                rest /= kLines;
            }
            Point<D> to = from;
            from[axis] -= size[axis] * 0.01, to[axis] += size[axis] * 1.01;
            const auto entry = first_crossing(from, to);
            if (!entry) continue;
            const Point<D> x = from + (to - from) * entry->part;
            double way = 2 * near;
            for (int step = 0; step < kSteps && way < least; ++step) {
                const double d = -distance(x - entry->normal * way);
                if (d < near) break;
                way += d;
            }
            if (way > 4 * near) least = std::min(least, way);
        }
    for (const Part& part : *parts_)
        if (part.combine == Combine::kUnion) least = std::min(least, part.body.shape().thickness());
    return least;
}

/// Cells that the surface may cut are halved; the smallest count by their distance.
template <int D>
typename BodyShape<D>::Sums BodyShape<D>::sampled_sums() const {
    constexpr int kCoarse = 8, kHalvings = 4;  // 128 along the longest side
    const Vec<double, D> size = bounds_.size();
    double longest = 0;
    for (int i = 0; i < D; ++i) longest = std::max(longest, size[i]);
    Sums sums;
    const auto add = [&](const Point<D>& x, double h, double share) {
        const double v = share * product(Vec<double, D>::filled(h));
        sums.volume += v;
        sums.first += x * v;
        for (int i = 0; i < D; ++i) {
            sums.second[i] += x * (v * x[i]);
            sums.second[i][i] += v * h * h / 12;
        }
    };
    const auto look = [&](auto&& self, const Point<D>& centre, double h, int depth) -> void {
        const double reach = 0.5 * h * std::sqrt(double(D));
        const double d = distance_within(centre, reach);
        if (d >= reach) return;
        if (d <= -reach) return add(centre, h, 1);
        if (depth == kHalvings) return add(centre, h, std::clamp(0.5 - d / h, 0.0, 1.0));
        for (int child = 0; child < 1 << D; ++child) {
            Point<D> x = centre;
            for (int a = 0; a < D; ++a) x[a] += (child >> a & 1 ? 0.25 : -0.25) * h;
            self(self, x, h / 2, depth + 1);
        }
    };
    const double h = longest / kCoarse;
    int count = 1, cells[D];
    for (int a = 0; a < D; ++a) {
        cells[a] = static_cast<int>(std::ceil(size[a] / h * (1 - 1e-12))) + 1;
        count *= cells[a];
    }
    for (int n = 0; n < count; ++n) {
        Point<D> x = bounds_.lo;
        int rest = n;
        for (int a = 0; a < D; ++a) {
            x[a] += (rest % cells[a] + 0.25) * h;  // faces of the bounds fall between samples
            rest /= cells[a];
        }
        look(look, x, h, 0);
    }
    return sums;
}

#define SPUME_INSTANTIATE(D)                                                        \
    template void BodyShape<D>::take_parts();                                       \
    template Box<double, D> BodyShape<D>::own_bounds() const;                       \
    template double BodyShape<D>::compound_distance(const Point<D>&, double) const; \
    template double BodyShape<D>::thinnest_of_compound() const;                     \
    template BodyShape<D>::Sums BodyShape<D>::sampled_sums() const;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
