// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/bulk_surface.h"

#include <cmath>

#include "apps/spume/render_picture.h"
#include "spume/frame/volumes.h"
#include "spume/physics/bulk/bulk.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/surface/closed_surface.h"
#include "spume/surface/mesh_of.h"

namespace spume {
namespace {

/// The tiles and those around them, so that there is an outside wherever the surface is closed.
template <int D>
typename Tiles<D>::Ptr with_neighbours(const std::vector<Index<D>>& keys,
                                       const Transform<D>& transform) {
    std::vector<Index<D>> all;
    for (const Index<D>& key : keys)
        for (int code = 0; code < kTileNeighbours<D>; ++code) {
            Index<D> other = key;
            for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) other[a] += rest % 3 - 1;
            all.push_back(other);
        }
    return Tiles<D>::build(std::move(all), transform);
}

template <int D>
void add_in(Frame& frame, const Scene& scene, const Inputs& inputs, Context& context) {
    const auto bulk = bulk_of<D>(scene, inputs);
    const double h = bulk->transform().voxel;
    const auto tiles =
        with_neighbours<D>(bulk->liquid_tiles(frame.time, 3 * h, context), bulk->transform());
    const PlacedSolids<D> solids = SolidSet<D>(scene.solids, inputs.meshes, true).at(frame.time);
    const DistanceWithin<D> to_solids = [&](const Point<D>& x, double band) {
        return solids.distance_within(x, band);
    };
    const LevelSet<D> surface = closed_surface<D>(
        bulk->on(tiles, frame.time, context).phi, grid_domain_of<D>(scene).bounds(),
        solids.empty() ? DistanceWithin<D>() : to_solids, context);
    if constexpr (D == 3) {
        frame.meshes.push_back({"surface", mesh_of(surface, context)});
    } else {
        Volume volume = volume_of(surface, "surface", "m", VolumeKind::kLevelSet, context);
        volume.background = static_cast<float>(3 * h);
        frame.volumes.push_back(std::move(volume));
        frame.free_surface = true;
    }
}

}  // namespace

void add_bulk_surface(Frame& frame, const Scene& scene, const Inputs& inputs, Context& context) {
    if (scene.domain.dimensions == 2)
        add_in<2>(frame, scene, inputs, context);
    else
        add_in<3>(frame, scene, inputs, context);
}

Scene with_sea_around(const Scene& scene) {
    Scene wide = scene;
    const bool open = scene.domain.sides == Border::kOpen && scene.domain.dimensions == 3;
    if (!scene.bulk.present || scene.bulk.cached() || !open) return wide;
    const double voxel = scene.voxel();
    for (const int k : {0, 2}) {
        // Whole voxels, so that the surface of the domain itself is drawn as it was.
        const double more =
            voxel * std::ceil((scene.domain.upper[k] - scene.domain.lower[k]) / voxel - 1e-6);
        wide.domain.lower[k] -= more, wide.domain.upper[k] += more;
    }
    return wide;
}

}  // namespace spume
