// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <functional>
#include <limits>

#include "spume/physics/bulk/bulk.h"

namespace spume {

/// A bulk whose level set and velocity are functions of place and time, in a box of whole cells.
template <int D>
class FormulaBulk : public Bulk<D> {
  public:
    Box<double, D> bounds;
    Transform<D> lattice;
    Interval known{-std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
    std::function<double(const Point<D>&, double)> phi;
    std::function<Vec<double, D>(const Point<D>&, double)> velocity;
    std::function<double(const Point<D>&, double)> mask;  ///< the volume "mask"

    Interval times() const override { return known; }
    const Transform<D>& transform() const override { return lattice; }
    Box<double, D> box(double) const override { return bounds; }
    std::vector<Index<D>> liquid_tiles(double time, double band, Context&) const override {
        const Box<int, D> cells{
            floor_index<D>(lattice.to_lattice(bounds.lo) + Point<D>::filled(0.5)),
            floor_index<D>(lattice.to_lattice(bounds.hi) + Point<D>::filled(0.5))};
        const auto dense = Tiles<D>::dense(cells, lattice);
        const CellField<char, D> places(dense);
        std::vector<Index<D>> r;
        for (int t = 0; t < dense->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (phi(places.position(t, o), time) < band) {
                    r.push_back(dense->key(t));
                    break;
                }
        return r;
    }
    BulkFields<D> on(const typename Tiles<D>::Ptr& tiles, double time, Context& c) const override {
        BulkFields<D> r{time, CellField<double, D>(tiles), FaceField<double, D>(tiles)};
        double* p = r.phi.write();
        for_tiles(c.arena, *tiles, [&](int t) {
            for (int o = 0; o < kTileCells<D>; ++o)
                p[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    phi(r.phi.position(t, o), time);
        });
        for (int a = 0; a < D; ++a) {
            double* u = r.velocity.write(a);
            for_faces(c.arena, *tiles, a, [&](int t, int o) {
                u[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    velocity(r.velocity.position(a, t, o), time)[a];
            });
        }
        return r;
    }
    CellField<double, D> volume(const std::string& name, const typename Tiles<D>::Ptr& tiles,
                                double time, Context& c) const override {
        if (name != "mask" || !mask) return Bulk<D>::volume(name, tiles, time, c);
        CellField<double, D> r(tiles);
        double* out = r.write();
        for_tiles(c.arena, *tiles, [&](int t) {
            for (int o = 0; o < kTileCells<D>; ++o)
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = mask(r.position(t, o), time);
        });
        return r;
    }
};

/// Air ball of radius R about the origin (sign +1), or a ball of liquid (sign −1), in a box of half
/// width `reach`, in a stream that gains `speed` m/s in a second along x.
template <int D>
FormulaBulk<D> ball_in_stream(double radius, double voxel, double reach, double speed,
                              double sign = 1) {
    FormulaBulk<D> r;
    r.bounds = {Point<D>::filled(-reach), Point<D>::filled(reach)};
    r.lattice = {voxel, Point<D>{}};
    r.phi = [=](const Point<D>& x, double) { return sign * (radius - std::sqrt(dot(x, x))); };
    r.velocity = [=](const Point<D>&, double t) { return Vec<double, D>::unit(0) * (speed * t); };
    return r;
}

}  // namespace spume
