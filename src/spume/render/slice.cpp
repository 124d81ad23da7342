// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/slice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/render/colour_bar.h"
#include "spume/render/colour_map.h"
#include "spume/render/font.h"

namespace spume {

namespace {

constexpr Vec<std::uint8_t, 3> kNothing{38, 40, 44}, kInk{190, 222, 230};

bool before(const Vec<int, 3>& a, const Vec<int, 3>& b) {
    for (int k = 0; k < 3; ++k)
        if (a[k] != b[k]) return a[k] < b[k];
    return false;
}

int floor_to(int x, int side) { return x - ((x % side) + side) % side; }

/// Where the plane lies in the picture: right and up are two of the world's axes.
struct Sheet {
    int right, up, across;
    double scale, left, bottom, at;
    int height;

    Sheet(const SliceOptions& o) : across(o.axis), height(o.height) {
        right = across == 0 ? 2 : 0;
        up = across == 1 ? 2 : 1;
        const Vec<double, 3> size = o.domain.size();
        // Room for the colour bar at the right.
        const double room = 0.88 * o.width;
        scale = 1.04 * std::max(size[right] / room, size[up] / o.height);
        left = (o.domain.lo[right] + o.domain.hi[right]) / 2 - scale * room / 2;
        bottom = (o.domain.lo[up] + o.domain.hi[up]) / 2 - scale * o.height / 2;
        at = o.at ? *o.at : (o.domain.lo[across] + o.domain.hi[across]) / 2;
    }
    Vec<double, 3> world(int x, int y) const {
        Vec<double, 3> p{};
        p[right] = left + (x + 0.5) * scale;
        p[up] = bottom + (height - y - 0.5) * scale;
        p[across] = at;
        return p;
    }
};

Interval range_of(const std::vector<std::optional<float>>& values) {
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (const auto& v : values)
        if (v && std::isfinite(*v)) lo = std::min<double>(lo, *v), hi = std::max<double>(hi, *v);
    if (!(lo <= hi)) return {0, 1};
    if (lo > 0 && lo < 0.3 * hi) lo = 0;
    return {lo, hi > lo ? hi : lo + std::max(1e-6, std::abs(lo))};
}

std::string label_of(const Volume& v) {
    const std::string what = v.components == 3 ? "|" + v.name + "|" : v.name;
    return v.unit.empty() || v.unit == "1" ? what : what + " " + v.unit;
}

}  // namespace

VolumeSampler::VolumeSampler(const Volume& volume) : volume_(volume) {
    SPUME_CHECK_OP(product(volume.side), >, 0);
    for (std::size_t i = 0; i < volume.tiles.size(); ++i) keys_.push_back({volume.tiles[i], i});
    std::sort(keys_.begin(), keys_.end(),
              [](const Key& a, const Key& b) { return before(a.tile, b.tile); });
}

std::optional<float> VolumeSampler::voxel(const Vec<int, 3>& cell, int component) const {
    Vec<int, 3> tile{};
    for (int k = 0; k < 3; ++k) tile[k] = floor_to(cell[k], volume_.side[k]);
    const auto found =
        std::lower_bound(keys_.begin(), keys_.end(), tile,
                         [](const Key& a, const Vec<int, 3>& b) { return before(a.tile, b); });
    if (found == keys_.end() || !(found->tile == tile)) return std::nullopt;
    const Vec<int, 3> in = cell - tile;
    const auto offset =
        static_cast<std::size_t>((in[0] * volume_.side[1] + in[1]) * volume_.side[2] + in[2]);
    return volume_.values[static_cast<std::size_t>(component)]
                         [found->number * static_cast<std::size_t>(product(volume_.side)) + offset];
}

std::optional<float> VolumeSampler::at(const Vec<double, 3>& x) const {
    const Vec<double, 3> place = (x - volume_.origin) / volume_.voxel;
    for (int k = 0; k < 3; ++k)
        if (!(std::abs(place[k]) < 1e9)) return std::nullopt;
    const Vec<int, 3> cell = floor_index(place);
    if (volume_.components == 1) return voxel(cell, 0);
    float squared = 0;
    for (int a = 0; a < 3; ++a) {
        const auto lower = voxel(cell, a), upper = voxel(cell + Vec<int, 3>::unit(a), a);
        if (!lower) return std::nullopt;
        // Staggered: the middle of a voxel lies between two of its faces.
        const float mean = upper ? (*lower + *upper) / 2 : *lower;
        squared += mean * mean;
    }
    return std::sqrt(squared);
}

Image render_slice(const Frame& frame, const Volume& volume, const SliceOptions& options,
                   Context& context) {
    Stage stage(context, "slice");
    if (options.width < 16 || options.height < 16 || options.width > 16384 ||
        options.height > 16384)
        throw UserError(fmt::format("the picture's size is {} x {}", options.width, options.height),
                        "give a size from 16x16 to 16384x16384");
    const Sheet sheet(options);
    const VolumeSampler sampler(volume);
    const auto width = static_cast<std::size_t>(options.width);
    std::vector<std::optional<float>> values(width * static_cast<std::size_t>(options.height));
    for_range(context.arena, static_cast<std::size_t>(options.height), 16,
              [&](std::size_t begin, std::size_t end) {
                  for (std::size_t y = begin; y < end; ++y)
                      for (std::size_t x = 0; x < width; ++x)
                          values[y * width + x] =
                              sampler.at(sheet.world(static_cast<int>(x), static_cast<int>(y)));
              });
    const Interval range = options.range ? *options.range : range_of(values);
    const ScreenEncoder encoder;
    Image image(options.width, options.height, kNothing);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) continue;
        const Colour c = ramp_colour((*values[i] - range.begin) / range.length());
        for (int k = 0; k < 3; ++k)
            image.rgb[3 * i + static_cast<std::size_t>(k)] = encoder.encode(c[k]);
    }
    draw_colour_bar(image, range, label_of(volume));
    const int size = std::max(1, image.height / 540);
    draw_text(image, 10 * size, image.height - 16 * size,
              fmt::format("frame {}   t = {:.3f} s   {} = {:.4g} m", frame.number, frame.time,
                          std::string(1, "xyz"[options.axis]), sheet.at),
              kInk, size, 0.8f);
    return image;
}

}  // namespace spume
