// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/frame/frame.h"

namespace spume {

/// The columns of a point set a picture is made of.
struct PointColumns {
    explicit PointColumns(const PointSet& set)
        : radius(of<float>(set, "pscale")),
          age(of<float>(set, "age")),
          velocity(of<Vec<float, 3>>(set, "v")),
          normal(of<Vec<float, 3>>(set, "N")),
          type(of<std::int32_t>(set, "type")) {}

    template <class T>
    static const Array<T>* of(const PointSet& set, const char* name) {
        const NamedColumn* column = set.find(name);
        return column ? std::get_if<Array<T>>(&column->values) : nullptr;
    }
    const Array<float>*radius, *age;
    const Array<Vec<float, 3>>*velocity, *normal;
    const Array<std::int32_t>* type;
};

}  // namespace spume
