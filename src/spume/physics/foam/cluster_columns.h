// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/physics/foam/popping.h"

namespace spume {

/// Bubbles below the surface, or foam: those that touch it or lie above; with what is written of
/// them besides their places.
template <int D>
struct ClusterColumns {
    ClusterBubbles<D> set;
    Array<float> radius;       // m
    Array<float> life;         // s, the mean one; 0 below the surface
    Array<std::int32_t> type;  // SurfaceRegion
};

inline bool is_foam(std::uint8_t region) {
    return region >= std::uint8_t(SurfaceRegion::kTouchingBelow);
}

template <int D>
ClusterColumns<D> cluster_columns(const ClusterBubbles<D>& all, bool foam,
                                  const PoppingLaw& popping, Context& context) {
    ClusterColumns<D> r{all, {}, {}, {}};
    remove_if(r.set, context, [&](std::size_t i) { return is_foam(all.region[i]) != foam; });
    const std::size_t n = r.set.size();
    r.radius.resize(n);
    r.life.resize(n);
    r.type.resize(n);
    auto radius = r.radius.write(), life = r.life.write();
    auto type = r.type.write();
    for (std::size_t i = 0; i < n; ++i) {
        radius[i] = float(r.set.radius[i]);
        life[i] = foam ? float(1 / popping_rate(popping, r.set.radius[i], false)) : 0.0f;
        type[i] = r.set.region[i];
    }
    return r;
}

}  // namespace spume
