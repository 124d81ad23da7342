// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "methods/constraint/run.h"

namespace spume {
namespace {

constexpr double kGravity = 9.81;

struct Out {
    double fastest = 0, at_end = 0, volume = 0, particles = 0, trapped = 0;
};

template <int D>
Out report(const char* name, const Scene& s, double end, const constraint::Params& p = {}) {
    ConstraintRun<D> run(s, p);
    const double v0 = run.state.target_volume;
    const double n0 = double(run.state.liquid.size());
    double last = 0, particle = 0, out = 0;
    double when = 0;
    bool ok = run.until(end, [&] {
        last = run.last.max_speed;
        if (last >= run.fastest) when = run.state.time;
        particle = 0;
        for (std::size_t i = 0; i < run.state.liquid.size(); ++i)
            particle = std::max(particle, length(run.state.liquid.velocity[i]));
        out = run.state.outflow;
    });
    const double L = s.domain.upper[1] - s.domain.lower[1];
    const double u = std::sqrt(std::max(1e-9, length(s.physics.gravity)) * L);
    std::printf("%-34s ok %d steps %d fastest/u %.2e at %.2f s end %.2e particles %.2e  V %.6f of asked, asked/start %.4f, n %.4f, trapped %.5g out %.4g warn %zu bubbles %zu\n",
                name, ok, run.steps, run.fastest / u, when, last / u, particle / u,
                run.state.volume / run.state.target_volume, run.state.target_volume / v0,
                double(run.state.liquid.size()) / n0, run.trapped(), out, run.last.warnings.size(),
                run.state.air.bubbles.size());
    for (auto& w : run.last.warnings) std::printf("    %s\n", w.c_str());
    if (!ok) std::printf("    FAILED: %s\n", run.last.why.c_str());
    for (std::size_t i = 0; i < run.state.rigid.size(); ++i) {
        const auto placed = solids_at<D>(run.world, run.state.rigid, run.state.time).placed[run.world.rigid.bodies()[i].solid];
        const auto c = (placed.bounds().lo + placed.bounds().hi) * 0.5;
        std::printf("    body %zu centre %.4f %.4f\n", i, c[0], c[1]);
    }
    return {run.fastest / u, last / u, run.state.volume / run.state.target_volume,
            double(run.state.liquid.size()) / n0, run.trapped()};
}

Scene base(int D, int cells, const Vec<double, 3>& size) {
    Scene s = tank(D, 1.0 / cells, size);
    s.physics.surface_tension = 0;
    return s;
}
Solid turned(Solid s, double degrees) {
    s.shape.rotation = {0, 0, degrees};
    return s;
}
Solid ball(const Vec<double, 3>& c, double r, double shell = 0) {
    Solid s;
    s.shape.kind = ShapeKind::kSphere;
    s.shape.center = c;
    s.shape.radius = r;
    s.shape.shell = shell;
    return s;
}

// films, isolated: puddle on a floor, on a block in air
TEST(Hunt, Films) {
    for (double f : {0.2, 0.4, 0.7, 1.3}) {
        const double h = 1.0 / 32;
        Scene s = base(2, 32, {1, 1, 1});
        s.liquids = {liquid_box({-1, -1, -1}, {2, f * h, 1})};
        char n[64]; std::snprintf(n, 64, "puddle on floor %.1f", f);
        report<2>(n, s, 0.5);
        s.solids = {solid_box({0.3, -1, -1}, {0.7, 8.3 * h, 1})};
        s.liquids = {liquid_box({0.3, 8.3 * h, -1}, {0.7, (8.3 + f) * h, 1})};
        std::snprintf(n, 64, "film on block in air %.1f", f);
        report<2>(n, s, 0.5);
        Scene s3 = base(3, 16, {1, 1, 1});
        s3.solids = {solid_box({0.3, -1, 0.3}, {0.7, 4.3 / 16, 0.7})};
        s3.liquids = {liquid_box({-1, -1, -1}, {2, (4.3 + f) / 16, 2})};
        std::snprintf(n, 64, "3D film on block under %.1f", f);
        report<3>(n, s3, 0.5);
    }
}
// films sliding down a slope: g sin a t
TEST(Hunt, FilmOnSlope) {
    for (double deg : {10.0, 30.0, 45.0}) for (double f : {0.4, 0.8}) {
        const double h = 1.0 / 32, a = deg * 3.14159265358979 / 180;
        Scene s = base(2, 32, {1, 1, 1});
        s.domain.sides = Border::kOpen;
        Solid slope = solid_box({-2, -2, -1}, {2, 0, 1});
        slope.shape.center = {0.5 + std::sin(a), 0.5 - std::cos(a), 0};
        slope.shape.rotation = {0, 0, -deg};
        s.solids = {slope};
        LiquidBody l = liquid_box({-0.1, 0, -1}, {0.1, f * h, 1});
        l.shape.center = {0.4 + std::sin(a) * (f * h / 2) , 0.5 + 0.1 * std::tan(a) + std::cos(a) * f * h / 2, 0};
        l.shape.rotation = {0, 0, -deg};
        s.liquids = {l};
        ConstraintRun<2> run(s, {});
        auto mean = [&] { Vec<double, 2> x{}; for (std::size_t i = 0; i < run.state.liquid.size(); ++i) x += run.state.liquid.position[i]; return x / double(run.state.liquid.size()); };
        auto x0 = mean(); const double n0 = double(run.state.liquid.size());
        double T = 0.2;
        run.until(T);
        auto d = mean() - x0;
        std::printf("slope %.0f film %.1f: way %.4f of %.4f, fastest %.3f of %.3f n %.3f\n", deg, f, length(d), 0.5 * kGravity * std::sin(a) * T * T, run.fastest, kGravity * std::sin(a) * T, double(run.state.liquid.size()) / n0);
    }
}
TEST(Hunt, RestShapes) {
    {   // V-shaped, 45 and 30
        for (double deg : {15.0, 30.0, 45.0, 60.0}) {
            Scene s = base(2, 32, {1, 1, 1});
            s.solids = {turned(solid_box({0.5 - 1, 0.1 - 0.4, -1}, {0.5 + 1, 0.1, 1}), deg), turned(solid_box({0.5 - 1, 0.1 - 0.4, -1}, {0.5 + 1, 0.1, 1}), -deg)};
            s.solids[0].shape.center = {0.9, 0.0, 0};
            s.solids[1].shape.center = {0.1, 0.0, 0};
            s.liquids = {liquid_box({-1, -1, -1}, {2, 0.62, 1})};
            char n[64]; std::snprintf(n, 64, "V %.0f", deg);
            report<2>(n, s, 0.5);
        }
    }
    for (double level : {0.3, 0.41, 0.53}) {   // bowl
        Scene s = base(2, 32, {1, 1, 1});
        Solid b = ball({0.5, 0.55, 0}, 0.42, 0.06); b.shape.open_top = true;
        s.solids = {b};
        s.liquids = {liquid_ball({0.5, 0.55, 0}, 0.37)};
        LiquidBody air = liquid_box({-1, level, -1}, {2, 2, 1}, LiquidMode::kHollow);
        s.liquids.push_back(air);
        char n[64]; std::snprintf(n, 64, "bowl 2D %.2f", level);
        report<2>(n, s, 0.5);
        Scene s3 = base(3, 20, {1, 1, 1});
        b.shape.center = {0.5, 0.55, 0.5};
        s3.solids = {b};
        s3.liquids = {liquid_ball({0.5, 0.55, 0.5}, 0.37), liquid_box({-1, level, -1}, {2, 2, 2}, LiquidMode::kHollow)};
        std::snprintf(n, 64, "bowl 3D %.2f", level);
        report<3>(n, s3, 0.3);
    }
    {   // ball under water, ball through the surface
        for (double y : {0.2, 0.37, 0.5, 0.55}) {
            Scene s = base(2, 32, {1, 1, 1});
            s.solids = {ball({0.5, y, 0}, 0.14)};
            s.liquids = {liquid_box({-1, -1, -1}, {2, 0.5, 1})};
            char n[64]; std::snprintf(n, 64, "ball at %.2f", y);
            report<2>(n, s, 0.5);
        }
        for (double y : {0.3, 0.44}) {
            Scene s = base(3, 20, {1, 1, 1});
            s.solids = {ball({0.5, y, 0.5}, 0.14)};
            s.liquids = {liquid_box({-1, -1, -1}, {2, 0.5, 2})};
            char n[64]; std::snprintf(n, 64, "ball 3D at %.2f", y);
            report<3>(n, s, 0.4);
        }
    }
}
TEST(Hunt, RestTanks) {
    {
        Scene s = base(2, 64, {0.125, 2, 1}); s.liquids = {liquid_box({-1, -1, -1}, {2, 1.437, 1})};
        report<2>("tall thin", s, 0.5);
        Scene s3 = base(3, 32, {0.125, 1, 0.125}); s3.liquids = {liquid_box({-1, -1, -1}, {2, 0.737, 1})};
        report<3>("tall thin 3D", s3, 0.5);
    }
    {
        Scene s = base(2, 32, {1, 1, 1}); s.liquids = {liquid_box({-1, -1, -1}, {2, 2, 1})};
        report<2>("full box", s, 0.5);
        s.liquids.push_back(liquid_ball({0.5, 0.5, 0}, 0.15, LiquidMode::kHollow));
        report<2>("full box with bubble (moves)", s, 0.3);
        s.physics.gravity = {};
        report<2>("full box with bubble g=0", s, 0.5);
        s.physics.surface_tension = 0.07;
        report<2>("same with tension", s, 0.5);
        Scene s3 = base(3, 24, {1, 1, 1}); s3.liquids = {liquid_box({-1, -1, -1}, {2, 2, 2})};
        report<3>("full box 3D", s3, 0.3);
        s3.physics.gravity = {};
        s3.liquids.push_back(liquid_ball({0.5, 0.47, 0.52}, 0.2, LiquidMode::kHollow));
        report<3>("full box with bubble 3D g=0", s3, 0.3);
    }
    {   // communicating vessels with trapped air at different levels
        const double h = 1.0 / 32;
        for (double off : {0.0, 0.37}) {
            Scene s = base(2, 32, {1, 1, 1});
            s.solids = {solid_box({0.4 + off * h, 5 * h, -1}, {0.5 + off * h, 2, 1})};
            s.liquids = {liquid_box({-1, -1, -1}, {0.45, 0.7, 1}), liquid_box({0.45, -1, -1}, {2, 0.43, 1}), liquid_box({-1, -1, -1}, {2, 5 * h, 1})};
            report<2>("two trapped vessels", s, 0.5);
            s.domain.top = Border::kOpen;
            s.solids.push_back(solid_box({-1, 30 * h, -1}, {0.45, 31 * h, 1}));
            report<2>("one trapped, one open", s, 0.5);
        }
    }
    for (double deg : {7.0, 20.0, 33.0}) {  // 3D tilted gravity
        Scene s = base(3, 20, {1, 1, 1});
        const double a = deg * 3.14159265358979 / 180;
        const Vec<double, 3> up{-std::sin(a), std::cos(a), 0};
        s.physics.gravity = up * -kGravity;
        LiquidBody l = liquid_box({-3, -3, -3}, {3, 3, 3});
        l.shape.center = Vec<double, 3>{0.5, 0.513, 0.5} + up * -3;
        l.shape.rotation = {0, 0, deg};
        s.liquids = {l};
        char n[64]; std::snprintf(n, 64, "tilted 3D %.0f", deg);
        report<3>(n, s, 0.3);
    }
}
TEST(Hunt, Sinks) {
    // bubbles on and off must agree
    const double h = 1.0 / 48;
    struct Case { const char* name; Vec<double, 3> lo, hi; };
    for (const Case& c : {Case{"corner", {-1, -1, -1}, {0.06, 0.06, 1}}, Case{"half in wall", {0.95, 0.2, -1}, {1.1, 0.26, 1}}, Case{"half in block", {0.45, 0.17, -1}, {0.55, 0.24, 1}}, Case{"tilted amid", {0.42, 0.21, -1}, {0.5, 0.26, 1}}}) {
        for (bool off : {false, true}) {
            Scene s = base(2, 48, {1, 1, 1});
            s.domain.top = Border::kOpen;
            s.liquids = {liquid_box({-1, -1, -1}, {2, 0.5, 1}), liquid_box(c.lo, c.hi, LiquidMode::kSink)};
            if (std::string(c.name) == "half in block") s.solids = {solid_box({0.3, -1, -1}, {0.7, 0.2, 1})};
            if (std::string(c.name) == "tilted amid") s.liquids[1].shape.rotation = {0, 0, 25};
            constraint::Params p;
            if (off) p.bubbles = constraint::BubbleMode::kOff;
            char n[64]; std::snprintf(n, 64, "sink %s %s", c.name, off ? "off" : "on");
            report<2>(n, s, 0.4, p);
        }
    }
    (void)h;
    // drain under a floating body
    for (bool dyn : {false, true}) {
        Scene s = base(2, 48, {1, 1, 1});
        s.domain.top = Border::kOpen;
        s.liquids = {liquid_box({-1, -1, -1}, {2, 0.4, 1}), liquid_box({0.45, -1, -1}, {0.55, 0.03, 1}, LiquidMode::kSink)};
        if (dyn) { Solid b = solid_box({0.4, 0.3, -1}, {0.6, 0.5, 1}); b.motion = Motion::kDynamic; b.density = 500; s.solids = {b}; }
        report<2>(dyn ? "drain under body" : "drain without", s, 3.0);
    }
}
TEST(Hunt, Bodies) {
    for (double d : {100.0, 300.0, 500.0, 900.0}) {
        const double a = 0.3;
        Scene s = base(2, 32, {1, 1, 1});
        s.domain.top = Border::kOpen;
        // level 0.5 with body in place: body bottom at 0.5 - d a
        Solid b = solid_box({0.35, 0.5 - d / 1000 * a, -1}, {0.65, 0.5 - d / 1000 * a + a, 1});
        if (d < 400 || true) b = solid_box({0.35, 0.5 - d / 1000 * a * 0.5, -1}, {0.65, 0.5 - d / 1000 * a * 0.5 + a * 0.5, 1});
        b.motion = Motion::kDynamic; b.density = d;
        s.solids = {b};
        s.liquids = {liquid_box({-1, -1, -1}, {2, 0.5, 1})};
        char n[64]; std::snprintf(n, 64, "floating box %.0f centre %.4f", d, 0.5 - d / 1000 * a * 0.5 + a * 0.25);
        report<2>(n, s, 1.0);
    }
    for (double d : {300.0, 500.0}) {
        Scene s = base(3, 24, {1, 1, 1});
        s.domain.top = Border::kOpen;
        Solid b = solid_box({0.35, 0.5 - d / 1000 * 0.2, 0.35}, {0.65, 0.7 - d / 1000 * 0.2, 0.65});
        b.motion = Motion::kDynamic; b.density = d;
        s.solids = {b};
        s.liquids = {liquid_box({-1, -1, -1}, {2, 0.5, 2})};
        char n[64]; std::snprintf(n, 64, "floating box 3D %.0f centre %.4f", d, 0.6 - d / 1000 * 0.2);
        report<3>(n, s, 0.6);
    }
}
TEST(Hunt, Fps1) {
    Scene s = base(2, 32, {1, 1, 1});
    s.time.fps = 1;
    s.liquids = {liquid_box({-1, -1, -1}, {0.3, 0.6, 1})};
    report<2>("dam at fps 1", s, 2.0);
    s.liquids = {liquid_box({-1, -1, -1}, {2, 0.43, 1})};
    report<2>("pool at fps 1", s, 3.0);
}
TEST(Hunt, Sources) {
    // source partly in the wall, partly in a block; ids: asked volume
    Scene s = base(2, 32, {1, 1, 1});
    s.domain.top = Border::kOpen;
    LiquidBody l = liquid_box({-0.05, 0.5, -1}, {0.06, 0.6, 1}, LiquidMode::kSource); l.velocity = {1, 0, 0};
    s.liquids = {liquid_box({-1, -1, -1}, {2, 0.2, 1}), l};
    report<2>("source half in wall", s, 1.0);
    s.solids = {solid_box({0.03, 0.55, -1}, {0.2, 0.7, 1})};
    report<2>("and a block on half", s, 1.0);
    Scene s3 = base(3, 16, {1, 1, 1}); s3.domain.top = Border::kOpen;
    LiquidBody l3 = liquid_box({0.4, 0.7, 0.4}, {0.6, 0.8, 0.6}, LiquidMode::kSource); l3.velocity = {0, -1, 0};
    s3.liquids = {liquid_box({-1, -1, -1}, {2, 0.2, 2}), l3, liquid_box({0, -1, 0}, {0.1, 0.05, 0.1}, LiquidMode::kSink)};
    report<3>("3D tap and corner sink", s3, 1.0);
}

}  // namespace
}  // namespace spume
