// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/geometry/mesh_sequence.h"
#include "spume/geometry/moving_body.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// A ball of radius 1 by circles of latitude.
TriangleMesh ball(int n) {
    TriangleMesh m;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const double a = math::kPi * i / n, b = math::kPi * j / n;
            m.vertices.push_back(
                {math::sin(a) * math::cos(b), math::cos(a), math::sin(a) * math::sin(b)});
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const int a = i * 2 * n + j, b = i * 2 * n + (j + 1) % (2 * n);
            m.triangles.push_back({a, b, a + 2 * n});
            m.triangles.push_back({b, b + 2 * n, a + 2 * n});
        }
    return m;
}

/// Frames of the mesh under a map of places and times 0 … 1.
std::shared_ptr<const MeshSequence> frames_of(const TriangleMesh& mesh, int frames,
                                              const std::function<Vec3(const Vec3&, double)>& map,
                                              bool repeats = false, MeshUse use = MeshUse::kRays) {
    std::vector<MeshSequence::Vertices> all;
    for (int f = 0; f < frames; ++f) {
        MeshSequence::Vertices one;
        for (const Vec3& x : mesh.vertices)
            one.push_back(map(x, double(f) / (repeats ? frames : frames - 1)).as<float>());
        all.push_back(std::move(one));
    }
    return std::make_shared<MeshSequence>(mesh.triangles, std::move(all), use);
}

BodyShape<3> body(std::shared_ptr<const MeshSequence> sequence, double rate, double begin = 0,
                  bool repeats = false) {
    BodyParameters p;
    p.kind = BodyKind::kMesh;
    p.sequence = std::move(sequence);
    p.frame_rate = rate;
    p.begin = begin;
    p.repeats = repeats;
    p.moment = p.sequence->at(0, repeats);
    p.mesh = p.moment->mesh;
    return BodyShape<3>(p);
}

/// A ball that swells, turns and goes along.
Vec3 swirl(const Vec3& x, double t) {
    const double r = 1 + 0.3 * math::sin(5 * t), c = math::cos(2 * t), s = math::sin(2 * t);
    return Vec3{c * x[0] - s * x[2], x[1], s * x[0] + c * x[2]} * r + Vec3{2 * t * t, 0, 0};
}

/// Largest errors of places and velocities between frames.
std::pair<double, double> errors(int frames) {
    const TriangleMesh mesh = ball(4);
    const auto sequence = frames_of(mesh, frames, swirl);
    const double rate = frames - 1;
    double place = 0, speed = 0;
    for (const double t : {0.31, 0.47, 0.52, 0.66}) {
        const auto m = sequence->at(t * rate);
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            const Vec3& x = mesh.vertices[v];
            const Vec3 exact = (swirl(x, t + 1e-5) - swirl(x, t - 1e-5)) / 2e-5;
            place = std::max(place, length(m->position[v] - swirl(x, t)));
            speed = std::max(speed, length(m->velocity[v] * rate - exact));
        }
    }
    return {place, speed};
}

TEST(MeshSequence, PlacesConvergeInThirdOrderVelocitiesInSecond) {
    const auto [place, speed] = errors(17);
    const auto [fine_place, fine_speed] = errors(65);
    EXPECT_GT(std::log2(place / fine_place) / 2, 2.7) << place << " " << fine_place;
    EXPECT_GT(std::log2(speed / fine_speed) / 2, 1.8) << speed << " " << fine_speed;
    EXPECT_LT(fine_place, 1e-4);
}

TEST(MeshSequence, GoesThroughItsFramesAndIsHeldOutside) {
    const TriangleMesh mesh = ball(4);
    const auto sequence = frames_of(mesh, 5, swirl);
    for (int f = 0; f < 5; ++f) {
        const auto m = sequence->at(f);
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
            EXPECT_LT(length(m->position[v] - swirl(mesh.vertices[v], f / 4.0)), 1e-6);
    }
    EXPECT_EQ(sequence->at(-3)->fastest, 0);
    EXPECT_EQ(sequence->at(4.5)->fastest, 0);
    EXPECT_GT(sequence->at(0)->fastest, 0);
    EXPECT_EQ(sequence->at(-3)->position, sequence->at(0)->position);
    EXPECT_EQ(sequence->at(9)->position, sequence->at(4)->position);
    // The velocity does not jump at a frame.
    const auto before = sequence->at(2 - 1e-9), after = sequence->at(2 + 1e-9);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        EXPECT_LT(length(before->velocity[v] - after->velocity[v]), 1e-6);
}

TEST(MeshSequence, ThatRepeatsHasNoSeam) {
    const auto wave = [](const Vec3& x, double t) {
        return x * (1 + 0.2 * math::sin(2 * math::kPi * t));
    };
    const auto sequence = frames_of(ball(4), 16, wave, true);
    const auto one = sequence->at(15.5, true), later = sequence->at(31.5, true);
    EXPECT_EQ(one->position, later->position);
    const double place = 1 + 0.2 * math::sin(2 * math::kPi * 15.5 / 16);
    const double speed = 0.2 * 2 * math::kPi / 16 * math::cos(2 * math::kPi * 15.5 / 16);
    EXPECT_NEAR(one->position[7][0], place * ball(4).vertices[7][0], 2e-3);
    EXPECT_NEAR(one->velocity[7][0], speed * ball(4).vertices[7][0], 3e-3);
    EXPECT_LT(
        length(sequence->at(16 - 1e-9, true)->velocity[7] - sequence->at(1e-9, true)->velocity[7]),
        1e-6);
}

TEST(MeshSequence, RefusesFramesThatDoNotFit) {
    const TriangleMesh mesh = ball(2);
    MeshSequence::Vertices whole(mesh.vertices.size(), Vec<float, 3>{1, 2, 3}), few(3);
    EXPECT_THROW(MeshSequence(mesh.triangles, {}), UserError);
    EXPECT_THROW(MeshSequence(mesh.triangles, {whole}), UserError) << "a point";
    for (std::size_t v = 0; v < whole.size(); ++v) whole[v] = mesh.vertices[v].as<float>();
    EXPECT_NO_THROW(MeshSequence(mesh.triangles, {whole}));
    EXPECT_THROW(MeshSequence(mesh.triangles, {whole, few}), UserError);
    EXPECT_THROW(MeshSequence({{0, 1, 99}}, {whole}), UserError);
}

/// A ball whose radius grows by 0.5 m/s: its surface moves along its normals, what it is asked for
/// outside too, and on a body that turns and goes along that motion is added.
TEST(DeformingBody, ItsMatterMovesAsItsVertices) {
    const auto grow = [](const Vec3& x, double t) { return x * (1 + 0.5 * t); };
    const BodyShape<3> shape = body(frames_of(ball(8), 11, grow, false, MeshUse::kDistances), 10);
    const MovingBody<3> still(shape, Pose{});
    ASSERT_TRUE(still.moves());
    for (const double t : {0.0, 0.33, 0.98}) {
        const PlacedBody<3> now = still.at(t);
        const double r = 1 + 0.5 * t;
        EXPECT_NEAR(now.distance({0, 2, 0}), 2 - r, 1e-6);
        EXPECT_NEAR(now.distance({0, 0, 0}), -r, 0.06 * r);
        const Vec3 out = Vec3{3, 1, 2} / std::sqrt(14.0);
        EXPECT_LT(length(now.velocity(out * 1.7) - out * 0.5), 0.05) << t;
        EXPECT_NEAR(now.max_speed(), 0.5, 1e-5);
        EXPECT_NEAR(now.shape().volume(), 4.18879 * r * r * r, 0.3 * r * r * r);
    }
    EXPECT_EQ(still.at(1.5).max_speed(), 0);
    const MovingBody<3> carried(
        shape, Pose{}, keyed_motion<3>({{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 4}, {0, 90, 0}}}));
    const PlacedBody<3> now = carried.at(0.5);
    const Point<3> x = now.to_world({1.25, 0, 0});
    const Vec3 rigid = carried.twist(0.5).at(x - now.pose().position);
    EXPECT_GT(length(rigid), 3);
    EXPECT_LT(length(now.velocity(x) - rigid - now.normal(x) * 0.5), 0.05);
}

/// An open sheet bends by a metre in a step: what lay above it still does, and a way that the sheet
/// overtakes is one through it.
TEST(DeformingBody, CarriesWhatIsBesideItsSurface) {
    TriangleMesh sheet;
    constexpr int kSide = 12;
    for (int i = 0; i <= kSide; ++i)
        for (int j = 0; j <= kSide; ++j)
            sheet.vertices.push_back({2.0 * i / kSide - 1, 0, 2.0 * j / kSide - 1});
    for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j) {
            const int a = i * (kSide + 1) + j;
            sheet.triangles.push_back({a, a + 1, a + kSide + 1});
            sheet.triangles.push_back({a + 1, a + kSide + 2, a + kSide + 1});
        }
    const auto bend = [](const Vec3& x, double t) {
        return Vec3{x[0], x[1] + t * (1 - x[0] * x[0]), x[2]};
    };
    const MovingBody<3> moving(body(frames_of(sheet, 3, bend, false, MeshUse::kDistances), 2),
                               Pose{});
    const PlacedBody<3> before = moving.at(0), after = moving.at(1);
    for (const double x : {-0.6, -0.2, 0.1, 0.7})
        for (const double height : {-0.1, 0.05}) {
            const Point<3> from{x, height, 0.1};
            const Point<3> along = after.carried(before, from);
            const double level = 1 - x * x;
            // Along the normal of the bent sheet, not straight up.
            EXPECT_NEAR(length(along - Vec3{x, level, 0.1}), std::abs(height), 0.02);
            EXPECT_GT((along[1] - level) * height, 0);
            // Staying where it was it is passed by the sheet if it lay above.
            EXPECT_EQ(after.first_crossing(before, from, from).has_value(), height > 0);
        }
}

/// An egg, so that one sees it turn.
TriangleMesh egg(int n) {
    TriangleMesh m = ball(n);
    for (auto& x : m.vertices) x = {1.6 * x[0], 0.7 * x[1], x[2] * (1 + 0.3 * x[0])};
    return m;
}

/// Turns and flies by 1.5 of its own thickness a frame.
Vec3 thrown(const Vec3& x, double frame) {
    const double a = 0.3 * frame, c = math::cos(a), s = math::sin(a);
    return Vec3{c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]} +
           Vec3{2.0 * frame, 0.5 * frame, 0.1 * frame};
}

/// Level sets have other faces in every frame: the motion in between is found from the surfaces.
TEST(MeshSequence, OfChangingFacesMovesAsTheBodyDid) {
    std::vector<TriangleMesh> frames;
    for (int f = 0; f < 4; ++f) {
        TriangleMesh m = egg(14 + f);
        for (auto& x : m.vertices) x = thrown(x, f);
        frames.push_back(m);
    }
    const auto sequence = std::make_shared<const MeshSequence>(frames);
    EXPECT_EQ(sequence->at(4)->fastest, 0) << "held";
    EXPECT_EQ(sequence->at(-1)->fastest, 0);
    const BodyShape<3> shape = body(sequence, 1);
    const TriangleMesh fine = egg(20);
    for (const double t : {0.0, 0.5, 0.999, 1.0, 1.5, 2.75}) {
        const BodyShape<3> now = shape.at(t);
        double off = 0, slip = 0;
        for (const Vec3& x : fine.vertices) {
            off = std::max(off, std::abs(now.distance(thrown(x, t))));
            // Between frames vertices go straight: the velocity is that in the middle.
            slip =
                std::max(slip, length(now.velocity(thrown(x, t)) -
                                      (thrown(x, std::floor(t) + 1) - thrown(x, std::floor(t)))));
        }
        EXPECT_LT(off, 0.04) << t;
        EXPECT_LT(slip, 0.12) << t;
    }
    // A point beside it is carried along, also into the next frame.
    const MovingBody<3> moving(shape, Pose{});
    for (const auto& [from, to] : {std::pair{0.2, 0.7}, {0.5, 1.0}, {1.5, 2.25}, {2.0, 3.0}})
        for (const Vec3& x : fine.vertices) {
            const Vec3 above = x * 1.1;
            const Vec3 carried = moving.at(to).carried(moving.at(from), thrown(above, from));
            EXPECT_LT(length(carried - thrown(above, to)), 0.15) << from;
        }
}

}  // namespace
}  // namespace spume
