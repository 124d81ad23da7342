// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/io/png.h"
#include "spume/render/font.h"
#include "spume/render/image.h"
#include "spume/render/plot.h"

namespace spume {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& s) {
    return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}

std::vector<std::uint8_t> noise(std::size_t n) {
    std::vector<std::uint8_t> values(n);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = static_cast<std::uint8_t>(256 * Random(4, i, 0, Purpose::kTest).uniform(0));
    return values;
}

TEST(Png, RoundTrip) {
    for (const auto& [w, h] : {std::pair{1, 1}, {7, 3}, {64, 33}}) {
        auto rgb = noise(static_cast<std::size_t>(3 * w * h));
        // Smooth in the lower half, so that every row filter gets its turn.
        for (std::size_t i = rgb.size() / 2; i < rgb.size(); ++i)
            rgb[i] = static_cast<std::uint8_t>(i / 3);
        const auto decoded = decode_png(bytes_of(encode_png(w, h, rgb)));
        EXPECT_EQ(decoded.width, w);
        EXPECT_EQ(decoded.height, h);
        EXPECT_EQ(decoded.rgb, rgb);
    }
}

TEST(Png, KnownHeader) {
    // The bytes any reader looks for, from the PNG specification.
    const std::string png = encode_png(258, 2, std::vector<std::uint8_t>(258 * 2 * 3, 7));
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(png.substr(8, 8), std::string("\0\0\0\rIHDR", 8));
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\1\2\0\0\0\2", 8));
    EXPECT_EQ(png.substr(png.size() - 12), std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12));
}

TEST(Png, EveryDamagedByteIsNoticed) {
    const auto rgb = noise(3 * 9 * 5);
    const std::string good = encode_png(9, 5, rgb);
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x10);
        EXPECT_THROW(decode_png(bytes_of(bad)), UserError) << i;
    }
    for (std::size_t n = 0; n < good.size(); ++n)
        EXPECT_THROW(decode_png(bytes_of(good.substr(0, n))), UserError) << n;
}

TEST(Image, LineHasTheLightOfItsArea) {
    Image image(200, 100);
    image.line({20.3, 30.7}, {170.1, 61.2}, 3, {255, 255, 255});
    double sum = 0;
    for (const auto v : image.rgb) sum += v / 255.0 / 3;
    EXPECT_NEAR(sum, 3 * std::hypot(149.8, 30.5) + 7, 10);
}

TEST(Image, EncoderFollowsTheScreenCurve) {
    const ScreenEncoder encoder;
    // IEC 61966-2-1: 18 % grey and the two ends.
    EXPECT_EQ(encoder.encode(0), 0);
    EXPECT_EQ(encoder.encode(1), 255);
    EXPECT_EQ(encoder.encode(0.18f), 118);
    EXPECT_EQ(encoder.encode(0.002f), 7);
    EXPECT_EQ(encoder.encode(7), 255);
    EXPECT_EQ(encoder.encode(-1), 0);
}

TEST(Font, LettersDifferAndStayInTheirCells) {
    std::vector<std::vector<std::uint8_t>> seen;
    for (char c = 33; c < 127; ++c) {
        Image image(8, 12);
        draw_text(image, 1, 1, std::string(1, c), {255, 255, 255});
        int dots = 0;
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 8; ++x)
                if (image.pixel(x, y)[0]) {
                    ++dots;
                    EXPECT_TRUE(x >= 1 && x <= 5 && y >= 1 && y <= 9) << c;
                }
        EXPECT_GT(dots, 1) << c;
        for (const auto& other : seen) EXPECT_NE(other, image.rgb) << c;
        seen.push_back(image.rgb);
    }
    Image blank(8, 12);
    draw_text(blank, 1, 1, " ", {255, 255, 255});
    EXPECT_EQ(blank.rgb, Image(8, 12).rgb);
    EXPECT_EQ(text_width("abc", 2), (3 * 6 - 1) * 2);
}

TEST(Font, UpwardsIsAQuarterTurn) {
    Image level(40, 40), turned(40, 40);
    draw_text(level, 3, 5, "R2", {255, 255, 255});
    draw_text_upwards(turned, 5, 40 - 3, "R2", {255, 255, 255});
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x)
            EXPECT_EQ(level.pixel(x, y)[0], turned.pixel(y, 39 - x)[0]) << x << " " << y;
}

TEST(Font, ShortNumbers) {
    EXPECT_EQ(short_number(0), "0");
    EXPECT_EQ(short_number(0.25), "0.25");
    EXPECT_EQ(short_number(1e-5), "1e-5");
    EXPECT_EQ(short_number(-2.5e10), "-2.5e+10");
    EXPECT_EQ(short_number(1e-100), "1e-100");
}

TEST(Plot, TicksAreRoundAndInside) {
    EXPECT_EQ(plot_ticks(0, 10, false), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(plot_ticks(1, 1000, true), (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ(plot_ticks(15, 150, true), (std::vector<double>{20, 50, 100}));
    const auto many = plot_ticks(1e-12, 1, true);
    EXPECT_LE(many.size(), 8u);
    for (const double v : plot_ticks(-0.37, 0.91, false)) {
        EXPECT_GE(v, -0.37);
        EXPECT_LE(v, 0.91);
        EXPECT_NEAR(v * 5, std::round(v * 5), 1e-12);
    }
}

/// Mean height, in pixels, of the first series' ink in a column.
double ink_row(const Image& image, int x) {
    double sum = 0;
    int count = 0;
    for (int y = 46; y < image.height - 66; ++y) {
        const auto* p = image.pixel(x, y);
        if (p[2] > 120 && p[0] < 90) sum += y, ++count;
    }
    return count ? sum / count : -1;
}

TEST(Plot, PowerLawIsAStraightLineOnLogarithmicAxes) {
    Plot plot;
    plot.x = {.label = "n", .logarithmic = true, .from = 1, .to = 1000};
    plot.y = {.label = "e", .logarithmic = true, .from = 1e-6, .to = 1};
    PlotSeries s{.name = "", .x = {}, .y = {}, .mark = PlotMark::kLine};
    for (double x = 1; x < 1000; x *= 1.3) s.x.push_back(x), s.y.push_back(1 / (x * x));
    plot.series = {s};
    const Image image = draw_plot(plot);
    const double a = ink_row(image, 250), b = ink_row(image, 400), c = ink_row(image, 550);
    ASSERT_GT(a, 0);
    EXPECT_NEAR(b - a, c - b, 1.5);
    // Slope −2 in decades: three decades over 764 pixels, six over 492.
    EXPECT_NEAR((c - a) / 300, 2 * (492.0 / 6) / (764.0 / 3), 0.02);
}

TEST(Plot, LegendBesideTheAxesCoversNoCurve) {
    Plot plot;
    plot.legend_beside = true;
    plot.x = {.label = "t", .from = 0, .to = 1};
    plot.y = {.label = "v", .from = 0, .to = 1};
    PlotSeries s{.name = "a long name indeed", .x = {}, .y = {}, .mark = PlotMark::kLine};
    for (double x = 0; x <= 1; x += 0.01) s.x.push_back(x), s.y.push_back(0.99);
    plot.series = {s};
    const Image image = draw_plot(plot);
    plot.series[0].name.clear();
    const Image bare = draw_plot(plot);
    // Without a name the axes take the whole width: the curve goes on where the legend was.
    EXPECT_EQ(ink_row(image, 200), ink_row(bare, 200));
    EXPECT_GT(ink_row(bare, 850), 0);
    int last = 0;
    for (int x = 112; x < image.width; ++x)
        if (std::abs(ink_row(image, x) - ink_row(image, 200)) < 0.5) last = x;
    EXPECT_LT(last, 680);
}

TEST(Plot, SurvivesEmptyAndBadData) {
    Plot plot;
    EXPECT_NO_THROW(draw_plot(plot));
    plot.x.logarithmic = plot.y.logarithmic = true;
    plot.series = {{.name = "a", .x = {0, 1, NAN}, .y = {1, -1, 3}},
                   {.name = "b", .x = {2}, .y = {2}}};
    const Image image = draw_plot(plot);
    EXPECT_EQ(image.width, 900);
}

}  // namespace
}  // namespace spume
