// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/redistance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/core/error.h"
#include "spume/grid/halo.h"

namespace spume {
namespace {

/// Distance of a cell that the surface passes beside, negative for all others: |φ| / |∇φ| by
/// central differences, exact where φ is linear. Near creases and thin parts these say too much;
/// the distance to the plane through the crossings next to the cell, 1/d² = Σ 1/d_a², is at least
/// the true one where they are smooth, and so the less of the two counts.
template <class T, int D>
double beside(const HaloBlock<T, D, 1>& phi, const PartedBlock<D>& parted, const Index<D>& local,
              const bool (&known)[D][2], double voxel) {
    const int at = phi.at(local);
    const double here = static_cast<double>(phi.v[at]);
    double crossings = 0, slopes = 0;
    for (int a = 0; a < D; ++a) {
        double nearest = -1, ends[2] = {here, here};
        int sides = 0;
        for (int side = 0; side < 2; ++side) {
            if (local[a] == (side ? kTileSide<D> - 1 : 0) && !known[a][side]) continue;
            if (parted(at, a, side)) continue;
            ends[side] = static_cast<double>(phi.v[at + (side ? phi.stride(a) : -phi.stride(a))]);
            ++sides;
            if ((here < 0) == (ends[side] < 0)) continue;
            const double d = voxel * here / (here - ends[side]);
            if (nearest < 0 || d < nearest) nearest = d;
        }
        if (nearest == 0) return 0;
        if (nearest > 0) crossings += 1 / (nearest * nearest);
        const double slope = sides > 0 ? (ends[1] - ends[0]) / (sides * voxel) : 0;
        slopes += slope * slope;
    }
    if (crossings == 0) return -1;
    const double plane = 1 / std::sqrt(crossings);
    return slopes > 0 ? std::min(plane, std::abs(here) / std::sqrt(slopes)) : plane;
}

/// The value at which the upwind |∇φ| is one, from the least neighbour along each axis.
template <int D>
double upwind(double (&least)[D], double voxel) {
    std::sort(least, least + D);
    double r = voxel, sum = 0, squares = 0;  // above least[0]: no digits are lost to its size
    for (int n = 1; n < D; ++n) {
        const double above = least[n] - least[0];
        if (r <= above) break;
        sum += above;
        squares += above * above;
        const double m = n + 1, root = sum * sum - m * (squares - voxel * voxel);
        if (root < 0) break;
        r = (sum + std::sqrt(root)) / m;
    }
    return least[0] + r;
}

// What is stored is how far below the band's end a distance lies, so that "far" is zero and a
// missing tile, which reads as zero, is far.
template <class T, int D>
struct Sweep {
    const Tiles<D>& tiles;
    double band;
    std::vector<std::uint8_t> fixed;
    T least_change;
    const Parting<D>* parting;

    /// Lowers the distances of one tile; true when one changed. Cells use what was found in the
    /// same visit, up and down the tile: distances only fall, so that the order of visits does not
    /// matter for where they end.
    bool operator()(int t, const T* from, T* to) const {
        HaloBlock<T, D, 1> w;
        load_halo<T, D, 1>(from, tiles, t, w);
        const PartedBlock<D> parted(parting, t);
        const std::size_t first = std::size_t(t) * kTileCells<D>;
        bool changed = false;
        for (int n = 0; n < kVisits; ++n) {
            bool more = false;
            for (int k = 0; k < kTileCells<D>; ++k)
                more |= lower(w, parted, n % 2 ? kTileCells<D> - 1 - k : k, first);
            changed |= more;
            if (!more) break;
        }
        for (int row = 0; row < kTileCells<D>; row += kTileSide<D>)
            std::copy_n(w.v + w.at(tile_local<D>(row)), kTileSide<D>,
                        to + first + std::size_t(row));
        return changed;
    }

  private:
    static constexpr int kVisits = 4;
    /// 1 / √D, less what rounding may take.
    static constexpr double kShortest = D == 2 ? 0.7071 : 0.5773;

    bool lower(HaloBlock<T, D, 1>& w, const PartedBlock<D>& parted, int o,
               std::size_t first) const {
        const int at = w.at(tile_local<D>(o));
        if (fixed[first + std::size_t(o)]) return false;
        T most[D], nearest = 0;
        for (int a = 0; a < D; ++a) {
            most[a] = std::max(parted(at, a, 0) ? T(0) : w.v[at - w.stride(a)],
                               parted(at, a, 1) ? T(0) : w.v[at + w.stride(a)]);
            nearest = std::max(nearest, most[a]);
        }
        // From neighbours that are equally near along all axes it is h / √D, and never less.
        if (!(static_cast<double>(nearest) - kShortest * tiles.voxel() >
              static_cast<double>(w.v[at])))
            return false;
        double least[D];
        for (int a = 0; a < D; ++a) least[a] = band - static_cast<double>(most[a]);
        const T next = static_cast<T>(band - upwind<D>(least, tiles.voxel()));
        if (!(next > w.v[at] + least_change)) return false;
        w.v[at] = next;
        return true;
    }
};

/// The first distances of a tile, which stay: those given, and those of cells beside the surface.
/// True when there are any.
template <class T, int D>
bool start(const CellField<T, D>& phi, int t, double band, const Parting<D>* parting,
           const CellField<std::uint8_t, D>* kept, T* below, std::uint8_t* fixed) {
    const Tiles<D>& tiles = *phi.tiles();
    const std::size_t first = std::size_t(t) * kTileCells<D>;
    bool any = false;
    if (kept)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double d = std::abs(static_cast<double>(phi.at(t, o)));
            if (!kept->at(t, o) || d >= band) continue;
            fixed[first + std::size_t(o)] = 1;
            below[first + std::size_t(o)] = static_cast<T>(band - d);
            any = true;
        }
    HaloBlock<T, D, 1> block;
    load_halo<T, D, 1>(phi.read(), tiles, t, block);
    int inside = 0;
    for (const T v : block.v) inside += v < T(0);
    if (inside == 0 || inside == block.kSize) return any;
    bool known[D][2];
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side)
            known[a][side] = tiles.is_active(tiles.neighbour(t, Index<D>::unit(a, 2 * side - 1)));
    const PartedBlock<D> parted(parting, t);
    for (int o = 0; o < kTileCells<D>; ++o) {
        const std::size_t at = first + std::size_t(o);
        if (fixed[at]) continue;
        const double d = beside<T, D>(block, parted, tile_local<D>(o), known, tiles.voxel());
        if (d < 0) continue;
        fixed[at] = 1;
        below[at] = static_cast<T>(std::max(band - d, 0.0));
        any = true;
    }
    return any;
}

}  // namespace

template <class T, int D>
CellField<T, D> redistanced(const CellField<T, D>& phi, double band, Context& context,
                            const Parting<D>* parting, const CellField<std::uint8_t, D>* kept) {
    Stage stage(context, "redistance");
    SPUME_CHECK_OP(band, >, 0.0);
    const Tiles<D>& tiles = *phi.tiles();
    CellField<T, D> now(phi.tiles()), next(phi.tiles());
    Sweep<T, D> sweep{tiles, band, std::vector<std::uint8_t>(tiles.values(), 0),
                      static_cast<T>(tiles.voxel() * (sizeof(T) == 4 ? 1e-6 : 1e-13)), parting};
    std::vector<std::uint8_t> moved(std::size_t(tiles.stored()), 0), moves(moved);
    T* first = now.write();
    for_tiles(context.arena, tiles, [&](int t) {
        moved[std::size_t(t)] = start<T, D>(phi, t, band, parting, kept, first, sweep.fixed.data());
    });

    // Each sweep carries values one cell further; the way along which a value comes may wind.
    const int limit = 4 * D * (static_cast<int>(std::ceil(band / tiles.voxel())) + 2);
    bool more = true;
    // A tile that one sweep wrote and the next leaves alone must be copied once.
    std::vector<std::uint8_t> written(moved);
    for (int n = 0; n < limit && more; ++n) {
        const T* from = now.read();
        T* to = next.write();
        for_tiles(context.arena, tiles, [&](int t) {
            bool near = false;
            for (int c = 0; c < kTileNeighbours<D>; ++c)
                near = near || moved[std::size_t(tiles.neighbours(t)[c])] != 0;
            moves[std::size_t(t)] = near && sweep(t, from, to);
            if (!near && written[std::size_t(t)])
                std::copy_n(from + std::size_t(t) * kTileCells<D>, kTileCells<D>,
                            to + std::size_t(t) * kTileCells<D>);
            written[std::size_t(t)] = near;
        });
        std::swap(now, next);
        std::swap(moved, moves);
        more = std::find(moved.begin(), moved.end(), 1) != moved.end();
    }

    const T* below = now.read();
    const T* sign = phi.read();
    T* out = next.write();
    for_values(context.arena, tiles, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const T d = static_cast<T>(band) - below[i];
            out[i] = sign[i] < T(0) ? -d : d;
        }
    });
    return next;
}

#define SPUME_INSTANTIATE(T, D)                                                          \
    template CellField<T, D> redistanced<T, D>(const CellField<T, D>&, double, Context&, \
                                               const Parting<D>*,                        \
                                               const CellField<std::uint8_t, D>*);
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
