// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/csv.h"

#include <iterator>

#include <fmt/format.h>

namespace spume {
namespace {

template <class T>
constexpr bool kVector = false;
template <>
constexpr bool kVector<Vec<float, 3>> = true;

void add_names(const NamedColumn& column, std::string& line) {
    if (!std::holds_alternative<Array<Vec<float, 3>>>(column.values)) {
        line += "," + column.name;
        return;
    }
    for (const char axis : {'x', 'y', 'z'}) line += "," + column.name + axis;
}

void add_value(const NamedColumn& column, std::size_t i, std::string& line) {
    std::visit(
        [&](const auto& values) {
            auto out = std::back_inserter(line);
            const auto& value = values[i];
            if constexpr (kVector<std::decay_t<decltype(value)>>)
                for (int a = 0; a < 3; ++a) fmt::format_to(out, ",{}", value[a]);
            else
                fmt::format_to(out, ",{}", value);
        },
        column.values);
}

}  // namespace

std::string encode_csv(const PointSet& points) {
    const NamedColumn* id = points.find("id");
    std::string text = "id,x,y,z";
    for (const NamedColumn& column : points.columns)
        if (&column != id) add_names(column, text);
    text += '\n';
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::string line;
        if (id)
            add_value(*id, i, line);
        else
            line = fmt::format(",{}", i);
        const Vec<double, 3>& x = points.position[i];
        line += fmt::format(",{},{},{}", x[0], x[1], x[2]);
        for (const NamedColumn& column : points.columns)
            if (&column != id) add_value(column, i, line);
        text.append(line, 1) += '\n';
    }
    return text;
}

}  // namespace spume
