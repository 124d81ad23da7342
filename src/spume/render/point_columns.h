// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/frame/frame.h"

namespace spume {

/// The columns of a point set a picture is made of.
struct PointColumns {
    explicit PointColumns(const PointSet& set)
        : radius(of<float>(set, "pscale")),
          age(of<float>(set, "age")),
          velocity(of<Vec<float, 3>>(set, "v")),
          normal(of<Vec<float, 3>>(set, "N")),
          scale(of<Vec<float, 3>>(set, "scale")),
          axis(of<Vec<float, 3>>(set, "axis")),
          type(of<std::int32_t>(set, "type")) {}

    template <class T>
    static const Array<T>* of(const PointSet& set, const char* name) {
        const NamedColumn* column = set.find(name);
        return column ? std::get_if<Array<T>>(&column->values) : nullptr;
    }

    /// How long a point is along its axis and across, for one that is drawn out: `scale` holds half
    /// axes, the first of them along `axis`. Both the radius for balls, and where they say nothing
    /// that can be drawn.
    struct HalfAxes {
        float along, across;
        Vec<float, 3> axis{1, 0, 0};
        bool drawn_out() const { return along != across; }
    };
    HalfAxes half_axes(std::size_t i, float ball) const {
        if (!scale || !axis) return {ball, ball};
        const Vec<float, 3>&s = (*scale)[i], &n = (*axis)[i];
        const float square = dot(n, n);
        if (!(s[0] > 0 && s[1] > 0 && std::isfinite(s[0] + s[1]))) return {ball, ball};
        if (!(square > 0.5f && square < 2)) return {ball, ball};
        // Less than can be seen is a ball.
        return std::abs(s[0] - s[1]) < 0.01f * s[0] ? HalfAxes{ball, ball}
                                                    : HalfAxes{s[0], s[1], n};
    }

    const Array<float>*radius, *age;
    const Array<Vec<float, 3>>*velocity, *normal, *scale, *axis;
    const Array<std::int32_t>* type;
};

}  // namespace spume
