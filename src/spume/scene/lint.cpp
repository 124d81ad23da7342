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

/// Share of an emitter's shape that is inside the domain and outside of all solids when it starts.
template <int D>
double open_share(const Emitter& e, const Scene& scene, const MeshLibrary& meshes) {
    constexpr int kAttempts = 4096, kEnough = 256;
    std::vector<PlacedBody<D>> solids;
    for (const Solid& solid : scene.solids)
        solids.push_back(moving_body<D>(solid, meshes).at(std::max(0.0, e.start)));
    const PlacedBody<D> body = moving_body<D>(e, scene.solids, meshes).at(std::max(0.0, e.start));
    const Random random(scene.seed, 0, 0, Purpose::kJitter);
    int inside = 0, open = 0;
    for (std::uint32_t n = 0; n < kAttempts && inside < kEnough; ++n) {
        const auto picked = body.shape().pick(random.uniform_vec<D>(n * D));
        if (!picked) continue;
        ++inside;
        const Point<D> x = body.to_world(*picked);
        bool free = true;
        for (int a = 0; a < D; ++a)
            free &= x[a] >= scene.domain.lower[a] && x[a] <= scene.domain.upper[a];
        for (const PlacedBody<D>& solid : solids) free = free && solid.distance(x) > 0;
        open += free ? 1 : 0;
    }
    return inside > 0 ? double(open) / inside : 1;
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
    const Emitter& e = scene.emitters[i];
    const double open = scene.domain.dimensions == 2 ? open_share<2>(e, scene, meshes)
                                                     : open_share<3>(e, scene, meshes);
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
    const std::string& name = scene.emitters[index].name;
    return name.empty() ? fmt::format("[{}]", index) : fmt::format("\"{}\"", name);
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

std::vector<std::string> scene_lint(const Scene& scene, const MeshLibrary& meshes) {
    std::vector<std::string> lines = thin_walls(scene, meshes);
    look_at_box(scene, lines);
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        look_at_time(scene, i, lines);
        look_at_place(scene, i, meshes, lines);
        look_at_numbers(scene, i, lines);
    }
    return lines;
}

}  // namespace spume
