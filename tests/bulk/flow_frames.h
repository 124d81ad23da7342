// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <thread>

#include "spume/frame/volumes.h"
#include "spume/grid/sample.h"
#include "spume/physics/bulk/bulk.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/surface/closed_surface.h"

namespace spume::test {

/// Frames of a liquid given by functions, as a method with a free surface writes them: the level
/// set cut at three voxels and closed along the box and solids, velocities on faces of the liquid
/// only, in the tiles around it only.
template <int D>
class FlowFrames final : public BulkSource {
  public:
    using Phi = std::function<double(const Point<D>&, double)>;
    using Velocity = std::function<Vec<double, D>(const Point<D>&, double)>;

    BulkInfo about;
    Phi phi;
    Velocity velocity;
    std::function<double(const Point<D>&)> solids;  ///< distance, negative inside; may be empty
    std::function<Index<D>(int)> moved;             ///< by how many cells a frame's box lies off
    double velocity_scale = 1;
    std::set<int> missing;
    std::chrono::milliseconds slow{0};
    mutable std::atomic<int> reads{0};

    FlowFrames(int cells, double voxel, double fps, int frames) {
        about.path = "/flow";
        about.dimensions = D;
        about.voxel = voxel;
        about.fps = fps;
        about.last = frames;
        for (int a = 0; a < D; ++a) about.box.hi[a] = cells * voxel;
    }
    void close_all() {
        for (auto& axis : about.closed) axis[0] = axis[1] = true;
    }

    const BulkInfo& info() const override { return about; }
    bool has(int frame) const override {
        return frame >= about.first && frame <= about.last && !missing.count(frame);
    }
    /// Frame n is at n / fps.
    Frame read(int number) const override {
        ++reads;
        std::this_thread::sleep_for(slow);
        Context context(1);
        const double h = about.voxel, time = number / about.fps;
        const Index<D> off = moved ? moved(number) : Index<D>{};
        Transform<D> transform{h, in_plane<D>(about.origin)};
        transform.origin = transform.to_world(off.template as<double>());
        Box<int, D> cells{};
        for (int a = 0; a < D; ++a) cells.hi[a] = int(std::lround(about.box.hi[a] / h));
        const Box<double, D> box{in_plane<D>(about.box.lo), in_plane<D>(about.box.hi)};
        const auto all = Tiles<D>::dense({cells.lo - off, cells.hi - off}, transform);
        std::vector<Index<D>> keys;
        const CellField<char, D> places(all);
        for (int t = 0; t < all->active(); ++t) {
            bool near = false;
            for (int o = 0; o < kTileCells<D>; ++o)
                near = near || phi(places.position(t, o), time) < 3 * h;
            if (near) keys.push_back(all->key(t));
        }
        const auto tiles = Tiles<D>::build(keys, transform);
        CellField<double, D> level(tiles);
        double* values = level.write();
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                values[t * kTileCells<D> + o] =
                    std::clamp(phi(level.position(t, o), time), -3 * h, 3 * h);
        const DistanceWithin<D> to_solids = [&](const Point<D>& x, double) { return solids(x); };
        level = closed_surface<D>(level, box, solids ? to_solids : DistanceWithin<D>(), context);
        FaceField<double, D> u(tiles);
        for (int a = 0; a < D; ++a) {
            double* out = u.write(a);
            for_face_pairs(context.arena, *tiles, a, [&](std::size_t face, std::size_t below) {
                if (level.read()[face] < 0 || level.read()[below] < 0)
                    out[face] = velocity_scale * velocity(u.position(a, int(face / kTileCells<D>),
                                                                     int(face % kTileCells<D>)),
                                                          time)[a];
            });
        }
        Frame r;
        r.number = number;
        r.time = time;
        r.dimensions = D;
        r.free_surface = true;
        r.volumes.push_back(volume_of(level, "surface", "m", VolumeKind::kLevelSet, context));
        r.volumes.back().background = float(3 * h);
        r.volumes.push_back(volume_of(u, "vel", "m/s", context));
        return r;
    }
};

/// A scene over such frames, on the same lattice.
template <int D>
Scene scene_over(const FlowFrames<D>& frames) {
    Scene s;
    s.domain.dimensions = D;
    s.domain.lower = frames.about.origin;
    s.domain.upper = frames.about.box.hi;
    s.domain.voxel = frames.about.voxel;
    s.time.fps = frames.about.fps;
    s.time.frames = frames.about.last;
    s.bulk.present = true;
    s.bulk.kind = BulkKind::kCache;
    return s;
}

template <int D>
typename Tiles<D>::Ptr dense_tiles(const Scene& scene) {
    const GridDomain<D> domain = grid_domain_of<D>(scene);
    return Tiles<D>::dense(domain.cells, domain.transform);
}

/// Part of a cell that a level set fills, for comparing volumes.
inline double filled(double phi, double voxel) { return std::clamp(0.5 - phi / voxel, 0.0, 1.0); }

/// Volume in which two level sets differ, over that of the second.
template <int D>
double difference(const CellField<double, D>& phi,
                  const std::function<double(const Point<D>&)>& exact) {
    const Tiles<D>& tiles = *phi.tiles();
    double differ = 0, all = 0;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double is = filled(phi.at(t, o), tiles.voxel()),
                         be = filled(exact(phi.position(t, o)), tiles.voxel());
            differ += std::abs(is - be);
            all += be;
        }
    return differ / all;
}

}  // namespace spume::test
