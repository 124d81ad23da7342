// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <utility>
#include <vector>

#include "spume/grid/components.h"
#include "spume/grid/stencil.h"
#include "spume/methods/guided/cells.h"

namespace spume::guided {
namespace {

/// What is summed over a connected set of fluid cells.
struct PartSums {
    double flux = 0;     ///< out of it through what is closed, less the divergence wanted: m/s
    double cells = 0;    ///< how many
    double borders = 0;  ///< border faces
    bool held = false;   ///< an open face looks at a pressure voxel, or out

    void add(const PartSums& other) {
        flux += other.flux, cells += other.cells, borders += other.borders;
        held = held || other.held;
    }
};

template <int D>
struct Parts {
    TileComponents<D> sets;
    DisjointSets joined;
};

/// Fluid cells that share an open face are one part.
template <int D>
Parts<D> parts_of(const CutCells<D>& open, Context& context) {
    const Tiles<D>& tiles = *open.kind.tiles();
    Parts<D> r{TileComponents<D>(tiles.active()), DisjointSets()};
    for_tiles(context.arena, tiles, [&](int t) {
        TileJoins<D> joins;
        joins.cells = TileRowBits<D>::of([&](int o) { return open.kind.at(t, o) == kFluidCell; });
        for (int a = 0; a < D; ++a)
            joins.lower[a] = TileRowBits<D>::of([&](int o) { return open.area.at(a, t, o) > 0; });
        r.sets.label(t, joins);
    });
    r.sets.number();
    r.joined = DisjointSets(std::size_t(r.sets.count()));
    for (int t = 0; t < tiles.active(); ++t)
        for (int a = 0; a < D; ++a) {
            const int below = tiles.neighbour(t, Index<D>::unit(a, -1));
            if (!tiles.is_active(below)) continue;
            join_across<D>(
                r.sets, below, t, a, [&](int o) { return open.area.at(a, t, o) > 0; }, r.joined);
        }
    return r;
}

/// f(face, place, sign) for the 2·D faces of a cell; sign is that of the outward normal.
template <int D, class F>
void for_cell_faces(const Tiles<D>& tiles, int t, int o, F&& f) {
    for (int face = 0; face < 2 * D; ++face)
        f(face, face_place<D>(tiles, t, o, face), face % 2 ? 1.0 : -1.0);
}

template <int D>
std::vector<PartSums> sums_of(const GuidedCells<D>& cells, Parts<D>& parts, Context& context) {
    const CutCells<D>& open = cells.open;
    const Tiles<D>& tiles = *open.kind.tiles();
    std::vector<PartSums> by_set(std::size_t(parts.sets.count()));
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int set = parts.sets.of(t, o);
            if (set < 0) continue;
            PartSums& sum = by_set[std::size_t(set)];  // of this tile alone
            sum.cells += 1;
            sum.flux -= cells.divergence.at(t, o) * tiles.voxel();
            for_cell_faces<D>(tiles, t, o, [&](int face, std::size_t at, double sign) {
                const int a = face / 2;
                const double area = double(open.area.read(a)[at]);
                sum.flux += sign * (1 - area) * open.velocity.read(a)[at];
                sum.borders += cells.border.read(a)[at];
                const auto beside = neighbour_of<D>(tiles, t, o, face);
                sum.held = sum.held || (area > 0 && open.kind.read()[beside.place()] != kFluidCell);
            });
        }
    });
    std::vector<PartSums> whole(by_set.size());
    for (std::size_t i = 0; i < by_set.size(); ++i)
        whole[std::size_t(parts.joined.find(int(i)))].add(by_set[i]);
    return whole;
}

}  // namespace

template <int D>
void spread_net_flux(GuidedCells<D>& cells, Context& context) {
    const typename Tiles<D>::Ptr tiles = cells.open.kind.tiles();
    Parts<D> parts = parts_of(cells.open, context);
    const std::vector<PartSums> sums = sums_of(cells, parts, context);
    std::vector<double> correction(sums.size(), 0.0);  // outward, m/s on each border face
    bool any = false;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const PartSums& part = sums[i];
        if (part.cells == 0 || part.held) continue;
        ++cells.closed_parts;
        cells.largest_net_flux =
            std::max(cells.largest_net_flux, std::abs(part.flux) / (part.cells * tiles->voxel()));
        if (part.borders > 0) correction[i] = -part.flux / part.borders, any = true;
    }
    if (!any) return;
    double* velocity[D];
    for (int a = 0; a < D; ++a) velocity[a] = cells.open.velocity.write(a);
    for (int t = 0; t < tiles->active(); ++t)  // a border face belongs to one cell: no two write it
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int set = parts.sets.of(t, o);
            if (set < 0) continue;
            const double more = correction[std::size_t(parts.joined.find(set))];
            if (more == 0) continue;
            for_cell_faces<D>(*tiles, t, o, [&](int face, std::size_t at, double sign) {
                if (cells.border.read(face / 2)[at]) velocity[face / 2][at] += sign * more;
            });
        }
}

template void spread_net_flux<2>(GuidedCells<2>&, Context&);
template void spread_net_flux<3>(GuidedCells<3>&, Context&);

}  // namespace spume::guided
