// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/sources_on_grid.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/stencil.h"
#include "spume/physics/domain/cells_in.h"

namespace spume {
namespace {

/// Liquid goes out where the shape's normal has this much of the velocity's direction; the sides of
/// a pipe, along the velocity but for rounding, have less.
constexpr double kFront = 0.05;
/// Voxels around a sink in which the liquid's distance is that to the sink.
constexpr double kSinkBand = 4;

/// A face of a source's cell.
struct Side {
    int axis = 0;
    std::size_t face = 0;
    std::size_t source = 0;
    double area = 0;    ///< open, of solids
    double carry = 0;   ///< velocity without the source's own part
    double out = 0;     ///< the source's own, along the axis; 0 on closed faces
    bool front = true;  ///< by the normal of the shape
    bool inner = false;
};

/// The faces of source i's cells; its cells lose their pressure.
template <int D>
void add_sides(std::vector<Side>& sides, CutCells<D>& open, const LiquidFlow<D>& flow,
               std::size_t i, const GridDomain<D>& domain) {
    const auto& source = flow.sources[i];
    const Tiles<D>& tiles = *open.kind.tiles();
    const double h = domain.voxel();
    std::uint8_t* kind = open.kind.write();
    for_cells<D>(
        cells_of<D>(source.body.bounds().grown(source.margin), domain), [&](const auto& cell) {
            const Point<D> centre = cell_centre<D>(cell, domain.transform);
            if (flow.source_of_cell(centre) != &source) return;
            const int t = tiles.find(tile_of<D>(cell));
            if (!tiles.is_active(t)) return;
            const int o = tile_offset<D>(cell - tiles.origin(t));
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (kind[at] == kFluidCell) kind[at] = kNoCell;
            for (int side = 0; side < 2 * D; ++side) {
                const int a = side / 2, way = side % 2 ? 1 : -1;
                const std::size_t f = face_place<D>(tiles, t, o, side);
                const double area = double(open.area.read(a)[f]);
                if (area == 0) continue;
                const Point<D> x = centre + Point<D>::unit(a, 0.5 * way * h);
                Side r{a, f, i, area};
                r.carry = source.body.velocity(x)[a];
                const auto* beyond = flow.source_of_cell(centre + Point<D>::unit(a, way * h));
                r.inner = beyond != nullptr;
                const double own = source.velocity[a];
                if (r.inner || way * own > 0) r.out = own;
                r.front =
                    dot(source.body.normal(x), source.velocity) > kFront * length(source.velocity);
                sides.push_back(r);
            }
        });
}

/// Volume a second out of the front of source i, with the scene's velocity.
double front_flux(std::span<const Side> sides, std::size_t i, double face_area) {
    double sum = 0;
    for (const Side& s : sides)
        if (s.source == i && !s.inner && s.front) sum += s.area * std::abs(s.out) * face_area;
    return sum;
}

/// A shape of a voxel or less has no normals to go by: then all its faces may be its front.
void widen_front(std::span<Side> sides, std::size_t i, double face_area) {
    if (front_flux(sides, i, face_area) > 0) return;
    for (Side& s : sides)
        if (s.source == i) s.front = true;
}

/// f(place of the cell, distance to the sinks) near sinks.
template <int D, class F>
void near_sinks(const LevelSet<D>& phi, const LiquidFlow<D>& flow, Context& context, F&& f) {
    if (flow.sinks.empty()) return;
    const double band = kSinkBand * phi.tiles()->voxel();
    for_tiles(context.arena, *phi.tiles(), [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double d = flow.sink_distance(phi.position(t, o), band);
            if (d < band) f(std::size_t(t) * kTileCells<D> + std::size_t(o), d);
        }
    });
}

}  // namespace

template <int D>
std::vector<SourceFace> open_sources(CutCells<D>& open, const LiquidFlow<D>& flow,
                                     const PlacedSolids<D>& solids, const GridDomain<D>& domain) {
    std::vector<SourceFace> r;
    if (flow.sources.empty()) return r;
    std::vector<Side> sides;
    for (std::size_t i = 0; i < flow.sources.size(); ++i) add_sides(sides, open, flow, i, domain);
    const double face_area = domain.cell_volume() / domain.voxel();
    std::vector<double> scale;
    for (std::size_t i = 0; i < flow.sources.size(); ++i) {
        widen_front(sides, i, face_area);
        const double on_grid = front_flux(sides, i, face_area);
        scale.push_back(on_grid > 0 ? carried_out(flow, i, domain, solids) / on_grid : 0.0);
    }
    for (const Side& s : sides) {
        const double own = s.inner ? s.out : s.front ? s.out * scale[s.source] : 0.0;
        const double closed = open.velocity.read(s.axis)[s.face];
        r.push_back({s.axis, s.face, s.area * (s.carry + own) + (1 - s.area) * closed});
    }
    for (const SourceFace& f : r) {
        open.area.write(f.axis)[f.face] = 0;
        open.velocity.write(f.axis)[f.face] = f.velocity;
    }
    return r;
}

template <int D>
void keep_sources(FaceField<double, D>& velocity, std::span<const SourceFace> faces) {
    for (const SourceFace& f : faces) velocity.write(f.axis)[f.face] = f.velocity;
}

template <int D>
void cut_sinks(LevelSet<D>& phi, const LiquidFlow<D>& flow, Context& context) {
    if (flow.sinks.empty()) return;
    double* v = phi.write();
    near_sinks(phi, flow, context, [&](std::size_t at, double d) { v[at] = std::max(v[at], -d); });
}

template <int D>
void keep_sinks(LevelSet<D>& phi, const LevelSet<D>& reconstructed, const LiquidFlow<D>& flow,
                Context& context) {
    if (flow.sinks.empty()) return;
    double* v = phi.write();
    const double* before = reconstructed.read();
    near_sinks(phi, flow, context, [&](std::size_t at, double d) {
        v[at] = before[at] == -d ? -d : std::max(v[at], -d);
    });
}

#define SPUME_INSTANTIATE(D)                                                               \
    template std::vector<SourceFace> open_sources<D>(                                      \
        CutCells<D>&, const LiquidFlow<D>&, const PlacedSolids<D>&, const GridDomain<D>&); \
    template void keep_sources<D>(FaceField<double, D>&, std::span<const SourceFace>);     \
    template void cut_sinks<D>(LevelSet<D>&, const LiquidFlow<D>&, Context&);              \
    template void keep_sinks<D>(LevelSet<D>&, const LevelSet<D>&, const LiquidFlow<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
