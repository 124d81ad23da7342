// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/grid/halo.h"
#include "spume/physics/free_surface/bubble_pressure.h"
#include "spume/surface/phase.h"

namespace spume {

template <int D>
CellField<std::uint8_t, D> phases_of(const LevelSet<D>& phi, const CutCells<D>& open,
                                     Context& context) {
    auto r = CellField<std::uint8_t, D>::unwritten(phi.tiles());
    std::uint8_t* out = r.write();
    const double* v = phi.read();
    const std::uint8_t* kind = open.kind.read();
    const double h = phi.tiles()->voxel();
    for_values(context.arena, *phi.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i)
            out[i] = kind[i] != kFluidCell       ? kSolidPhase
                     : is_liquid_centre(v[i], h) ? kLiquidPhase
                                                 : kAirPhase;
    });
    return r;
}

template <int D>
std::vector<SurfaceFace> surface_faces(const LevelSet<D>& phi,
                                       const CellField<std::uint8_t, D>& phase,
                                       const FaceField<float, D>& area,
                                       const CellField<std::int32_t, D>& region,
                                       const CellField<double, D>& curvature, double tension,
                                       Context& context) {
    const Tiles<D>& tiles = *phi.tiles();
    std::vector<std::vector<SurfaceFace>> lists(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        HaloBlock<std::uint8_t, D, 1> near;
        load_halo(phase.read(), tiles, t, near);
        int liquid = 0;
        for (const std::uint8_t is : near.v) liquid += is == kLiquidPhase;
        if (liquid == 0 || liquid == near.kSize) return;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int at = near.at(tile_local<D>(o));
            if (near.v[at] != kLiquidPhase) continue;
            for (int side = 0; side < 2 * D; ++side) {
                const int step = near.stride(side / 2);
                if (near.v[side % 2 ? at + step : at - step] == kLiquidPhase) continue;
                const std::size_t f = face_place<D>(tiles, t, o, side);
                if (area.read(side / 2)[f] == 0) continue;
                const Neighbour<D> n = neighbour_of<D>(tiles, t, o, side);
                const bool stored = tiles.is_active(n.tile);
                const int there = stored ? int(phase.at(n.tile, n.offset)) : int(kSolidPhase);
                if (there == kLiquidPhase) continue;
                SurfaceFace face;
                face.cell = static_cast<std::uint32_t>(t * kTileCells<D> + o);
                face.face = static_cast<std::uint32_t>(f);
                face.side = side;
                // An open face towards no cell lies on an open side of the box: liquid leaves
                // there.
                if (there == kAirPhase) {
                    const double here = phi.at(t, o), beyond = phi.at(n.tile, n.offset);
                    face.region = region.at(n.tile, n.offset);
                    face.theta = way_to_surface(here, beyond);
                    const double part = std::min(face.theta, 1.0);
                    if (curvature.tiles())
                        face.jump = tension * ((1 - part) * curvature.at(t, o) +
                                               part * curvature.at(n.tile, n.offset));
                }
                lists[std::size_t(t)].push_back(face);
            }
        }
    });
    std::vector<SurfaceFace> r;
    for (const auto& list : lists) r.insert(r.end(), list.begin(), list.end());
    return r;
}

template <int D>
std::vector<RegionRow> constrained_rows(const AirRegions<D>& regions,
                                        std::span<const SurfaceFace> faces,
                                        const FaceField<float, D>& area,
                                        std::vector<int>& dropped) {
    const std::size_t n = regions.regions.size();
    std::vector<double> surface(n, 0.0);
    for (const SurfaceFace& f : faces)
        if (f.region >= 0) surface[std::size_t(f.region)] += double(area.read(f.axis())[f.face]);
    std::vector<RegionRow> rows(n);
    std::vector<std::uint8_t> free(std::size_t(regions.compartments), 0);
    std::vector<int> largest(std::size_t(regions.compartments), -1);
    for (std::size_t k = 0; k < n; ++k) {
        const auto& region = regions.regions[k];
        if (region.outside) free[std::size_t(region.compartment)] = 1;
        rows[k].constrained = !region.outside && surface[k] > 0;
        int& best = largest[std::size_t(region.compartment)];
        if (rows[k].constrained && (best < 0 || surface[k] > surface[std::size_t(best)]))
            best = int(k);
    }
    dropped.clear();
    for (int c = 0; c < regions.compartments; ++c) {
        const int k = largest[std::size_t(c)];
        if (k < 0 || free[std::size_t(c)]) continue;
        rows[std::size_t(k)].constrained = false;
        dropped.push_back(k);
    }
    return rows;
}

template <int D>
std::vector<double> solid_fluxes(const AirRegions<D>& regions, const CutCells<D>& open,
                                 Context& context) {
    const Tiles<D>& tiles = *regions.label.tiles();
    struct Part {
        std::int32_t region;
        double flux;
    };
    std::vector<std::vector<Part>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::int32_t k = regions.label.at(t, o);
            if (k < 0) continue;
            double sum = 0;
            for (int side = 0; side < 2 * D; ++side) {
                const std::size_t f = face_place<D>(tiles, t, o, side);
                sum += (side % 2 ? 1 : -1) * (1 - double(open.area.read(side / 2)[f])) *
                       open.velocity.read(side / 2)[f];
            }
            if (sum != 0) parts[std::size_t(t)].push_back({k, sum / tiles.voxel()});
        }
    });
    std::vector<double> r(regions.regions.size(), 0.0);
    for (const auto& list : parts)
        for (const Part& p : list) r[std::size_t(p.region)] += p.flux;
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template CellField<std::uint8_t, D> phases_of<D>(const LevelSet<D>&, const CutCells<D>&, \
                                                     Context&);                              \
    template std::vector<SurfaceFace> surface_faces<D>(                                      \
        const LevelSet<D>&, const CellField<std::uint8_t, D>&, const FaceField<float, D>&,   \
        const CellField<std::int32_t, D>&, const CellField<double, D>&, double, Context&);   \
    template std::vector<RegionRow> constrained_rows<D>(                                     \
        const AirRegions<D>&, std::span<const SurfaceFace>, const FaceField<float, D>&,      \
        std::vector<int>&);                                                                  \
    template std::vector<double> solid_fluxes<D>(const AirRegions<D>&, const CutCells<D>&,   \
                                                 Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
