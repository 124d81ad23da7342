// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/heat_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/render/colour_map.h"
#include "spume/render/font.h"

namespace spume {
namespace {

constexpr Vec<std::uint8_t, 3> kNothing{24, 26, 30}, kInk{190, 222, 230}, kMark{255, 255, 255};
constexpr double kMargin = 0.02;   // of the picture's width, around each view
constexpr double kBarRoom = 0.11;  // of its width, at the right

/// A volume seen along one axis: the most of `values` and the most liquid of each line of cells.
struct View {
    int right, up;      ///< axes of the world
    bool down = false;  ///< the second axis goes down the picture
    int columns = 0, rows = 0;
    std::vector<float> most{};
    std::vector<std::uint8_t> wet{};
};

Vec<int, 3> cell_of(const Vec<double, 3>& x, const Volume& v) {
    return floor_index((x - v.origin) / v.voxel + Vec<double, 3>::filled(1e-6));
}

template <class F>
void for_cells(const Volume& v, F&& f) {
    const auto count = static_cast<std::size_t>(product(v.side));
    for (std::size_t t = 0; t < v.tiles.size(); ++t)
        for (std::size_t o = 0; o < count; ++o) {
            Vec<int, 3> local{};
            auto rest = static_cast<int>(o);
            for (int a = 2; a >= 0; --a) {
                local[a] = rest % v.side[a];
                rest /= v.side[a];
            }
            f(v.tiles[t] + local, v.values[0][t * count + o]);
        }
}

View view_of(const Volume& values, const Volume* liquid, const Box<double, 3>& domain, View view) {
    Box<int, 3> own{cell_of(domain.lo, values), cell_of(domain.hi, values)};
    own.hi = max(own.hi, own.lo + Vec<int, 3>::filled(1));  // a plane is one voxel thick
    view.columns = own.size()[view.right];
    view.rows = own.size()[view.up];
    const auto size = static_cast<std::size_t>(view.columns) * static_cast<std::size_t>(view.rows);
    view.most.assign(size, 0);
    view.wet.assign(size, 0);
    const auto place = [&](const Vec<int, 3>& cell, const Box<int, 3>& box) -> std::ptrdiff_t {
        for (int a = 0; a < 3; ++a)
            if (cell[a] < box.lo[a] || cell[a] >= box.hi[a]) return -1;
        return std::ptrdiff_t(cell[view.up] - box.lo[view.up]) * view.columns + cell[view.right] -
               box.lo[view.right];
    };
    for_cells(values, [&](const Vec<int, 3>& cell, float a) {
        const auto at = place(cell, own);
        if (at >= 0) view.most[std::size_t(at)] = std::max(view.most[std::size_t(at)], a);
    });
    if (!liquid) return view;
    SPUME_CHECK(liquid->voxel == values.voxel && liquid->origin == values.origin);
    for_cells(*liquid, [&](const Vec<int, 3>& cell, float phi) {
        const auto at = place(cell, own);
        if (at >= 0 && phi < 0) view.wet[std::size_t(at)] = 1;
    });
    return view;
}

/// Colour of a value: a decade below the range to a decade above it.
class Scale {
  public:
    explicit Scale(const Interval& range) : range_(range) {
        hi_ = std::log10(range.end) + 1;
        lo_ = range.begin > 0 ? std::log10(range.begin) - 1 : hi_ - 4;
    }
    double part(double value) const {
        return value > 0 ? std::clamp((std::log10(value) - lo_) / (hi_ - lo_), 0.0, 1.0) : 0;
    }
    double value(double part) const { return std::pow(10.0, lo_ + part * (hi_ - lo_)); }
    Colour colour(double value) const {
        const Colour c = ramp_colour(part(value));
        return value < range_.begin ? c * 0.25f : c;
    }

  private:
    Interval range_;
    double lo_, hi_;
};

void draw_view(Image& image, const View& view, const Scale& scale, int x0, int y0, double pixels) {
    const ScreenEncoder encoder;
    const Colour dry{0.010f, 0.011f, 0.013f}, wet{0.012f, 0.035f, 0.060f};
    const int width = static_cast<int>(view.columns * pixels),
              height = static_cast<int>(view.rows * pixels);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int column = std::min(static_cast<int>(x / pixels), view.columns - 1);
            const int down = std::min(static_cast<int>(y / pixels), view.rows - 1);
            const int row = view.down ? down : view.rows - 1 - down;
            const auto at = std::size_t(row) * std::size_t(view.columns) + std::size_t(column);
            const Colour ground = view.wet[at] ? wet : dry;
            Colour c = ground;
            if (scale.part(view.most[at]) > 0) c = max(ground, scale.colour(view.most[at]));
            for (int k = 0; k < 3; ++k) image.pixel(x0 + x, y0 + y)[k] = encoder.encode(c[k]);
        }
}

void draw_bar(Image& image, const Scale& scale, const HeatMapOptions& o, const std::string& label) {
    const ScreenEncoder encoder;
    const int size = std::max(1, image.height / 540);
    const int height = image.height * 6 / 10, width = 10 * size,
              x = image.width - static_cast<int>(kBarRoom * image.width) + 4 * size,
              y = image.height / 5;
    for (int j = 0; j < height; ++j) {
        const Colour c = scale.colour(scale.value(1 - (j + 0.5) / height));
        image.fill(x, y + j, x + width, y + j + 1,
                   {encoder.encode(c[0]), encoder.encode(c[1]), encoder.encode(c[2])});
    }
    const auto mark = [&](double value, const std::string& name) {
        const int at = y + height - static_cast<int>(std::lround(scale.part(value) * height));
        image.fill(x - 3 * size, at - size, x + width + 3 * size, at + size, kMark);
        draw_text(image, x + width + 5 * size, at - kFontHeight * size, name, kMark, size);
        draw_text(image, x + width + 5 * size, at + 2 * size, short_number(value), kMark, size);
    };
    mark(o.range.begin, o.begin_name);
    mark(o.range.end, o.end_name);
    draw_text(image, x - 3 * size, y - 16 * size, label, kInk, size);
}

}  // namespace

Image render_heat_map(const Frame& frame, const Volume& values, const Volume* liquid,
                      const HeatMapOptions& o) {
    if (o.width < 16 || o.height < 16 || o.width > 16384 || o.height > 16384)
        throw UserError(fmt::format("the picture's size is {} x {}", o.width, o.height),
                        "give a size from 16x16 to 16384x16384");
    SPUME_CHECK_OP(o.range.begin, <, o.range.end);
    std::vector<View> views{{.right = 0, .up = 1}};
    if (frame.dimensions == 3) views.push_back({.right = 0, .up = 2, .down = true});
    double across = 0, up = 0;
    for (View& view : views) {
        view = view_of(values, liquid, o.domain, view);
        across += view.columns;
        up = std::max(up, double(view.rows));
    }
    const int size = std::max(1, o.height / 540), foot = 24 * size;
    const double gap = kMargin * o.width, n = double(views.size());
    const double pixels = std::min((o.width * (1 - kBarRoom) - gap * (n + 1)) / across,
                                   (o.height - 2 * gap - 2 * foot) / up);
    Image image(o.width, o.height, kNothing);
    const Scale scale(o.range);
    double x = gap;
    const char* names[] = {"from the front", "from above"};
    for (std::size_t i = 0; i < views.size(); ++i) {
        const double y = (o.height - views[i].rows * pixels) / 2;
        draw_view(image, views[i], scale, int(x), int(y), pixels);
        if (views.size() > 1)
            draw_text(image, int(x), int(y) - 12 * size, names[i], kInk, size, 0.8f);
        x += views[i].columns * pixels + gap;
    }
    draw_bar(image, scale, o, values.name);
    draw_text(image, 10 * size, o.height - 16 * size,
              fmt::format("frame {}   t = {:.3f} s   {}", frame.number, frame.time, o.note), kInk,
              size, 0.8f);
    return image;
}

}  // namespace spume
