// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/obj.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "spume/io/bounded_reader.h"

namespace spume {
namespace {

constexpr std::size_t kLineLimit = std::size_t(1) << 20;

Vec<double, 3> read_vertex(const BoundedReader& in, std::string_view line) {
    Vec<double, 3> vertex{};
    for (int axis = 0; axis < 3; ++axis) {
        const std::string_view word = next_word(line);
        const auto [end, error] =
            std::from_chars(word.data(), word.data() + word.size(), vertex[axis]);
        if (error != std::errc() || end != word.data() + word.size() ||
            !std::isfinite(vertex[axis]))
            in.fail_in_line(fmt::format("'{}' is not a coordinate", word.substr(0, 40)));
    }
    return vertex;
}

/// "7", "7/1", "7//3", "7/1/3"; counted from 1, or from the end when negative.
std::int32_t read_corner(const BoundedReader& in, std::string_view word, std::size_t vertices) {
    const std::string_view number = word.substr(0, word.find('/'));
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || end != number.data() + number.size())
        in.fail_in_line(fmt::format("'{}' is not a vertex number", word.substr(0, 40)));
    const auto count = static_cast<std::int64_t>(vertices);
    if (index == 0 || index > count || index < -count)
        in.fail_in_line(fmt::format("vertex {} does not exist: {} so far", index, count));
    return static_cast<std::int32_t>(index > 0 ? index - 1 : count + index);
}

}  // namespace

TriangleMesh decode_obj(std::string_view text, const std::string& file) {
    BoundedReader in(text, file);
    TriangleMesh mesh;
    while (!in.at_end()) {
        std::string_view line = in.line(kLineLimit);
        const std::string_view word = next_word(line);
        if (word == "v") {
            if (mesh.vertices.size() == std::numeric_limits<std::int32_t>::max())
                in.fail_in_line("more vertices than Spume can number");
            mesh.vertices.push_back(read_vertex(in, line));
        } else if (word == "f") {
            std::int32_t first = -1, last = -1;
            int corners = 0;
            for (std::string_view c = next_word(line); !c.empty(); c = next_word(line), ++corners) {
                const std::int32_t corner = read_corner(in, c, mesh.vertices.size());
                if (corners == 0) first = corner;
                if (corners >= 2) mesh.triangles.push_back({first, last, corner});
                last = corner;
            }
            if (corners < 3) in.fail_in_line("a face needs three corners");
        }
    }
    return mesh;
}

}  // namespace spume
