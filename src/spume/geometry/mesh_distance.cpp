// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

constexpr std::int32_t kLeafSize = 4;

constexpr double kNowhere = std::numeric_limits<double>::infinity();
constexpr int kLandmarks = 32;  // along the longest side
// Bounds are loosened by more than the rounding of what they are made of.
constexpr double kSlack = 1 + 1e-9, kTiny = 1e-150;

double squared(const Vec3& x) { return dot(x, x); }

Vec3 on_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
    const Vec3 edge = b - a;
    const double s = dot(x - a, edge) / squared(edge);
    return a + edge * std::clamp(s, 0.0, 1.0);
}

/// Squared distance to a triangle of non-zero area.
double squared_distance(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = cross(b - a, c - a);
    const bool inside = dot(cross(b - a, normal), x - a) <= 0 &&
                        dot(cross(c - b, normal), x - b) <= 0 &&
                        dot(cross(a - c, normal), x - c) <= 0;
    if (inside) {
        const double height = dot(normal, x - a);
        return height * height / squared(normal);
    }
    return std::min({squared(x - on_segment(x, a, b)), squared(x - on_segment(x, b, c)),
                     squared(x - on_segment(x, c, a))});
}

double squared_distance(const Vec3& x, const Box<double, 3>& box) {
    const Vec3 out = max(max(box.lo - x, x - box.hi), Vec3{});
    return squared(out);
}

}  // namespace

MeshDistance::MeshDistance(const TriangleMesh& mesh, MeshUse use) {
    take(mesh);
    count_open_edges(mesh);
    if (open_edges_ == 0 && volume_ < 0) warnings_.push_back("the faces point inwards");
    nodes_.reserve(triangles_.size());
    nodes_.emplace_back();
    split(0, 0, static_cast<std::int32_t>(triangles_.size()));
    bounds_ = nodes_[0].box;
    if (use == MeshUse::kRays) return;
    sample_landmarks();
    thickness_ = thinnest();
}

void MeshDistance::take(const TriangleMesh& mesh) {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        for (int k = 0; k < 3; ++k)
            if (!std::isfinite(mesh.vertices[i][k]))
                throw UserError(fmt::format("vertex {} of the mesh has a coordinate that is not a "
                                            "finite number: {}",
                                            i, mesh.vertices[i][k]),
                                "repair the mesh in the program that wrote it");
    const auto count = static_cast<std::int64_t>(mesh.vertices.size());
    std::size_t degenerate = 0;
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const auto& t = mesh.triangles[f];
        for (int k = 0; k < 3; ++k)
            if (t[k] < 0 || t[k] >= count)
                throw UserError(fmt::format("face {} of the mesh names vertex {}, but there are {}",
                                            f, t[k], count),
                                "repair the mesh in the program that wrote it");
        const Triangle tri{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], t};
        const Vec3 normal = cross(tri.b - tri.a, tri.c - tri.a);
        const double longest =
            std::max({squared(tri.b - tri.a), squared(tri.c - tri.b), squared(tri.a - tri.c)});
        // Slivers thinner than 1e-12 of their length have no usable normal.
        if (!(squared(normal) > 1e-24 * longest * longest)) {
            ++degenerate;
            continue;
        }
        triangles_.push_back(tri);
        volume_ += dot(tri.a - mesh.vertices[0],
                       cross(tri.b - mesh.vertices[0], tri.c - mesh.vertices[0])) /
                   6;
    }
    if (triangles_.empty())
        throw UserError("the mesh has no face with an area",
                        "give a mesh with at least one triangle");
    if (degenerate)
        warnings_.push_back(fmt::format("{} of {} faces have no area and are left out", degenerate,
                                        mesh.triangles.size()));
}

void MeshDistance::count_open_edges(const TriangleMesh& mesh) {
    // By position, not by index: files often repeat a vertex for each face, and round it.
    Box<double, 3> box{mesh.vertices[0], mesh.vertices[0]};
    for (const Vec3& v : mesh.vertices) box = box.including(v);
    const Vec3 size = box.size();
    const double step = 1e-7 * std::max({size[0], size[1], size[2]});
    std::vector<Vec<std::int64_t, 3>> rounded;
    for (const Vec3& v : mesh.vertices) {
        Vec<std::int64_t, 3> r{};
        for (int k = 0; k < 3; ++k) r[k] = std::llround((v[k] - box.lo[k]) / step);
        rounded.push_back(r);
    }
    std::vector<std::int32_t> order(mesh.vertices.size()), merged(mesh.vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    const auto less = [&](std::int32_t i, std::int32_t j) {
        const auto &a = rounded[i], &b = rounded[j];
        return a[0] != b[0] ? a[0] < b[0] : a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
    };
    std::stable_sort(order.begin(), order.end(), less);
    for (std::size_t i = 0; i < order.size(); ++i)
        merged[order[i]] = i > 0 && !less(order[i - 1], order[i]) ? merged[order[i - 1]] : order[i];

    std::vector<std::pair<std::int64_t, int>> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            const std::int64_t i = merged[t[k]], j = merged[t[(k + 1) % 3]];
            if (i != j) edges.emplace_back(std::min(i, j) << 32 | std::max(i, j), i < j ? 1 : -1);
        }
    std::sort(edges.begin(), edges.end());
    std::int64_t first_open = 0;
    for (std::size_t i = 0; i < edges.size();) {
        int sum = 0;
        const std::int64_t key = edges[i].first;
        for (; i < edges.size() && edges[i].first == key; ++i) sum += edges[i].second;
        if (sum == 0) continue;
        if (open_edges_ == 0) first_open = key;
        ++open_edges_;
    }
    if (open_edges_ == 0) return;
    const Vec3 &a = mesh.vertices[first_open >> 32], &b = mesh.vertices[first_open & 0x7fffffff];
    warnings_.push_back(
        fmt::format("{} edges are open or join faces of opposite orientation, one of them from "
                    "({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}): the inside is a best "
                    "guess",
                    open_edges_, a[0], a[1], a[2], b[0], b[1], b[2]));
}

void MeshDistance::summarise(Node& node, std::int32_t begin, std::int32_t end) const {
    node.box = {triangles_[begin].a, triangles_[begin].a};
    double area = 0;
    for (std::int32_t i = begin; i < end; ++i) {
        const Triangle& t = triangles_[i];
        node.box = node.box.including(t.a).including(t.b).including(t.c);
        const Vec3 normal = cross(t.b - t.a, t.c - t.a) * 0.5;
        node.area_normal += normal;
        node.center += (t.a + t.b + t.c) * (length(normal) / 3);
        area += length(normal);
    }
    node.center = node.center / area;
    for (std::int32_t i = begin; i < end; ++i)
        for (const Vec3& p : {triangles_[i].a, triangles_[i].b, triangles_[i].c})
            node.radius = std::max(node.radius, length(p - node.center));
}

void MeshDistance::split(std::int32_t index, std::int32_t begin, std::int32_t end) {
    Node node;
    summarise(node, begin, end);
    if (end - begin <= kLeafSize) {
        node.first = begin, node.count = end - begin;
        nodes_[index] = node;
        return;
    }
    const Vec3 size = node.box.size();
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const std::int32_t middle = begin + (end - begin) / 2;
    std::stable_sort(triangles_.begin() + begin, triangles_.begin() + end,
                     [axis](const Triangle& p, const Triangle& q) {
                         return p.a[axis] + p.b[axis] + p.c[axis] <
                                q.a[axis] + q.b[axis] + q.c[axis];
                     });
    node.first = static_cast<std::int32_t>(nodes_.size());
    nodes_[index] = node;
    nodes_.emplace_back();
    nodes_.emplace_back();
    split(node.first, begin, middle);
    split(node.first + 1, middle, end);
}

/// The distance, if it is less than `no_farther_than`, and the face; else infinity.
double MeshDistance::nearest(const Vec3& x, double no_farther_than, const Triangle** found) const {
    struct Entry {
        std::int32_t node;
        double bound;
    };
    // Depth is at most log2 of 2³¹ faces, and each level leaves one sibling behind.
    Entry stack[64];
    int top = 0;
    stack[top++] = {0, squared_distance(x, nodes_[0].box)};
    const double limit = no_farther_than * no_farther_than;
    double best = limit;
    while (top > 0) {
        const Entry entry = stack[--top];
        if (entry.bound >= best) continue;
        const Node& node = nodes_[entry.node];
        for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
            const Triangle& t = triangles_[i];
            const double d = squared_distance(x, t.a, t.b, t.c);
            if (d >= best) continue;
            best = d;
            if (found) *found = &t;
        }
        if (node.count > 0) continue;
        const Entry left{node.first, squared_distance(x, nodes_[node.first].box)};
        const Entry right{node.first + 1, squared_distance(x, nodes_[node.first + 1].box)};
        const bool left_first = left.bound <= right.bound;
        stack[top++] = left_first ? right : left;
        stack[top++] = left_first ? left : right;
    }
    return best < limit ? std::sqrt(best) : std::numeric_limits<double>::infinity();
}

void MeshDistance::sample_landmarks() {
    const Vec3 size = bounds_.size();
    Landmarks marks;
    marks.spacing = std::max({size[0], size[1], size[2]}) / kLandmarks;
    marks.origin = bounds_.lo - Vec3::filled(marks.spacing / 2);
    std::size_t total = 1;
    for (int k = 0; k < 3; ++k) {
        marks.count[k] = static_cast<int>(std::ceil(size[k] / marks.spacing)) + 2;
        total *= static_cast<std::size_t>(marks.count[k]);
    }
    marks.distance.reserve(total);
    if (closed()) marks.winding.reserve(total);
    // From neighbour to neighbour: the last value bounds the next search.
    double last = 0;
    std::int32_t winding = 0;
    Vec3 before{};
    for (int i = 0; i < marks.count[0]; ++i)
        for (int j = 0; j < marks.count[1]; ++j)
            for (int k = 0; k < marks.count[2]; ++k) {
                const Vec3 x = marks.origin + Vec3{double(i), double(j), double(k)} * marks.spacing;
                const double reach = (std::abs(last) + marks.spacing) * kSlack;
                const double d = nearest(x, k > 0 ? reach : kNowhere);
                if (closed()) {
                    const bool same = k > 0 && std::abs(last) > marks.spacing * kSlack;
                    const auto more = same ? 0 : k > 0 ? entered(before, x) : std::nullopt;
                    winding = more ? winding + *more
                                   : static_cast<std::int32_t>(std::lround(winding_number(x)));
                    marks.winding.push_back(winding);
                }
                last = (closed() ? winding != 0 : inside(x)) ? -d : d;
                before = x;
                marks.distance.push_back(last);
            }
    landmarks_ = std::move(marks);
}

MeshDistance::Hint MeshDistance::hint(const Vec3& x) const {
    const Landmarks& m = landmarks_;
    if (m.distance.empty()) return {0, kNowhere};
    std::size_t at = 0;
    Vec3 mark = m.origin;
    for (int k = 0; k < 3; ++k) {
        const double place =
            std::clamp((x[k] - m.origin[k]) / m.spacing + 0.5, 0.0, m.count[k] - 0.5);
        const int i = static_cast<int>(place);
        mark[k] += i * m.spacing;
        at = at * static_cast<std::size_t>(m.count[k]) + static_cast<std::size_t>(i);
    }
    return {m.distance[at], length(x - mark) * kSlack, mark, at};
}

double MeshDistance::unsigned_distance(const Vec3& x) const {
    const Hint h = hint(x);
    return nearest(x, (std::abs(h.distance) + h.way) * kSlack + kTiny);
}

double MeshDistance::distance(const Vec3& x) const { return distance_within(x, kNowhere); }

double MeshDistance::distance_within(const Vec3& x, double band) const {
    const double to_bounds = std::sqrt(squared_distance(x, bounds_));
    if (to_bounds > band) return to_bounds;
    const Hint h = hint(x);
    const double at_least = std::abs(h.distance) - h.way;
    // Across a hole the sign changes without a surface, so only a closed mesh settles it.
    const bool sign_known = closed() && at_least > 0;
    if (sign_known && at_least > band) return h.distance < 0 ? -at_least : at_least;
    // Nothing within the band: that will do.
    const double at_most = (std::abs(h.distance) + h.way) * kSlack + kTiny;
    const double d = std::min(nearest(x, std::min(at_most, band)), band);
    return (sign_known ? h.distance < 0 : inside(x, h)) ? -d : d;
}

double MeshDistance::ray(const Vec3& x, const Vec3& direction, double limit, Vec3& normal,
                         double slack) const {
    // Where the ray enters a box; infinity where it does not, or not before `before`.
    const auto entry = [&](const Box<double, 3>& box, double before) {
        double near = 0, far = before;
        for (int k = 0; k < 3; ++k) {
            const double inverse = 1 / direction[k];
            const double p = (box.lo[k] - x[k]) * inverse, q = (box.hi[k] - x[k]) * inverse;
            // Written so that NaN (a ray in a face's plane) keeps the box.
            near = std::min(p, q) > near ? std::min(p, q) : near;
            far = std::max(p, q) < far ? std::max(p, q) : far;
        }
        return near <= far ? near : kNowhere;
    };
    struct Entry {
        std::int32_t node;
        double at;
    };
    Entry stack[64];
    int top = 0;
    double best = limit;
    bool hit = false;
    stack[top++] = {0, entry(nodes_[0].box, best)};
    while (top > 0) {
        const Entry here = stack[--top];
        if (here.at > best || here.at == kNowhere) continue;
        const Node& node = nodes_[here.node];
        for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
            const Triangle& t = triangles_[i];
            const Vec3 e1 = t.b - t.a, e2 = t.c - t.a, p = cross(direction, e2);
            const double det = dot(e1, p);
            if (det == 0) continue;
            const Vec3 s = x - t.a, q = cross(s, e1);
            const double u = dot(s, p) / det, v = dot(direction, q) / det, d = dot(e2, q) / det;
            if (u < -slack || v < -slack || u + v > 1 + slack || !(d > 0) || !(d < best)) continue;
            best = d, hit = true;
            normal = cross(e1, e2) / length(cross(e1, e2));
        }
        if (node.count > 0) continue;
        const Entry left{node.first, entry(nodes_[node.first].box, best)};
        const Entry right{node.first + 1, entry(nodes_[node.first + 1].box, best)};
        const bool left_first = left.at <= right.at;
        stack[top++] = left_first ? right : left;
        stack[top++] = left_first ? left : right;
    }
    return hit ? best : -1;
}

double MeshDistance::thinnest() const {
    if (!closed()) return 0;
    constexpr std::size_t kMostFaces = 1 << 15;
    constexpr double kOpposite = 0.7;
    const std::size_t step = triangles_.size() / kMostFaces + 1;
    const double across = length(bounds_.size()), away = 1e-9 * across;
    double least = across;
    for (std::size_t i = 0; i < triangles_.size(); i += step) {
        const Triangle& t = triangles_[i];
        const Vec3 outwards = cross(t.b - t.a, t.c - t.a) * (volume_ < 0 ? -1.0 : 1.0);
        const Vec3 in = outwards / -length(outwards);
        Vec3 normal{};
        const double way = ray((t.a + t.b + t.c) / 3 + in * away, in, least, normal);
        // Beside an edge the way out is short too, but through a face that does not look away.
        if (way > 0 && dot(normal, in) * (volume_ < 0 ? -1.0 : 1.0) > kOpposite) least = way;
    }
    return least;
}

}  // namespace spume
