// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/floating_foam.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/dome.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

constexpr double kStep = 0.1;          // of ln(R/a) from one shape to the next
constexpr double kSmallest = 0.22;     // R/a; a bubble with less is a ball but for a thousandth
constexpr double kVeilHeight = 0.05;   // of a radius above the water
constexpr double kRaftWidth = 1.1;     // of a radius
constexpr double kMeniscusPixels = 3;  // of a radius; with fewer it is not to be seen
constexpr double kCover = 0.4;         // of the foam that is measured

int size_of(double radius, double capillary) {
    return static_cast<int>(std::lround(math::log(radius / capillary) / kStep));
}

}  // namespace

WaterSurface::WaterSurface(const World& world) {
    World water;
    water.materials = world.materials;
    water.media = world.media;
    water.size = world.size;
    for (const Surface& s : world.surfaces) {
        const Material& m = world.materials[static_cast<std::size_t>(s.material)];
        if (m.finish == Finish::kClear && m.priority == Priority::kLiquid)
            water.surfaces.push_back(s);
    }
    if (!water.surfaces.empty()) scene_ = std::make_unique<RayScene>(std::move(water));
}

std::optional<WaterSurface::Place> WaterSurface::near(const Vec3& x, const Vec3& axis,
                                                      double reach) const {
    if (!scene_) return std::nullopt;
    const Ray ray{x + axis * reach, -axis, 0.5};
    double from = 0;
    for (int i = 0; i < 4; ++i) {
        const Hit hit = scene_->nearest(ray, from);
        if (!hit.found || hit.distance > 2 * reach) return std::nullopt;
        if (dot(hit.normal, axis) > 0) return Place{hit.position, hit.shading};
        from = std::max(hit.distance, hit.seen) + scene_->grain();
    }
    return std::nullopt;
}

FloatingFoam::FloatingFoam(const World& world, int bubble, int liquid,
                           const FloatingOptions& options)
    : water_(world), bubble_(bubble), liquid_(liquid), options_(options), films_(world.films) {}

const FloatingBubble& FloatingFoam::shape(int size) {
    auto at = shapes_.find(size);
    if (at == shapes_.end())
        at = shapes_
                 .emplace(size, floating_bubble(options_.capillary * math::exp(kStep * size),
                                                options_.capillary))
                 .first;
    return at->second;
}

double FloatingFoam::pixels(const FloatingPoint& point) const {
    const double distance = options_.parallel ? 1 : length(point.position - options_.eye);
    return point.radius * options_.pixels / std::max(distance, 1e-9);
}

bool FloatingFoam::take(const FloatingPoint& point, Balls& balls) {
    const double reach = std::max(2 * point.radius, point.bound);
    const auto place = water_.near(point.position, point.axis, reach);
    if (!place) return false;
    const double above = dot(point.position - place->position, point.axis);
    const bool touches = above < point.radius && above > -point.radius * (point.foam ? 1 : 0.5);
    if (!touches && !(point.bound > 0)) return false;
    const double seen = pixels(point);
    const bool far = point.foam && seen < options_.veil_pixels * (0.75 + 0.5 * point.share);
    const bool raft = point.raft && options_.raft > 0;
    if (far || raft) veiled_.push_back({*place, point.radius, far, raft});
    if (far) return true;
    if (point.radius > kSmallest * options_.capillary)
        add_dome(point, *place, seen > kMeniscusPixels);
    else
        add_ball(point, *place, balls);
    return true;
}

void FloatingFoam::add_dome(const FloatingPoint& point, const WaterSurface::Place& place,
                            bool meniscus) {
    const int size = size_of(point.radius, options_.capillary);
    Copies& copies = domes_[{size, meniscus}];
    const double scale = point.radius / shape(size).radius;
    copies.places.push_back({(place.position - point.way).as<float>(), static_cast<float>(scale),
                             place.normal.as<float>()});
    copies.end.push_back((place.position + point.way).as<float>());
    copies.film.push_back(point.film);
    moving_ = moving_ || length(point.way) > 0;
}

void FloatingFoam::add_ball(const FloatingPoint& point, const WaterSurface::Place& place,
                            Balls& balls) {
    const FloatingBubble& b = shape(size_of(point.radius, options_.capillary));
    const double depth = b.depth / b.radius * point.radius;
    const Vec3 centre = place.position + place.normal * (point.radius - depth);
    const auto r = static_cast<float>(point.radius);
    const Vec<float, 3> x = (centre - point.way).as<float>(), y = (centre + point.way).as<float>();
    balls.begin.push_back({x[0], x[1], x[2], r});
    balls.end.push_back({y[0], y[1], y[2], r});
    balls.film.push_back(point.film);
}

VeilReflectance FloatingFoam::look_of(int size, bool far, bool raft) const {
    VeilReflectance look{};
    if (far)
        look =
            foam_reflectance(options_.capillary * std::exp2(0.5 * size), kCover, options_, films_);
    for (float& x : look)
        if (raft) x += (1 - x) * static_cast<float>(options_.raft);
    return look;
}

void FloatingFoam::add_veils(World& world) {
    if (veiled_.empty()) return;
    Veil veil;
    std::map<std::array<int, 3>, std::uint8_t> looks;
    for (const Veiled& v : veiled_) {
        // Sizes by factors of √2: what foam reflects changes slowly with them.
        const double octave = math::log(v.radius / options_.capillary) / math::log(2);
        const int size =
            v.far ? static_cast<int>(std::lround(2 * std::clamp(octave, -8.0, 8.0))) : 0;
        const auto [at, fresh] = looks.emplace(std::array{size, int(v.far), int(v.raft)},
                                               static_cast<std::uint8_t>(looks.size()));
        if (fresh) veil.reflectance.push_back(look_of(size, v.far, v.raft));
        const Vec3 x = v.place.position + v.place.normal * (kVeilHeight * v.radius);
        const double wide = v.far ? v.radius : kRaftWidth * v.radius;
        veil.discs.push_back({float(x[0]), float(x[1]), float(x[2]), static_cast<float>(wide)});
        veil.normals.push_back(v.place.normal.as<float>());
        veil.look.push_back(at->second);
    }
    world.materials.push_back(Material{.finish = Finish::kVeil, .colour = {1, 1, 1}});
    veil.material = static_cast<int>(world.materials.size()) - 1;
    world.veils.push_back(std::move(veil));
}

void FloatingFoam::finish(World& world) {
    for (auto& [kind, copies] : domes_) {
        DomeSurfaces dome = dome_surfaces(shape(kind.first));
        dome.bubble.material = bubble_, dome.meniscus.material = liquid_;
        copies.parts = {std::move(dome.bubble)};
        if (kind.second) copies.parts.push_back(std::move(dome.meniscus));
        if (!moving_) copies.end.clear();
        world.copies.push_back(std::move(copies));
    }
    domes_.clear();
    add_veils(world);
    veiled_.clear();
}

}  // namespace spume
