// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/sources_and_sinks.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/domain/cells_in.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/fraction.h"
#include "spume/surface/phase.h"

namespace spume::constraint {
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

template <int D>
Point<D> centre_of(const Index<D>& cell, const Transform<D>& transform) {
    return transform.to_world(cell.template as<double>() + Point<D>::filled(0.5));
}

/// The faces of source i's cells; its cells lose their pressure.
template <int D>
void add_sides(std::vector<Side>& sides, SubstepGeometry<D>& g, std::size_t i, const World<D>& w) {
    const auto& source = g.flow.sources[i];
    const Tiles<D>& tiles = *g.open.kind.tiles();
    const double h = w.domain.voxel();
    std::uint8_t* kind = g.open.kind.write();
    for_cells<D>(
        cells_of<D>(source.body.bounds().grown(source.margin), w.domain), [&](const auto& cell) {
            const Point<D> centre = centre_of<D>(cell, w.domain.transform);
            if (g.flow.source_of_cell(centre) != &source) return;
            const int t = tiles.find(tile_of<D>(cell));
            if (!tiles.is_active(t)) return;
            const int o = tile_offset<D>(cell - tiles.origin(t));
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (kind[at] == kFluidCell) kind[at] = kNoCell;
            for (int side = 0; side < 2 * D; ++side) {
                const int a = side / 2, way = side % 2 ? 1 : -1;
                const std::size_t f = face_place<D>(tiles, t, o, side);
                const double area = double(g.open.area.read(a)[f]);
                if (area == 0) continue;
                const Point<D> x = centre + Point<D>::unit(a, 0.5 * way * h);
                Side r{a, f, i, area};
                r.carry = source.body.velocity(x)[a];
                const auto* beyond = g.flow.source_of_cell(centre + Point<D>::unit(a, way * h));
                r.inner = beyond != nullptr;
                const double own = source.velocity[a];
                if (r.inner || way * own > 0) r.out = own;
                r.front =
                    dot(source.body.normal(x), source.velocity) > kFront * length(source.velocity);
                sides.push_back(r);
            }
        });
}

/// Factor of the velocity in the front of source i.
template <int D>
double front_scale(std::vector<Side>& sides, std::size_t i, const SubstepGeometry<D>& g, const World<D>& w,
                   const PlacedSolids<D>& solids) {
    const double face = w.domain.cell_volume() / w.domain.voxel();
    const auto flux = [&] {
        double sum = 0;
        for (const Side& s : sides)
            if (s.source == i && !s.inner && s.front) sum += s.area * std::abs(s.out) * face;
        return sum;
    };
    double on_grid = flux();
    if (!(on_grid > 0)) {  // a shape of a voxel or less has no normals to go by
        for (Side& s : sides)
            if (s.source == i) s.front = true;
        on_grid = flux();
    }
    return on_grid > 0 ? carried_out(g.flow, i, w.domain, solids) / on_grid : 0.0;
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

/// Is a point outside the surface, with no liquid in the cells around it?
template <int D>
bool is_detached(const LevelSet<D>& phi, const Index<D>& cell) {
    const Tiles<D>& tiles = *phi.tiles();
    for (int c = 0; c < kTileNeighbours<D>; ++c) {
        Index<D> i = cell;
        for (int a = 0, rest = c; a < D; ++a, rest /= 3) i[a] += rest % 3 - 1;
        const int t = tiles.find(tile_of<D>(i));
        if (tiles.is_active(t) &&
            is_liquid_centre(phi.at(t, tile_offset<D>(i - tiles.origin(t))), tiles.voxel()))
            return false;
    }
    return true;
}

/// Volume of the drops that have left the box or ended in a sink, each particle as at the start. No
/// flux of the grid counts them; whether a particle was one is told where it came from.
template <int D>
double detached_outflow(const State<D>& s, const World<D>& w, Interval time, Context& context) {
    const LiquidFlow<D> flow = w.liquids.flow_at(time.end, w.domain.voxel());
    if (w.domain.closed() && flow.sinks.empty()) return 0;
    const Clamp<D> inside = Clamp<D>::closed(w.domain.cells);
    const auto was_drop = [&](std::size_t i) {
        const Point<D> before = s.liquid.position[i] - s.liquid.velocity[i] * time.length();
        return is_detached(s.phi, inside.cell(w.domain.transform.to_lattice(before)));
    };
    const double drops = reduce(
        context.arena, s.liquid.size(), 4096, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Point<D>& x = s.liquid.position[i];
                count += (has_escaped(x, w.domain) || flow.in_sink(x)) && was_drop(i);
            }
            return count;
        },
        [](double a, double b) { return a + b; });
    return drops * w.domain.cell_volume() / (1 << D);
}

/// Volume of the liquid where sinks open: it is gone at once.
template <int D>
double drained_by_sinks(const State<D>& s, const World<D>& w, const PlacedSolids<D>& solids, Interval time,
                 Context& context) {
    const double h = w.domain.voxel();
    const LiquidFlow<D> now = w.liquids.flow_at(time.end, h);
    if (now.sinks.size() <= w.liquids.flow_at(time.begin, h).sinks.size()) return 0;
    const auto open_fraction = open_fractions(cut_cells(solids, w.domain, s.grid.tiles, context), context);
    LevelSet<D> cut = s.phi;
    cut_sinks(cut, now, context);
    return volume_of(liquid_fractions<D>(s.phi, context), open_fraction, context) -
           volume_of(liquid_fractions<D>(cut, context), open_fraction, context);
}

}  // namespace

template <int D>
void open_sources(SubstepGeometry<D>& g, const World<D>& w, const PlacedSolids<D>& solids) {
    g.source_faces.clear();
    if (g.flow.sources.empty()) return;
    std::vector<Side> sides;
    for (std::size_t i = 0; i < g.flow.sources.size(); ++i) add_sides(sides, g, i, w);
    std::vector<double> scale;
    for (std::size_t i = 0; i < g.flow.sources.size(); ++i)
        scale.push_back(front_scale(sides, i, g, w, solids));
    for (const Side& s : sides) {
        const double own = s.inner ? s.out : s.front ? s.out * scale[s.source] : 0.0;
        double& closed = g.open.velocity.write(s.axis)[s.face];
        const double value = s.area * (s.carry + own) + (1 - s.area) * closed;
        g.source_faces.push_back({s.axis, s.face, value});
    }
    for (const SourceFace& f : g.source_faces) {
        g.open.area.write(f.axis)[f.face] = 0;
        g.open.velocity.write(f.axis)[f.face] = f.velocity;
    }
}

template <int D>
void keep_sources(FaceField<double, D>& velocity, const SubstepGeometry<D>& g) {
    for (const SourceFace& f : g.source_faces) velocity.write(f.axis)[f.face] = f.velocity;
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

template <int D>
LiquidExchange exchange_liquid(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids, Interval time,
                       Context& context) {
    LiquidExchange r;
    r.outflow = s.outflow * time.length() + detached_outflow(s, w, time, context) +
                drained_by_sinks(s, w, solids, time, context);
    remove_escaped(s.liquid, w.domain, context);
    r.asked = w.liquids.asked(w.domain, solids, time);
    const auto is_liquid = [&](const Point<D>& x) {
        const Tiles<D>& tiles = *s.phi.tiles();
        const Index<D> cell = floor_index<D>(tiles.transform().to_lattice(x));
        const int t = tiles.find(tile_of<D>(cell));
        return tiles.is_active(t) &&
               is_liquid_centre(s.phi.at(t, tile_offset<D>(cell - tiles.origin(t))), tiles.voxel());
    };
    r.filled = w.liquids.flow(s.liquid, w.domain, solids, time, is_liquid, context);
    return r;
}

template <int D>
double outflow_of(const FaceField<double, D>& velocity, const SubstepGeometry<D>& g,
                  std::span<const SurfaceFace> faces, const World<D>& w) {
    const double h = w.domain.voxel();
    const Tiles<D>& tiles = *velocity.tiles();
    double rate = 0;
    for (const SurfaceFace& f : faces) {
        double carry = 0;  // a sink that moves meets what it moves into
        if (f.region >= 0) {
            if (g.flow.sinks.empty()) continue;
            const int t = int(f.cell / kTileCells<D>), o = int(f.cell % kTileCells<D>);
            const Point<D> x = centre_of<D>(tiles.origin(t) + tile_local<D>(o), tiles.transform());
            if (!(g.flow.sink_distance(x + Point<D>::unit(f.axis(), f.sign() * h), h) < 0))
                continue;
            carry =
                g.flow.sink_velocity(x + Point<D>::unit(f.axis(), 0.5 * f.sign() * h))[f.axis()];
        }
        rate += double(g.open.area.read(f.axis())[f.face]) *
                std::max(0.0, f.sign() * (velocity.read(f.axis())[f.face] - carry));
    }
    return rate * w.domain.cell_volume() / h;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template void open_sources<D>(SubstepGeometry<D>&, const World<D>&, const PlacedSolids<D>&);                  \
    template void keep_sources<D>(FaceField<double, D>&, const SubstepGeometry<D>&);                        \
    template void cut_sinks<D>(LevelSet<D>&, const LiquidFlow<D>&, Context&);                      \
    template void keep_sinks<D>(LevelSet<D>&, const LevelSet<D>&, const LiquidFlow<D>&, Context&); \
    template LiquidExchange exchange_liquid<D>(State<D>&, const World<D>&, const PlacedSolids<D>&, Interval,     \
                                       Context&);                                                  \
    template double outflow_of<D>(const FaceField<double, D>&, const SubstepGeometry<D>&,                   \
                                  std::span<const SurfaceFace>, const World<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
