// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/cell_centres.h"

#include "spume/grid/stencil.h"

namespace spume {

template <int D>
CellField<std::uint8_t, D> centres_outside(const CutCells<D>& open, const PlacedSolids<D>& solids,
                                           Context& context) {
    CellField<std::uint8_t, D> r = open.kind;
    if (solids.empty()) return r;
    const Tiles<D>& tiles = *r.tiles();
    std::uint8_t* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        bool cut[kTileCells<D>] = {};
        float upper[kTileCells<D>];
        for (int a = 0; a < D; ++a) {
            const float* lower = open.area.tile(a, t);
            load_upper_faces<float, D>(open.area.read(a), tiles, t, a, upper);
            for (int o = 0; o < kTileCells<D>; ++o) cut[o] |= lower[o] < 1 || upper[o] < 1;
        }
        for (int o = 0; o < kTileCells<D>; ++o)
            if (cut[o] && open.kind.at(t, o) == kFluidCell && solids.covers(r.position(t, o)))
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = kNoCell;
    });
    return r;
}

template CellField<std::uint8_t, 2> centres_outside<2>(const CutCells<2>&, const PlacedSolids<2>&,
                                                       Context&);
template CellField<std::uint8_t, 3> centres_outside<3>(const CutCells<3>&, const PlacedSolids<3>&,
                                                       Context&);

}  // namespace spume
