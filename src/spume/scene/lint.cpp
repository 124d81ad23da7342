// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/lint.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/random.h"
#include "spume/scene/bodies.h"
#include "spume/scene/rise_speed.h"
#include "spume/scene/wall_thickness.h"

namespace spume {
namespace {

std::string name_or_number(const std::string& name, std::size_t index) {
    return name.empty() ? fmt::format("[{}]", index) : fmt::format("\"{}\"", name);
}

/// Share of points at random in a body of which `holds` is true; 1 where none was found.
template <int D, class F>
double share_of(const PlacedBody<D>& body, const Scene& scene, F&& holds) {
    constexpr int kAttempts = 4096, kEnough = 256;
    const Random random(scene.seed, 0, 0, Purpose::kJitter);
    int inside = 0, held = 0;
    for (std::uint32_t n = 0; n < kAttempts && inside < kEnough; ++n) {
        const auto picked = body.shape().pick(random.uniform_vec<D>(n * D));
        if (!picked) continue;
        ++inside;
        held += holds(body.to_world(*picked)) ? 1 : 0;
    }
    return inside > 0 ? double(held) / inside : 1;
}

template <int D>
bool in_domain(const Point<D>& x, const Domain& domain) {
    bool inside = true;
    for (int a = 0; a < D; ++a) inside &= x[a] >= domain.lower[a] && x[a] <= domain.upper[a];
    return inside;
}

/// Share of the shape of an emitter or a liquid that is inside the domain and outside of all solids
/// when it starts.
template <int D, class Item>
double open_share(const Item& item, const Scene& scene, const MeshLibrary& meshes) {
    const double time = std::max(0.0, item.start);
    std::vector<PlacedBody<D>> solids;
    for (const Solid& solid : scene.solids)
        solids.push_back(moving_body<D>(solid, meshes).at(time));
    return share_of(
        moving_body<D>(item, scene.solids, meshes).at(time), scene, [&](const Point<D>& x) {
            return in_domain(x, scene.domain) &&
                   std::all_of(solids.begin(), solids.end(),
                               [&](const PlacedBody<D>& solid) { return solid.distance(x) > 0; });
        });
}

template <class Item>
double open_share_of(const Item& item, const Scene& scene, const MeshLibrary& meshes) {
    return scene.domain.dimensions == 2 ? open_share<2>(item, scene, meshes)
                                        : open_share<3>(item, scene, meshes);
}

/// Share of an emitter's shape that is in the liquid of the scene, or in a still bulk, at the
/// start.
template <int D>
double wet_share(const Emitter& e, const Scene& scene, const MeshLibrary& meshes) {
    std::vector<std::pair<bool, PlacedBody<D>>> bodies;
    for (const LiquidBody& l : scene.liquids)
        if (l.mode == LiquidMode::kFill || l.mode == LiquidMode::kHollow)
            bodies.emplace_back(l.mode == LiquidMode::kFill, placed<D>(l.shape, meshes));
    return share_of(moving_body<D>(e, scene.solids, meshes).at(0), scene, [&](const Point<D>& x) {
        bool wet = scene.bulk.present && x[1] < scene.bulk.level;
        for (const auto& [fills, body] : bodies)
            if (body.distance(x) <= 0) wet = fills;
        return wet;
    });
}

void look_at_time(const Scene& scene, std::size_t i, std::vector<std::string>& lines) {
    const Emitter& e = scene.emitters[i];
    const double end = scene.time.frames / scene.time.fps;
    if (e.start >= end)
        lines.push_back(
            fmt::format("emitter {} starts at {:.3g} s, after the end of the run at "
                        "{:.3g} s: nothing comes out of it",
                        emitter_name(scene, i), e.start, end));
    else if (e.mode == EmitMode::kRate && e.stop <= std::max(0.0, e.start))
        lines.push_back(
            fmt::format("emitter {} stops at {:.3g} s, before it starts: nothing comes "
                        "out of it",
                        emitter_name(scene, i), e.stop));
}

void look_at_place(const Scene& scene, std::size_t i, const MeshLibrary& meshes,
                   std::vector<std::string>& lines) {
    const double open = open_share_of(scene.emitters[i], scene, meshes);
    if (open <= 0)
        lines.push_back(
            fmt::format("emitter {} lies in a solid or outside of the domain: there is "
                        "no open water for its bubbles",
                        emitter_name(scene, i)));
    else if (open < 0.5)
        lines.push_back(
            fmt::format("only {:.0f} % of emitter {} is open water, the rest lies in "
                        "solids or outside of the domain",
                        100 * open, emitter_name(scene, i)));
}

/// A bubble beyond a Weber number of some ten breaks up; one that hardly moves is a slip of a unit.
void look_at_numbers(const Scene& scene, std::size_t i, std::vector<std::string>& lines) {
    constexpr double kMostWeber = 100, kMostReynolds = 2e4, kLeastReynolds = 1e-3;
    const Physics& p = scene.physics;
    const double r = largest_bubble(scene.emitters[i]), speed = bubble_rise_speed(r, p);
    if (!(r > 0) || scene.emitters[i].density > p.water_density) return;
    const double reynolds = 2 * p.water_density * speed * r / p.viscosity;
    const double weber =
        p.surface_tension > 0 ? 2 * p.water_density * speed * speed * r / p.surface_tension : 0;
    const std::string who =
        fmt::format("bubbles of {:.3g} m radius from emitter {}", r, emitter_name(scene, i));
    if (weber > kMostWeber)
        lines.push_back(
            fmt::format("{} have a Weber number of {:.3g}: water would tear them "
                        "apart; are radius and units right?",
                        who, weber));
    else if (reynolds > kMostReynolds)
        lines.push_back(
            fmt::format("{} have a Reynolds number of {:.3g}: are radius, viscosity "
                        "and units right?",
                        who, reynolds));
    else if (speed > 0 && reynolds < kLeastReynolds)
        lines.push_back(
            fmt::format("{} have a Reynolds number of {:.3g} and hardly move: are "
                        "radius, viscosity and units right?",
                        who, reynolds));
}

/// What no liquid or body is made of: most often a slip of a unit.
void look_at_physics(const Scene& scene, std::vector<std::string>& lines) {
    constexpr double kMostTension = 2, kLightest = 5, kHeaviest = 2.5e4;  // N/m, kg/m³
    const Physics& p = scene.physics;
    if (p.surface_tension > kMostTension)
        lines.push_back(
            fmt::format("physics.surface_tension = {:.3g} N/m is more than any liquid "
                        "has, water has 0.0728: is it in mN/m?",
                        p.surface_tension));
    if (p.water_density < kLightest || p.water_density > kHeaviest)
        lines.push_back(
            fmt::format("physics.water_density = {:.3g} kg/m^3 is that of no liquid, "
                        "water has 1000: is it in g/cm^3?",
                        p.water_density));
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        if (const Solid& s = scene.solids[i];
            s.motion == Motion::kDynamic && (s.density < kLightest || s.density > kHeaviest))
            lines.push_back(
                fmt::format("solid {} of {:.3g} kg/m^3 is hardly meant, wood has 700: "
                            "is its density in g/cm^3?",
                            name_or_number(s.name, i), s.density));
    const Vec<double, 3>& g = p.gravity;
    if (g[1] == 0 && (g[0] != 0 || g[2] != 0))
        lines.push_back(
            "physics.gravity has no part along y, which is up in Spume: top, bottom, levels and "
            "cameras go by it");
}

/// Liquid that never comes, or of which nothing is in the domain.
void look_at_liquid(const Scene& scene, std::size_t i, const MeshLibrary& meshes,
                    std::vector<std::string>& lines) {
    const LiquidBody& l = scene.liquids[i];
    const bool source = l.mode == LiquidMode::kSource,
               flows = source || l.mode == LiquidMode::kSink;
    const std::string name = "liquid " + name_or_number(l.name, i);
    const double end = scene.time.frames / scene.time.fps;
    if (flows && l.start >= end)
        lines.push_back(
            fmt::format("{} starts at {:.3g} s, after the end of the run at {:.3g} s: "
                        "nothing comes of it",
                        name, l.start, end));
    else if (open_share_of(l, scene, meshes) <= 0)
        lines.push_back(
            fmt::format("{} lies in a solid or outside of the domain: there is no "
                        "room for it",
                        name));
    else if (source && length(l.velocity) == 0 && l.keys.empty() && l.attach.empty())
        lines.push_back(
            fmt::format("{} is a source without velocity: nothing comes out of it but "
                        "what fills its shape",
                        name));
}

/// Share of a solid that is inside the domain and outside of the solids before it at a time.
template <int D>
double free_share(const Scene& scene, std::size_t i, double time, const MeshLibrary& meshes) {
    std::vector<PlacedBody<D>> others;
    for (std::size_t k = 0; k < i; ++k)
        others.push_back(moving_body<D>(scene.solids[k], meshes).at(time));
    return share_of(
        moving_body<D>(scene.solids[i], meshes).at(time), scene, [&](const Point<D>& x) {
            return in_domain(x, scene.domain) &&
                   std::all_of(others.begin(), others.end(),
                               [&](const auto& other) { return other.distance(x) > 0; });
        });
}

/// Solids that never come near the domain, and bodies that begin in a wall or in one another.
template <int D>
void look_at_solid(const Scene& scene, std::size_t i, const MeshLibrary& meshes,
                   std::vector<std::string>& lines) {
    constexpr int kMoments = 8;
    constexpr double kTouch = 0.02;  // of a body: less is no more than its own sampling
    const Solid& s = scene.solids[i];
    const std::string name = "solid " + name_or_number(s.name, i);
    const double end = scene.time.frames / scene.time.fps;
    bool near = false;
    for (int n = 0; n <= (s.motion == Motion::kKeyed ? kMoments : 0) && !near; ++n) {
        const auto box = moving_body<D>(s, meshes).at(end * n / kMoments).bounds();
        near = true;
        for (int a = 0; a < D; ++a)
            near = near && box.hi[a] >= scene.domain.lower[a] && box.lo[a] <= scene.domain.upper[a];
    }
    if (!near)
        lines.push_back(fmt::format(
            "{} is never in the domain{}", name,
            s.motion == Motion::kKeyed ? ": keys are offsets from the shape's own place" : ""));
    else if (const double in =
                 s.motion == Motion::kDynamic ? free_share<D>(scene, i, 0, meshes) : 1;
             in < 1 - kTouch)
        lines.push_back(
            fmt::format("{:.0f} % of {} lie in another solid or outside of the domain "
                        "at the start: it will jump free, or not at all",
                        100 * (1 - in), name));
}

/// Liquid that runs out at once: a side that nobody closed is open.
template <int D>
void look_at_openings(const Scene& scene, const MeshLibrary& meshes,
                      std::vector<std::string>& lines) {
    if (scene.domain.bottom != Border::kOpen) return;
    for (std::size_t i = 0; i < scene.liquids.size(); ++i)
        if (const LiquidBody& l = scene.liquids[i];
            l.mode == LiquidMode::kFill && scene.physics.gravity[1] < 0 &&
            placed<D>(l.shape, meshes).bounds().lo[1] < scene.domain.lower[1] + 0.5 * scene.voxel())
            lines.push_back(
                fmt::format("domain.bottom is \"open\", and liquid {} reaches down to it: "
                            "it runs out there; \"wall\" holds it",
                            name_or_number(l.name, i)));
}

/// The box is a whole number of voxels; one that is not changes its size.
void look_at_box(const Scene& scene, std::vector<std::string>& lines) {
    constexpr double kRounding = 1e-6;  // of a voxel
    const Domain& d = scene.domain;
    const double h = scene.voxel();
    std::string asked, got;
    bool differs = false;
    for (int a = 0; a < d.dimensions; ++a) {
        const double size = d.upper[a] - d.lower[a];
        const double held = std::max(1.0, std::round(size / h)) * h;
        differs = differs || std::abs(held - size) > kRounding * h;
        asked += fmt::format("{}{:.6g}", a > 0 ? " x " : "", size);
        got += fmt::format("{}{:.6g}", a > 0 ? " x " : "", held);
    }
    if (differs)
        lines.push_back(
            fmt::format("the domain of {} m is no whole number of voxels of {:.6g} m: it is "
                        "simulated as {} m from its lower corner on; choose sides that are "
                        "multiples of the voxel",
                        asked, h, got));
}

}  // namespace

std::string emitter_name(const Scene& scene, std::size_t index) {
    return name_or_number(scene.emitters[index].name, index);
}

double largest_bubble(const Emitter& e) {
    if (e.law == RadiusLaw::kFixed) return e.radius;
    return e.law == RadiusLaw::kInverseCubic ? e.radius_max : 0;
}

double bubble_rise_speed(double radius, const Physics& physics) {
    if (!(radius > 0)) return 0;
    return rise_speed(4.5 * physics.viscosity / (radius * radius),
                      0.375 * physics.water_density / radius,
                      physics.water_density - physics.air_density, length(physics.gravity));
}

std::vector<std::string> wide_bubbles(const Scene& scene) {
    constexpr double kWide = 0.5;  // r/h: 9.4 % too fast, docs/which_method.md
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        const Emitter& e = scene.emitters[i];
        if (e.density > scene.physics.water_density) continue;
        // The mean of radii with density r⁻³ between a and b is 2ab / (a + b).
        const double r = e.law == RadiusLaw::kInverseCubic
                             ? 2 * e.radius_min * e.radius_max / (e.radius_min + e.radius_max)
                             : largest_bubble(e);
        if (r > kWide * scene.voxel())
            lines.push_back(fmt::format(
                "bubbles from emitter {} have a radius of {:.2g} voxels, and clouds of them rise "
                "too fast from 0.5 on: domain.voxel = {:.3g}, five radii, is recommended",
                emitter_name(scene, i), r / scene.voxel(), 5 * r));
    }
    return lines;
}

std::vector<std::string> dry_emitters(const Scene& scene, const MeshLibrary& meshes) {
    std::vector<std::string> lines;
    const bool still = scene.bulk.present && scene.bulk.kind == BulkKind::kStill;
    if (!still && scene.liquids.empty()) return lines;
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        if ((scene.domain.dimensions == 2 ? wet_share<2>(scene.emitters[i], scene, meshes)
                                          : wet_share<3>(scene.emitters[i], scene, meshes)) <= 0)
            lines.push_back(
                fmt::format("emitter {} lies in the air at the start: until there is "
                            "liquid, bubbles that it makes are gone at once",
                            emitter_name(scene, i)));
    return lines;
}

std::vector<std::string> scene_lint(const Scene& scene, const MeshLibrary& meshes) {
    std::vector<std::string> lines = thin_walls(scene, meshes);
    look_at_box(scene, lines);
    look_at_physics(scene, lines);
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) look_at_liquid(scene, i, meshes, lines);
    const bool flat = scene.domain.dimensions == 2;
    (flat ? look_at_openings<2> : look_at_openings<3>)(scene, meshes, lines);
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        (flat ? look_at_solid<2> : look_at_solid<3>)(scene, i, meshes, lines);
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        look_at_time(scene, i, lines);
        look_at_place(scene, i, meshes, lines);
        look_at_numbers(scene, i, lines);
    }
    return lines;
}

}  // namespace spume
