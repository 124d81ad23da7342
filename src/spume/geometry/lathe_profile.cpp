// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/lathe_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"

namespace spume {
namespace {

using Vec2 = Vec<double, 2>;

constexpr std::size_t kMostPoints = 1000;

double turn(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }

/// f(a, b) for each edge of a loop.
template <class F>
void each_edge(const LatheProfile::Loop& loop, F&& f) {
    for (std::size_t i = 0; i < loop.size(); ++i) f(loop[i], loop[(i + 1) % loop.size()]);
}

bool on_axis(const Vec2& a, const Vec2& b) { return a[0] == 0 && b[0] == 0; }

/// Where x + t·way meets the edge a … b, for t > 0; infinity if nowhere.
double meets(const Vec2& x, const Vec2& way, const Vec2& a, const Vec2& b) {
    const Vec2 edge = b - a;
    const double d = turn(way, edge);
    if (d == 0) return std::numeric_limits<double>::infinity();
    const double t = turn(a - x, edge) / d, s = turn(a - x, way) / d;
    return t > 0 && s >= 0 && s <= 1 ? t : std::numeric_limits<double>::infinity();
}

bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const double p = turn(b - a, c - a), q = turn(b - a, d - a);
    const double r = turn(d - c, a - c), s = turn(d - c, b - c);
    return ((p > 0) != (q > 0)) && ((r > 0) != (s > 0)) && p != 0 && q != 0 && r != 0 && s != 0;
}

double area(const LatheProfile::Loop& loop) {
    double sum = 0;
    each_edge(loop, [&](const Vec2& a, const Vec2& b) { sum += turn(a, b) / 2; });
    return sum;
}

/// Without points that are there twice.
LatheProfile::Loop cleaned(const LatheProfile::Loop& loop) {
    LatheProfile::Loop r;
    for (const Vec2& x : loop)
        if (r.empty() || !(x == r.back())) r.push_back(x);
    while (r.size() > 1 && r.front() == r.back()) r.pop_back();
    return r;
}

}  // namespace

LatheProfile::LatheProfile(std::vector<Loop> loops) : loops_(std::move(loops)) {
    bounds_ = {loops_[0][0], loops_[0][0]};
    for (const Loop& loop : loops_)
        for (const Vec2& x : loop) bounds_ = bounds_.including(x);
}

LatheProfile LatheProfile::of_outline(Loop outline) {
    outline = cleaned(outline);
    if (outline.size() > kMostPoints)
        throw UserError(fmt::format("a profile of {} points", outline.size()),
                        fmt::format("give at most {}, or a mesh", kMostPoints));
    if (outline.size() < 3)
        throw UserError(fmt::format("a profile of {} different points", outline.size()),
                        "give at least three");
    for (const Vec2& x : outline)
        if (!(x[0] >= 0) || !std::isfinite(x[0]) || !std::isfinite(x[1]))
            throw UserError(fmt::format("a profile goes through radius {}, height {}", x[0], x[1]),
                            "give finite heights and radii of at least 0");
    const std::size_t n = outline.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 2; j < n; ++j)
            if ((j + 1) % n != i &&
                cross_each_other(outline[i], outline[i + 1], outline[j], outline[(j + 1) % n]))
                throw UserError(
                    fmt::format("edges {} and {} of a profile cross each other", i + 1, j + 1),
                    "list its points in order along the outline");
    const double a = area(outline);
    if (a == 0) throw UserError("a profile has no area", "move its points off one line");
    if (a < 0) std::reverse(outline.begin(), outline.end());
    return LatheProfile({std::move(outline)});
}

LatheProfile LatheProfile::of_cone(double radius, double top, double height, double shell,
                                   bool open_top) {
    const double h = height / 2;
    // The inside of the wall: its side moved inwards by the shell.
    const double slope = (top - radius) / height;
    const double across = shell * std::sqrt(1 + slope * slope);
    const auto inner = [&](double y) { return radius + slope * (y + h) - across; };
    double low = -h + shell, high = open_top ? h : h - shell;
    const double tip = slope != 0 ? -h + (across - radius) / slope : 0;
    if (inner(low) < 0 && slope > 0) low = std::max(low, tip);
    if (inner(high) < 0 && slope < 0) high = std::min(high, tip);
    const double r_low = std::max(0.0, inner(low)), r_high = std::max(0.0, inner(high));
    const bool hollow = shell > 0 && low < high && (r_low > 0 || r_high > 0);
    if (open_top && (!hollow || r_high == 0))
        throw UserError("nothing is left open at the top of a cone",
                        "give a larger radius_top, a thinner shell, or remove open_top");
    if (open_top)
        return LatheProfile(
            {cleaned({{0, -h}, {radius, -h}, {top, h}, {r_high, h}, {r_low, low}, {0, low}})});
    std::vector<Loop> loops{cleaned({{0, -h}, {radius, -h}, {top, h}, {0, h}})};
    if (hollow) loops.push_back(cleaned({{0, high}, {r_high, high}, {r_low, low}, {0, low}}));
    return LatheProfile(std::move(loops));
}

double LatheProfile::distance(const Vec2& x) const {
    double least = std::numeric_limits<double>::infinity();
    bool inside = false;
    for (const Loop& loop : loops_)
        each_edge(loop, [&](const Vec2& a, const Vec2& b) {
            if (on_axis(a, b)) return;
            const Vec2 edge = b - a, to = x - a;
            const double along = std::clamp(dot(to, edge) / dot(edge, edge), 0.0, 1.0);
            const Vec2 off = to - edge * along;
            least = std::min(least, dot(off, off));
            // Even and odd crossings of the line from x outwards.
            if ((a[1] > x[1]) != (b[1] > x[1]) && x[0] < a[0] + edge[0] * (x[1] - a[1]) / edge[1])
                inside = !inside;
        });
    return inside ? -std::sqrt(least) : std::sqrt(least);
}

double LatheProfile::integral(int a, int b) const {
    // By Green, of r^(a+1) / (a+1) y^b dy along the loops; three Gauss points an edge.
    const double node = std::sqrt(0.6) / 2, nodes[3] = {0.5 - node, 0.5, 0.5 + node};
    constexpr double kWeights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const auto power = [](double x, int n) {
        double r = 1;
        for (int i = 0; i < n; ++i) r *= x;
        return r;
    };
    double sum = 0;
    for (const Loop& loop : loops_)
        each_edge(loop, [&](const Vec2& from, const Vec2& to) {
            for (int k = 0; k < 3; ++k) {
                const Vec2 x = from + (to - from) * nodes[k];
                sum +=
                    kWeights[k] * power(x[0], a + 1) / (a + 1) * power(x[1], b) * (to[1] - from[1]);
            }
        });
    return sum;
}

double LatheProfile::thickness() const {
    double least = std::numeric_limits<double>::infinity();
    const auto look = [&](const Vec2& x, const Vec2& inwards) {
        for (const Loop& loop : loops_)
            each_edge(loop, [&](const Vec2& a, const Vec2& b) {
                if (on_axis(a, b)) return;
                const Vec2 m{-a[0], a[1]}, n{-b[0], b[1]};
                const double tiny = 1e-9 * length(bounds_.size());
                for (const double t : {meets(x, inwards, a, b), meets(x, inwards, m, n)})
                    if (t > tiny) least = std::min(least, t);
            });
    };
    for (const Loop& loop : loops_)
        each_edge(loop, [&](const Vec2& a, const Vec2& b) {
            if (on_axis(a, b)) return;
            const Vec2 edge = (b - a) / length(b - a);
            look((a + b) * 0.5, {-edge[1], edge[0]});
        });
    return least;
}

}  // namespace spume
