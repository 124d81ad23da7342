// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/surface_cells.h"

#include <algorithm>
#include <vector>

#include "spume/grid/sample.h"

namespace spume {
namespace {

constexpr int kSweeps = 12;  // a layer one cell thick with p = 0 beyond it: a few are enough

/// A cell of air beside the liquid. Side 2a is its lower face across axis a, 2a + 1 its upper one.
template <int D>
struct SurfaceCell {
    std::size_t face[2 * D];
    std::int32_t beyond[2 * D];  ///< which surface cell is there; −1: none
    double part[2 * D] = {};     ///< open part of the face where it may change
    double divergence = 0;       ///< m/s
    double sum = 0;              ///< of the parts; 0: it is left alone
};

template <int D>
std::vector<std::size_t> places_of(std::span<const SurfaceFace> faces, const Tiles<D>& tiles) {
    TileCursor<D> cursor(tiles);
    std::vector<std::size_t> places;
    for (const SurfaceFace& f : faces) {
        if (f.region < 0) continue;
        const int t = int(f.cell / kTileCells<D>), o = int(f.cell % kTileCells<D>);
        const Index<D> cell =
            tiles.origin(t) + tile_local<D>(o) + Index<D>::unit(f.axis(), f.side % 2 ? 1 : -1);
        const std::size_t at = cursor(cell);
        if (tiles.is_active(cursor.tile())) places.push_back(at);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

/// Its faces, and what flows out of it.
template <int D>
SurfaceCell<D> surface_cell(const Index<D>& i, const FaceField<double, D>& velocity,
                            const FaceField<std::uint8_t, D>& known, const CutCells<D>& open,
                            std::span<const std::size_t> places, TileCursor<D>& cursor) {
    SurfaceCell<D> c;
    std::fill_n(c.beyond, 2 * D, -1);
    bool between = false;
    for (int a = 0; a < D; ++a) {
        bool set[2];
        for (const int side : {0, 1}) {
            const int s = 2 * a + side;
            const std::size_t f = c.face[s] = cursor(i + Index<D>::unit(a, side));
            const double part = double(open.area.read(a)[f]);
            set[side] = known.read(a)[f] != 0;
            c.part[s] = set[side] ? 0 : part;
            c.sum += c.part[s];
            c.divergence += (side ? 1 : -1) *
                            (part * velocity.read(a)[f] + (1 - part) * open.velocity.read(a)[f]);
            const std::size_t other = cursor(i + Index<D>::unit(a, side ? 1 : -1));
            const auto found = std::lower_bound(places.begin(), places.end(), other);
            if (found != places.end() && *found == other) c.beyond[s] = int(found - places.begin());
        }
        between = between || (set[0] && set[1]);
    }
    if (between && c.divergence < 0) c.sum = 0;
    return c;
}

/// p of ∇·(u − ∇p) = 0 in the cells, p = 0 beyond them.
template <int D>
std::vector<double> solve(const std::vector<SurfaceCell<D>>& cells, Context& context) {
    std::vector<double> p(cells.size(), 0.0), next(cells.size(), 0.0);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t k = b; k < e; ++k) {
                const SurfaceCell<D>& c = cells[k];
                double sum = -c.divergence;
                for (int s = 0; s < 2 * D; ++s)
                    if (c.beyond[s] >= 0) sum += c.part[s] * p[std::size_t(c.beyond[s])];
                next[k] = c.sum > 0 ? sum / c.sum : 0;
            }
        });
        p.swap(next);
    }
    return p;
}

}  // namespace

template <int D>
void close_surface_cells(FaceField<double, D>& velocity, const FaceField<std::uint8_t, D>& known,
                         std::span<const SurfaceFace> faces, const CutCells<D>& open,
                         Context& context) {
    Stage stage(context, "surface_cells");
    const Tiles<D>& tiles = *velocity.tiles();
    const std::vector<std::size_t> places = places_of<D>(faces, tiles);
    std::vector<SurfaceCell<D>> cells(places.size());
    for_range(context.arena, cells.size(), 512, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(tiles);
        for (std::size_t k = b; k < e; ++k)
            cells[k] = surface_cell<D>(tiles.origin(int(places[k] / kTileCells<D>)) +
                                           tile_local<D>(int(places[k] % kTileCells<D>)),
                                       velocity, known, open, places, cursor);
    });
    const std::vector<double> p = solve<D>(cells, context);
    double* u[D];
    for (int a = 0; a < D; ++a) u[a] = velocity.write(a);
    // A face between two of them gets the one's part of the difference, then the other's.
    for (std::size_t k = 0; k < cells.size(); ++k)
        for (int s = 0; s < 2 * D; ++s)
            if (cells[k].part[s] > 0) u[s / 2][cells[k].face[s]] += (s % 2 ? 1 : -1) * p[k];
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template void close_surface_cells<D>(FaceField<double, D>&, const FaceField<std::uint8_t, D>&, \
                                         std::span<const SurfaceFace>, const CutCells<D>&,         \
                                         Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
