// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/cube_cases.h"

namespace spume::detail {
namespace {

/// The corners of a square in the plane of two axes, in the order in which a walk around it turns
/// from the first axis to the second.
std::array<int, 4> walk(int base, int first, int second) {
    const int u = 1 << first, v = 1 << second;
    return {base, base | u, base | u | v, base | v};
}

template <int D>
int edge_between(const CubeEdges<D>& edges, int a, int b) {
    const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    return edges.number[axis][a & b];
}

/// next[e]: where the segment leads that starts at the crossing of edge e. On the walk around a
/// face a segment starts where the walk comes in and ends where it next goes out.
template <int D>
void add_segments(const CubeEdges<D>& edges, const std::array<int, 4>& face, int inside,
                  int (&next)[CubeEdges<D>::kCount]) {
    const auto is_inside = [&](int n) {
        return (inside >> face[static_cast<std::size_t>(n & 3)] & 1) != 0;
    };
    const auto crossing = [&](int n) {
        return edge_between(edges, face[static_cast<std::size_t>(n & 3)],
                            face[static_cast<std::size_t>((n + 1) & 3)]);
    };
    for (int n = 0; n < 4; ++n) {
        if (is_inside(n) || !is_inside(n + 1)) continue;
        int out = n + 1;
        while (is_inside(out + 1)) ++out;
        next[crossing(n)] = crossing(out);
    }
}

bool share_face(const CubeEdges<3>& edges, int a, int b) {
    for (int axis = 0; axis < 3; ++axis)
        if (axis != edges.axis[a] && axis != edges.axis[b] &&
            (edges.corner[a] >> axis & 1) == (edges.corner[b] >> axis & 1))
            return true;
    return false;
}

void add_ring(const CubeEdges<3>& edges, const std::vector<int>& ring, CubeCase<3>& to) {
    const std::size_t n = ring.size();
    const auto at = [&](std::size_t i) { return ring[i % n]; };
    for (std::size_t apex = 0; apex < n; ++apex) {
        bool free = true;
        for (std::size_t k = 2; k + 1 < n; ++k)
            free = free && !share_face(edges, at(apex), at(apex + k));
        if (!free) continue;
        for (std::size_t k = 1; k + 1 < n; ++k)
            to.elements.push_back({at(apex), at(apex + k), at(apex + k + 1)});
        return;
    }
    const int middle = CubeEdges<3>::kCount + static_cast<int>(to.rings.size());
    for (std::size_t k = 0; k < n; ++k) to.elements.push_back({middle, at(k), at(k + 1)});
    to.rings.push_back(ring);
}

CubeCase<2> case_of(const CubeEdges<2>& edges, int inside) {
    CubeCase<2> r;
    int next[4] = {-1, -1, -1, -1};
    add_segments<2>(edges, walk(0, 0, 1), inside, next);
    for (int e = 0; e < 4; ++e)  // turned round: the inside lies on the left
        if (next[e] >= 0) r.elements.push_back({next[e], e});
    return r;
}

CubeCase<3> case_of(const CubeEdges<3>& edges, int inside) {
    CubeCase<3> r;
    int next[12];
    for (int& n : next) n = -1;
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        // Counter-clockwise seen from outside the cube.
        add_segments<3>(edges, walk(1 << axis, u, v), inside, next);
        add_segments<3>(edges, walk(0, v, u), inside, next);
    }
    for (int e = 0; e < 12; ++e) {
        std::vector<int> ring;
        for (int at = e; next[at] >= 0;) {
            ring.push_back(at);
            const int to = next[at];
            next[at] = -1;
            at = to;
        }
        if (!ring.empty()) add_ring(edges, ring, r);
    }
    return r;
}

}  // namespace

template <int D>
CubeEdges<D>::CubeEdges() : axis{}, corner{}, number{} {
    int n = 0;
    for (int a = 0; a < D; ++a)
        for (int c = 0; c < (1 << D); ++c) {
            if (c >> a & 1) continue;
            axis[n] = a;
            corner[n] = c;
            number[a][c] = n++;
        }
}

template <int D>
CubeCases<D>::CubeCases() {
    for (int inside = 0; inside < static_cast<int>(cases_.size()); ++inside)
        cases_[static_cast<std::size_t>(inside)] = case_of(edges_, inside);
}

template struct CubeEdges<2>;
template struct CubeEdges<3>;
template class CubeCases<2>;
template class CubeCases<3>;

}  // namespace spume::detail
