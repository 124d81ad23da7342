// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "method_in_motion.h"
#include "spume/methods/guided/method.h"

namespace spume {

extern template struct MethodInMotion<guided::Method, 2>;
extern template struct MethodInMotion<guided::Method, 3>;

template <int D>
struct GuidedRun : MethodInMotion<guided::Method, D> {
    using Base = MethodInMotion<guided::Method, D>;
    using Base::Base, Base::context, Base::world, Base::state;

    void add(const Point<D>& x, double radius, double density = 1,
             const Vec<double, D>& velocity = {});
    /// The largest difference from the bulk on a face between two active cells, m/s.
    double deviation();
    /// Mean over the bubbles, by volume.
    Point<D> centroid() const;
};

extern template struct GuidedRun<2>;
extern template struct GuidedRun<3>;

/// A scene over still water whose surface is far above the domain [0, size] along each axis.
inline Scene over_bulk(int dimensions, double voxel, const Vec<double, 3>& upper,
                       BulkKind kind = BulkKind::kStill) {
    Scene s;
    s.method = "guided";
    s.domain.dimensions = dimensions;
    s.domain.voxel = voxel;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = upper;
    s.time.fps = 24;
    s.bulk.present = true;
    s.bulk.kind = kind;
    s.bulk.level = 100;
    return s;
}

}  // namespace spume
