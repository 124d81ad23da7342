// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/preview.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/render/border_overlay.h"
#include "spume/render/flat_liquid.h"
#include "spume/render/guides.h"
#include "spume/render/point_paint.h"
#include "spume/render/preview_caption.h"
#include "spume/render/screen_balls.h"
#include "spume/render/solid_tracer.h"
#include "spume/render/sprite.h"
#include "spume/render/water.h"
#include "spume/scene/bodies.h"

namespace spume {

namespace {

constexpr int kSquare = 32;  // pixels a side of the piece of screen a thread works on

constexpr float kClosed = 0.004f;  // less than a step of the screen's 8 bits still shows

struct Sample {
    Colour colour{};
    float open = 1;  ///< part of what is behind that still shows
    float solid_depth = 1e30f;
};

float compressed(float x) {
    constexpr float kKnee = 0.6f;
    if (x <= kKnee) return x;
    return 1 - (1 - kKnee) * static_cast<float>(math::exp(-(x - kKnee) / (1 - kKnee)));
}

/// A repeatable number in (−½, ½) for each pixel and channel.
float dither(int x, int y, int channel) {
    auto h = static_cast<std::uint32_t>(x) * 0x9e3779b1u ^
             static_cast<std::uint32_t>(y) * 0x85ebca77u ^
             static_cast<std::uint32_t>(channel) * 0xc2b2ae3du;
    h ^= h >> 15, h *= 0x2c1b3c6du, h ^= h >> 12, h *= 0x297a2d39u, h ^= h >> 15;
    return static_cast<float>(h >> 8) / 16777216.0f - 0.5f;
}

class Painter {
  public:
    Painter(const Frame& frame, const PreviewOptions& options, const PreviewCamera& camera,
            Context& context);

    void paint_square(std::size_t square, Image& image) const;
    std::size_t squares() const { return static_cast<std::size_t>(across_ * down_); }
    const PointPaint& point_paint() const { return paint_; }

  private:
    using Samples = std::vector<Sample>;
    void solids(Samples& samples, std::vector<SolidTracer::Hit>& hits, int x0, int y0) const;
    /// What all samples of a ball share.
    struct Brush {
        Sprite::View view;
        bool bubble = true;
        Colour tint{}, light{1, 1, 1}, fog{};
    };
    Brush brush_for(const ScreenBall& ball) const;
    void splat(const ScreenBall& ball, Samples& samples, int x0, int y0) const;
    Colour behind(const SolidTracer::Hit* hit, const Colour& open_water, float line,
                  float line_depth) const;
    float guide_at(double x, double y, float& depth) const;

    const PreviewOptions& options_;
    const int fine_, across_, down_, side_;  // side_: samples of a square
    Projection pixels_, samples_;
    Water water_;
    SolidTracer tracer_;
    FlatLiquid flat_;
    bool dry_;  ///< air all round, not water
    ScreenBalls balls_;
    PointPaint paint_;
    Interval elevations_;
    Sprite bubble_, matte_;
    std::vector<GuideLine> guides_;
    ScreenEncoder encoder_;
};

Painter::Painter(const Frame& frame, const PreviewOptions& options, const PreviewCamera& camera,
                 Context& context)
    : options_(options),
      fine_(options.supersampling),
      across_((options.width + kSquare - 1) / kSquare),
      down_((options.height + kSquare - 1) / kSquare),
      side_(kSquare * fine_),
      pixels_(camera, options.width, options.height),
      samples_(camera, options.width * fine_, options.height * fine_),
      water_(options.domain, pixels_),
      tracer_(options.solids, options.flat_solids, frame, options.domain),
      flat_(frame, camera.view_height / options.height, options.liquid_densities),
      dry_(frame.free_surface),
      balls_(frame.points, samples_, {options.width * fine_, options.height * fine_}, side_,
             options.default_radius, context.arena),
      paint_(frame, options, context.arena),
      elevations_{pixels_.elevation(options.height), pixels_.elevation(0)},
      bubble_(SpriteKind::kBubble, balls_.largest(), elevations_, context.arena),
      matte_(SpriteKind::kMatte, balls_.largest(), elevations_, context.arena) {
    if (options.guides)
        guides_ = guide_lines(options.domain, frame.dimensions, pixels_, camera.position);
}

void Painter::solids(Samples& samples, std::vector<SolidTracer::Hit>& hits, int x0, int y0) const {
    const int right = options_.width * fine_, bottom = options_.height * fine_;
    for (int j = 0; j < side_ && y0 + j < bottom; ++j)
        for (int i = 0; i < side_ && x0 + i < right; ++i) {
            const auto k = static_cast<std::size_t>(j * side_ + i);
            hits[k] = tracer_.trace(samples_.ray(x0 + i + 0.5, y0 + j + 0.5), pixels_.right());
            samples[k].solid_depth = static_cast<float>(std::min(hits[k].depth, 1e30));
        }
}

void Painter::splat(const ScreenBall& ball, Samples& samples, int x0, int y0) const {
    const float reach = ball.radius + 0.5f;
    const int i0 = std::max(0, static_cast<int>(std::floor(ball.x - reach)) - x0);
    const int i1 = std::min(side_ - 1, static_cast<int>(std::floor(ball.x + reach)) - x0);
    const int j0 = std::max(0, static_cast<int>(std::floor(ball.y - reach)) - y0);
    const int j1 = std::min(side_ - 1, static_cast<int>(std::floor(ball.y + reach)) - y0);
    // In a dense cloud most balls are hidden by others: find out before lighting them.
    bool hidden = true;
    for (int j = j0; j <= j1 && hidden; ++j)
        for (int i = i0; i <= i1 && hidden; ++i)
            hidden = samples[static_cast<std::size_t>(j * side_ + i)].open < kClosed;
    if (hidden) return;

    const Brush brush = brush_for(ball);
    for (int j = j0; j <= j1; ++j) {
        const float down = (static_cast<float>(y0 + j) + 0.5f - ball.y) / ball.radius;
        for (int i = i0; i <= i1; ++i) {
            Sample& s = samples[static_cast<std::size_t>(j * side_ + i)];
            if (s.open < kClosed) continue;
            const float right = (static_cast<float>(x0 + i) + 0.5f - ball.x) / ball.radius;
            const Vec<float, 2> on_ball = ball.on_ball(right, down);
            const float u = on_ball[0], v = -on_ball[1];
            const float bulge = 1 - u * u - v * v;
            const float front = ball.depth - ball.metres * std::sqrt(std::max(0.0f, bulge));
            if (front > s.solid_depth) continue;
            const Sprite::Texel t = brush.view.at(u, v);
            const float opacity = t.opacity * ball.opacity;
            if (opacity <= 0) continue;
            const Colour own = brush.bubble ? Colour{t.red, t.green, t.blue}
                                            : brush.tint * t.red + Colour::filled(t.green);
            s.colour += (multiply(own * ball.opacity, brush.light) + brush.fog * opacity) * s.open;
            s.open *= 1 - opacity;
        }
    }
}

Painter::Brush Painter::brush_for(const ScreenBall& ball) const {
    Brush brush;
    brush.bubble = paint_.kind(ball.source) == SpriteKind::kBubble;
    const double row = ball.y / static_cast<float>(fine_);
    brush.view = (brush.bubble ? bubble_ : matte_).view(ball.radius, pixels_.elevation(row));
    if (!brush.bubble) brush.tint = paint_.tint(ball.source);
    if (options_.colours != PreviewColours::kWater) return brush;
    const auto sight = samples_.ray(ball.x, ball.y);
    const double height = sight.origin[1] + sight.direction[1] * ball.depth;
    const Colour clear = water_.clearness(ball.depth);
    brush.light = clear * water_.daylight(height);
    brush.fog = multiply(
        open_water(ball.x / static_cast<float>(fine_), row, options_.width, options_.height),
        Colour::filled(1) - clear);
    return brush;
}

float Painter::guide_at(double x, double y, float& depth) const {
    float strongest = 0;
    for (const GuideLine& line : guides_) {
        const Vec<double, 2> along = line.to - line.from, p = Vec<double, 2>{x, y} - line.from;
        const double squared = dot(along, along);
        const double s = squared > 0 ? std::clamp(dot(p, along) / squared, 0.0, 1.0) : 0;
        const auto cover = static_cast<float>(1.1 - length(p - along * s)) * line.opacity;
        if (cover <= strongest) continue;
        strongest = std::min(cover, line.opacity);
        depth = static_cast<float>(
            1 / (line.inverse_depth_from + (line.inverse_depth_to - line.inverse_depth_from) * s));
    }
    return strongest;
}

Colour Painter::behind(const SolidTracer::Hit* hit, const Colour& open_water_here, float line,
                       float line_depth) const {
    Colour c = open_water_here;
    if (hit && hit->depth < 1e29) {
        const Colour clear = dry_ ? Colour::filled(1) : water_.clearness(hit->depth);
        c = multiply(hit->colour, clear) + multiply(open_water_here, Colour::filled(1) - clear);
    }
    if (line > 0 && (!hit || line_depth <= hit->depth * 1.002)) {
        const Colour chalk = Colour{0.35f, 0.62f, 0.70f} * 0.8f;
        c += (chalk - c) * (line * water_.clearness(line_depth)[2]);
    }
    return c;
}

void Painter::paint_square(std::size_t square, Image& image) const {
    const int column = static_cast<int>(square) % across_, row = static_cast<int>(square) / across_;
    const int x0 = column * kSquare, y0 = row * kSquare;
    const auto count = static_cast<std::size_t>(side_ * side_);
    Samples samples(count);
    std::vector<SolidTracer::Hit> hits(tracer_.empty() ? 0 : count);
    if (!tracer_.empty()) solids(samples, hits, x0 * fine_, y0 * fine_);
    for (const ScreenBall& ball : balls_.in_square(square))
        splat(ball, samples, x0 * fine_, y0 * fine_);

    const bool water_look = options_.colours == PreviewColours::kWater;
    for (int y = y0; y < std::min(y0 + kSquare, options_.height); ++y)
        for (int x = x0; x < std::min(x0 + kSquare, options_.width); ++x) {
            const Colour open = dry_ ? dry_wall(x + 0.5, y + 0.5, options_.width, options_.height)
                                : water_look
                                    ? open_water(x + 0.5, y + 0.5, options_.width, options_.height)
                                    : Colour{0.012f, 0.014f, 0.018f};
            float line_depth = 0;
            const float line = guide_at(x + 0.5, y + 0.5, line_depth);
            Colour sum{};
            for (int k = 0; k < fine_ * fine_; ++k) {
                const auto at = static_cast<std::size_t>(((y - y0) * fine_ + k / fine_) * side_ +
                                                         (x - x0) * fine_ + k % fine_);
                const Sample& s = samples[at];
                const SolidTracer::Hit* hit = hits.empty() ? nullptr : &hits[at];
                const int across = (x - x0) * fine_ + k % fine_,
                          down = (y - y0) * fine_ + k / fine_;
                Colour wall = open;
                if (!flat_.empty()) {
                    const auto sight =
                        samples_.ray(x0 * fine_ + across + 0.5, y0 * fine_ + down + 0.5);
                    const Box<double, 3>& box = options_.domain;
                    if (sight.origin[0] >= box.lo[0] && sight.origin[0] < box.hi[0] &&
                        sight.origin[1] >= box.lo[1] && sight.origin[1] < box.hi[1])
                        wall = flat_.at(sight.origin[0], sight.origin[1]);
                }
                Colour c = s.colour + behind(hit, wall, line, line_depth) * s.open;
                if (hit && hit->glass > 0) c += (Colour{0.25f, 0.5f, 0.55f} - c) * hit->glass;
                for (int n = 0; n < 3; ++n) c[n] = compressed(c[n]);
                sum += c;
            }
            sum *= 1.0f / static_cast<float>(fine_ * fine_);
            for (int n = 0; n < 3; ++n)
                image.pixel(x, y)[n] = encoder_.encode(sum[n], dither(x, y, n));
        }
}

void check(const PreviewOptions& o) {
    if (o.width < 16 || o.height < 16 || o.width > 16384 || o.height > 16384)
        throw UserError(fmt::format("the picture's size is {} x {}", o.width, o.height),
                        "give a size from 16x16 to 16384x16384");
    if (o.supersampling < 1 || o.supersampling > 8)
        throw UserError(fmt::format("{} samples a pixel along each axis", o.supersampling),
                        "give 1 to 8");
    SPUME_CHECK_OP(o.domain.size()[1], >, 0);
}

}  // namespace

PreviewOptions preview_options(const Scene& scene, const MeshLibrary& meshes, const Frame& frame,
                               int width, int height) {
    PreviewOptions options;
    options.width = width, options.height = height;
    options.domain = {scene.domain.lower, scene.domain.upper};
    if (scene.domain.dimensions == 2) options.domain.lo[2] = options.domain.hi[2] = 0;
    const Camera camera = camera_at(scene.camera, frame.time);
    if (!camera.automatic && scene.domain.dimensions == 3)
        options.camera = PreviewCamera{.position = camera.position,
                                       .target = camera.target,
                                       .field_of_view = camera.field_of_view};
    Interval& densities = options.liquid_densities;
    for (const LiquidBody& liquid : scene.liquids) {
        if (liquid.mode != LiquidMode::kFill && liquid.mode != LiquidMode::kSource) continue;
        const double own = liquid.density > 0 ? liquid.density : scene.physics.water_density;
        if (densities.end == 0) densities = {own, own};
        densities = {std::min(densities.begin, own), std::max(densities.end, own)};
    }
    for (const Solid& solid : scene.solids) {
        if (scene.domain.dimensions == 2)
            options.flat_solids.push_back(moving_body<2>(solid, meshes).at(frame.time));
        else
            options.solids.push_back(moving_body<3>(solid, meshes).at(frame.time));
    }
    const auto move = [](auto& solids, const BodyPose& body) {
        if (body.solid < 0 || std::size_t(body.solid) >= solids.size()) return;
        auto& solid = solids[std::size_t(body.solid)];
        solid = std::remove_reference_t<decltype(solid)>(solid.shape(), body.pose, body.twist);
    };
    for (const BodyPose& body : frame.bodies)
        move(options.flat_solids, body), move(options.solids, body);
    return options;
}

float lightness_of_liquid(float density, const Interval& densities) {
    if (!(densities.length() > 0)) return 0;
    const double light = (densities.end - double(density)) / densities.length();
    return static_cast<float>(std::clamp(light, 0.0, 1.0));
}

Image render_preview(const Frame& frame, const PreviewOptions& given, Context& context) {
    Stage stage(context, "preview");
    check(given);
    PreviewOptions options = given;
    if (frame.dimensions == 2) options.domain.lo[2] = options.domain.hi[2] = 0;
    const double aspect = double(options.width) / options.height;
    const PreviewCamera camera = options.camera
                                     ? *options.camera
                                     : automatic_camera(options.domain, frame.dimensions, aspect);
    const Painter painter(frame, options, camera, context);
    Image image(options.width, options.height);
    auto paint = [&](std::size_t square) { painter.paint_square(square, image); };
    context.arena.run(painter.squares(), paint);
    draw_border(image, frame, Projection(camera, options.width, options.height));
    if (options.caption) draw_caption(image, frame, options, painter.point_paint());
    return image;
}

}  // namespace spume
