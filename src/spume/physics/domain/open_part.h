// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spume/physics/domain/solids.h"

namespace spume {

inline constexpr double kTouch = 1e-6;    ///< of a voxel: nearer is on the surface
inline constexpr double kCornerBand = 2;  ///< voxels: farther corners belong to no cut face

/// Distance to the bodies at a point of the lattice. On a face that is cut, no corner is farther
/// from the surface than the face's diagonal. Points on the surface but for rounding are solid:
/// where two bodies touch on a plane of the lattice there is no slit.
template <int D>
double lattice_distance(const NearSolids<D>& bodies, const Transform<D>& transform,
                        const Point<D>& x) {
    const double d = bodies.distance_within(transform.to_world(x), kCornerBand * transform.voxel);
    return d > kTouch * transform.voxel ? d : std::min(d, 0.0);
}

/// The open part of a face. The distances of its corners say it where they are those of a plane;
/// where the distance in the middle is another one, an edge of a solid passes, and each half (3D:
/// quarter) is asked.
template <int D>
class OpenPart {
  public:
    static constexpr int kCorners = 1 << (D - 1);

    OpenPart(const NearSolids<D>& bodies, const Transform<D>& transform, int axis,
             const Index<D>& face)
        : bodies_(bodies), transform_(transform), axis_(axis), face_(face) {}

    double operator()() const {
        double corner[kCorners];
        for (int k = 0; k < kCorners; ++k) corner[k] = at(place(k, {0, 0}, 1));
        return (*this)(corner);
    }
    double operator()(const double (&corner)[kCorners]) const { return part({0, 0}, 1, corner, 0); }

  private:
    static constexpr int kHalvings = 3;
    static constexpr double kBend = 0.05;  ///< voxels that a plane's distance may differ by
    using Place = Vec<double, 2>;          ///< on the face, along the axes after its own

    /// Corner k, counter-clockwise, of a square of the face.
    static Place place(int k, const Place& low, double size) {
        constexpr double kRing[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        return low + Place{kRing[k][0], kRing[k][1]} * size;
    }
    double at(const Place& on_face) const {
        Point<D> x = face_.template as<double>();
        for (int n = 1; n < D; ++n) x[(axis_ + n) % D] += on_face[n - 1];
        return lattice_distance(bodies_, transform_, x);
    }
    double part(const Place& low, double size, const double (&corner)[kCorners], int depth) const {
        const double flat = positive_part(corner), h = transform_.voxel;
        const double reach = size * h * (D == 2 ? 1.0 : std::numbers::sqrt2);
        double mean = 0;
        for (const double d : corner) {
            if (std::abs(d) >= reach) return flat;
            mean += d / kCorners;
        }
        if (depth == kHalvings) return flat;
        const double middle = at(low + (D == 2 ? Place{size / 2, 0} : Place{size / 2, size / 2}));
        return std::abs(middle - mean) < kBend * h ? flat : by_pieces(low, size / 2, depth + 1);
    }
    double by_pieces(const Place& low, double size, int depth) const {
        double sum = 0;
        for (int piece = 0; piece < kCorners; ++piece) {
            double corner[kCorners];
            const Place first = place(piece, low, size);
            for (int k = 0; k < kCorners; ++k) corner[k] = at(place(k, first, size));
            sum += part(first, size, corner, depth);
        }
        return sum / kCorners;
    }
    static double positive_part(const double (&corner)[kCorners]) {
        if constexpr (D == 2)
            return spume::positive_part(corner[0], corner[1]);
        else
            return spume::positive_part(corner);
    }

    const NearSolids<D>& bodies_;
    const Transform<D>& transform_;
    int axis_;
    Index<D> face_;
};

/// The distances at all corners of a tile's cells, each computed once though many faces share it.
template <int D>
class CornerDistances {
  public:
    CornerDistances(const NearSolids<D>& bodies, const Tiles<D>& tiles, int t)
        : bodies_(bodies), transform_(tiles.transform()), origin_(tiles.origin(t)) {
        for (int n = 0; !bodies.empty() && n < kCount; ++n) {
            Index<D> corner = origin_;
            for (int a = D - 1, rest = n; a >= 0; --a, rest /= kSide) corner[a] += rest % kSide;
            distance_[n] = lattice_distance(bodies, transform_, corner.template as<double>());
        }
    }
    /// Open part of the face across `axis` with this lattice index.
    double operator()(int axis, const Index<D>& face) const {
        constexpr int kRing[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        double corner[OpenPart<D>::kCorners];
        for (int k = 0; k < OpenPart<D>::kCorners; ++k) {
            Index<D> local = face - origin_;
            for (int n = 1; n < D; ++n) local[(axis + n) % D] += kRing[k][n - 1];
            int at = 0;
            for (int a = 0; a < D; ++a) at = at * kSide + local[a];
            corner[k] = distance_[at];
        }
        return OpenPart<D>(bodies_, transform_, axis, face)(corner);
    }

  private:
    static constexpr int kSide = kTileSide<D> + 1;
    static constexpr int kCount = D == 2 ? kSide * kSide : kSide * kSide * kSide;
    const NearSolids<D>& bodies_;
    const Transform<D>& transform_;
    Index<D> origin_;
    double distance_[kCount];
};

}  // namespace spume
