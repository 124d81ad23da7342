// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/rebuilt_surface.h"

#include <algorithm>
#include <cmath>

#include "spume/frame/volumes.h"
#include "spume/geometry/mesh_distance.h"
#include "spume/grid/sample.h"
#include "spume/surface/particle_surface.h"

namespace spume {
namespace {

constexpr double kBand = 3;       // voxels
constexpr double kReach = 4;      // voxels of tiles around a mesh
constexpr double kParticles = 3;  // voxels of tiles around particles

/// Lower and upper key of the tiles that a box of the world, grown by `by`, touches.
Box<int, 3> keys_of(const Box<double, 3>& box, const Transform<3>& lattice, double by) {
    const Box<double, 3> grown = box.grown(by);
    return {tile_of<3>(floor_index<3>(lattice.to_lattice(grown.lo))),
            tile_of<3>(floor_index<3>(lattice.to_lattice(grown.hi))) + Index<3>::filled(1)};
}

/// Tiles within the band of the mesh, and those inside.
Tiles<3>::Ptr tiles_around(const MeshDistance& mesh, const Transform<3>& lattice, double reach,
                           Context& context) {
    const Box<int, 3> range = keys_of(mesh.bounds(), lattice, reach);
    const Vec<int, 3> size = range.size();
    const auto count = std::size_t(size[0]) * std::size_t(size[1]) * std::size_t(size[2]);
    const auto key_at = [&](std::size_t i) {
        const int n = int(i);
        return range.lo + Index<3>{n / (size[1] * size[2]), n / size[2] % size[1], n % size[2]};
    };
    const double half = std::sqrt(3.0) * 0.5 * kTileSide<3> * lattice.voxel;
    std::vector<std::uint8_t> wanted(count);
    for_range(context.arena, count, 8, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const Index<3> corner = key_at(i) * kTileSide<3>;
            const Point<3> centre =
                lattice.origin +
                (corner.as<double>() + Point<3>::filled(0.5 * kTileSide<3>)) * lattice.voxel;
            wanted[i] = mesh.distance_within(centre, half + reach) < half + reach ? 1 : 0;
        }
    });
    std::vector<Index<3>> keys;
    for (std::size_t i = 0; i < count; ++i)
        if (wanted[i]) keys.push_back(key_at(i));
    return Tiles<3>::build(std::move(keys), lattice);
}

/// Cut at the band, as files have it.
Volume level_volume(CellField<double, 3> phi, Context& context) {
    const double band = kBand * phi.tiles()->voxel();
    double* v = phi.write();
    for_values(context.arena, *phi.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) v[i] = std::clamp(v[i], -band, band);
    });
    Volume r = volume_of(phi, "surface", "m", VolumeKind::kLevelSet, context);
    r.background = float(band);
    return r;
}

CellField<double, 3> distance_to(const MeshDistance& mesh, const Tiles<3>::Ptr& tiles,
                                 Context& context) {
    CellField<double, 3> phi(tiles);
    double* out = phi.write();
    const double band = kBand * tiles->voxel();
    for_tiles(context.arena, *tiles, [&](int t) {
        for (int o = 0; o < kTileCells<3>; ++o)
            out[std::size_t(t) * kTileCells<3> + std::size_t(o)] =
                mesh.distance_within(phi.position(t, o), band);
    });
    return phi;
}

/// The velocity of the nearest point of the mesh on faces within the band.
Volume flow_volume(const MeshDistance& mesh, const Array<Vec<float, 3>>& of_vertices,
                   const CellField<double, 3>& phi, Context& context) {
    const auto& tiles = phi.tiles();
    FaceField<double, 3> u(tiles);
    const double band = kBand * tiles->voxel();
    double* out[3] = {u.write(0), u.write(1), u.write(2)};
    for_tiles(context.arena, *tiles, [&](int t) {
        for (int o = 0; o < kTileCells<3>; ++o) {
            if (!(std::abs(phi.at(t, o)) < band)) continue;
            for (int a = 0; a < 3; ++a) {
                const MeshPoint near = mesh.nearest_point(u.position(a, t, o));
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += near.weight[k] * double(of_vertices[std::size_t(near.vertex[k])][a]);
                out[a][std::size_t(t) * kTileCells<3> + std::size_t(o)] = sum;
            }
        }
    });
    return volume_of(u, "vel", "m/s", context);
}

/// The velocities of a mesh's vertices, if the frame has them.
const Array<Vec<float, 3>>* velocities_of(const NamedMesh& mesh, const Frame& frame) {
    for (const PointSet& points : frame.points) {
        const NamedColumn* v = points.name == mesh.name ? points.find("v") : nullptr;
        if (!v || points.size() != mesh.mesh.vertices.size()) continue;
        return std::get_if<Array<Vec<float, 3>>>(&v->values);
    }
    return nullptr;
}

CellField<double, 3> surface_of_points(const PointSet& points, const Transform<3>& lattice,
                                       Context& context) {
    std::vector<Index<3>> keys;
    std::vector<std::uint64_t> ids(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        ids[i] = i;
        const Point<3> u = lattice.to_lattice(points.position[i]);
        const Index<3> lo = tile_of<3>(floor_index<3>(u - Point<3>::filled(kParticles))),
                       hi = tile_of<3>(floor_index<3>(u + Point<3>::filled(kParticles)));
        for (int c = 0; c < 8; ++c) {
            Index<3> key = lo;
            bool fresh = true;
            for (int a = 0; a < 3; ++a)
                if (c >> a & 1) {
                    fresh = fresh && hi[a] != lo[a];
                    key[a] = hi[a];
                }
            if (fresh && (keys.empty() || !(keys.back() == key))) keys.push_back(key);
        }
    }
    const auto tiles = Tiles<3>::build(std::move(keys), lattice);
    CellRanges<3> cells;
    const TileOrder<3> order =
        tile_order<3>(points.position.read(), ids, tiles, {}, context, &cells.begin);
    std::vector<Point<3>> sorted(points.size());
    for (std::size_t i = 0; i < sorted.size(); ++i)
        sorted[i] = points.position[order.order.empty() ? i : order.order[i]];
    return liquid_surface<3>(sorted, cells, CellField<std::uint8_t, 3>(tiles, 1),
                             FaceField<float, 3>(tiles, 1.F), {}, context);
}

template <class T>
const T* named(const std::vector<T>& all, const char* name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

Frame with_surface(const Frame& frame, const Transform<3>& lattice, Context& context) {
    Frame r = frame;
    if (named(frame.volumes, "surface")) return r;
    Stage stage(context, "bulk");
    if (const NamedMesh* mesh = named(frame.meshes, "surface"); mesh) {
        const MeshDistance distance(mesh->mesh);
        const auto tiles = tiles_around(distance, lattice, kReach * lattice.voxel, context);
        const CellField<double, 3> phi = distance_to(distance, tiles, context);
        r.volumes.push_back(level_volume(phi, context));
        if (const auto* v = velocities_of(*mesh, frame); v && !named(frame.volumes, "vel"))
            r.volumes.push_back(flow_volume(distance, *v, phi, context));
    } else if (const PointSet* points = named(frame.points, "liquid"); points) {
        r.volumes.push_back(level_volume(surface_of_points(*points, lattice, context), context));
    }
    return r;
}

}  // namespace spume
