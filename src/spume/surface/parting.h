// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <functional>

#include "spume/grid/field.h"
#include "spume/grid/filter.h"

namespace spume {

/// What walls thinner than a voxel part. Cells on both sides of such a wall hold liquid or air, and
/// nothing on the grid may look from one to the other.
template <int D>
struct Parting {
    FaceField<std::uint8_t, D> faces;   ///< 1: a wall passes between the centres of its two cells
    CellField<std::uint8_t, D> beside;  ///< 1: such a wall is within the reach of a stencil
    /// Is there no such wall between two points?
    std::function<bool(const Point<D>&, const Point<D>&)> sees;

    /// Without any the fields have no tiles.
    bool any() const { return faces.tiles() != nullptr; }
    /// Is such a wall at a face of the cell?
    bool at(int tile, int offset) const {
        if (!any() || !beside.at(tile, offset)) return false;
        for (int face = 0; face < 2 * D; ++face)
            if (faces.read(face / 2)[face_place<D>(*faces.tiles(), tile, offset, face)] != 0)
                return true;
        return false;
    }
};

/// The parted faces of a tile's cells and of those around it.
template <int D>
class PartedBlock {
  public:
    using Block = HaloBlock<std::uint8_t, D, 1>;

    PartedBlock(const Parting<D>* parting, int tile) : any_(parting && parting->any()) {
        if (!any_) return;
        unsigned sum = 0;
        for (int a = 0; a < D; ++a) {
            load_halo(parting->faces.read(a), *parting->faces.tiles(), tile, lower_[a]);
            for (const std::uint8_t mark : lower_[a].v) sum += mark;
        }
        any_ = sum > 0;
    }
    bool any() const { return any_; }
    /// Is there a wall beyond the lower (0) or upper (1) face of the cell at this place of a block?
    bool operator()(int place, int axis, int side) const {
        return any_ && lower_[axis].v[place + side * Block::stride(axis)] != 0;
    }

  private:
    bool any_;
    Block lower_[D];
};

/// For filters: cells exchange where both are open and no wall passes between them. False: all of
/// the tile's and of those around it do, and nothing was set.
template <class T, int D>
bool set_open_faces(ExchangeFaces<T, D>& faces, const CellField<std::uint8_t, D>& open,
                    const Parting<D>* parting, int tile) {
    HaloBlock<std::uint8_t, D, 1> there;
    load_halo(open.read(), *open.tiles(), tile, there);
    const PartedBlock<D> parted(parting, tile);
    if (!parted.any() && std::all_of(there.v, there.v + there.kSize, [](auto o) { return o != 0; }))
        return false;
    faces.set([&](int a, int i) {
        return there.v[i] && there.v[i - there.stride(a)] && !parted(i, a, 0);
    });
    return true;
}

}  // namespace spume
