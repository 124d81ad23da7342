// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <array>
#include <map>

#include "spume/grid/field.h"
#include "spume/surface/mesh_of.h"

namespace spume {

/// A function of space sampled at the cells of all tiles that meet the box.
template <class T, int D, class F>
CellField<T, D> sampled(const Box<double, D>& box, const Transform<D>& transform, F&& f) {
    const Box<int, D> cells{floor_index<D>(transform.to_lattice(box.lo)),
                            floor_index<D>(transform.to_lattice(box.hi)) + Index<D>::filled(1)};
    CellField<T, D> r(Tiles<D>::dense(cells, transform));
    T* out = r.write();
    for (int t = 0; t < r.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                static_cast<T>(f(r.position(t, o)));
    return r;
}

/// How often each directed edge occurs.
inline std::map<std::array<int, 2>, int> directed_edges(const TriangleMesh& mesh) {
    std::map<std::array<int, 2>, int> edges;
    for (const auto& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
    return edges;
}

/// Every edge once in each direction, every vertex used.
inline bool is_watertight(const TriangleMesh& mesh) {
    const auto edges = directed_edges(mesh);
    std::vector<bool> used(mesh.vertices.size(), false);
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge[1], edge[0]});
        if (count != 1 || back == edges.end() || edge[0] == edge[1]) return false;
        used[std::size_t(edge[0])] = true;
    }
    return std::all_of(used.begin(), used.end(), [](bool u) { return u; });
}

inline int euler_characteristic(const TriangleMesh& mesh) {
    return static_cast<int>(mesh.vertices.size()) -
           static_cast<int>(directed_edges(mesh).size() / 2) +
           static_cast<int>(mesh.triangles.size());
}

}  // namespace spume
