// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/screen_balls.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spume/core/error.h"
#include "spume/render/point_columns.h"

namespace spume {

namespace {

constexpr std::size_t kGrain = 1 << 15;
// Smaller balls are drawn this large, in samples, and as much fainter.
constexpr float kSmallest = 0.8f;

struct Span2 {
    int x0, y0, x1, y1;  // squares, half open
};

Span2 squares_of(const ScreenBall& b, Vec<int, 2> squares, int side) {
    if (b.opacity <= 0) return {0, 0, 0, 0};
    const auto cell = [side](float v, int limit) {
        return static_cast<int>(
            std::clamp(std::floor(v / static_cast<float>(side)), 0.0f, static_cast<float>(limit)));
    };
    const float reach = b.radius + 1;
    return {cell(b.x - reach, squares[0]), cell(b.y - reach, squares[1]),
            cell(b.x + reach + static_cast<float>(side), squares[0]),
            cell(b.y + reach + static_cast<float>(side), squares[1])};
}

/// The outline of an ellipsoid of revolution, seen from afar: across the axis its half axis, along
/// the axis' picture √(a² sin² + b² cos²) of the angle between axis and sight.
void draw_out(ScreenBall& ball, const PointColumns::HalfAxes& half, const Vec<double, 3>& x,
              const Projection& projection, double per_metre) {
    const Vec<double, 3> way = half.axis.as<double>() * double(half.across);
    const auto from = projection.project(x - way), to = projection.project(x + way);
    Vec<double, 2> seen{to.x - from.x, to.y - from.y};
    const double across = double(half.across), along = double(half.along);
    // What is seen of the axis, of length one.
    const double part = std::min(1.0, length(seen) / (2 * across * per_metre));
    const double outline =
        std::sqrt(along * along * part * part + across * across * (1 - part * part));
    if (!(part > 0) || !std::isfinite(outline)) {
        ball.radius = static_cast<float>(across * per_metre);
        return;
    }
    seen = seen / length(seen);
    if (outline < across) seen = {-seen[1], seen[0]};
    ball.along = seen.as<float>();
    ball.longer = static_cast<float>(std::max(outline, across) / std::min(outline, across));
    ball.radius = static_cast<float>(std::max(outline, across) * per_metre);
}

}  // namespace

ScreenBalls::ScreenBalls(const std::vector<PointSet>& sets, const Projection& projection,
                         Vec<int, 2> samples, int square, double default_radius, Arena& arena) {
    std::size_t count = 0;
    for (const PointSet& set : sets) count += set.size();
    SPUME_CHECK_OP(count, <, std::size_t{1} << 32);
    balls_.resize(count);
    std::size_t first = 0;
    for (const PointSet& set : sets) {
        place(set, first, projection, default_radius, arena);
        first += set.size();
    }
    largest_ = reduce(
        arena, count, kGrain, 0.0f,
        [&](std::size_t begin, std::size_t end) {
            float r = 0;
            for (std::size_t i = begin; i < end; ++i)
                if (balls_[i].opacity > 0) r = std::max(r, balls_[i].radius);
            return r;
        },
        [](float a, float b) { return std::max(a, b); });
    sort_into_squares(samples, square, arena);
}

void ScreenBalls::place(const PointSet& set, std::size_t first, const Projection& projection,
                        double default_radius, Arena& arena) {
    const PointColumns columns(set);
    for_range(arena, set.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto at = projection.project(set.position[i]);
            const double metres = columns.radius ? (*columns.radius)[i] : default_radius;
            ScreenBall& b = balls_[first + i];
            b = {static_cast<float>(at.x),
                 static_cast<float>(at.y),
                 0,
                 static_cast<float>(at.depth),
                 static_cast<float>(metres),
                 0,
                 static_cast<std::uint32_t>(first + i)};
            // Balls at the eye would fill the picture; NaN positions fail the test too.
            if (!(at.depth > 3 * metres) || !(metres > 0) || !std::isfinite(at.x + at.y)) continue;
            b.radius = static_cast<float>(metres * at.per_metre);
            const auto half = columns.half_axes(i, b.metres);
            if (half.drawn_out()) draw_out(b, half, set.position[i], projection, at.per_metre);
            b.opacity = 1;
            if (b.radius < kSmallest) {
                b.opacity = b.radius * b.radius / (kSmallest * kSmallest * b.longer);
                b.radius = kSmallest;
                b.longer = 1;
            }
        }
    });
}

void ScreenBalls::sort_into_squares(Vec<int, 2> samples, int side, Arena& arena) {
    const Vec<int, 2> squares{(samples[0] + side - 1) / side, (samples[1] + side - 1) / side};
    const auto count = static_cast<std::size_t>(squares[0] * squares[1]);
    const std::size_t pieces = (balls_.size() + kGrain - 1) / kGrain;
    // A counting sort: places[piece][square] first counts, then says where the piece writes.
    std::vector<std::vector<std::size_t>> places(pieces, std::vector<std::size_t>(count, 0));
    const auto for_squares = [&](std::size_t piece, auto&& use) {
        const std::size_t end = std::min(balls_.size(), (piece + 1) * kGrain);
        for (std::size_t i = piece * kGrain; i < end; ++i) {
            const Span2 s = squares_of(balls_[i], squares, side);
            for (int y = s.y0; y < s.y1; ++y)
                for (int x = s.x0; x < s.x1; ++x)
                    use(static_cast<std::size_t>(y * squares[0] + x), i);
        }
    };
    auto count_piece = [&](std::size_t piece) {
        for_squares(piece, [&](std::size_t square, std::size_t) { ++places[piece][square]; });
    };
    arena.run(pieces, count_piece);
    begin_.assign(count + 1, 0);
    std::size_t total = 0;
    for (std::size_t square = 0; square < count; ++square) {
        begin_[square] = total;
        for (auto& piece : places) {
            const std::size_t n = piece[square];
            piece[square] = total;
            total += n;
        }
    }
    begin_[count] = total;
    order_.resize(total);
    auto fill_piece = [&](std::size_t piece) {
        for_squares(piece, [&](std::size_t square, std::size_t i) {
            order_[places[piece][square]++] = static_cast<std::uint32_t>(i);
        });
    };
    arena.run(pieces, fill_piece);
    auto sort_square = [&](std::size_t square) {
        std::vector<std::uint64_t> keys;
        for (std::size_t k = begin_[square]; k < begin_[square + 1]; ++k)
            // Positive floats order like their bits.
            keys.push_back(std::uint64_t{std::bit_cast<std::uint32_t>(balls_[order_[k]].depth)}
                               << 32 |
                           order_[k]);
        std::sort(keys.begin(), keys.end());
        for (std::size_t k = 0; k < keys.size(); ++k)
            order_[begin_[square] + k] = static_cast<std::uint32_t>(keys[k]);
    };
    arena.run(count, sort_square);
}

std::vector<ScreenBall> ScreenBalls::in_square(std::size_t square) const {
    std::vector<ScreenBall> result;
    result.reserve(begin_[square + 1] - begin_[square]);
    for (std::size_t k = begin_[square]; k < begin_[square + 1]; ++k)
        result.push_back(balls_[order_[k]]);
    return result;
}

}  // namespace spume
