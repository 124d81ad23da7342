// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/liquid_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spume {
namespace {

/// Lines a voxel across a source; fewest and most of them across it. Of a round front in the plane
/// each end is right to half a line, in space such errors of many rows make up for each other.
template <int D>
constexpr int kLines = D == 2 ? 64 : 16;
template <int D>
constexpr int kFewestLines = D == 2 ? 128 : 64;
template <int D>
constexpr int kMostLines = D == 2 ? 512 : 96;
/// Points a voxel along them.
constexpr int kPoints = 4;
/// Halvings of the way between two points, to find where a line leaves.
constexpr int kHalvings = 10;

/// D directions of unit length, the first along v.
template <int D>
std::vector<Vec<double, D>> frame_along(const Vec<double, D>& v) {
    std::vector<Vec<double, D>> r{v / length(v)};
    if constexpr (D == 2) {
        r.push_back({-r[0][1], r[0][0]});
    } else {
        int least = 0;
        for (int a = 1; a < D; ++a)
            if (std::abs(r[0][a]) < std::abs(r[0][least])) least = a;
        const Vec<double, D> side = cross(r[0], Vec<double, D>::unit(least));
        r.push_back(side / length(side));
        r.push_back(cross(r[0], r[1]));
    }
    return r;
}

/// How far a shape reaches along a direction.
template <int D>
Interval extent(const PlacedBody<D>& body, const Vec<double, D>& along) {
    const Box<double, D>& box = body.shape().bounds();
    Interval r{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (int k = 0; k < (1 << D); ++k) {
        Point<D> corner{};
        for (int a = 0; a < D; ++a) corner[a] = (k >> a & 1) ? box.hi[a] : box.lo[a];
        const double at = dot(body.to_world(corner), along);
        r = {std::min(r.begin, at), std::max(r.end, at)};
    }
    return r;
}

/// One line of a source, asked where it leaves.
template <int D>
class Line {
  public:
    Line(const LiquidFlow<D>& flow, const typename LiquidFlow<D>::Source& source,
         const GridDomain<D>& domain, const NearSolids<D>& near)
        : flow_(flow),
          source_(source),
          box_(domain.bounds()),
          voxel_(domain.voxel()),
          near_(near) {}

    /// How often the line from `foot` along `along` leaves the source into the open.
    int exits(const Point<D>& foot, const Vec<double, D>& along, const Interval& way) const {
        const int count =
            std::max(2, static_cast<int>(std::ceil(way.length() / voxel_ * kPoints))) + 2;
        const double step = way.length() / (count - 2);
        int r = 0;
        bool before = false;
        for (int i = 0; i < count; ++i) {
            const double at = way.begin + (i - 0.5) * step;
            const bool now = holds(foot + along * at);
            if (before && !now) r += opens_out(foot, along, at - step, at);
            before = now;
        }
        return r;
    }

  private:
    bool is_free(const Point<D>& x) const { return box_.contains(x) && !near_.covers(x); }
    bool holds(const Point<D>& x) const { return flow_.source_at(x) == &source_ && is_free(x); }
    bool opens_out(const Point<D>& foot, const Vec<double, D>& along, double in, double out) const {
        for (int n = 0; n < kHalvings; ++n) {
            const double middle = (in + out) / 2;
            (holds(foot + along * middle) ? in : out) = middle;
        }
        // A little beyond, so that solids which touch the front count.
        const Point<D> x = foot + along * (out + 0.01 * voxel_);
        return is_free(x) && is_free(foot + along * out) && !flow_.source_at(x);
    }

    const LiquidFlow<D>& flow_;
    const typename LiquidFlow<D>::Source& source_;
    Box<double, D> box_;
    double voxel_;
    const NearSolids<D>& near_;
};

template <int D>
bool holds(const PlacedBody<D>& body, const Point<D>& x, double margin) {
    return body.bounds().grown(margin).contains(x) && body.distance(x) < margin;
}

}  // namespace

template <int D>
auto LiquidFlow<D>::source_at(const Point<D>& x) const -> const Source* {
    for (const Source& s : sources)
        if (holds(s.body, x, 0.0)) return &s;
    return nullptr;
}

template <int D>
auto LiquidFlow<D>::source_of_cell(const Point<D>& centre) const -> const Source* {
    for (const Source& s : sources)
        if (holds(s.body, centre, s.margin)) return &s;
    return nullptr;
}

template <int D>
bool LiquidFlow<D>::in_sink(const Point<D>& x) const {
    return std::any_of(sinks.begin(), sinks.end(),
                       [&](const Sink& s) { return holds(s.body, x, 0.0); });
}

template <int D>
double LiquidFlow<D>::source_distance(const Point<D>& x) const {
    double d = std::numeric_limits<double>::infinity();
    for (const Source& s : sources) d = std::min(d, s.body.distance(x));
    return d;
}

template <int D>
double LiquidFlow<D>::sink_distance(const Point<D>& x, double band) const {
    double d = std::numeric_limits<double>::infinity();
    for (const Sink& s : sinks)
        if (s.body.bounds().grown(s.margin + band).contains(x))
            d = std::min(d, s.body.distance(x) - s.margin);
    return d;
}

template <int D>
Vec<double, D> LiquidFlow<D>::sink_velocity(const Point<D>& x) const {
    const Sink* nearest = &sinks[0];
    double least = std::numeric_limits<double>::infinity();
    for (const Sink& s : sinks)
        if (const double d = s.body.distance(x) - s.margin; d < least) least = d, nearest = &s;
    return nearest->body.velocity(x);
}

template <int D>
double lattice_margin(const BodyShape<D>& shape, double voxel) {
    const BodyParameters& p = shape.parameters();
    if (p.kind == BodyKind::kMesh) return 0;
    const bool plain =
        p.kind == BodyKind::kBox || p.kind == BodyKind::kSphere || p.kind == BodyKind::kCylinder;
    // The centre of some cell is within half of its diagonal of any point.
    if (!plain)
        return std::max(0.0, (std::sqrt(double(D)) * voxel * (1 + 2e-3) - shape.thickness()) / 2);
    Vec<double, D> size = shape.bounds().size();
    double thickness = size[0];
    int thin = 0;
    for (int a = 0; a < D; ++a) {
        thickness = std::min(thickness, size[a]);
        thin += size[a] <= voxel * (1 + 1e-9);
    }
    if (p.shell > 0) thickness = std::min(thickness, p.shell), thin = std::max(thin, 1);
    if (p.kind == BodyKind::kSphere && p.shell == 0) thin = D;
    // The centres of cells are nowhere farther apart than that along the thin directions.
    const double needed = std::sqrt(double(thin)) * voxel * (1 + 2e-3);
    return thin > 0 ? std::max(0.0, (needed - thickness) / 2) : 0.0;
}

template <int D>
double carried_out(const LiquidFlow<D>& flow, std::size_t i, const GridDomain<D>& domain,
                   const PlacedSolids<D>& bodies) {
    const auto& source = flow.sources[i];
    const double speed = length(source.velocity);
    if (!(speed > 0)) return 0;
    const auto axes = frame_along<D>(source.velocity);
    const Interval way = extent(source.body, axes[0]);
    NearSolids<D> near;
    const Box<double, D>& box = source.body.bounds();
    near.find(bodies, (box.lo + box.hi) / 2.0, length(box.size()) / 2 + domain.voxel());
    const Line<D> line(flow, source, domain, near);
    Vec<int, D> count = Vec<int, D>::filled(1);
    Vec<double, D> first{}, step{};
    double area = 1;
    int lines = 1;
    for (int a = 1; a < D; ++a) {
        const Interval across = extent(source.body, axes[std::size_t(a)]);
        const double wanted = std::ceil(across.length() / domain.voxel() * kLines<D>);
        count[a] =
            static_cast<int>(std::clamp(wanted, double(kFewestLines<D>), double(kMostLines<D>)));
        step[a] = across.length() / count[a];
        first[a] = across.begin + 0.5 * step[a];
        area *= step[a];
        lines *= count[a];
    }
    double exits = 0;
    for (int n = 0; n < lines; ++n) {
        Point<D> foot{};
        for (int a = 1, rest = n; a < D; rest /= count[a], ++a)
            foot += axes[std::size_t(a)] * (first[a] + (rest % count[a]) * step[a]);
        exits += line.exits(foot, axes[0], way);
    }
    return speed * area * exits;
}

#define SPUME_INSTANTIATE(D)                                                                \
    template struct LiquidFlow<D>;                                                          \
    template double lattice_margin<D>(const BodyShape<D>&, double);                         \
    template double carried_out<D>(const LiquidFlow<D>&, std::size_t, const GridDomain<D>&, \
                                   const PlacedSolids<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
