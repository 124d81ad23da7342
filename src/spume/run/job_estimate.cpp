// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <unistd.h>

#include "spume/run/job_scene.h"
#include "spume/scene/bodies.h"
#include "spume/scene/rise_speed.h"
#include "spume/scene/shape_bounds.h"

namespace spume {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFile = 3e3;      // bytes, measured: a file with hardly anything in it
constexpr double kProgram = 60e6;  // bytes, measured: what a scene of a few cells takes

RadiusSpan span_of(const Emitter& e, const Scene& scene) {
    return radius_span(e, scene.domain.dimensions, scene.voxel());
}

/// Mean of a power of the radius; of radii distributed as 1/r³ between the limits.
double mean_power(const RadiusSpan& span, int power) {
    const double a = span.min, b = span.max;
    if (!(b > a)) return std::pow(a, power);
    const double weight = (1 / (a * a) - 1 / (b * b)) / 2;
    return (power == 3 ? b - a : std::log(b / a)) / weight;
}

/// Of a mesh, which is not read yet, a guess.
double volume_of(const Shape& shape, bool flat) {
    bool mesh = false;
    each_shape(shape, [&](const Shape& s) { mesh = mesh || s.kind == ShapeKind::kMesh; });
    if (mesh) return shape.scale * shape.scale * shape.scale;
    return flat ? body_shape<2>(shape, {}).volume() : body_shape<3>(shape, {}).volume();
}

/// Of bubbles, or at which grains sink.
double rise_speed_of(double radius, const Physics& physics) {
    return rise_speed(
        4.5 * physics.viscosity / (radius * radius), 0.375 * physics.water_density / radius,
        std::abs(physics.water_density - physics.air_density), length(physics.gravity));
}

double bubbles_of(const Emitter& e, const Scene& scene) {
    const bool flat = scene.domain.dimensions == 2;
    const RadiusSpan span = span_of(e, scene);
    const double one = span.stands_for > 0 ? span.stands_for
                       : flat              ? kPi * mean_power(span, 2)
                                           : 4 * kPi / 3 * mean_power(span, 3);
    if (e.mode == EmitMode::kSeed) {
        if (e.count > 0) return e.count;
        const double volume = volume_of(e.shape, flat);
        if (e.spacing > 0) return volume / std::pow(e.spacing, scene.domain.dimensions);
        return e.fraction * volume / one;
    }
    const double end = std::min(e.stop, scene.time.frames / scene.time.fps);
    double seconds = std::max(0.0, end - e.start);
    if (e.period > 0 && e.pulse.empty()) seconds *= std::min(1.0, e.burst / e.period);
    // In open water they leave; none stays longer than it takes to rise through the domain.
    const double height = scene.domain.upper[1] - scene.domain.lower[1];
    const double speed = rise_speed_of(
        std::sqrt(mean_power(span, 3) / mean_power(span, 2) * span.min), scene.physics);
    if (scene.domain.top == Border::kOpen && speed > 0) seconds = std::min(seconds, height / speed);
    return e.rate * seconds / one;
}

}  // namespace

namespace {

/// Volume of a box within the domain, m³ (2D: m²).
double volume_within(const Box<double, 3>& box, const Domain& domain) {
    double volume = 1;
    for (int a = 0; a < domain.dimensions; ++a)
        volume *= std::max(
            0.0, std::min(box.hi[a], domain.upper[a]) - std::max(box.lo[a], domain.lower[a]));
    return volume;
}

double voxels_in(const Box<double, 3>& box, const Scene& scene) {
    return volume_within(box, scene.domain) / std::pow(scene.voxel(), scene.domain.dimensions);
}

/// Tiles are whole: what is stored reaches past what is there by half of one.
double half_tile(const Scene& scene) {
    return (scene.domain.dimensions == 2 ? 8 : 4) * scene.voxel();
}

/// Where the grid will be around the bubbles of an emitter: a column that widens by a tenth of its
/// height, as plumes do, with a tile around it.
double voxels_above(const Emitter& e, const Scene& scene) {
    Box<double, 3> box = shape_bounds(e.shape);
    const double seconds = std::max(0.0, scene.time.frames / scene.time.fps - e.start);
    const double radius = span_of(e, scene).max;
    const double rise = std::min(scene.domain.upper[1] - box.hi[1],
                                 2 * rise_speed_of(radius, scene.physics) * seconds);
    const double spread = 0.1 * std::max(rise, 0.0);
    box.hi[1] += std::max(rise, 0.0);
    for (const int a : {0, 2}) box.lo[a] -= spread, box.hi[a] += spread;
    return voxels_in(box.grown(3 * half_tile(scene)), scene);
}

/// Of the liquid at the start and what sources add to it; boxes, less what is hollow.
double liquid_voxels(const Scene& scene) {
    const bool flat = scene.domain.dimensions == 2;
    double volume = 0;
    for (const LiquidBody& l : scene.liquids) {
        const Box<double, 3> bounds = shape_bounds(l.shape);
        const double own =
            l.shape.kind == ShapeKind::kMesh
                ? 0
                : std::min(volume_of(l.shape, flat), volume_within(bounds, scene.domain));
        if (l.mode == LiquidMode::kFill) volume += own;
        if (l.mode == LiquidMode::kHollow) volume -= own;
        const double end = std::min(l.stop, scene.time.frames / scene.time.fps);
        if (l.mode == LiquidMode::kSource)
            volume += std::max(0.0, end - l.start) * length(l.velocity) *
                      std::pow(own, 1 - 1.0 / scene.domain.dimensions);
    }
    const double voxels = std::max(0.0, volume) / std::pow(scene.voxel(), flat ? 2 : 3);
    return std::min(voxels, product(scene.cells()));
}

/// Of a voxel, in the plane and in space.
double markers_in_voxel(const Scene& scene) { return scene.domain.dimensions == 2 ? 4 : 8; }

void add_sizes(const LoadedScene& loaded, double written, Estimate& e);

}  // namespace

Estimate likely_estimate(const LoadedScene& loaded) {
    const Scene& scene = loaded.scene;
    Estimate e;
    for (const Emitter& emitter : scene.emitters) e.bubbles += bubbles_of(emitter, scene);
    const double all = product(scene.cells()), wet = liquid_voxels(scene);
    e.markers = wet * markers_in_voxel(scene);
    e.voxels = all;
    if (!scene.domain.dense) {
        for (const LiquidBody& l : scene.liquids)
            if (l.mode == LiquidMode::kFill || l.mode == LiquidMode::kSource)
                e.voxels += voxels_in(shape_bounds(l.shape).grown(half_tile(scene)), scene);
        for (const Emitter& emitter : scene.emitters) e.voxels += voxels_above(emitter, scene);
        e.voxels = std::min(e.voxels, all);
    }
    add_sizes(loaded, scene.liquids.empty() ? e.voxels : std::min(e.voxels, 1.3 * wet), e);
    return e;
}

Estimate estimate(const LoadedScene& loaded) {
    const Scene& scene = loaded.scene;
    Estimate e;
    e.voxels = product(scene.cells());
    for (const Emitter& emitter : scene.emitters) e.bubbles += bubbles_of(emitter, scene);
    if (!scene.liquids.empty()) e.markers = e.voxels * markers_in_voxel(scene);
    add_sizes(loaded, e.voxels, e);
    return e;
}

namespace {

/// Memory and disk for numbers of voxels, bubbles and markers. Of the voxels `written` hold values
/// that differ from their neighbours': the rest is packed to nothing.
void add_sizes(const LoadedScene& loaded, double written, Estimate& e) {
    const Scene& scene = loaded.scene;
    // What blosc leaves of smooth fields and of points.
    const Output& out = scene.output;
    const int d = scene.domain.dimensions;
    const double value = out.half ? 2 : 4;
    const double volumes = (out.velocity ? 3 : 0) + (out.pressure ? 1 : 0) + (out.density ? 1 : 0);
    e.frame = kFile * (2 + volumes + (out.vtk ? volumes + 1 : 0));  // headers, records
    if (out.vdb) e.frame += written * volumes * value * 0.7 + e.bubbles * 45;
    if (out.ply) e.frame += e.bubbles * 56;
    if (out.vtk) e.frame += e.voxels * volumes * 4 + e.bubbles * 90;
    if (e.markers > 0 || out.surface)  // a level set, and triangles on about six sides of a box
        e.frame += 2 * kFile + written * value * 0.7 + 300 * std::pow(written, 1 - 1.0 / d);
    e.checkpoint = e.voxels * 8 * (d + 1) + (e.bubbles + e.markers) * (16 * d + 48);
    // Beside the method's own: a checkpoint as bytes with what it was copied from, a frame as
    // columns, grids and compressed text, and the program with its libraries.
    e.memory = expected_bytes(scene, loaded.params, e.voxels, e.bubbles) + 3 * e.checkpoint +
               8 * e.frame + kProgram;
    // A closed mesh has half as many vertices as faces, each three floats a file.
    for (const auto& [path, mesh] : loaded.inputs.meshes)
        if (mesh.sequence) e.memory += 6.0 * double(mesh.sequence->faces());
}

}  // namespace

std::string too_large(const LoadedScene& loaded, const Estimate& needs, double bytes) {
    // A sparse scene may stay far below: only what must be allocated is held against it.
    if (!loaded.scene.domain.dense || needs.memory <= bytes) return {};
    return fmt::format("{:.3g} voxels and {:.3g} bubbles need about {}, more than the {} allowed",
                       needs.voxels, needs.bubbles,
                       bytes_in_words(static_cast<std::uint64_t>(std::min(needs.memory, 1e18))),
                       bytes_in_words(static_cast<std::uint64_t>(bytes)));
}

double machine_memory() {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::string characteristic_numbers(const Scene& scene) {
    const Physics& p = scene.physics;
    std::string text;
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        const Emitter& e = scene.emitters[i];
        const double r = span_of(e, scene).max, speed = rise_speed_of(r, p), rho = p.water_density;
        const std::string name = e.name.empty() ? fmt::format("emitter {}", i) : e.name;
        text += fmt::format(
            "{}: bubbles up to {:.3g} mm radius ({:.2g} voxels) rise at about {:.3g} m/s\n", name,
            1000 * r, r / scene.voxel(), speed);
        text += fmt::format(
            "  Reynolds {:.3g}, Weber {:.3g}, Bond {:.3g}, CFL {:.3g} voxels a frame\n",
            2 * rho * speed * r / p.viscosity, 2 * rho * speed * speed * r / p.surface_tension,
            std::abs(rho - p.air_density) * length(p.gravity) * 4 * r * r / p.surface_tension,
            speed / (scene.time.fps * scene.voxel()));
    }
    return text;
}

}  // namespace spume
