// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <limits>

#include "spume/methods/mixture/tension.h"

// The fraction filter of [WSB25] §5.4.1. A mark is the place of the cell it started from, plus one:
// a name that no thread count changes.

namespace spume::mixture {
namespace {

using Mark = std::int32_t;

/// A cell among its neighbours, for one sweep.
template <int D>
struct Neighbourhood {
    const Tiles<D>& tiles;
    const FaceField<double, D>& bubble;
    int tile, offset;

    std::size_t place() const { return std::size_t(tile) * kTileCells<D> + std::size_t(offset); }
    /// f(neighbouring cell, fraction on the face between) for all 2 D of them.
    template <class F>
    void visit(F&& f) const {
        for (int a = 0; a < D; ++a) {
            f(neighbour_of<D>(tiles, tile, offset, 2 * a).place(), bubble.read(a)[place()]);
            const std::size_t above = neighbour_of<D>(tiles, tile, offset, 2 * a + 1).place();
            f(above, bubble.read(a)[above]);
        }
    }
    int wet_faces() const {
        int n = 0;
        visit([&](std::size_t, double phi) { n += phi > 0 ? 1 : 0; });
        return n;
    }
};

/// 1: a cell with air on all its faces.
template <int D>
Mark marked(const Neighbourhood<D>& cell, const Mark*) {
    return cell.wet_faces() == 2 * D ? Mark(cell.place() + 1) : 0;
}

/// 2: of two marked cells that share a face none stays marked.
template <int D>
Mark kept_alone(const Neighbourhood<D>& cell, const Mark* before) {
    bool alone = true;
    if (before[cell.place()] != 0)
        cell.visit([&](std::size_t beside, double) { alone = alone && before[beside] == 0; });
    return alone ? before[cell.place()] : 0;
}

/// 3: beside just one marked cell, with air on two faces or more.
template <int D>
Mark dilated_once(const Neighbourhood<D>& cell, const Mark* before) {
    if (before[cell.place()] != 0) return before[cell.place()];
    int count = 0;
    Mark found = 0;
    cell.visit([&](std::size_t beside, double) {
        if (before[beside] != 0) ++count, found = before[beside];
    });
    return count == 1 && cell.wet_faces() >= 2 ? found : 0;
}

/// 4: beside two cells of one mark, through faces with air.
template <int D>
Mark dilated_twice(const Neighbourhood<D>& cell, const Mark* before) {
    if (before[cell.place()] != 0) return before[cell.place()];
    Mark seen[2 * D];
    int count = 0;
    Mark found = 0;
    cell.visit([&](std::size_t beside, double phi) {
        if (before[beside] == 0 || !(phi > 0)) return;
        for (int i = 0; i < count && found == 0; ++i)
            if (seen[i] == before[beside]) found = seen[i];
        seen[count++] = before[beside];
    });
    return found;
}

/// Which active tiles have air on a face of theirs or of a neighbouring tile.
template <int D>
std::vector<int> tiles_near_air(const FaceField<double, D>& bubble, Context& context) {
    const Tiles<D>& tiles = *bubble.tiles();
    std::vector<std::uint8_t> air(std::size_t(tiles.stored()), 0);
    for_range(context.arena, std::size_t(tiles.zero()), 4, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t)
            for (int a = 0; a < D && !air[t]; ++a)
                for (int o = 0; o < kTileCells<D> && !air[t]; ++o)
                    air[t] = bubble.at(a, int(t), o) > 0;
    });
    std::vector<int> near;
    for (int t = 0; t < tiles.active(); ++t) {
        bool any = false;
        for (int n = 0; n < kTileNeighbours<D>; ++n)
            any = any || air[std::size_t(tiles.neighbours(t)[n])] != 0;
        if (any) near.push_back(t);
    }
    return near;
}

}  // namespace

template <int D>
CellField<std::int32_t, D> isolated_cells(const FaceField<double, D>& bubble, Context& context) {
    Stage stage(context, "tension");
    const auto& tiles = bubble.tiles();
    SPUME_CHECK_OP(tiles->values(), <, std::size_t(std::numeric_limits<Mark>::max()));
    const std::vector<int> near = tiles_near_air(bubble, context);
    CellField<Mark, D> before(tiles), after(tiles);
    const auto sweep = [&](auto&& rule) {
        const Mark* in = before.read();
        Mark* out = after.write();
        for_range(context.arena, near.size(), 4, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n)
                for (int o = 0; o < kTileCells<D>; ++o) {
                    const Neighbourhood<D> cell{*tiles, bubble, near[n], o};
                    out[cell.place()] = rule(cell, in);
                }
        });
        std::swap(before, after);
    };
    sweep(marked<D>);
    sweep(kept_alone<D>);
    sweep(dilated_once<D>);
    sweep(dilated_twice<D>);
    return before;
}

template <int D>
CellField<double, D> cell_fraction(const FaceField<double, D>& bubble,
                                   const CellField<std::int32_t, D>& isolated, Context& context) {
    Stage stage(context, "tension");
    const auto& tiles = bubble.tiles();
    const std::int32_t* mark = isolated.tiles() ? isolated.read() : nullptr;
    CellField<double, D> r(tiles);
    double* out = r.write();
    const std::vector<int> near = tiles_near_air(bubble, context);
    for_range(context.arena, near.size(), 4, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Neighbourhood<D> cell{*tiles, bubble, near[n], o};
                if (mark && mark[cell.place()] != 0) continue;
                double sum = 0;
                cell.visit([&](std::size_t beside, double phi) {
                    if (!mark || mark[beside] == 0) sum += phi;
                });
                out[cell.place()] = sum / (2 * D);
            }
    });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template CellField<std::int32_t, D> isolated_cells<D>(const FaceField<double, D>&, Context&); \
    template CellField<double, D> cell_fraction<D>(const FaceField<double, D>&,                   \
                                                   const CellField<std::int32_t, D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
