// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/aligned_fields.h"

#include <vector>

#include "spume/grid/sample.h"

namespace spume {

template <int D>
typename Tiles<D>::Ptr covering_tiles(const Tiles<D>& tiles, const Alignment<D>& alignment,
                                      const Transform<D>& bulk) {
    std::vector<Index<D>> keys;
    for (int t = 0; t < tiles.zero(); ++t) {
        const Index<D> lo = tiles.origin(t) * alignment.ratio + alignment.offset;
        const Index<D> first = tile_of<D>(lo),
                       last = tile_of<D>(lo + Index<D>::filled(alignment.ratio * kTileSide<D> - 1));
        Index<D> k = first;
        for (bool more = true; more;) {
            keys.push_back(k);
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                more = ++k[a] <= last[a];
                if (!more) k[a] = first[a];
            }
        }
    }
    return Tiles<D>::build(std::move(keys), bulk);
}

template <int D>
BulkFields<D> moved_to(const BulkFields<D>& fields, const typename Tiles<D>::Ptr& tiles,
                       const Alignment<D>& alignment, Context& context) {
    Stage stage(context, "bulk");
    const int ratio = alignment.ratio, cells = ratio == 2 ? 1 << D : 1,
              faces = ratio == 2 ? 1 << (D - 1) : 1;
    BulkFields<D> r{fields.time, CellField<double, D>::unwritten(tiles),
                    FaceField<double, D>::unwritten(tiles)};
    double *phi = r.phi.write(), *u[D];
    for (int a = 0; a < D; ++a) u[a] = r.velocity.write(a);
    const Tiles<D>& from = *fields.phi.tiles();
    for_range(context.arena, std::size_t(tiles->zero()), 4, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(from);
        for (std::size_t i = b * kTileCells<D>; i < e * kTileCells<D>; ++i) {
            const Index<D> cell =
                tiles->origin(int(i / kTileCells<D>)) + tile_local<D>(int(i % kTileCells<D>));
            const Index<D> lo = cell * ratio + alignment.offset;
            double sum = 0;
            for (int part = 0; part < cells; ++part) {
                Index<D> at = lo;
                for (int a = 0; a < D; ++a) at[a] += part >> a & 1;
                sum += fields.phi.read()[cursor(at)];
            }
            phi[i] = sum / cells;
            for (int a = 0; a < D; ++a) {
                double flux = 0;
                for (int part = 0; part < faces; ++part) {
                    Index<D> at = lo;
                    for (int c = 1; c < D; ++c) at[(a + c) % D] += part >> (c - 1) & 1;
                    flux += fields.velocity.read(a)[cursor(at)];
                }
                u[a][i] = flux / faces;
            }
        }
    });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                \
    template typename Tiles<D>::Ptr covering_tiles<D>(const Tiles<D>&, const Alignment<D>&, \
                                                      const Transform<D>&);                 \
    template BulkFields<D> moved_to<D>(const BulkFields<D>&, const typename Tiles<D>::Ptr&, \
                                       const Alignment<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
