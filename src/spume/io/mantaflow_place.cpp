// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/io/foreign_place.h"
#include "spume/io/gzip.h"

namespace spume {

MantaflowPlace read_mantaflow_place(FileSystem& files, const std::string& path) {
    constexpr std::size_t kBytes = 204;
    const std::string text = unzipped(read_file(files, path, 1 << 16), 4096, path,
                                      "bake the cache again, or take the config folder away");
    if (text.size() < kBytes)
        throw error_in_file(path, fmt::format("has {} bytes, not {}", text.size(), kBytes),
                            "bake the cache again with a Blender of version 2.9 to 4");
    const auto number = [&](std::size_t at) {
        float v = 0;
        std::memcpy(&v, text.data() + at, sizeof v);
        return double(v);
    };
    MantaflowPlace r;
    Vec<double, 3> lower{}, size{};
    double longest = 0;
    int most = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        std::int32_t cells = 0;
        std::memcpy(&cells, text.data() + 4 + 4 * a, sizeof cells);
        r.cells[int(a)] = cells;
        lower[int(a)] = number(24 + 4 * a);
        size[int(a)] = number(36 + 4 * a) - lower[int(a)];
        longest = std::max(longest, size[int(a)]);
        most = std::max(most, int(cells));
    }
    // Rows of the object's matrix; the last is where it stands.
    double m[4][4], scale = 0;
    for (std::size_t i = 0; i < 16; ++i) m[i / 4][i % 4] = number(84 + 4 * i);
    scale = std::hypot(m[0][0], m[0][1], m[0][2]);
    bool square = scale > 0 && std::isfinite(scale) && longest > 0 && most > 0 && most < 1 << 20;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            square = square && std::abs(m[i][j] - (i == j ? scale : 0)) < 1e-4 * scale;
    if (!square)
        throw error_in_file(path, "the domain is rotated or stretched, or its size is none",
                            "apply its rotation and scale in Blender and bake again");
    r.voxel = longest / most * scale;
    for (int a = 0; a < 3; ++a) r.corner[a] = m[3][a] + scale * lower[a];
    r.seconds = number(196) / 2.5;
    return r;
}

}  // namespace spume
