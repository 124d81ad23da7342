// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/tile_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/render/colour_map.h"
#include "spume/render/font.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;
constexpr Vec<std::uint8_t, 3> kInk{190, 222, 230};

void draw_box(Image& image, const Projection& projection, const Box<double, 3>& box,
              Vec<std::uint8_t, 3> colour, double width, float opacity) {
    Projection::OnScreen corner[8];
    for (int c = 0; c < 8; ++c) {
        Vec3 x{};
        for (int k = 0; k < 3; ++k) x[k] = c >> k & 1 ? box.hi[k] : box.lo[k];
        corner[c] = projection.project(x);
        if (!(corner[c].depth > 0)) return;
    }
    for (int c = 0; c < 8; ++c)
        for (int k = 0; k < 3; ++k) {
            const int d = c | 1 << k;
            if (d == c || box.lo[k] == box.hi[k]) continue;
            image.line({corner[c].x, corner[c].y}, {corner[d].x, corner[d].y}, width, colour,
                       opacity);
        }
}

}  // namespace

Image render_tiles(const Frame& frame, const Volume& volume, const TileViewOptions& options) {
    if (options.width < 16 || options.height < 16 || options.width > 16384 ||
        options.height > 16384)
        throw UserError(fmt::format("the picture's size is {} x {}", options.width, options.height),
                        "give a size from 16x16 to 16384x16384");
    Box<double, 3> domain = options.domain;
    if (frame.dimensions == 2) domain.lo[2] = domain.hi[2] = 0;
    const double aspect = double(options.width) / options.height;
    const PreviewCamera camera =
        options.camera ? *options.camera : automatic_camera(domain, frame.dimensions, aspect);
    const Projection projection(camera, options.width, options.height);
    struct Seen {
        Box<double, 3> box;
        double depth;
    };
    std::vector<Seen> seen;
    for (const Vec<int, 3>& tile : volume.tiles) {
        const Vec3 lo = volume.origin + tile.as<double>() * volume.voxel;
        Box<double, 3> box{lo, lo + volume.side.as<double>() * volume.voxel};
        if (frame.dimensions == 2) box.lo[2] = box.hi[2] = 0;
        seen.push_back({box, projection.project((box.lo + box.hi) * 0.5).depth});
    }
    std::stable_sort(seen.begin(), seen.end(),
                     [](const Seen& a, const Seen& b) { return a.depth > b.depth; });
    Image image(options.width, options.height, {14, 17, 22});
    draw_box(image, projection, domain, {110, 120, 130}, 1, 0.7f);
    const ScreenEncoder encoder;
    for (const Seen& s : seen) {
        const double far = seen.front().depth, near = seen.back().depth;
        const double closeness = far > near ? (far - s.depth) / (far - near) : 1;
        const Colour c = ramp_colour(0.25 + 0.75 * closeness);
        draw_box(image, projection, s.box,
                 {encoder.encode(c[0]), encoder.encode(c[1]), encoder.encode(c[2])}, 1.2,
                 static_cast<float>(0.25 + 0.55 * closeness));
    }
    const int size = std::max(1, image.height / 540);
    const double cells = static_cast<double>(volume.tiles.size()) * product(volume.side);
    draw_text(
        image, 10 * size, image.height - 16 * size,
        fmt::format("frame {}   t = {:.3f} s   {}: {} tiles of {} x {} x {} voxels, {:.3g} in all",
                    frame.number, frame.time, volume.name, volume.tiles.size(), volume.side[0],
                    volume.side[1], volume.side[2], cells),
        kInk, size, 0.8f);
    return image;
}

}  // namespace spume
