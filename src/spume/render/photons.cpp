// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/photons.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/directions.h"
#include "spume/render/path.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

constexpr std::size_t kBatch = 4096;           // photons a thread follows at once
constexpr double kGathered = 40;               // photons within the automatic radius
constexpr std::uint64_t kStream = 1ull << 62;  // apart from the pixels

double luminance(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

Vec3 corner(const Box<double, 3>& box, int i) {
    return {(i & 1 ? box.hi : box.lo)[0], (i & 2 ? box.hi : box.lo)[1],
            (i & 4 ? box.hi : box.lo)[2]};
}

/// Four numbers that fill the unit cube evenly from the first photon on: steps of the roots of
/// x⁵ = x + 1.
Vec<double, 4> even(std::uint64_t i, const Vec<double, 4>& shift) {
    constexpr double kRoot = 1.1673039782614187;
    Vec<double, 4> u{};
    double step = 1;
    for (int k = 0; k < 4; ++k) {
        step /= kRoot;
        // Whole numbers of 2⁻⁶⁴, so that nothing is lost for many photons.
        const auto whole = static_cast<std::uint64_t>(step * 18446744073709549568.0) * i;
        const double x = static_cast<double>(whole >> 11) * 0x1p-53 + shift[k];
        u[k] = x - std::floor(x);
    }
    return u;
}

struct Sent {
    Ray ray;
    Colour power{};
};

/// A beam of parallel light, as wide as the box it falls on.
class SunBeam {
  public:
    SunBeam(const Sun& sun, const Box<double, 3>& box, double count) : sun_(sun) {
        frame_of(sun.direction, a_, b_);
        const Vec3 middle = (box.lo + box.hi) * 0.5;
        double wide = 0, high = 0, far = 0;
        for (int i = 0; i < 8; ++i) {
            const Vec3 x = corner(box, i) - middle;
            wide = std::max(wide, std::abs(dot(x, a_))),
            high = std::max(high, std::abs(dot(x, b_)));
            far = std::max(far, dot(x, sun.direction));
        }
        // The disc of the sun blurs the beam's border.
        const double blur = std::sqrt(1 - sun.cosine * sun.cosine) * 2 * far;
        wide_ = wide + blur, high_ = high + blur;
        start_ = middle + sun.direction * (far * 1.01 + 1e-6);
        power_ =
            sun.radiance * static_cast<float>(2 * math::kPi * (1 - sun.cosine) * area() / count);
    }
    double area() const { return 4 * wide_ * high_; }
    Sent send(const Vec<double, 4>& u) const {
        const Vec3 d = around_axis(sun_.direction, 1 - u[2] * (1 - sun_.cosine), u[3]);
        const Vec3 x = start_ + a_ * (wide_ * (2 * u[0] - 1)) + b_ * (high_ * (2 * u[1] - 1));
        return {{x, -d, 0}, power_};
    }

  private:
    Sun sun_;
    Vec3 a_{}, b_{}, start_{};
    double wide_ = 0, high_ = 0;
    Colour power_{};
};

/// A lamp sends into the cone that holds the box.
Sent from_lamp(const AreaLight& lamp, const Box<double, 3>& box, const Vec<double, 4>& u,
               double count) {
    const Vec3 n = cross(lamp.edge_a, lamp.edge_b);
    const double area = length(n);
    const Vec3 x = lamp.corner + lamp.edge_a * u[0] + lamp.edge_b * u[1];
    const Vec3 middle = (box.lo + box.hi) * 0.5, way = middle - x;
    const double reach = length(box.size()) / 2, distance = length(way);
    const bool outside = distance > reach;
    const Vec3 axis = outside ? way / distance : n / area;
    const double sine = outside ? reach / distance : 1;
    const double narrow = outside ? std::sqrt(1 - sine * sine) : 0;
    const Vec3 d = around_axis(axis, 1 - u[2] * (1 - narrow), u[3]);
    const double shining = std::max(0.0, dot(d, n) / area);
    const double solid_angle = 2 * math::kPi * (1 - narrow);
    return {{x, d, 0}, lamp.radiance * static_cast<float>(shining * area * solid_angle / count)};
}

}  // namespace

long PathTracer::follow_photon(const Ray& ray, const Nest& around, const Colour& power,
                               PixelSampler& sampler, std::vector<Photon>& landed) const {
    const World& w = scene_.world();
    Path path;
    path.ray = ray;
    path.nest = around;
    for (int step = 0; step < 64 * limits_.interfaces; ++step) {
        Hit hit;
        int light = -1;
        const Met met = meet(path, hit, light);
        if (path.interfaces >= limits_.interfaces) break;
        if (meet_films(path, hit, met, sampler)) continue;
        if (met == Met::kLight || met == Met::kNothing) break;
        const Finish finish = w.materials[static_cast<std::size_t>(hit.material)].finish;
        if (finish == Finish::kClear) {
            cross_interface(path, hit, sampler);
            if (path.ended) break;
            continue;
        }
        const bool through = finish == Finish::kVeil && !veil_sends_back(hit, path, sampler);
        path.from = std::max(hit.distance, hit.seen) + scene_.grain();
        if (!path.bent && through) continue;
        if (!path.bent) break;
        pass_medium(path, hit.distance);
        const Vec3 side = dot(path.ray.direction, hit.normal) < 0 ? hit.normal : -hit.normal;
        landed.push_back({hit.position.as<float>(), side.as<float>(),
                          Colour{power[0] * path.weight[0], power[1] * path.weight[1],
                                 power[2] * path.weight[2]}});
        if (!through) break;
    }
    return path.rays;
}

Photons send_photons(const RayScene& scene, const PhotonOptions& options, Context& context) {
    Stage stage(context, "photons");
    const World& w = scene.world();
    Photons result;
    const auto target = options.box ? options.box : clear_bounds(scene.world());
    const bool sun = w.environment.sun.cosine < 1;
    const std::size_t lights = w.lights.size() + (sun ? 1 : 0);
    if (!target || lights == 0 || options.count == 0) return result;
    const std::size_t each = std::max<std::size_t>(1, options.count / lights);
    const Random random(options.seed, 0, 0, Purpose::kPicture);
    Vec<double, 4> shift{};
    for (int k = 0; k < 4; ++k) shift[k] = random.uniform(static_cast<std::uint32_t>(k));
    std::optional<SunBeam> beam;
    if (sun) beam.emplace(w.environment.sun, *target, static_cast<double>(each));
    std::vector<Nest> around;
    for (const AreaLight& l : w.lights)
        around.push_back(scene.around(l.corner + l.edge_a * 0.5 + l.edge_b * 0.5, 0.5));
    const PathTracer tracer(scene, options.limits);
    struct Batch {
        std::vector<Photon> landed;
        long rays = 0;
        double sent = 0;
    };
    const std::size_t of_each = (each + kBatch - 1) / kBatch;
    std::vector<Batch> batches(of_each * lights);
    auto work = [&](std::size_t number) {
        if (context.stop.requested()) return;
        Batch& batch = batches[number];
        const std::size_t light = number / of_each, first = number % of_each * kBatch;
        for (std::size_t i = first; i < std::min(each, first + kBatch); ++i) {
            const Vec<double, 4> u = even(i, shift);
            Sent s = light < w.lights.size() ? from_lamp(w.lights[light], *target, u, double(each))
                                             : beam->send(u);
            PixelSampler sampler(options.seed, kStream + i * lights + light);
            sampler.begin(0);
            s.ray.time = sampler.next();
            batch.sent += luminance(s.power);
            batch.rays +=
                tracer.follow_photon(s.ray, light < w.lights.size() ? around[light] : Nest{},
                                     s.power, sampler, batch.landed);
        }
    };
    context.arena.run(batches.size(), work);
    std::vector<Photon> all;
    for (const Batch& b : batches) {
        all.insert(all.end(), b.landed.begin(), b.landed.end());
        result.rays += b.rays, result.sent += b.sent;
    }
    for (const Photon& p : all) result.landed += luminance(p.power);
    double radius = options.radius;
    if (!(radius > 0)) {
        const Vec3 s = target->size();
        const double area = beam ? beam->area() : s[0] * s[2];
        radius = std::sqrt(kGathered * area / (math::kPi * static_cast<double>(each)));
    }
    result.map = PhotonMap(std::move(all), radius, options.box);
    return result;
}

}  // namespace spume
