// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/core/context.h"
#include "spume/grid/halo.h"

namespace spume {

/// Where a filter may exchange values, for the cells of a tile and a layer around it: 1 where those
/// on both sides of a cell's lower face across an axis do, 0 where they do not.
template <class T, int D>
struct ExchangeFaces {
    using Block = HaloBlock<T, D, 1>;
    Block lower[D];

    /// exchanges(axis, place in the block): across the lower face there?
    template <class F>
    void set(F&& exchanges) {
        for (int a = 0; a < D; ++a) {
            std::fill_n(lower[a].v, Block::stride(a), T(0));
            for (int i = Block::stride(a); i < Block::kSize; ++i)
                lower[a].v[i] = exchanges(a, i) ? T(1) : T(0);
        }
    }
};

/// (s, 1 − 2 s, s) along each axis in turn, s = `share`, over the cells of a tile that stands in
/// `block[0]` with a layer around it, as an exchange between cells: across a face that is shut none
/// takes place; without `faces` all are open. Returns the block that holds the result.
template <class T, int D>
const HaloBlock<T, D, 1>& filter_block(HaloBlock<T, D, 1> (&block)[2], T share,
                                       const ExchangeFaces<T, D>* faces) {
    using Block = HaloBlock<T, D, 1>;
    // In the layer around the tile what an axis has spoilt is not needed by the next.
    for (int a = 0; a < D; ++a) {
        const int s = Block::stride(a);
        const T* v = block[a % 2].v;
        T* to = block[(a + 1) % 2].v;
        std::copy_n(v, s, to);
        std::copy_n(v + Block::kSize - s, s, to + Block::kSize - s);
        if (faces) {
            const T* open = faces->lower[a].v;
            for (int i = s; i < Block::kSize - s; ++i)
                to[i] =
                    v[i] + share * (open[i] * (v[i - s] - v[i]) + open[i + s] * (v[i + s] - v[i]));
        } else {
            for (int i = s; i < Block::kSize - s; ++i)
                to[i] = v[i] + share * ((v[i - s] - v[i]) + (v[i + s] - v[i]));
        }
    }
    return block[D % 2];
}

/// The cells of a tile out of a block.
template <class T, int D>
void store_cells(const HaloBlock<T, D, 1>& block, T* own) {
    for (int row = 0; row < kTileCells<D>; row += kTileSide<D>)
        std::copy_n(block.v + block.at(tile_local<D>(row)), kTileSide<D>, own + row);
}

/// The same over a field. A constant stays, and so does the sum over cells that exchange nothing
/// with tiles that are not stored. s = 1/4, the filter (1 2 1)/4, removes what alternates from cell
/// to cell. `rule(tile, faces)` sets the faces of one tile and returns true, or returns false where
/// all are open.
template <class T, int D, class Rule>
CellField<T, D> filtered(const CellField<T, D>& field, T share, Rule&& rule, Context& context) {
    using Block = HaloBlock<T, D, 1>;
    const Tiles<D>& tiles = *field.tiles();
    CellField<T, D> r(field.tiles());
    T* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        Block block[2];
        load_halo(field.read(), tiles, t, block[0]);
        const T* first = block[0].v;
        if (std::all_of(first, first + Block::kSize, [](T v) { return v == 0; })) return;
        ExchangeFaces<T, D> faces;
        const bool shut = rule(t, faces);
        store_cells(filter_block<T, D>(block, share, shut ? &faces : nullptr),
                    out + std::size_t(t) * kTileCells<D>);
    });
    return r;
}

}  // namespace spume
