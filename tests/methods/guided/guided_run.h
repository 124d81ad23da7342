// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/guided/guided.h"

namespace spume {

/// The whole method on a scene written in code, substeps as the session takes them but without
/// retry. Compiled once, in guided_run.cpp.
template <int D>
struct GuidedRun {
    Scene scene;
    guided::Params params;
    Context context;
    guided::World<D> world;
    guided::State<D> state;
    StepReport last;
    int substeps = 0;
    bool failed = false;

    GuidedRun(Scene s, const guided::Params& p, int threads = 1, const Inputs& inputs = {});
    ~GuidedRun();

    void add(const Point<D>& x, double radius, double density = 1,
             const Vec<double, D>& velocity = {});
    /// False when a substep failed.
    bool until(double end);
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
