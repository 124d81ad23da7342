// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/render/foam_cells.h"
#include "spume/render/optics.h"
#include "spume/render/path.h"

// Interfaces and films: what a path does where media or bubbles meet.

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

/// Water runs down: films are thinner above. The mean over a bubble stays.
constexpr double kSag = 0.35;

int bubbles_in(const Nest& nest) {
    int n = 0;
    for (int i = 0; i < nest.size(); ++i) n += nest[i].priority == Priority::kBubble ? 1 : 0;
    return n;
}

/// Where along the ray a ball is left.
double way_out(const Vec<double, 4>& ball, const Ray& ray) {
    const Vec3 centre{ball[0], ball[1], ball[2]};
    const double middle = dot(centre - ray.origin, ray.direction);
    const Vec3 aside = centre - (ray.origin + ray.direction * middle);
    return middle + std::sqrt(std::max(0.0, ball[3] * ball[3] - dot(aside, aside)));
}

}  // namespace

void PathTracer::forget_lost_balls(Path& path, const Vec3& x) const {
    for (int i = path.nest.size() - 1; i >= 0; --i)
        if (scene_.outside_ball(path.nest[i].object, x, path.ray.time))
            path.nest.remove(path.nest[i].object);
}

bool PathTracer::reflects(Path& path, const Colour& share, PixelSampler& sampler) const {
    const float p = (share[0] + share[1] + share[2]) / 3;
    const bool back = sampler.next() < static_cast<double>(p);
    const bool grey = share[0] == share[1] && share[1] == share[2];
    for (int k = 0; k < 3 && !grey; ++k)
        path.weight[k] *= back ? share[k] / p : (1 - share[k]) / (1 - p);
    path.bent = path.bent || back;
    return back;
}

/// Whether light of the sun may come against `away`, a direction in a medium of that index: in air
/// from the sun's disc, else from around the place where a level surface would show it.
bool PathTracer::may_reach_sun(const Path& path, const Vec3& away, double index) const {
    constexpr std::size_t kMost = 4;  // branches of a path
    const Sun& sun = scene_.world().environment.sun;
    if (!path.branches || path.branches->size() >= kMost || sun.cosine >= 1 || !sees_lights(path))
        return false;
    const double eta = index / scene_.world().media[0].index;
    if (!(eta > 1 + 1e-9)) return dot(away, sun.direction) > sun.cosine;
    constexpr double kAround = 0.97;  // cosine: 14 degrees, for waves
    const auto below = refracted(-sun.direction, {0, 1, 0}, eta);
    return below && sun.direction[1] > 0 && -dot(away, *below) > kAround;
}

double PathTracer::thickness_at(const Hit& hit, const Vec3& normal) const {
    return hit.film * (1 - kSag * normal[1]);
}

/// Films between here and the next surface. True if the path has another direction now.
bool PathTracer::meet_films(Path& path, const Hit& hit, Met met, PixelSampler& sampler) const {
    const World& w = scene_.world();
    const Nest::Entry* top = path.nest.top();
    if (!top || top->priority != Priority::kBubble) return false;
    const Material* ahead =
        met == Met::kSurface ? &w.materials[static_cast<std::size_t>(hit.material)] : nullptr;
    if (w.foam != FoamRule::kExact) {
        const bool solid = ahead != nullptr &&
                           (ahead->finish != Finish::kClear || ahead->priority == Priority::kSolid);
        return solid && film_before_solid(path, hit, sampler);
    }
    const double begin = std::max(path.filmed, 0.0);
    path.filmed = hit.distance;
    if (bubbles_in(path.nest) < 2) {
        path.cell = top->object;
        return false;
    }
    const Ray& ray = path.ray;
    double from = begin;
    if (!path.cell || !path.nest.contains(*path.cell))
        path.cell = cell_of(scene_, path.nest, ray.origin + ray.direction * from, ray.time);
    constexpr int kMostFilms = 64;
    for (int i = 0; i < kMostFilms && path.cell; ++i) {
        const auto film = next_film(scene_, path.nest, ray, *path.cell, from, hit.distance);
        if (!film) return false;
        const double h = (scene_.film_of(*path.cell) + scene_.film_of(film->beyond)) / 2;
        const double cosine = std::min(1.0, -dot(ray.direction, film->normal));
        if (reflects(path, film_(cosine, h), sampler)) {
            ++path.interfaces;
            pass_medium(path, film->distance);
            path.turn(ray.origin + ray.direction * film->distance,
                      reflected(ray.direction, film->normal), scene_.grain());
            return true;
        }
        path.cell = film->beyond;
        from = film->distance;
    }
    return false;
}

/// [G04] §6.2.1: a film whose mean point lies before a solid's surface is drawn, one behind it not.
bool PathTracer::film_before_solid(Path& path, const Hit& hit, PixelSampler& sampler) const {
    Path::Overlap& o = path.overlap;
    if (!o.open || o.most != 2 || bubbles_in(path.nest) != 2) return false;
    std::optional<double> leaves;
    Vec3 normal{};
    for (int i = 0; i < path.nest.size(); ++i) {
        const auto ball = scene_.ball(path.nest[i].object, path.ray.time);
        if (!ball) continue;
        const double t = way_out(*ball, path.ray);
        if (leaves && t > *leaves) continue;
        leaves = t;
        const Vec3 x = path.ray.origin + path.ray.direction * t;
        normal = (Vec3{(*ball)[0], (*ball)[1], (*ball)[2]} - x) / (*ball)[3];
    }
    if (!leaves || *leaves < hit.distance) return false;
    const Vec3 d = path.ray.direction;
    const Vec3 mean = (o.position + path.ray.origin + d * *leaves) * 0.5;
    if (dot(mean - path.ray.origin, d) >= hit.distance) return false;
    Vec3 n = normal + o.normal;
    n = n / length(n);
    o.open = false;
    const double cosine = std::clamp(-dot(d, n), 0.0, 1.0);
    if (!reflects(path,
                  film_(cosine, hit.film > 0 ? hit.film : scene_.film_of(path.nest[0].object)),
                  sampler))
        return false;
    ++path.interfaces;
    path.turn(mean, reflected(d, n), scene_.grain());
    return true;
}

void PathTracer::enter_overlap(Path& path, const Hit& hit, const Nest& next) const {
    Path::Overlap& o = path.overlap;
    const int count = bubbles_in(next);
    if (count == 2) o = {true, hit.position, hit.normal, 2, {}, {}};
    o.most = std::max(o.most, count);
    path.nest = next;
    if (scene_.world().foam != FoamRule::kAmbient || count < 3) return;
    path.sum += multiply(path.weight, scene_.world().ambient);
    path.ended = true;
}

/// Out of a region of several bubbles into one: the film between them, drawn once.
void PathTracer::leave_overlap(Path& path, const Hit& hit, const Nest& next,
                               PixelSampler& sampler) const {
    Path::Overlap& o = path.overlap;
    if (bubbles_in(next) > 1 || !o.open) {
        path.nest = next;
        return;
    }
    const Vec3 d = path.ray.direction;
    Vec3 n = -hit.normal + (dot(o.normal, d) < 0 ? o.normal : Vec3{});
    n = n / length(n);
    const Vec3 mean = (o.position + hit.position) * 0.5, chord = hit.position - o.position;
    const auto part = [&](const Vec3& x) { return dot(x - o.position, chord); };
    const bool in_solid = o.into_solid && part(*o.into_solid) < part(mean) &&
                          (!o.out_of_solid || part(mean) < part(*o.out_of_solid));
    const double cosine = std::clamp(-dot(d, n), 0.0, 1.0);
    if (in_solid || !reflects(path, film_(cosine, thickness_at(hit, n)), sampler)) {
        path.nest = next;
        o.open = false;
        return;
    }
    // Of two bubbles the mean lies in both; of more it is unknown where, and the path starts from
    // the last hit ([G04] §6.2.2).
    ++path.interfaces;
    const bool two = o.most == 2;
    if (two)
        o.open = false;
    else if (!scene_.world().first_hit_stays)
        o.position = hit.position, o.normal = n;
    path.turn(two ? mean : hit.position, reflected(d, n), scene_.grain());
}

void PathTracer::cross_interface(Path& path, const Hit& hit, PixelSampler& sampler) const {
    const World& w = scene_.world();
    const Material& material = w.materials[static_cast<std::size_t>(hit.material)];
    const Vec3& d = path.ray.direction;
    const bool entering = dot(d, hit.normal) < 0;
    path.from = std::max(hit.distance, hit.seen) + scene_.grain();
    // Rounding can show a surface twice; what does not fit the nest is not there.
    if (entering == path.nest.contains(hit.object)) return;

    Nest next = path.nest;
    if (entering)
        next.add({hit.object, material.priority, material.medium});
    else
        next.remove(hit.object);
    const Nest::Entry *before = path.nest.top(), *after = next.top();
    const Nest::Entry* rival = entering ? before : after;
    // Liquid that overlaps liquid is one; other things have a film between them.
    const bool shared = rival != nullptr && rival->priority == material.priority &&
                        material.priority != Priority::kLiquid;
    pass_medium(path, hit.distance);
    if (material.priority == Priority::kSolid && path.overlap.open)
        (entering ? path.overlap.into_solid : path.overlap.out_of_solid) = hit.position;
    if ((rival != nullptr && rival->priority > material.priority) ||
        (shared && w.foam == FoamRule::kExact && scene_.ball(hit.object, path.ray.time) &&
         scene_.ball(rival->object, path.ray.time))) {
        path.nest = next;
        return;
    }
    if (shared)
        return entering ? enter_overlap(path, hit, next) : leave_overlap(path, hit, next, sampler);
    Vec3 n = entering ? hit.shading : -hit.shading;
    const double eta = medium_of(after).index / medium_of(before).index;
    const bool alike = std::abs(eta - 1) < 1e-9;
    if (alike && !material.film) {
        path.nest = next;
        return;
    }
    // A smoothed normal may face away from the ray where the surface itself does not.
    if (dot(d, n) >= 0) n = entering ? hit.normal : -hit.normal;
    const double cosine = std::min(1.0, -dot(d, n));
    const Colour share = alike ? film_(cosine, thickness_at(hit, hit.normal))
                               : Colour::filled(static_cast<float>(fresnel(cosine, eta)));
    Vec3 away = reflected(d, n);
    // Smoothing must not send a reflection through the surface.
    const Vec3 side = entering ? hit.normal : -hit.normal;
    if (dot(away, side) < 0) away = reflected(d, side);
    const auto reflect = [&](Path& it) {
        ++it.interfaces;
        it.bent = true;
        it.turn(hit.position, away, scene_.grain());
    };
    if (brightest(share) < 1 && may_reach_sun(path, away, medium_of(before).index)) {
        // The sun is too bright for one path in fifty to find it: both ways are followed.
        Path branch = path;
        branch.sum = {}, branch.rays = 0;
        branch.weight = multiply(path.weight, share);
        branch.dim *= brightest(share);
        reflect(branch);
        path.branches->push_back(branch);
        path.weight = multiply(path.weight, Colour{1, 1, 1} - share);
    } else if (reflects(path, share, sampler)) {
        return reflect(path);
    }
    path.nest = next;
    if (alike) return;
    ++path.interfaces;
    const auto bent = refracted(d, n, eta);
    path.bent = true;
    path.turn(hit.position, bent ? *bent : d, scene_.grain());
    forget_lost_balls(path, hit.position);
}

}  // namespace spume
