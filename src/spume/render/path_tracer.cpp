// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/path_tracer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/core/math.h"
#include "spume/render/directions.h"
#include "spume/render/environment_image.h"
#include "spume/render/finish.h"
#include "spume/render/optics.h"
#include "spume/render/path.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr int kMostVeils = 48;  // interfaces a line towards a light may cross

Colour transmittance(const Colour& absorption, double distance) {
    Colour t{};
    for (int i = 0; i < 3; ++i)
        t[i] = absorption[i] > 0
                   ? static_cast<float>(math::exp(-static_cast<double>(absorption[i]) * distance))
                   : 1.0f;
    return t;
}

}  // namespace

/// Where lights are asked for: a matte surface, or smoke, which faces all sides.
struct PathTracer::Lit {
    Vec3 x;
    std::optional<Vec3> normal;
    Colour albedo;

    /// Share of the light from there that is sent on in any one direction, 1/sr, without the
    /// albedo: cos θ / π of a matte surface, 1 / 4π of smoke.
    double share(const Vec3& toward) const {
        if (!normal) return 1 / (4 * math::kPi);
        return std::max(0.0, dot(toward, *normal)) / math::kPi;
    }
};

PathTracer::PathTracer(const RayScene& scene, const PathLimits& limits, const PhotonMap* photons)
    : scene_(scene), limits_(limits), photons_(photons), film_(scene.world().films) {}

bool PathTracer::sees_lights(const Path& path) const {
    // Lights that were asked for straight are not seen again, but for those behind a surface that
    // no straight line was drawn through.
    return !path.lit || (limits_.light == LightPaths::kByChance && path.bent);
}

const Medium& PathTracer::medium_of(const Nest::Entry* entry) const {
    return scene_.world().media[static_cast<std::size_t>(entry ? entry->medium : 0)];
}

PathTracer::Met PathTracer::meet(Path& path, Hit& hit, int& light) const {
    const World& w = scene_.world();
    const Ray& ray = path.ray;
    ++path.rays;
    hit = scene_.nearest(ray, path.from);
    double nearest = hit.found ? hit.distance : kFar;
    Met met = hit.found ? Met::kSurface : Met::kNothing;
    const Vec3& o = ray.origin;
    const Vec3& d = ray.direction;
    if (w.floor && d[1] < 0) {
        const double t = (w.floor->height - o[1]) / d[1];
        if (t > path.from && t < nearest) nearest = t, met = Met::kFloor;
    }
    for (std::size_t i = 0; i < w.lights.size(); ++i) {
        const AreaLight& a = w.lights[i];
        const Vec3 n = cross(a.edge_a, a.edge_b);
        const double toward = dot(d, n), t = dot(a.corner - o, n) / toward;
        if (!(toward < 0) || !(t > path.from && t < nearest)) continue;
        const Vec3 x = o + d * t - a.corner;
        const double u = dot(x, a.edge_a) / dot(a.edge_a, a.edge_a),
                     v = dot(x, a.edge_b) / dot(a.edge_b, a.edge_b);
        if (u < 0 || u > 1 || v < 0 || v > 1) continue;
        nearest = t, met = Met::kLight, light = static_cast<int>(i);
    }
    if (met == Met::kFloor) {
        hit.position = o + d * nearest;
        hit.normal = hit.shading = {0, 1, 0};
        hit.material = w.floor->material;
    }
    hit.distance = nearest;
    return met;
}

void PathTracer::pass_medium(Path& path, double distance) const {
    const Medium& medium = medium_of(path.nest.top());
    const Colour open = transmittance(medium.absorption, std::max(0.0, distance - path.passed));
    path.passed = distance;
    const Colour glow =
        medium.open_water ? scene_.world().environment.haze(path.ray.direction) : medium.glow;
    path.sum += multiply(multiply(path.weight, glow), Colour{1, 1, 1} - open);
    path.weight = multiply(path.weight, open);
}

void PathTracer::leave_world(Path& path) const {
    const Environment& e = scene_.world().environment;
    const Vec3& d = path.ray.direction;
    const double distance = e.distance(path.ray.origin, d);
    const Medium& medium = medium_of(path.nest.top());
    // A medium with no end that swallows everything has been accounted for completely.
    if (distance < kFar || brightest(medium.absorption) > 0) pass_medium(path, distance);
    Colour light = e.light(path.ray.origin, d);
    // Part of it was asked for straight ([VG95], balance heuristic).
    if (e.image && path.lit && !path.bent)
        light *= static_cast<float>(path.density / (path.density + e.image->density(d)));
    if (sees_lights(path) && e.in_sun(d)) light += e.sun.radiance;
    path.sum += multiply(path.weight, light);
    path.ended = true;
}

Colour PathTracer::open_way(Path& path, const Vec3& from, const Vec3& direction, double distance,
                            PixelSampler& sampler, bool straight) const {
    const World& w = scene_.world();
    const Ray ray{from, direction, path.ray.time};
    Nest nest = path.nest;
    double open = 1, at = scene_.grain(), smoked = 0;
    Colour clear{1, 1, 1};
    for (int i = 0; i < kMostVeils; ++i) {
        ++path.rays;
        const Hit hit = scene_.nearest(ray, at);
        const bool arrives = !hit.found || hit.distance >= distance;
        const double until = arrives ? distance : hit.distance;
        if (w.fog && medium_of(nest.top()).smoky)
            open *= w.fog->open(from, direction, smoked, until, sampler);
        if (until < kFar)
            clear =
                multiply(clear, transmittance(medium_of(nest.top()).absorption, until - smoked));
        smoked = until;
        if (arrives) {
            // Paths carry radiance over n².
            const double n = medium_of(nest.top()).index / medium_of(path.nest.top()).index;
            return clear * static_cast<float>(open * n * n);
        }
        const Material& m = w.materials[static_cast<std::size_t>(hit.material)];
        at = std::max(hit.distance, hit.seen) + scene_.grain();
        if (m.finish == Finish::kVeil) {
            open *= 1 - hit.veil;
            continue;
        }
        if (m.finish != Finish::kClear) return {};
        const bool entering = dot(direction, hit.normal) < 0;
        if (entering == nest.contains(hit.object)) continue;
        const Nest before = nest;
        if (entering)
            nest.add({hit.object, m.priority, m.medium});
        else
            nest.remove(hit.object);
        const Nest::Entry* rival = entering ? before.top() : nest.top();
        if (rival && (rival->priority > m.priority || (rival->priority == m.priority && entering)))
            continue;  // hidden, or the film two bubbles share, which is met on the way out
        const double cosine = std::abs(dot(direction, hit.normal));
        const double eta = medium_of(nest.top()).index / medium_of(before.top()).index;
        const bool alike = std::abs(eta - 1) < 1e-9;
        if (!alike && (straight || (!path.in_smoke && photons_here(from)))) return {};
        // Straight through: right but for absorption under flat things, near enough for small ones.
        // The light comes along the line, so that its angle is the one on the far side.
        if (!alike || m.film) {
            const Colour share = alike
                                     ? film_(cosine, hit.film)
                                     : Colour::filled(static_cast<float>(fresnel(cosine, 1 / eta)));
            open *= 1 - (share[0] + share[1] + share[2]) / 3.0;
        }
        if (open < 1e-3) return {};
    }
    return {};
}

void PathTracer::light_from_sun(Path& path, const Lit& lit, PixelSampler& sampler) const {
    const Environment& e = scene_.world().environment;
    const double height = 1 - sampler.next() * (1 - e.sun.cosine), turn = sampler.next();
    const Vec3 toward = around_axis(e.sun.direction, height, turn);
    const double share = lit.share(toward);
    if (!(share > 0)) return;
    const double distance = e.distance(lit.x, toward);
    const Colour open = open_way(path, lit.x, toward, distance, sampler);
    if (brightest(open) <= 0) return;
    const double solid_angle = 2 * math::kPi * (1 - e.sun.cosine);
    Colour light = multiply(e.sun.radiance, open) * static_cast<float>(share * solid_angle);
    if (distance < kFar) light *= ripple_net(lit.x, scene_.world().size);
    path.sum += multiply(multiply(path.weight, lit.albedo), light);
}

void PathTracer::light_from_image(Path& path, const Lit& lit, PixelSampler& sampler) const {
    const Environment& e = scene_.world().environment;
    const double u = sampler.next(), v = sampler.next();
    const EnvironmentImage::Sample s = e.image->sample(u, v);
    const double share = lit.share(s.direction);
    if (!(share > 0 && s.density > 0)) return;
    const Colour open = open_way(path, lit.x, s.direction, kFar, sampler, true);
    if (brightest(open) <= 0) return;
    // The next direction of the path is drawn with the density `share`.
    const Colour light = multiply(e.light(lit.x, s.direction), open) *
                         static_cast<float>(share / (s.density + share));
    path.sum += multiply(multiply(path.weight, lit.albedo), light);
}

void PathTracer::light_from_lamps(Path& path, const Lit& lit, PixelSampler& sampler) const {
    for (const AreaLight& lamp : scene_.world().lights) {
        const Vec3 n = cross(lamp.edge_a, lamp.edge_b);
        const double area = length(n), u = sampler.next(), v = sampler.next();
        const Vec3 way = lamp.corner + lamp.edge_a * u + lamp.edge_b * v - lit.x;
        const double distance = length(way);
        const Vec3 toward = way / distance;
        const double sent = lit.share(toward), shining = -dot(toward, n) / area;
        if (!(sent > 0 && shining > 0)) continue;
        const Colour open = open_way(path, lit.x, toward, distance, sampler);
        const double share = sent * shining * area / (distance * distance);
        path.sum += multiply(multiply(multiply(path.weight, lit.albedo), open),
                             lamp.radiance * static_cast<float>(share));
    }
}

bool PathTracer::photons_here(const Vec3& x) const {
    return limits_.light == LightPaths::kByChance || (photons_ != nullptr && photons_->covers(x));
}

void PathTracer::light_from_photons(Path& path, const Lit& lit, const Vec3& side) const {
    if (!photons_ || !photons_->covers(lit.x)) return;
    // Paths carry radiance over n², which no interface changes; power has no such factor.
    const double n = medium_of(path.nest.top()).index / scene_.world().media[0].index;
    const Colour light =
        photons_->irradiance(lit.x, side) * static_cast<float>(1 / (math::kPi * n * n));
    path.sum += multiply(multiply(path.weight, lit.albedo), light);
}

bool PathTracer::meet_smoke(Path& path, double distance, PixelSampler& sampler) const {
    const World& w = scene_.world();
    if (!w.fog) return false;
    const Ray& ray = path.ray;
    const double from = path.smoked;
    path.smoked = distance;
    if (!medium_of(path.nest.top()).smoky) return false;
    const auto at = w.fog->collision(ray.origin, ray.direction, from, distance, sampler);
    if (!at) return false;
    pass_medium(path, *at);
    const Lit lit{ray.origin + ray.direction * *at, std::nullopt, w.fog->albedo()};
    path.in_smoke = true;
    if (w.environment.sun.cosine < 1) light_from_sun(path, lit, sampler);
    light_from_lamps(path, lit, sampler);
    if (w.environment.image) light_from_image(path, lit, sampler);
    path.density = 1 / (4 * math::kPi);
    path.in_smoke = false;
    path.lit = true, path.bent = false;
    path.weight = multiply(path.weight, lit.albedo);
    ++path.scattered;
    const double cosine = 1 - 2 * sampler.next(), turn = sampler.next();
    path.turn(lit.x, around_axis({0, 1, 0}, cosine, turn), 0);
    return true;
}

/// Just above the waterline: water is below within the height the material stays wet to.
bool PathTracer::wet_at(const Material& material, const Path& path, const Vec3& x,
                        PixelSampler& sampler) const {
    if (!(material.wet > 0)) return false;
    const Nest::Entry* top = path.nest.top();
    if (top && top->priority == Priority::kLiquid) return false;
    const Hit below = scene_.nearest({x, {0, -1, 0}, path.ray.time}, 0);
    if (!below.found || below.distance > material.wet) return false;
    const Material& m = scene_.world().materials[static_cast<std::size_t>(below.material)];
    if (m.finish != Finish::kClear || m.priority != Priority::kLiquid || below.normal[1] < 0)
        return false;
    const double height = below.distance / material.wet;
    return sampler.next() >= height * height;
}

void PathTracer::bounce(Path& path, const Hit& hit, PixelSampler& sampler) const {
    const World& w = scene_.world();
    const bool front = dot(path.ray.direction, hit.normal) < 0;
    const Material& material = w.materials[static_cast<std::size_t>(hit.material)];
    Vec3 normal = front ? hit.shading : -hit.shading;
    Colour albedo = surface_colour(material, hit.position, hit.object, normal);
    const Vec3 side = front ? hit.normal : -hit.normal;
    const Vec3 x = hit.position + side * (4 * scene_.grain());
    if (wet_at(material, path, x, sampler)) {
        const double cosine = std::min(1.0, -dot(path.ray.direction, normal));
        if (cosine > 0 && sampler.next() < fresnel(cosine, kWaterIndex)) {
            ++path.interfaces;
            path.bent = true;
            return path.turn(x, reflected(path.ray.direction, side), 0);
        }
        albedo = wet_albedo(albedo);
    }
    const Lit lit{x, normal, albedo};
    if (w.environment.sun.cosine < 1) light_from_sun(path, lit, sampler);
    light_from_lamps(path, lit, sampler);
    if (w.environment.image) light_from_image(path, lit, sampler);
    light_from_photons(path, lit, side);
    if (path.diffuse == 0) path.first_albedo = albedo;
    path.lit = true, path.bent = false;
    path.weight = multiply(path.weight, albedo);
    ++path.diffuse;
    // Cosine-weighted: albedo alone remains as the weight.
    const double u = sampler.next(), turn = sampler.next();
    Vec3 away = around_axis(normal, std::sqrt(1 - u), turn);
    if (dot(away, side) <= 0) away = reflected(away, -side);
    path.density = std::max(0.0, dot(away, normal)) / math::kPi;
    path.turn(x, away, 0);
}

bool PathTracer::veil_sends_back(const Hit& hit, const Path& path, PixelSampler& sampler) {
    return dot(path.ray.direction, hit.normal) < 0 && sampler.next() < hit.veil;
}

void PathTracer::follow(Path& path, PixelSampler& sampler) const {
    const World& w = scene_.world();
    // Each interface may hide as many others below it; the number of steps is bounded all the same.
    for (int step = 0; step < 64 * limits_.interfaces && !path.ended; ++step) {
        Hit hit;
        int light = -1;
        const Met met = meet(path, hit, light);
        if (!path.met_first && (met == Met::kSurface || met == Met::kFloor)) {
            const Vec3& d = path.ray.direction;
            path.first_normal = dot(d, hit.shading) < 0 ? hit.shading : -hit.shading;
            path.first_depth = hit.distance;
        }
        path.met_first = true;
        const bool spent = path.interfaces >= limits_.interfaces ||
                           path.diffuse >= limits_.diffuse || path.scattered >= limits_.scattered ||
                           brightest(path.weight) < path.dim;
        if (!spent && meet_smoke(path, hit.distance, sampler)) continue;
        if (!spent && meet_films(path, hit, met, sampler)) continue;
        if (met == Met::kLight) {
            pass_medium(path, hit.distance);
            if (sees_lights(path))
                path.sum +=
                    multiply(path.weight, w.lights[static_cast<std::size_t>(light)].radiance);
            path.ended = true;
            continue;
        }
        if (met == Met::kNothing || spent) {
            leave_world(path);
            continue;
        }
        const Finish finish = w.materials[static_cast<std::size_t>(hit.material)].finish;
        if (finish == Finish::kClear) {
            cross_interface(path, hit, sampler);
        } else if (finish == Finish::kVeil && !veil_sends_back(hit, path, sampler)) {
            path.from = std::max(hit.distance, hit.seen) + scene_.grain();
        } else {
            pass_medium(path, hit.distance);
            bounce(path, hit, sampler);
        }
    }
    if (!path.ended) leave_world(path);
}

PathTracer::Counted PathTracer::counted(const Ray& ray, const Nest& around,
                                        PixelSampler& sampler) const {
    std::vector<Path> branches;
    Path path;
    path.ray = ray;
    path.nest = around;
    path.branches = &branches;
    follow(path, sampler);
    Counted result{path.sum, path.rays, path.first_normal, path.first_depth, path.first_albedo};
    for (std::size_t i = 0; i < branches.size(); ++i) {
        Path branch = branches[i];  // it may branch again
        follow(branch, sampler);
        result.colour += branch.sum;
        result.rays += branch.rays;
    }
    return result;
}

Colour PathTracer::radiance(const Ray& ray, const Nest& around, PixelSampler& sampler) const {
    return counted(ray, around, sampler).colour;
}

}  // namespace spume
