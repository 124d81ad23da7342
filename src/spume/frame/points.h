// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/geometry/moving_body.h"
#include "spume/particles/bubbles.h"

namespace spume {

/// Particles as points with the columns v and id, which all have, and the further ones.
template <class Particles>
PointSet points_of(const Particles& particles, std::string name, std::vector<NamedColumn> further,
                   Context& context) {
    PointSet p;
    p.name = std::move(name);
    p.position.resize_discard(particles.size());
    Array<Vec<float, 3>> velocity;
    velocity.resize_discard(particles.size());
    auto x = p.position.write();
    auto v = velocity.write();
    for_range(context.arena, particles.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            x[q] = lifted(particles.position[q]);
            v[q] = lifted(particles.velocity[q]).template as<float>();
        }
    });
    p.columns = {{"v", "m/s", velocity}, {"id", "", particles.id}};
    for (NamedColumn& column : further) p.columns.push_back(std::move(column));
    return p;
}

/// The column `source`, where a scene asks for it.
template <int D>
void add_sources(PointSet& points, const Bubbles<D>& bubbles, bool asked) {
    if (!asked) return;
    points.columns.push_back(
        {"source", "",
         bubbles.source.empty() ? Array<std::int32_t>(bubbles.size(), 0) : bubbles.source});
}

}  // namespace spume
