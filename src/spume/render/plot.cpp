// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/math.h"
#include "spume/render/font.h"

namespace spume {

namespace {

using Ink = Vec<std::uint8_t, 3>;
constexpr Ink kPaper{255, 255, 255}, kText{40, 44, 52}, kGrid{226, 230, 236};
constexpr std::array<Ink, 8> kInks{{{31, 104, 180},
                                    {214, 90, 20},
                                    {36, 140, 70},
                                    {180, 40, 100},
                                    {120, 80, 180},
                                    {150, 120, 20},
                                    {20, 140, 150},
                                    {90, 90, 90}}};
constexpr int kDot = 2;  // pixels a dot of the font

double log10_of(double x) { return math::log(x) / math::log(10); }
double power_of_ten(int n) { return n < 0 ? 1 / math::pow(10, -n) : math::pow(10, n); }

struct Scale {
    bool logarithmic;
    double from, to;     // in the axis's own measure (log10 when logarithmic)
    double first, last;  // pixels

    double measure(double value) const { return logarithmic ? log10_of(value) : value; }
    double pixel(double value) const {
        return first + (measure(value) - from) / (to - from) * (last - first);
    }
    bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
};

Scale make_scale(const PlotAxis& axis, const Plot& plot, std::vector<double> PlotSeries::*values,
                 double first, double last) {
    Scale scale{axis.logarithmic, 0, 1, first, last};
    double lo = axis.from, hi = axis.to;
    if (!(lo < hi)) {
        lo = std::numeric_limits<double>::infinity(), hi = -lo;
        for (const PlotSeries& s : plot.series)
            for (const double v : s.*values)
                if (scale.shows(v)) lo = std::min(lo, v), hi = std::max(hi, v);
        if (!(lo <= hi)) lo = 1, hi = 10;
    }
    scale.from = scale.measure(lo), scale.to = scale.measure(hi);
    const double span = scale.to - scale.from;
    const double margin = span > 0 ? 0.04 * span : std::max(0.1, 0.1 * std::abs(scale.from));
    if (!(axis.from < axis.to)) scale.from -= margin, scale.to += margin;
    return scale;
}

double value_of(const Scale& s, double measure) {
    return s.logarithmic ? math::pow(10, measure) : measure;
}

void draw_axes(Image& image, const Plot& plot, const Scale& x, const Scale& y) {
    const int left = static_cast<int>(x.first), right = static_cast<int>(x.last),
              top = static_cast<int>(y.last), bottom = static_cast<int>(y.first);
    for (const double v : plot_ticks(value_of(x, x.from), value_of(x, x.to), x.logarithmic)) {
        const int at = static_cast<int>(std::lround(x.pixel(v)));
        image.fill(at, top, at + 1, bottom, kGrid);
        image.fill(at, bottom, at + 1, bottom + 5, kText);
        const std::string text = short_number(v);
        draw_text(image, at - text_width(text, kDot) / 2, bottom + 9, text, kText, kDot);
    }
    for (const double v : plot_ticks(value_of(y, y.from), value_of(y, y.to), y.logarithmic)) {
        const int at = static_cast<int>(std::lround(y.pixel(v)));
        image.fill(left, at, right, at + 1, kGrid);
        image.fill(left - 5, at, left, at + 1, kText);
        const std::string text = short_number(v);
        draw_text(image, left - 9 - text_width(text, kDot), at - kFontHeight * kDot / 2, text,
                  kText, kDot);
    }
    image.fill(left - 1, top, left + 1, bottom, kText);
    image.fill(left - 1, bottom - 1, right, bottom + 1, kText);
    draw_text(image, (left + right - text_width(plot.x.label, kDot)) / 2, image.height - 24,
              plot.x.label, kText, kDot);
    draw_text_upwards(image, 8, (top + bottom + text_width(plot.y.label, kDot)) / 2, plot.y.label,
                      kText, kDot);
    draw_text(image, (left + right - text_width(plot.title, kDot)) / 2, 14, plot.title, kText,
              kDot);
}

void draw_mark(Image& image, double x, double y, Ink ink) {
    image.line({x, y}, {x, y}, 7, ink);
    image.line({x, y}, {x, y}, 3, kPaper);
}

/// The part of a segment inside the frame (Liang and Barsky's parameter test); false: none.
bool clip(Vec<double, 2>& a, Vec<double, 2>& b, const Scale& x, const Scale& y) {
    double enter = 0, leave = 1;
    const Vec<double, 2> d = b - a;
    const double lo[2] = {x.first, y.last}, hi[2] = {x.last, y.first};
    for (int k = 0; k < 2; ++k)
        for (const bool upper : {false, true}) {
            const double speed = upper ? d[k] : -d[k], room = upper ? hi[k] - a[k] : a[k] - lo[k];
            if (speed == 0 && room < 0) return false;
            if (speed > 0) leave = std::min(leave, room / speed);
            if (speed < 0) enter = std::max(enter, room / speed);
        }
    if (enter > leave) return false;
    b = a + d * leave;
    a = a + d * enter;
    return true;
}

void draw_segment(Image& image, Vec<double, 2> a, Vec<double, 2> b, Ink ink, bool dashed,
                  double& travelled) {
    const double whole = length(b - a);
    if (!dashed || whole == 0) return image.line(a, b, 2, ink);
    constexpr double kOn = 8, kPeriod = 14;
    for (double at = 0; at < whole;) {
        const double phase = std::fmod(travelled + at, kPeriod);
        const double next =
            std::min(whole, at + std::max(1e-6, (phase < kOn ? kOn : kPeriod) - phase));
        if (phase < kOn)
            image.line(a + (b - a) * (at / whole), a + (b - a) * (next / whole), 2, ink);
        at = next;
    }
    travelled += whole;
}

void draw_series(Image& image, const PlotSeries& s, Ink ink, const Scale& x, const Scale& y) {
    const std::size_t n = std::min(s.x.size(), s.y.size());
    const auto place = [&](std::size_t i) {
        return Vec<double, 2>{x.pixel(s.x[i]), y.pixel(s.y[i])};
    };
    const auto shown = [&](std::size_t i) { return x.shows(s.x[i]) && y.shows(s.y[i]); };
    double travelled = 0;
    if (s.mark != PlotMark::kPoints)
        for (std::size_t i = 1; i < n; ++i) {
            if (!shown(i - 1) || !shown(i)) continue;
            Vec<double, 2> a = place(i - 1), b = place(i);
            if (clip(a, b, x, y)) draw_segment(image, a, b, ink, s.dashed, travelled);
        }
    if (s.mark != PlotMark::kLine)
        for (std::size_t i = 0; i < n; ++i) {
            if (!shown(i)) continue;
            const auto p = place(i);
            if (p[0] < x.first || p[0] > x.last || p[1] < y.last || p[1] > y.first) continue;
            draw_mark(image, p[0], p[1], ink);
        }
}

/// Pixels; {0, 0} without names.
Vec<int, 2> legend_size(const Plot& plot) {
    int rows = 0, width = 0;
    for (const PlotSeries& s : plot.series)
        if (!s.name.empty()) ++rows, width = std::max(width, text_width(s.name, kDot));
    return rows == 0 ? Vec<int, 2>{0, 0} : Vec<int, 2>{width + 52, rows * 22 + 10};
}

/// Upper left: beside the axes, or in the corner where the fewest points lie.
Vec<int, 2> legend_place(const Plot& plot, const Vec<int, 2>& size, const Scale& x,
                         const Scale& y) {
    const int w = size[0], h = size[1];
    if (plot.legend_beside) return {static_cast<int>(x.last) + 12, static_cast<int>(y.last)};
    int best = 0, fewest = std::numeric_limits<int>::max();
    const auto corner = [&](int c) {
        return Vec<int, 2>{static_cast<int>(c & 1 ? x.first + 12 : x.last - w - 12),
                           static_cast<int>(c & 2 ? y.first - h - 12 : y.last + 12)};
    };
    for (int c = 0; c < 4; ++c) {
        int covered = 0;
        const Vec<int, 2> at = corner(c);
        for (const PlotSeries& s : plot.series)
            for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
                if (!x.shows(s.x[i]) || !y.shows(s.y[i])) continue;
                const double px = x.pixel(s.x[i]) - at[0], py = y.pixel(s.y[i]) - at[1];
                if (px > -10 && px < w + 10 && py > -10 && py < h + 10) ++covered;
            }
        if (covered < fewest) best = c, fewest = covered;
    }
    return corner(best);
}

void draw_legend(Image& image, const Plot& plot, const Scale& x, const Scale& y) {
    const Vec<int, 2> size = legend_size(plot);
    if (size[0] == 0) return;
    const Vec<int, 2> at = legend_place(plot, size, x, y);
    image.fill(at[0], at[1], at[0] + size[0], at[1] + size[1], kPaper, 0.9f);
    int row = at[1] + 8;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const PlotSeries& s = plot.series[i];
        if (s.name.empty()) continue;
        const Ink ink = kInks[i % kInks.size()];
        double travelled = 0;
        if (s.mark != PlotMark::kPoints)
            draw_segment(image, {at[0] + 8.0, row + 7.5}, {at[0] + 36.0, row + 7.5}, ink, s.dashed,
                         travelled);
        if (s.mark != PlotMark::kLine) draw_mark(image, at[0] + 22.0, row + 7.5, ink);
        draw_text(image, at[0] + 46, row, s.name, kText, kDot);
        row += 22;
    }
}

}  // namespace

std::vector<double> plot_ticks(double from, double to, bool logarithmic, int count) {
    std::vector<double> ticks;
    if (logarithmic) {
        const double lo = log10_of(from), hi = log10_of(to);
        const int step = std::max(1, static_cast<int>(std::ceil((hi - lo) / count)));
        for (int n = static_cast<int>(std::floor(lo)); n <= static_cast<int>(std::ceil(hi)); ++n) {
            if (hi - lo >= 2 && n % step != 0) continue;
            for (const double factor : {1.0, 2.0, 5.0}) {
                if (hi - lo >= 2 && factor > 1) continue;
                const double v = factor * power_of_ten(n);
                if (v >= from * (1 - 1e-12) && v <= to * (1 + 1e-12)) ticks.push_back(v);
            }
        }
        return ticks;
    }
    const double rough = (to - from) / (1.4 * count);
    const int decade = static_cast<int>(std::floor(log10_of(rough)));
    double step = power_of_ten(decade + 1);
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power_of_ten(decade) >= rough * (1 - 1e-12))
            step = factor * power_of_ten(decade);
    for (double k = std::ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k)
        ticks.push_back(k * step == 0 ? 0 : k * step);
    return ticks;
}

Image draw_plot(const Plot& plot) {
    Image image(plot.width, plot.height, kPaper);
    const int right = plot.width - 24 - (plot.legend_beside ? legend_size(plot)[0] : 0);
    const Scale x = make_scale(plot.x, plot, &PlotSeries::x, 112, right);
    const Scale y = make_scale(plot.y, plot, &PlotSeries::y, plot.height - 64, 44);
    draw_axes(image, plot, x, y);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        draw_series(image, plot.series[i], kInks[i % kInks.size()], x, y);
    draw_legend(image, plot, x, y);
    return image;
}

}  // namespace spume
