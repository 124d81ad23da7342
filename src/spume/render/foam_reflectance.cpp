// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <array>
#include <cmath>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/render/directions.h"
#include "spume/render/floating_foam.h"
#include "spume/render/optics.h"
#include "spume/render/path_tracer.h"

// What foam on water sends back, by tracing a patch of it under a white sky.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

constexpr double kFull = 0.9069;  // of a plane covered by discs that touch, in a hexagonal lattice
constexpr int kPaths = 32768;     // a direction
constexpr int kAcross = 21;       // bubbles along the patch

/// A closed box of water with its top at y = 0.
Surface block_of_water(double half, double deep, int material) {
    Surface s;
    for (int i = 0; i < 8; ++i)
        s.begin.push_back(
            Vec3{i & 1 ? half : -half, i & 2 ? 0 : -deep, i & 4 ? half : -half}.as<float>());
    for (const auto& q : {std::array<std::uint32_t, 4>{0, 4, 6, 2},
                          {1, 3, 7, 5},
                          {0, 1, 5, 4},
                          {2, 6, 7, 3},
                          {0, 2, 3, 1},
                          {4, 5, 7, 6}}) {
        s.triangles.push_back({q[0], q[1], q[2]});
        s.triangles.push_back({q[0], q[2], q[3]});
    }
    s.material = material;
    return s;
}

}  // namespace

World foam_on_water(double radius, double cover, double side, const FloatingOptions& options,
                    FilmLaw films) {
    World w;
    w.media = {Medium{}, Medium{.index = kWaterIndex, .absorption = {}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1},
                   Material{.priority = Priority::kBubble,
                            .medium = 0,
                            .film = true,
                            .thickness = options.thickness},
                   Material{.finish = Finish::kMatte, .colour = {0, 0, 0}}};
    const double deep = 8 * radius;
    w.surfaces = {block_of_water(3 * side, deep, 0)};
    w.floor = Floor{-0.9 * deep, 2};
    w.films = films;
    w.size = 4 * side;
    FloatingFoam foam(w, 1, 0, options);
    Balls balls;
    balls.material = 1;
    const double row = std::sqrt(3.0) * radius;
    const int rows = static_cast<int>(side / row), columns = static_cast<int>(side / (2 * radius));
    for (int j = -rows / 2; j <= rows / 2; ++j)
        for (int i = -columns / 2; i <= columns / 2; ++i) {
            const auto number = static_cast<std::uint64_t>((j + rows) * 4096 + i + columns);
            const Random random(11, number, 0, Purpose::kPicture);
            if (random.uniform(0) * kFull > cover) continue;
            FloatingPoint p;
            p.position = {(2 * i + (j & 1)) * radius, 0, j * row};
            p.radius = radius;
            p.film = static_cast<float>(options.thickness * (0.5 + random.uniform(1)));
            p.share = random.uniform(2);
            foam.take(p, balls);
        }
    balls.end.clear();
    if (!balls.begin.empty()) w.balls = {std::move(balls)};
    foam.finish(w);
    return w;
}

namespace {

/// Discs in the plane of x and z, by squares as wide as they are.
class Discs {
  public:
    Discs(double width, double side)
        : width_(width),
          columns_(static_cast<int>(side / width) + 5),
          squares_(std::size_t(columns_ * columns_)) {}

    void add(const Vec3& centre) {
        squares_[at(column(centre[0]), column(centre[2]))].push_back(centre);
    }
    bool cover(const Vec3& x, double radius) const {
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i)
                for (const Vec3& c : squares_[at(column(x[0]) + i, column(x[2]) + j)]) {
                    const double u = x[0] - c[0], v = x[2] - c[2];
                    if (u * u + v * v < radius * radius) return true;
                }
        return false;
    }

  private:
    int column(double x) const {
        return std::clamp(static_cast<int>(std::floor(x / width_)) + columns_ / 2, 1, columns_ - 2);
    }
    std::size_t at(int i, int j) const { return std::size_t(j * columns_ + i); }

    double width_;
    int columns_;
    std::vector<std::vector<Vec3>> squares_;
};

}  // namespace

VeilReflectance foam_reflectance(double radius, double cover, const FloatingOptions& options,
                                 FilmLaw films) {
    FloatingOptions near = options;
    near.veil_pixels = 0;
    const double side = 2 * radius * kAcross;
    const RayScene scene(foam_on_water(radius, cover, side, near, films));
    const PathTracer tracer(scene, {});
    VeilReflectance table{};
    std::array<double, std::tuple_size_v<VeilReflectance>> raw{};
    // Of the inner part only, so that bubbles around it take part.
    const double inner = 0.5 * side;
    Discs discs(2 * radius, side);
    for (const Balls& b : scene.world().balls)
        for (const auto& x : b.begin) discs.add({x[0], 0, x[2]});
    for (const Copies& c : scene.world().copies)
        for (const auto& p : c.places) discs.add(p.position.as<double>());
    for (std::size_t k = 0; k < table.size(); ++k) {
        // Nothing arrives along the surface itself.
        const double cosine = std::max(0.02, double(k) / double(table.size() - 1));
        double sum = 0, covered = 0;
        PixelSampler sampler(13, k);
        for (int i = 0; i < kPaths; ++i) {
            sampler.begin(static_cast<std::uint32_t>(i));
            const double u = sampler.next(), v = sampler.next();
            const Vec3 x{inner * (u - 0.5), 0, inner * (v - 0.5)};
            if (discs.cover(x, radius)) covered += 1.0 / kPaths;
            const Vec3 up = around_axis({0, 1, 0}, cosine, sampler.next());
            const Ray ray{x + up * (6 * radius / cosine), -up, 0.5};
            const Colour c = tracer.radiance(ray, {}, sampler);
            sum += (c[0] + c[1] + c[2]) / 3.0 / kPaths;
        }
        const double water = fresnel(cosine, kWaterIndex);
        raw[k] = covered > 0 ? (sum - water) / (covered * (1 - water)) : 0;
    }
    // Few paths come back: neighbouring directions share a little of their noise.
    for (std::size_t k = 0; k < table.size(); ++k) {
        const bool end = k == 0 || k + 1 == table.size();
        const double smooth = end ? raw[k] : (raw[k - 1] + 6 * raw[k] + raw[k + 1]) / 8;
        table[k] = static_cast<float>(std::clamp(smooth, 0.0, 1.0));
    }
    return table;
}

double raft_reflectance(double thickness, double diameter, double water) {
    if (!(thickness > 0 && diameter > 0)) return 0;
    // z_e: where diffuse light would vanish beyond the surface, in transport lengths.
    constexpr double kBeyond = 0.88;
    const double length = diameter * (0.14 / water + 1.5), deep = thickness / length;
    return std::max(0.0, 1 - (1 + kBeyond) / (deep + 2 * kBeyond));
}

}  // namespace spume
