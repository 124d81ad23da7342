// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/particle_surface.h"

#include <algorithm>
#include <cmath>

#include "spume/particles/nearest.h"
#include "spume/surface/phase.h"
#include "spume/surface/redistance.h"

namespace spume {
namespace {

/// Distances are exact below this many voxels: as far as the nearest cells reach.
constexpr double kReach = 1.5;
/// Band of the level set, and where in it smoothing still matters, in voxels.
constexpr double kBand = 3, kSmoothed = 2.5;

template <int D>
CellField<std::uint8_t, D> occupied_cells(const CellRanges<D>& cells,
                                          const typename Tiles<D>::Ptr& tiles, Context& context) {
    CellField<std::uint8_t, D> r(tiles);
    std::uint8_t* out = r.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        const std::size_t first = std::size_t(t) * kTileCells<D>;
        for (std::size_t p = first; p < first + kTileCells<D>; ++p) out[p] = cells.count(p) > 0;
    });
    return r;
}

/// Replaces the values of the tile by the sums over the 3^D cells around each.
template <int D>
void sum_around(HaloBlock<std::uint8_t, D, 1>& block) {
    for (int a = 0; a < D; ++a) {
        const HaloBlock<std::uint8_t, D, 1> from = block;
        const int s = block.stride(a);
        for (int i = s; i < block.kSize - s; ++i)
            block.v[i] = static_cast<std::uint8_t>(from.v[i - s] + from.v[i] + from.v[i + s]);
    }
}

/// Distance to the nearest particle less the size of the balls: right near the union's surface,
/// of the right sign elsewhere.
template <int D>
LevelSet<D> union_of_balls(std::span<const Point<D>> positions, const CellRanges<D>& cells,
                           const typename Tiles<D>::Ptr& tiles, double size,
                           const Parting<D>* parting, Context& context) {
    const CellField<std::uint8_t, D> occupied = occupied_cells<D>(cells, tiles, context);
    auto phi = LevelSet<D>::unwritten(tiles);
    double* out = phi.write();
    const double h = tiles->voxel();
    for_tiles(context.arena, *tiles, [&](int t) {
        HaloBlock<std::uint8_t, D, 1> near;
        load_halo_continued<std::uint8_t, D, 1>(occupied.read(), *tiles, t, near);
        double* to = out + std::size_t(t) * kTileCells<D>;
        int all = 0;
        for (const std::uint8_t n : near.v) all += n;
        if (all == 0 || all == near.kSize)
            return void(std::fill_n(to, kTileCells<D>, ((all == 0 ? kReach : 0.0) - size) * h));
        sum_around<D>(near);
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> local = tile_local<D>(o);
            const int count = near.v[near.at(local)];
            double d = kReach;
            if (count > 0 && parting && parting->any() && parting->beside.at(t, o))
                d = nearest_seen<D>(kReach, positions, cells, *tiles, t, local, phi.position(t, o),
                                    parting->sees);
            else if (count == kTileNeighbours<D>)
                d = 0;
            else if (count > 0)
                d = nearest_particle<D>(kReach, positions, cells, *tiles, t, local,
                                        phi.position(t, o));
            to[o] = (d - size) * h;
        }
    });
    return phi;
}

/// S, a filter of so many passes, applied as 2S − S²: what S takes from a wave of number k is of
/// order k², what is lost here of order k⁴. S alone moves the surface of a bubble of radius R
/// inwards by about h²/R with two passes, which closes narrow streams of air.
template <int D>
void smooth_fairly(LevelSet<D>& phi, const CellField<std::uint8_t, D>& open, int passes,
                   const Parting<D>* parting, Context& context) {
    if (passes == 0) return;
    for (int n = 0; n < passes; ++n) smooth(phi, open, context, parting);
    LevelSet<D> again = phi;
    for (int n = 0; n < passes; ++n) smooth(again, open, context, parting);
    double* v = phi.write();
    const double* twice = again.read();
    for_values(context.arena, *open.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) v[i] = 2 * v[i] - twice[i];
    });
}

/// The open faces of a cell, a bit each.
template <int D>
unsigned open_faces(const FaceField<float, D>& area, int t, int o) {
    unsigned r = 0;
    for (int face = 0; face < 2 * D; ++face)
        if (area.read(face / 2)[face_place<D>(*area.tiles(), t, o, face)] > 0) r |= 1u << face;
    return r;
}

/// What a cell beyond a face says of this one along the slope from there on.
template <int D>
double along_slope(const LevelSet<D>& phi, const CellField<std::uint8_t, D>& open,
                   const Neighbour<D>& n, int face) {
    const Tiles<D>& tiles = *phi.tiles();
    const double near = phi.at(n.tile, n.offset), h = tiles.voxel();
    const Neighbour<D> next = neighbour_of<D>(tiles, n.tile, n.offset, face);
    if (!tiles.is_active(next.tile) || !open.at(next.tile, next.offset)) return near;
    return near + std::clamp(near - phi.at(next.tile, next.offset), -h, h);
}

}  // namespace

template <int D>
void extrapolate_into_solids(LevelSet<D>& phi, const CellField<std::uint8_t, D>& open,
                             const FaceField<float, D>& area, Context& context,
                             std::type_identity_t<const Films<D>*> films) {
    const Tiles<D>& tiles = *phi.tiles();
    const auto has_closed = [&](int t) {
        const std::uint8_t* own = open.tile(t);
        int closed = 0;
        for (int o = 0; o < kTileCells<D>; ++o) closed += own[o] == 0;
        return closed != 0;
    };
    if (!reduce_tiles<D>(
            context.arena, tiles, false, [&](int t) { return has_closed(t); },
            [](bool a, bool b) { return a || b; }))
        return;
    CellField<std::uint8_t, D> done = open;
    for (int layer = 0; layer < D; ++layer) {
        const LevelSet<D> before = phi;
        const CellField<std::uint8_t, D> known = done;
        double* out = phi.write();
        std::uint8_t* marks = done.write();
        for_tiles(context.arena, tiles, [&](int t) {
            const std::uint8_t* own = known.tile(t);
            if (std::all_of(own, own + kTileCells<D>, [](std::uint8_t k) { return k != 0; }))
                return;
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (own[o]) continue;
                const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
                const unsigned faces = open_faces<D>(area, t, o), ways = faces ? faces : ~0u;
                const bool sloped = layer == 0 && faces && films && films->open.at(t, o) != 0;
                double sum = 0;
                int count = 0;
                for (int a = 0; a < D; ++a) {
                    double pair = 0;
                    for (int face = 2 * a; face < 2 * a + 2; ++face) {
                        const Neighbour<D> n = neighbour_of<D>(tiles, t, o, face);
                        if (!(ways >> face & 1) || !tiles.is_active(n.tile) ||
                            !known.at(n.tile, n.offset))
                            continue;
                        const double near = before.at(n.tile, n.offset);
                        const bool film =
                            sloped && !is_liquid_centre(near, tiles.voxel()) &&
                            (films->cells.count(at) > 0 || films->cells.count(n.place()) > 0);
                        pair += film ? along_slope<D>(before, open, n, face) : near;
                        ++count;
                    }
                    sum += pair;
                }
                if (count == 0) continue;
                out[at] = sum / count;
                marks[at] = 1;
            }
        });
    }
}

template <int D>
void smooth(LevelSet<D>& phi, const CellField<std::uint8_t, D>& open, Context& context,
            const Parting<D>* parting) {
    const Tiles<D>& tiles = *phi.tiles();
    const double far = kSmoothed * tiles.voxel();
    const LevelSet<D> before = phi;
    double* out = phi.write();
    for_tiles(context.arena, tiles, [&](int t) {
        const double* own = before.tile(t);
        int near = 0;
        for (int o = 0; o < kTileCells<D>; ++o) near += own[o] < far && own[o] > -far;
        if (near == 0) return;
        HaloBlock<double, D, 1> block[2];
        load_halo(before.read(), tiles, t, block[0]);
        ExchangeFaces<double, D> faces;
        const bool shut = set_open_faces(faces, open, parting, t);
        store_cells(filter_block<double, D>(block, 0.25, shut ? &faces : nullptr),
                    out + std::size_t(t) * kTileCells<D>);
    });
}

/// Open cells, and those closed ones that hold a film: their centre lies among the particles of
/// their open part, and two open cells on there is air. A film may be thinner than a voxel, so that
/// no other cell sees it. Elsewhere their values would say where the wall is.
template <int D>
CellField<std::uint8_t, D> open_or_film(const LevelSet<D>& balls,
                                        const CellField<std::uint8_t, D>& open,
                                        const FaceField<float, D>& area, const CellRanges<D>& cells,
                                        Context& context) {
    const Tiles<D>& tiles = *open.tiles();
    const auto is_open = [&](const Neighbour<D>& n) {
        return tiles.is_active(n.tile) && open.at(n.tile, n.offset);
    };
    CellField<std::uint8_t, D> r = open;
    std::uint8_t* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = Neighbour<D>{t, o}.place();
            if (open.at(t, o) || cells.count(at) == 0 || !(balls.at(t, o) < 0)) continue;
            const unsigned ways = open_faces<D>(area, t, o);
            for (int face = 0; face < 2 * D; ++face) {
                const Neighbour<D> n = neighbour_of<D>(tiles, t, o, face);
                if (!(ways >> face & 1) || !is_open(n)) continue;
                const Neighbour<D> next = neighbour_of<D>(tiles, n.tile, n.offset, face);
                if (is_open(next) && balls.at(next.tile, next.offset) > 0) out[at] = 1;
            }
        }
    });
    return r;
}

template <int D>
LevelSet<D> liquid_surface(std::span<const Point<D>> positions, const CellRanges<D>& cells,
                           const CellField<std::uint8_t, D>& open, const FaceField<float, D>& area,
                           const ParticleSurface& how, Context& context,
                           const Parting<D>* parting) {
    Stage stage(context, "surface");
    LevelSet<D> phi = union_of_balls<D>(positions, cells, open.tiles(), how.beyond + how.closing,
                                        parting, context);
    const CellField<std::uint8_t, D> seen = open_or_film(phi, open, area, cells, context);
    extrapolate_into_solids(phi, seen, area, context);
    phi = redistanced<double, D>(phi, kBand * open.tiles()->voxel(), context, parting);
    const double back = how.closing * open.tiles()->voxel();
    double* v = phi.write();
    for_values(context.arena, *open.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) v[i] += back;
    });
    smooth_fairly(phi, seen, how.smoothing, parting, context);
    extrapolate_into_solids(phi, seen, area, context);
    // Border tiles hold no cells; what stands there must not depend on what memory held before.
    double* border = phi.write() + std::size_t(open.tiles()->active()) * kTileCells<D>;
    std::fill(border, phi.write() + open.tiles()->values(), 0.0);
    return phi;
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template LevelSet<D> liquid_surface<D>(                                                   \
        std::span<const Point<D>>, const CellRanges<D>&, const CellField<std::uint8_t, D>&,   \
        const FaceField<float, D>&, const ParticleSurface&, Context&, const Parting<D>*);     \
    template void extrapolate_into_solids<D>(LevelSet<D>&, const CellField<std::uint8_t, D>&, \
                                             const FaceField<float, D>&, Context&,            \
                                             std::type_identity_t<const Films<D>*>);          \
    template void smooth<D>(LevelSet<D>&, const CellField<std::uint8_t, D>&, Context&,        \
                            const Parting<D>*);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
