// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/border_overlay.h"

#include <algorithm>
#include <cmath>

#include "spume/render/font.h"

namespace spume {
namespace {

using Ink = Vec<std::uint8_t, 3>;
constexpr Ink kLine{235, 240, 245}, kVelocity{245, 175, 60}, kPressure{235, 85, 120};

struct Rectangle {
    int x0, y0, x1, y1;
};

/// Pixels that `size` voxels from a cell on cover.
Rectangle on_screen(const Volume& v, const Projection& projection, int i, int j, int size) {
    const auto at = [&](int a, int b) {
        return projection.project({v.origin[0] + a * v.voxel, v.origin[1] + b * v.voxel, 0});
    };
    const auto low = at(i, j), high = at(i + size, j + size);
    return {static_cast<int>(std::lround(low.x)), static_cast<int>(std::lround(high.y)),
            static_cast<int>(std::lround(high.x)), static_cast<int>(std::lround(low.y))};
}

void outline(Image& image, const Rectangle& r) {
    const double x0 = r.x0, x1 = r.x1, y0 = r.y0, y1 = r.y1;
    image.line({x0, y0}, {x1, y0}, 1, kLine, 0.4f);
    image.line({x0, y0}, {x0, y1}, 1, kLine, 0.4f);
    image.line({x1, y0}, {x1, y1}, 1, kLine, 0.4f);
    image.line({x0, y1}, {x1, y1}, 1, kLine, 0.4f);
}

void legend(Image& image) {
    const int size = std::max(1, image.height / 540), step = 12 * size;
    int y = step;
    image.fill(step / 2, step / 2, 29 * step / 2, 3 * step + step / 4, {20, 26, 34}, 0.75f);
    for (const auto& [ink, text] : {std::pair{kVelocity, "takes the bulk's velocity"},
                                    {kPressure, "takes the bulk's pressure"}}) {
        image.fill(step, y, step + 8 * size, y + 8 * size, ink);
        draw_text(image, 2 * step, y, text, kLine, size);
        y += step;
    }
}

}  // namespace

void draw_border(Image& image, const Frame& frame, const Projection& projection) {
    const auto found = std::find_if(frame.volumes.begin(), frame.volumes.end(),
                                    [](const Volume& v) { return v.name == "border"; });
    if (found == frame.volumes.end() || frame.dimensions != 2) return;
    const Volume& v = *found;
    const auto cells = static_cast<std::size_t>(product(v.side));
    for (std::size_t t = 0; t < v.tiles.size(); ++t) {
        const Vec<int, 3> corner = v.tiles[t];
        // Tiles of a file have depth; the picture lies in the plane of cells 0.
        if (corner[2] > 0 || corner[2] + v.side[2] <= 0) continue;
        bool any = false;
        for (int i = 0; i < v.side[0]; ++i)
            for (int j = 0; j < v.side[1]; ++j) {
                const int place = (i * v.side[1] + j) * v.side[2] - corner[2];
                const float value = v.values[0][t * cells + std::size_t(place)];
                any = any || value > 0.5f;
                if (value < 1.5f) continue;
                const Rectangle r = on_screen(v, projection, corner[0] + i, corner[1] + j, 1);
                image.fill(r.x0, r.y0, r.x1, r.y1, value > 2.5f ? kPressure : kVelocity, 0.7f);
            }
        if (any) outline(image, on_screen(v, projection, corner[0], corner[1], v.side[0]));
    }
    legend(image);
}

}  // namespace spume
