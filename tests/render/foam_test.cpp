// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/render/beauty.h"
#include "spume/render/body_mesh.h"
#include "spume/render/foam_cells.h"
#include "spume/render/optics.h"

// Films between bubbles that touch, by both rules, against counts of films and the geometry of
// foam.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// Bubbles of film in air before a bright wall far behind; nothing else shines.
World foam(const std::vector<Vec<float, 4>>& balls, FoamRule rule) {
    World w;
    w.materials = {Material{.priority = Priority::kBubble, .medium = 0, .film = true}};
    w.balls = {Balls{.begin = balls, .end = {}, .film = {}, .material = 0}};
    w.environment.colour = {0, 0, 0};
    w.lights = {
        AreaLight{.corner = {-500, 500, -50}, .edge_a = {0, -1000, 0}, .edge_b = {1000, 0, 0}}};
    w.size = 10;
    w.foam = rule;
    return w;
}

double let_through(const World& world, int paths = 20000) {
    const RayScene scene(world);
    const PathTracer tracer(scene, {});
    PixelSampler sampler(4, 4);
    double sum = 0;
    for (int i = 0; i < paths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        sum += tracer.radiance({{0, 0, 8}, {0, 0, -1}, 0}, {}, sampler)[0] / double(paths);
    }
    return sum;
}

/// Of parallel plates without interference: their R/T add up.
double of_plates(std::initializer_list<double> reflectances) {
    double sum = 0;
    for (const double r : reflectances) sum += r / (1 - r);
    return 1 / (1 + sum);
}

const double kFilm = film_reflectance(1, kWaterIndex);

// [G04] Figs. 13, 14: two bubbles in a row have three films, not four, by either rule.
TEST(Foam, TwoBubblesShareOneFilm) {
    const std::vector<Vec<float, 4>> two{{0, 0, 0.5f, 1}, {0, 0, -0.7f, 0.8f}};
    const double expected = of_plates({kFilm, kFilm, kFilm});
    for (const FoamRule rule : {FoamRule::kExact, FoamRule::kThesis, FoamRule::kAmbient})
        EXPECT_NEAR(let_through(foam(two, rule)), expected, 2e-3);
    const std::vector<Vec<float, 4>> apart{{0, 0, 1.5f, 1}, {0, 0, -0.7f, 0.8f}};
    EXPECT_NEAR(let_through(foam(apart, FoamRule::kExact)), of_plates({kFilm, kFilm, kFilm, kFilm}),
                2e-3);
}

// [G04] Figs. 15, 17, 18: through a region of three the thesis draws one film; there are two.
TEST(Foam, ThreeBubbles) {
    const std::vector<Vec<float, 4>> three{{0, 0, 0.6f, 1}, {0, 0, 0, 1}, {0, 0, -0.6f, 1}};
    EXPECT_NEAR(let_through(foam(three, FoamRule::kExact)), of_plates({kFilm, kFilm, kFilm, kFilm}),
                2e-3);
    World w = foam(three, FoamRule::kThesis);
    EXPECT_NEAR(let_through(w), of_plates({kFilm, kFilm, kFilm}), 2e-3);
    w.first_hit_stays = false;
    EXPECT_NEAR(let_through(w), of_plates({kFilm, kFilm, kFilm}), 2e-3);
    // Ambient light ends what gets past the first film.
    w.foam = FoamRule::kAmbient;
    w.ambient = {0.25f, 0.25f, 0.25f};
    EXPECT_NEAR(let_through(w), 0.25 * (1 - kFilm), 2e-3);
}

Surface slab(double from, double to, int material) {
    BodyParameters p;
    p.size = {4, 4, to - from};
    const BodyMesh mesh = body_mesh(p);
    Surface s;
    for (const Vec3& x : mesh.vertices)
        s.begin.push_back((x + Vec3{0, 0, (from + to) / 2}).as<float>());
    s.triangles = mesh.triangles;
    s.material = material;
    return s;
}

// [G04] Fig. 16: a film whose place lies in glass is not drawn; before or behind the glass it is.
TEST(Foam, FilmsInsideObjectsAreNotDrawn) {
    // In z the bubbles overlap from −0.5 to 0.5: the film is at 0.
    const std::vector<Vec<float, 4>> two{{0, 0, 0.5f, 1}, {0, 0, -0.5f, 1}};
    const double glass = fresnel(1, kGlassIndex);
    for (const FoamRule rule : {FoamRule::kExact, FoamRule::kThesis}) {
        World w = foam(two, rule);
        w.media.push_back(Medium{.index = kGlassIndex, .absorption = {}, .glow = {}});
        w.materials.push_back(Material{.priority = Priority::kSolid, .medium = 1});
        w.surfaces = {slab(-0.2, 0.2, 1)};
        EXPECT_NEAR(let_through(w), of_plates({kFilm, glass, glass, kFilm}), 6e-3);
        for (const double at : {-0.35, 0.35}) {
            w.surfaces = {slab(at - 0.1, at + 0.1, 1)};
            EXPECT_NEAR(let_through(w), of_plates({kFilm, kFilm, glass, glass, kFilm}), 6e-3);
        }
        // Glass that reaches to beyond where the bubbles stop overlapping.
        w.surfaces = {slab(-0.8, -0.1, 1)};
        EXPECT_NEAR(let_through(w), of_plates({kFilm, kFilm, glass, glass, kFilm}), 6e-3);
        w.surfaces = {slab(-0.8, 0.1, 1)};
        EXPECT_NEAR(let_through(w), of_plates({kFilm, glass, glass, kFilm}), 6e-3);
    }
}

// [G04] Fig. 19: a bubble under water has water's own reflectance, not that of a film, and the film
// between two of them is still there.
TEST(Foam, BubblesUnderWater) {
    World w = foam({{0, 0, 0.5f, 1}, {0, 0, -0.5f, 1}}, FoamRule::kExact);
    w.media = {Medium{.index = kWaterIndex, .absorption = {}, .glow = {}}, Medium{}};
    w.materials[0].medium = 1;
    const double water = fresnel(1, kWaterIndex);
    EXPECT_NEAR(let_through(w), of_plates({water, kFilm, water}), 2e-3);
}

// Plateau's laws where d² = r₁² + r₂² − r₁r₂: curvatures subtract, and films meet at 120 degrees.
TEST(Foam, ExactFilmsObeyPlateau) {
    const double r1 = 1, r2 = 0.6, d = std::sqrt(r1 * r1 + r2 * r2 - r1 * r2);
    World w = foam({{0, 0, 0, float(r1)}, {0, 0, float(d), float(r2)}}, FoamRule::kExact);
    const double curvature = 1 / r2 - 1 / r1;
    const Vec3 centre{0, 0, d / r2 / curvature};  // of the film
    const RayScene scene(w);
    // The ring where the spheres meet.
    const double z = (d * d + r1 * r1 - r2 * r2) / (2 * d), ring = std::sqrt(r1 * r1 - z * z);
    int found = 0;
    for (double b = 0.02; b < ring; b += 0.02) {
        const Ray ray{{b, 0, -3}, {0, 0, 1}, 0};
        Nest nest;
        nest.add({0, Priority::kBubble, 0});
        nest.add({1, Priority::kBubble, 0});
        const auto film = next_film(scene, nest, ray, 0, 0, 10);
        ASSERT_TRUE(film) << b;
        const Vec3 x = ray.origin + ray.direction * film->distance;
        EXPECT_NEAR(length(x - centre), 1 / curvature, 2e-6);
        EXPECT_EQ(film->beyond, 1u);
        EXPECT_NEAR(std::abs(dot(film->normal, (x - centre) * curvature)), 1, 1e-6);
        EXPECT_FALSE(next_film(scene, nest, ray, 1, film->distance, 3 + d));
        ++found;
    }
    EXPECT_GT(found, 20);
    const Vec3 meet{ring, 0, z};
    const Vec3 a = meet / r1, b = (meet - Vec3{0, 0, d}) / r2, c = (meet - centre) * curvature;
    EXPECT_NEAR(dot(a, b), 0.5, 1e-6);
    EXPECT_NEAR(std::abs(dot(a, c)), 0.5, 1e-6);
    EXPECT_NEAR(std::abs(dot(b, c)), 0.5, 1e-6);
}

// Around a triple line each point belongs to one bubble, and a path that changes cells as
// next_film says ends where cell_of puts it.
TEST(Foam, CellsMeetConsistently) {
    const World w = foam(
        {{0, 0, 0, 1}, {0.9f, 0, 0.1f, 0.8f}, {0.4f, 0.8f, -0.1f, 0.7f}, {0.4f, 0.3f, 0.8f, 0.9f}},
        FoamRule::kExact);
    const RayScene scene(w);
    Nest nest;
    for (std::uint64_t i = 0; i < 4; ++i) nest.add({i, Priority::kBubble, 0});
    for (int i = 0; i < 2000; ++i) {
        const Random random(8, std::uint64_t(i), 0, Purpose::kTest);
        const Vec3 a = random.uniform_vec<3>(0) - Vec3::filled(0.5),
                   b = random.uniform_vec<3>(3) - Vec3::filled(0.5);
        const Ray ray{a, (b - a) / length(b - a), 0};
        auto cell = cell_of(scene, nest, a, 0);
        double at = 0;
        for (int films = 0; films < 20; ++films) {
            const auto film = next_film(scene, nest, ray, *cell, at, length(b - a));
            if (!film) break;
            cell = film->beyond, at = film->distance;
        }
        EXPECT_EQ(cell, cell_of(scene, nest, b, 0)) << i;
    }
}

// Coloured films keep energy on average: a furnace stays white.
TEST(Foam, FurnaceOfColouredFilms) {
    World w =
        foam({{0, 0, 0, 1}, {0.9f, 0, 0.1f, 0.8f}, {0.4f, 0.8f, -0.1f, 0.7f}}, FoamRule::kExact);
    w.lights.clear();
    w.environment.colour = {1, 1, 1};
    w.films = FilmLaw::kInterference;
    w.balls[0].film = {150e-9f, 320e-9f, 480e-9f};
    const RayScene scene(w);
    Context context(2);
    TraceOptions options;
    options.width = options.height = 32;
    options.samples = 64;
    const Traced t =
        trace_picture(scene, {.position = {0, 0, 4}, .target = {0.3, 0.2, 0}}, options, context);
    Vec3 sum{};
    for (const Colour& c : t.image.pixels) sum += c.as<double>() / 1024;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(sum[k], 1, 4e-3);
}

// One bubble under a lamp, seen from the side: what its film sends back outside, and inside as
// often as the light goes round there, always at the same angle.
TEST(Foam, ReflectionsOfOneBubbleAddUp) {
    World w = foam({{0, 0, 0, 0.9f}}, FoamRule::kExact);
    w.films = FilmLaw::kMean;
    w.lights = {AreaLight{.corner = {-2, 3, -2}, .edge_a = {4, 0, 0}, .edge_b = {0, 0, 4}}};
    const auto lamp = [](const Vec3& x, const Vec3& d) {
        if (!(d[1] > 0)) return 0.0;
        const Vec3 at = x + d * ((3 - x[1]) / d[1]);
        return std::max(std::abs(at[0]), std::abs(at[2])) < 2 ? 1.0 : 0.0;
    };
    const RayScene scene(w);
    const PathTracer tracer(scene, {});
    PixelSampler sampler(9, 9);
    double traced = 0, expected = 0;
    for (std::uint32_t i = 0; i < 200000; ++i) {
        sampler.begin(i);
        const double out = 0.9 * std::sqrt(sampler.next()), turn = 2 * math::kPi * sampler.next();
        Vec3 x{out * math::cos(turn), out * math::sin(turn), 8}, d{0, 0, -1};
        traced += tracer.radiance({x, d, 0}, {}, sampler)[1];
        x[2] = std::sqrt(std::max(0.0, 0.81 - out * out));
        const double cosine = x[2] / 0.9, r = film_reflectance(cosine, kWaterIndex);
        expected += r * lamp(x, reflected(d, x / 0.9));
        double weight = 1 - r;
        for (int k = 0; k < 12; ++k, weight *= r) {
            x += d * (1.8 * cosine);
            expected += weight * (1 - r) * lamp(x, d);
            d = reflected(d, x / -0.9);
        }
    }
    EXPECT_NEAR(traced / expected, 1, 0.02);
}

}  // namespace
}  // namespace spume
