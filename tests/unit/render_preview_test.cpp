// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "spume/core/context.h"
#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/io/png.h"
#include "spume/render/colour_map.h"
#include "spume/render/preview.h"

namespace spume {
namespace {

struct Ball {
    Vec<double, 3> position;
    double radius;
};

Frame frame_of(const std::vector<Ball>& balls, int dimensions = 3) {
    Array<Vec<double, 3>> position(balls.size());
    Array<float> radius(balls.size()), age(balls.size());
    auto p = position.write();
    auto r = radius.write(), a = age.write();
    for (std::size_t i = 0; i < balls.size(); ++i) {
        p[i] = balls[i].position;
        r[i] = static_cast<float>(balls[i].radius);
        a[i] = static_cast<float>(balls[i].position[1]);
    }
    PointSet set;
    set.name = "bubbles";
    set.position = position;
    set.columns = {{"pscale", "m", radius}, {"age", "s", age}};
    Frame frame;
    frame.dimensions = dimensions;
    frame.points = {set};
    return frame;
}

std::vector<Ball> cloud(int n) {
    std::vector<Ball> balls;
    for (int i = 0; i < n; ++i) {
        const Random random(2, static_cast<std::uint64_t>(i), 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0);
        balls.push_back({{u[0] - 0.5, u[1], u[2] - 0.5}, 2e-3 + 3e-2 * random.uniform(4)});
    }
    return balls;
}

PreviewOptions bare(PreviewColours colours, int width = 320, int height = 240) {
    PreviewOptions options;
    options.width = width, options.height = height;
    options.colours = colours;
    options.guides = options.caption = false;
    return options;
}

double brightness(const Image& image) {
    double sum = 0;
    for (const auto v : image.rgb) sum += v;
    return sum;
}

/// Pixels that differ clearly between two pictures.
int changed(const Image& a, const Image& b) {
    int count = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            int most = 0;
            for (int k = 0; k < 3; ++k)
                most = std::max(most, std::abs(a.pixel(x, y)[k] - b.pixel(x, y)[k]));
            count += most > 12 ? 1 : 0;
        }
    return count;
}

TEST(Preview, SameBytesOnAnyNumberOfThreads) {
    const Frame frame = frame_of(cloud(3000));
    PreviewOptions options = bare(PreviewColours::kWater);
    options.guides = options.caption = true;
    options.solids.emplace_back(BodyShape<3>({.kind = BodyKind::kSphere, .radius = 0.2}),
                                rest_pose<3>({0, 0.5, 0.2}, {}), Twist{});
    Context one(1);
    const Image expected = render_preview(frame, options, one);
    for (int threads = 2; threads <= 8; ++threads) {
        Context context(threads);
        EXPECT_EQ(render_preview(frame, options, context).rgb, expected.rgb) << threads;
    }
}

TEST(Preview, OrderOfThePointsDoesNotMatter) {
    std::vector<Ball> balls = cloud(2000);
    Context context(2);
    const auto options = bare(PreviewColours::kWater);
    const Image first = render_preview(frame_of(balls), options, context);
    std::reverse(balls.begin(), balls.end());
    EXPECT_EQ(render_preview(frame_of(balls), options, context).rgb, first.rgb);
}

TEST(Preview, AreaOnTheScreenIsThatOfThePerspective) {
    Context context(1);
    PreviewOptions options = bare(PreviewColours::kRadius, 400, 400);
    options.camera =
        PreviewCamera{.position = {0, 0.5, 4}, .target = {0, 0.5, 0}, .field_of_view = 40};
    options.colour_range = Interval{0, 0.1};  // the ball at the bright end
    const Image empty = render_preview(frame_of({}), options, context);
    const Image image = render_preview(frame_of({{{0, 0.5, 1}, 0.3}}), options, context);
    const double focal = 200 / std::tan(20 * std::numbers::pi / 180);
    const double radius = focal * 0.3 / 3;
    // A pixel counts when the edge crosses it, which adds half a pixel all around.
    EXPECT_NEAR(std::sqrt(changed(image, empty) / std::numbers::pi), radius + 0.5, 0.4);
}

TEST(Preview, FlatFramesShowDiscsOfTheRightSize) {
    Context context(1);
    PreviewOptions options = bare(PreviewColours::kRadius, 300, 300);
    options.colour_range = Interval{0, 0.1};
    options.domain = {{0, 0, 0}, {1, 1, 0}};
    const Image empty = render_preview(frame_of({}, 2), options, context);
    const Image image = render_preview(frame_of({{{0.3, 0.6, 0}, 0.2}}, 2), options, context);
    const double radius = 0.2 * 300 / 1.05;  // the automatic camera leaves a margin of 5 %
    // A pixel counts when the edge crosses it, which adds half a pixel all around.
    EXPECT_NEAR(std::sqrt(changed(image, empty) / std::numbers::pi), radius + 0.5, 0.4);
    PreviewOptions with_solid = options;
    with_solid.flat_solids.emplace_back(
        BodyShape<2>({.kind = BodyKind::kBox, .size = {0.5, 0.3, 0}}),
        rest_pose<2>({0.5, 0.5, 0}, {0, 0, 30}), Twist{});
    const Image solid = render_preview(frame_of({}, 2), with_solid, context);
    const double scale = 300 / 1.05;
    EXPECT_NEAR(changed(solid, empty), 0.15 * scale * scale, 0.02 * 0.15 * scale * scale);
}

TEST(Preview, NearThingsHideFarOnes) {
    Context context(1);
    PreviewOptions options = bare(PreviewColours::kAge);
    options.camera =
        PreviewCamera{.position = {0, 0.5, 4}, .target = {0, 0.5, 0}, .field_of_view = 30};
    options.colour_range = Interval{0, 1};
    const Ball near{{0, 0.5, 0.5}, 0.2}, hidden{{0, 0.51, -0.3}, 0.1};
    const Image alone = render_preview(frame_of({near}), options, context);
    EXPECT_EQ(render_preview(frame_of({hidden, near}), options, context).rgb, alone.rgb);

    options.solids.emplace_back(BodyShape<3>({.kind = BodyKind::kBox, .size = {0.6, 0.6, 0.1}}),
                                rest_pose<3>({0, 0.5, 1}, {}), Twist{});
    const Image wall = render_preview(frame_of({}), options, context);
    EXPECT_EQ(render_preview(frame_of({near}), options, context).rgb, wall.rgb);
    const Image before = render_preview(frame_of({{{0, 0.5, 1.3}, 0.05}}), options, context);
    EXPECT_GT(changed(before, wall), 50);
}

TEST(Preview, MeshesAndBodiesOfTheSameShapeLookTheSame) {
    TriangleMesh box;
    for (int i = 0; i < 8; ++i)
        box.vertices.push_back({i & 1 ? 0.2 : -0.2, i & 2 ? 0.7 : 0.3, i & 4 ? 0.2 : -0.2});
    box.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    Context context(1);
    const auto options = bare(PreviewColours::kWater);
    PreviewOptions with_body = options, with_mesh_body = options;
    with_body.solids.emplace_back(BodyShape<3>({.kind = BodyKind::kBox, .size = {0.4, 0.4, 0.4}}),
                                  rest_pose<3>({0, 0.5, 0}, {}), Twist{});
    with_mesh_body.solids.emplace_back(
        BodyShape<3>({.kind = BodyKind::kMesh, .mesh = std::make_shared<MeshDistance>(box)}),
        Pose{}, Twist{});
    Frame frame = frame_of({});
    const Image body = render_preview(frame, with_body, context);
    const Image mesh_body = render_preview(frame, with_mesh_body, context);
    const Image empty = render_preview(frame, options, context);
    frame.meshes.push_back({"surface", box});
    const Image mesh = render_preview(frame, options, context);
    EXPECT_GT(changed(body, empty), 1000);
    EXPECT_LT(changed(body, mesh), 30);
    EXPECT_EQ(mesh.rgb, mesh_body.rgb);
}

TEST(Preview, FarBubblesFadeAndSmallOnesStillCount) {
    Context context(1);
    PreviewOptions options = bare(PreviewColours::kWater);
    options.camera =
        PreviewCamera{.position = {0, 0.5, 4}, .target = {0, 0.5, 0}, .field_of_view = 30};
    const double empty = brightness(render_preview(frame_of({}), options, context));
    const auto lines_at = [&](double z, double radius, int n) {
        std::vector<Ball> balls;
        // The same place on the screen and the same size there.
        const double scale = (4 - z) / 4;
        for (int i = 0; i < n; ++i)
            balls.push_back({{(-0.9 + 1.8 * i / n) * scale, 0.5 - 0.3 * scale, z}, radius * scale});
        return brightness(render_preview(frame_of(balls), options, context)) - empty;
    };
    const double near = lines_at(0.49, 0.02, 40), far = lines_at(-0.49, 0.02, 40);
    EXPECT_GT(far, 0);
    EXPECT_LT(far, 0.6 * near);
    // A fifth of a pixel wide: faint, but there.
    const double tiny = lines_at(0.49, 0.0008, 300);
    EXPECT_GT(tiny, 200);
}

TEST(Preview, BadNumbersAndOptions) {
    Context context(1);
    const auto options = bare(PreviewColours::kWater);
    const Image empty = render_preview(frame_of({}), options, context);
    EXPECT_EQ(
        render_preview(frame_of({{{NAN, 0, 0}, 0.1}, {{0, 0.5, 0}, NAN}}), options, context).rgb,
        empty.rgb);
    PreviewOptions bad = options;
    bad.width = 3;
    EXPECT_THROW(render_preview(frame_of({}), bad, context), UserError);
    bad = options;
    bad.supersampling = 0;
    EXPECT_THROW(render_preview(frame_of({}), bad, context), UserError);
    bad = options;
    bad.camera = PreviewCamera{.position = {1, 1, 1}, .target = {1, 1, 1}};
    EXPECT_THROW(render_preview(frame_of({}), bad, context), UserError);
}

TEST(Preview, OptionsOfASceneFollowItsKeys) {
    Scene scene;
    scene.domain.lower = {-1, -1, -1};
    scene.domain.upper = {1, 1, 1};
    scene.camera = {.automatic = false,
                    .position = {0, 0, 5},
                    .target = {0, 0, 0},
                    .field_of_view = 25,
                    .keys = {}};
    Solid solid;
    solid.shape.kind = ShapeKind::kSphere;
    solid.shape.center = {0.1, 0, 0};
    solid.motion = Motion::kKeyed;
    solid.keys = {{0, {0, 0, 0}, {}}, {2, {0, 1, 0}, {}}};
    scene.solids = {solid};
    Frame frame;
    frame.time = 2.5;
    const PreviewOptions options = preview_options(scene, {}, frame);
    ASSERT_EQ(options.solids.size(), 1u);
    EXPECT_LT(length(options.solids[0].pose().position - Vec<double, 3>{0.1, 1, 0}), 1e-15);
    ASSERT_TRUE(options.camera);
    EXPECT_EQ(options.camera->field_of_view, 25);
    EXPECT_EQ(options.domain.hi, scene.domain.upper);
    scene.domain.dimensions = 2;
    scene.camera.automatic = true;
    frame.time = 1;
    const PreviewOptions flat = preview_options(scene, {}, frame);
    ASSERT_EQ(flat.flat_solids.size(), 1u);
    EXPECT_NEAR(flat.flat_solids[0].distance({0.1, 0.5}), -0.5, 1e-15);
    EXPECT_FALSE(flat.camera);
    frame.bodies = {{0, {{}, {0.7, 0.2, 0}}, {}}};
    const PreviewOptions moved = preview_options(scene, {}, frame);
    EXPECT_NEAR(moved.flat_solids[0].distance({0.7, 0.2}), -0.5, 1e-15);
}

/// Full of liquid: the left half of 1000, the right of 800 kg/m³, as a volume or as particles.
Frame oil_beside_water(bool particles) {
    Frame frame =
        frame_of(particles ? std::vector<Ball>{{{0.25, 0.5, 0}, 0.1}, {{0.75, 0.5, 0}, 0.1}}
                           : std::vector<Ball>{},
                 2);
    frame.free_surface = true;
    frame.points[0].name = "liquid";
    if (particles) {
        Array<float> density(2);
        density.write()[0] = 1000, density.write()[1] = 800;
        frame.points[0].columns.push_back({"density", "kg/m^3", density});
        return frame;
    }
    for (const char* name : {"surface", "liquid_density"}) {
        Volume v;
        v.name = name;
        v.kind = name[0] == 's' ? VolumeKind::kLevelSet : VolumeKind::kFog;
        v.voxel = 1.0 / 16;
        v.side = {16, 16, 1};
        Array<Vec<int, 3>> tiles(1);
        tiles.write()[0] = {0, 0, 0};
        Array<float> values(256);
        for (std::size_t i = 0; i < 256; ++i)
            values.write()[i] = name[0] == 's' ? -1.0f : i < 128 ? 1000.0f : 800.0f;
        v.tiles = tiles;
        v.values = {values};
        frame.volumes.push_back(v);
    }
    return frame;
}

TEST(Preview, LiquidsOfTwoDensitiesAreToldApart) {
    Scene scene;
    scene.domain.dimensions = 2;
    scene.domain.lower = {0, 0, 0};
    scene.domain.upper = {1, 1, 1};
    scene.liquids.resize(3);
    scene.liquids[1].density = 800;
    scene.liquids[2].density = 100;
    scene.liquids[2].mode = LiquidMode::kSink;  // has none
    Context context;
    for (const bool particles : {false, true}) {
        const Frame frame = oil_beside_water(particles);
        PreviewOptions options = preview_options(scene, {}, frame, 200, 200);
        EXPECT_EQ(options.liquid_densities.begin, 800);
        EXPECT_EQ(options.liquid_densities.end, 1000);
        options.caption = options.guides = false;
        const Image image = render_preview(frame, options, context);
        const auto red_over_blue = [&](int x) {
            return double(image.pixel(x, 100)[0]) - double(image.pixel(x, 100)[2]);
        };
        EXPECT_LT(red_over_blue(55), -20) << particles;  // water is blue
        EXPECT_GT(red_over_blue(145), 20) << particles;  // oil is not
        // One liquid looks as ever.
        options.liquid_densities = {1000, 1000};
        const Image one = render_preview(frame, options, context);
        EXPECT_LT(double(one.pixel(145, 100)[0]) - double(one.pixel(145, 100)[2]), 0);
    }
}

TEST(Camera, AutomaticCameraShowsTheWholeDomainAndNotMuchMore) {
    for (const double aspect : {0.5, 1.0, 1.78})
        for (const int dimensions : {2, 3}) {
            const Box<double, 3> box{{-1, 0, dimensions == 2 ? 0.0 : -2},
                                     {3, 5, dimensions == 2 ? 0.0 : 1}};
            const int height = 500, width = static_cast<int>(height * aspect);
            const Projection p(automatic_camera(box, dimensions, aspect), width, height);
            double reach = 0;
            for (int c = 0; c < 8; ++c) {
                const auto s =
                    p.project({c & 1 ? box.hi[0] : box.lo[0], c & 2 ? box.hi[1] : box.lo[1],
                               c & 4 ? box.hi[2] : box.lo[2]});
                reach = std::max(
                    {reach, std::abs(2 * s.x / width - 1), std::abs(2 * s.y / height - 1)});
            }
            EXPECT_LE(reach, 1);
            EXPECT_GT(reach, 0.85);
        }
}

TEST(Camera, RaysLeadBackToWherePointsWereProjected) {
    for (const double view_height : {0.0, 3.0}) {
        const Projection p({.position = {1, 2, 5}, .target = {0, 1, 0}, .view_height = view_height},
                           640, 480);
        const Vec<double, 3> x{0.3, 0.4, -0.7};
        const auto s = p.project(x);
        const auto ray = p.ray(s.x, s.y);
        EXPECT_LT(length(ray.origin + ray.direction * s.depth - x), 1e-12);
        EXPECT_GT(p.project(x + Vec<double, 3>{0, 0.1, 0}).y, 0);
        EXPECT_LT(p.project(x + Vec<double, 3>{0, 0.1, 0}).y, s.y);
        EXPECT_GT(p.project(x + Vec<double, 3>{0.1, 0, 0}).x, s.x);
    }
}

TEST(ColourMap, LightnessGrowsEvenly) {
    double before = -1;
    for (int i = 0; i <= 50; ++i) {
        const Colour c = ramp_colour(i / 50.0);
        const double lightness = std::cbrt(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
        EXPECT_GT(lightness, before);
        if (i > 0) {
            EXPECT_LT(lightness - before, 0.04);
        }
        before = lightness;
    }
}

}  // namespace
}  // namespace spume
