// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/density_error.h"

#include <algorithm>

#include "spume/grid/filter.h"
#include "spume/surface/phase.h"

namespace spume::constraint {
namespace {

/// Passes of S, (1 2 1)/4 along each axis between open cells: particles thrown at random make noise
/// of 3 % of a cell (2D: 10), clumps of a few voxels show.
constexpr int kPasses = 4;
/// Particles for whom there is no room in a cell, in those of a full one.
constexpr double kCrowded = 1.25;

}  // namespace

template <int D>
CellField<float, D> density_error_of(const CellRanges<D>& cells, const CellField<float, D>& filled,
                                     const CellField<float, D>& open_fraction,
                                     const CellField<std::uint8_t, D>& open, double full_count,
                                     Context& context, const Parting<D>* parting) {
    Stage stage(context, "packing");
    CellField<float, D> r(filled.tiles());
    float* out = r.write();
    const float share = static_cast<float>(1 / full_count);
    for_tiles(context.arena, *filled.tiles(), [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (!open.at(t, o) || (parting && parting->at(t, o))) continue;
            out[at] = share * float(cells.count(at)) - filled.at(t, o) * open_fraction.at(t, o);
        }
    });
    const auto between_open_cells = [&](int t, ExchangeFaces<float, D>& faces) {
        return set_open_faces(faces, open, parting, t);
    };
    for (int n = 0; n < kPasses; ++n) r = filtered(r, 0.25f, between_open_cells, context);
    return r;
}

template <int D>
void cover_full_cells(LevelSet<D>& phi, const CellRanges<D>& cells,
                      const CellField<std::uint8_t, D>& open, double full_count, Context& context,
                      const Parting<D>* parting) {
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel();
    double* out = phi.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (is_liquid_centre(out[at], h) || !open.at(t, o) || (parting && parting->at(t, o)))
                continue;
            // The surface is at the centre, or half a voxel above it where as many lie again.
            const double part = cells.count(at) / full_count - kCrowded;
            if (part > 0) out[at] = std::min(out[at], -0.5 * h * std::min(part, 1.0));
        }
    });
}

#define SPUME_INSTANTIATE(D)                                                               \
    template CellField<float, D> density_error_of<D>(                                      \
        const CellRanges<D>&, const CellField<float, D>&, const CellField<float, D>&,      \
        const CellField<std::uint8_t, D>&, double, Context&, const Parting<D>*);           \
    template void cover_full_cells<D>(LevelSet<D>&, const CellRanges<D>&,                  \
                                      const CellField<std::uint8_t, D>&, double, Context&, \
                                      const Parting<D>*);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
