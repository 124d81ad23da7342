// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/frame/foam_points.h"

#include <algorithm>

#include "spume/frame/points.h"

namespace spume {

template <int D>
PointSet foam_points(const Foam<D>& foam, std::span<const Vec<double, D>> normals, bool sources,
                     Context& context) {
    Array<Vec<float, 3>> normal(foam.size());
    Array<float> life(foam.size()), fade(foam.size());
    auto n = normal.write();
    auto l = life.write();
    auto left = fade.write();
    for (std::size_t i = 0; i < foam.size(); ++i) {
        n[i] = lifted(normals[i]).template as<float>();
        l[i] = foam.age[i] + (foam.lifespan[i] - foam.afloat[i]);
        left[i] = std::clamp(1 - foam.afloat[i] / foam.lifespan[i], 0.0f, 1.0f);
    }
    PointSet points = points_of(foam, "foam",
                                {{"pscale", "m", foam.radius},
                                 {"age", "s", foam.age},
                                 {"life", "s", life},
                                 {"fade", "", fade},
                                 {"type", "", Array<std::int32_t>(foam.size(), 1)},
                                 {"density", "kg/m^3", foam.density},
                                 {"N", "", normal}},
                                context);
    if (sources)
        points.columns.push_back(
            {"source", "",
             foam.source.empty() ? Array<std::int32_t>(foam.size(), 0) : foam.source});
    return points;
}

template PointSet foam_points<2>(const Foam<2>&, std::span<const Vec<double, 2>>, bool, Context&);
template PointSet foam_points<3>(const Foam<3>&, std::span<const Vec<double, 3>>, bool, Context&);

}  // namespace spume
