// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/body_contour.h"

#include <algorithm>
#include <cmath>

#include "spume/geometry/rigid.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;
using Triangles = std::vector<std::array<Vec3, 3>>;

/// Distances at the corners of a lattice around a body.
class Lattice {
  public:
    Lattice(const BodyShape<3>& shape, int cells) : shape_(shape) {
        const Box<double, 3>& box = shape.bounds();
        const Vec3 size = box.size();
        h_ = std::max({size[0], size[1], size[2]}) / cells;
        // Flat sides fall between corners.
        origin_ = box.lo - Vec3::filled(1.37 * h_);
        for (int a = 0; a < 3; ++a) n_[a] = static_cast<int>(std::ceil(size[a] / h_)) + 4;
        distance_.resize(std::size_t(n_[0]) * std::size_t(n_[1]) * std::size_t(n_[2]));
        for (int k = 0; k < n_[2]; ++k)
            for (int j = 0; j < n_[1]; ++j)
                for (int i = 0; i < n_[0]; ++i)
                    distance_[number({i, j, k})] = shape.distance_within(corner({i, j, k}), 2 * h_);
    }

    Triangles triangles();

  private:
    std::size_t number(const Index<3>& c) const {
        return (std::size_t(c[2]) * std::size_t(n_[1]) + std::size_t(c[1])) * std::size_t(n_[0]) +
               std::size_t(c[0]);
    }
    Vec3 corner(const Index<3>& c) const { return origin_ + c.as<double>() * h_; }
    bool inside(const Index<3>& c) const { return distance_[number(c)] < 0; }
    Vec3 crossing(const Index<3>& from, int axis) const;
    Vec3 vertex(const Index<3>& cell) const;

    const BodyShape<3>& shape_;
    double h_ = 0;
    Vec3 origin_{};
    Index<3> n_{};
    std::vector<double> distance_;
};

Vec3 Lattice::crossing(const Index<3>& from, int axis) const {
    Vec3 low = corner(from), high = low;
    high[axis] += h_;
    const bool begins_inside = inside(from);
    for (int i = 0; i < 20; ++i) {
        const Vec3 middle = (low + high) * 0.5;
        ((shape_.distance(middle) < 0) == begins_inside ? low : high) = middle;
    }
    return (low + high) * 0.5;
}

/// Nearest to the planes that touch the surface where it cuts the cell's edges; where these leave
/// it free, nearest to the middle of the cuts.
Vec3 Lattice::vertex(const Index<3>& cell) const {
    constexpr double kPull = 0.02;
    std::vector<Vec3> points;
    Vec3 mean{};
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 4; ++side) {
            Index<3> from = cell, to = cell;
            from[(axis + 1) % 3] += side & 1, from[(axis + 2) % 3] += side >> 1;
            to = from;
            ++to[axis];
            if (inside(from) == inside(to)) continue;
            points.push_back(crossing(from, axis));
            mean += points.back();
        }
    mean = mean / double(points.size());
    Tensor a{};
    Vec3 b{};
    for (const Vec3& p : points) {
        const Vec3 n = shape_.normal(p);
        for (int i = 0; i < 3; ++i) a[std::size_t(i)] += n * n[i];
        b += n * dot(n, p - mean);
    }
    for (int i = 0; i < 3; ++i) a[std::size_t(i)][i] += kPull;
    const Vec3 x = mean + times(inverse(a), b);
    const Vec3 lo = corner(cell);
    return min(max(x, lo), lo + Vec3::filled(h_));
}

Triangles Lattice::triangles() {
    std::vector<Vec3> vertices;
    std::vector<std::int32_t> of_cell(distance_.size(), -1);
    const auto at = [&](const Index<3>& cell) {
        std::int32_t& v = of_cell[number(cell)];
        if (v < 0) {
            v = static_cast<std::int32_t>(vertices.size());
            vertices.push_back(vertex(cell));
        }
        return vertices[std::size_t(v)];
    };
    Triangles r;
    for (int k = 1; k + 1 < n_[2]; ++k)
        for (int j = 1; j + 1 < n_[1]; ++j)
            for (int i = 1; i + 1 < n_[0]; ++i)
                for (int axis = 0; axis < 3; ++axis) {
                    const Index<3> from{i, j, k};
                    Index<3> to = from;
                    ++to[axis];
                    const bool begins_inside = inside(from);
                    if (begins_inside == inside(to)) continue;
                    // The four cells about the edge, counter-clockwise seen from its end.
                    Index<3> c[4] = {from, from, from, from};
                    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
                    --c[0][a], --c[0][b], --c[1][b], --c[3][a];
                    if (!begins_inside) std::swap(c[1], c[3]);
                    const Vec3 p = at(c[0]), q = at(c[1]), s = at(c[2]), t = at(c[3]);
                    r.push_back({p, q, s});
                    r.push_back({p, s, t});
                }
    return r;
}

}  // namespace

std::vector<std::array<Vec3, 3>> body_contour(const BodyShape<3>& shape, int cells) {
    return Lattice(shape, cells).triangles();
}

}  // namespace spume
