// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "bulk/flow_frames.h"
#include "spume/core/error.h"
#include "spume/physics/bulk/analytic_flow.h"
#include "spume/physics/bulk/bulk_report.h"

namespace spume {
namespace {

using test::difference;
using test::FlowFrames;

/// A drop of three voxels that moves by so many a frame, in a box of 48 voxels of 1 cm.
template <int D>
std::shared_ptr<FlowFrames<D>> flying_drop(double voxels_a_frame) {
    auto frames = std::make_shared<FlowFrames<D>>(48, 0.01, 24, 4);
    const double speed = voxels_a_frame * 0.01 * 24;
    frames->velocity = [=](const Point<D>&, double) {
        Vec<double, D> u{};
        u[0] = speed;
        u[1] = -0.2 * speed;
        return u;
    };
    frames->phi = [=, u = frames->velocity](const Point<D>& x, double t) {
        Point<D> c = Point<D>::filled(0.24);
        c[0] = 0.02;
        return length(x - (c + u(x, t) * t)) - 0.03;
    };
    return frames;
}

template <int D>
void expect_drop_between_frames(double voxels_a_frame, double most) {
    const auto frames = flying_drop<D>(voxels_a_frame);
    const Scene s = test::scene_over(*frames);
    const auto bulk = bulk_of<D>(s, {{}, frames});
    const auto tiles = test::dense_tiles<D>(s);
    Context context(2);
    const auto exact = [&](double t) {
        return [&frames, t](const Point<D>& x) { return frames->phi(x, t); };
    };
    const double first = 2 / 24.0, T = 1 / 24.0;
    const auto a = bulk->on(tiles, first, context), b = bulk->on(tiles, first + T, context);
    EXPECT_LT(difference<D>(a.phi, exact(first)), 1e-6) << "a frame is what its file says";
    for (const double way : {0.25, 0.5, 0.8}) {
        const double t = first + way * T;
        const auto between = bulk->on(tiles, t, context);
        CellField<double, D> blend(tiles);
        for (std::size_t i = 0; i < tiles->values(); ++i)
            blend.write()[i] = (1 - way) * a.phi.read()[i] + way * b.phi.read()[i];
        EXPECT_LT(difference<D>(between.phi, exact(t)), most) << way;
        EXPECT_GT(difference<D>(blend, exact(t)), way == 0.5 ? 0.4 : 0.2) << way;
        double volume = 0, should = 0, worst = 0;
        for (int c = 0; c < tiles->active(); ++c)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Point<D> x = between.phi.position(c, o);
                const double phi = frames->phi(x, t);
                volume += test::filled(between.phi.at(c, o), 0.01);
                should += test::filled(phi, 0.01);
                for (int axis = 0; axis < D && phi < 0; ++axis)
                    worst = std::max(worst, std::abs(between.velocity.at(axis, c, o) -
                                                     frames->velocity(x, t)[axis]));
            }
        EXPECT_NEAR(volume, should, most * should);
        EXPECT_LT(worst, 1e-6 * voxels_a_frame) << "one velocity in all of the drop";
    }
}

TEST(BetweenFrames, AFlyingDropKeepsItsShape) {
    expect_drop_between_frames<2>(5, 0.02);
    expect_drop_between_frames<2>(8, 0.02);
    expect_drop_between_frames<3>(5, 0.02);
    expect_drop_between_frames<3>(8, 0.02);
}

/// The largest error of Φ near the surface, in voxels, and of u in the liquid, half-way between
/// two frames.
struct Errors {
    double phi = 0, u = 0;
};
Errors mid_frame(const Scene& flow_scene, double fps, double time) {
    const auto flow = analytic_flow<2>(flow_scene);
    auto frames = std::make_shared<FlowFrames<2>>(128, 1.0 / 128, fps, int(fps));
    frames->phi = [&](const Point<2>& x, double t) { return flow->phi(x, t); };
    frames->velocity = [&](const Point<2>& x, double t) { return flow->velocity(x, t); };
    frames->close_all();
    const Scene s = test::scene_over(*frames);
    const auto bulk = bulk_of<2>(s, {{}, frames});
    Context context(2);
    const auto f = bulk->on(test::dense_tiles<2>(s), time, context);
    Errors r;
    for (int t = 0; t < f.phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Point<2> x = f.phi.position(t, o);
            const double phi = flow->phi(x, time);
            if (std::abs(phi) < 1.0 / 128)
                r.phi = std::max(r.phi, std::abs(f.phi.at(t, o) - phi) * 128);
            for (int a = 0; a < 2 && phi < 0; ++a)
                r.u =
                    std::max(r.u, std::abs(f.velocity.at(a, t, o) -
                                           flow->velocity(f.velocity.position(a, t, o), time)[a]));
        }
    return r;
}

TEST(BetweenFrames, IsOfSecondOrderInTime) {
    Scene s;
    s.domain.dimensions = 2;
    s.bulk.present = true;
    s.bulk.kind = BulkKind::kAnalytic;
    s.bulk.flow = BulkFlow::kRotation;
    s.bulk.pivot = {0.5, 0.5, 0};
    s.bulk.center = {0.7, 0.5, 0};
    s.bulk.radius = 0.12;
    s.bulk.spin = 6;
    // Frames 1/8 and 1/16 s apart, and a time in the middle of both kinds: the disc moves by up to
    // 19 voxels, on an arc.
    const Errors coarse = mid_frame(s, 8, 5.5 / 8), fine = mid_frame(s, 16, 9.5 / 16);
    EXPECT_LT(coarse.phi, 5) << "of 19 voxels";
    EXPECT_NEAR(std::log2(coarse.phi / fine.phi), 2, 0.35) << coarse.phi << " " << fine.phi;

    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.5;
    s.bulk.amplitude = 0.05;
    s.bulk.wavelength = 1;
    const Errors slow = mid_frame(s, 8, 3.5 / 8), quick = mid_frame(s, 16, 6.5 / 16);
    EXPECT_GT(std::log2(slow.u / quick.u), 1.7) << slow.u << " " << quick.u;
    EXPECT_LT(quick.phi, 0.2);
}

TEST(BetweenFrames, TheBeginningIsCarriedBackAndTheRestRefused) {
    const auto frames = flying_drop<2>(5);
    Scene s = test::scene_over(*frames);
    const auto bulk = bulk_of<2>(s, {{}, frames});
    Context context(1);
    const auto tiles = test::dense_tiles<2>(s);
    EXPECT_DOUBLE_EQ(bulk->times().begin, 0);
    EXPECT_DOUBLE_EQ(bulk->times().end, 4 / 24.0);
    // There is no frame of the start; from frame 1 the drop goes back along its way.
    const auto start = bulk->on(tiles, 0, context);
    EXPECT_LT(difference<2>(start.phi, [&](const Point<2>& x) { return frames->phi(x, 0); }), 0.02);
    EXPECT_THROW(bulk->on(tiles, -0.2 / 24, context), UserError);
    EXPECT_THROW(bulk->on(tiles, 4.2 / 24, context), UserError);

    // A scene that starts in mid-cache: frame 3 begins when it does; what was before is there too.
    s.bulk.start = 3;
    const auto later = bulk_of<2>(s, {{}, frames});
    const auto f = later->on(tiles, 0.5 / 24, context), g = later->on(tiles, -1 / 24.0, context);
    const auto at = [&](double n) {
        return [&frames, n](const Point<2>& x) { return frames->phi(x, n / 24); };
    };
    EXPECT_LT(difference<2>(f.phi, at(2.5)), 0.02);
    EXPECT_LT(difference<2>(g.phi, at(1)), 1e-6);
    EXPECT_DOUBLE_EQ(later->times().begin, -2 / 24.0);
}

template <int D>
std::vector<double> all_values(const BulkFields<D>& f) {
    std::vector<double> r(f.phi.read(), f.phi.read() + f.phi.tiles()->values());
    for (int a = 0; a < D; ++a)
        r.insert(r.end(), f.velocity.read(a), f.velocity.read(a) + f.phi.tiles()->values());
    return r;
}

TEST(BetweenFrames, EqualBitsForAnyThreadsOrderAndReadAhead) {
    const auto frames = flying_drop<3>(5);
    const Scene s = test::scene_over(*frames);
    const auto tiles = test::dense_tiles<3>(s);
    std::vector<double> first;
    for (const int threads : {1, 2, 4}) {
        Context context(threads);
        const auto bulk = bulk_of<3>(s, {{}, frames});
        // Forwards, backwards, by leaps; with frames that come at once and late.
        frames->slow = std::chrono::milliseconds(threads == 2 ? 30 : 0);
        if (threads == 2) bulk->on(tiles, 3.5 / 24, context);
        if (threads == 4)
            for (const double n : {0.5, 3.9, 1.1, 2.0}) bulk->on(tiles, n / 24, context);
        const auto values = all_values<3>(bulk->on(tiles, 1.6 / 24, context));
        if (first.empty()) first = values;
        EXPECT_EQ(values, first) << threads;
    }
}

TEST(BetweenFrames, FramesAreReadOnceOnTheWayForward) {
    const auto frames = flying_drop<2>(2);
    const Scene s = test::scene_over(*frames);
    const auto bulk = bulk_of<2>(s, {{}, frames});
    Context context(1);
    const auto tiles = test::dense_tiles<2>(s);
    for (int n = 0; n <= 32; ++n) {
        bulk->on(tiles, n / 8.0 / 24, context);
        if (n > 8)
            bulk->on(tiles, (n - 8) / 8.0 / 24, context);  // a frame before, as aeration does
    }
    EXPECT_EQ(frames->reads, 4);
}

TEST(BetweenFrames, BoxesMayMoveByWholeVoxels) {
    const auto still = flying_drop<2>(5), moving = flying_drop<2>(5);
    moving->moved = [](int n) { return Index<2>{5 * n, -3 * n}; };
    const Scene s = test::scene_over(*still);
    Context context(1);
    const auto tiles = test::dense_tiles<2>(s);
    const auto exact = [&](const Point<2>& x) { return still->phi(x, 2.5 / 24); };
    const auto f = bulk_of<2>(s, {{}, moving})->on(tiles, 2.5 / 24, context);
    EXPECT_LT(difference<2>(f.phi, exact), 0.02);
}

template <int D>
void expect_other_lattices() {
    const auto frames = flying_drop<D>(3);
    const Scene s = test::scene_over(*frames);
    const auto bulk = bulk_of<D>(s, {{}, frames});
    Context context(2);
    const auto own = bulk->on(test::dense_tiles<D>(s), 2.5 / 24, context);
    for (const int ratio : {1, 2}) {
        // Begins at an odd cell, and not on a tile's border.
        Transform<D> lattice = bulk->transform();
        lattice.voxel *= ratio;
        lattice.origin = bulk->transform().to_world(Point<D>::filled(5));
        const Box<int, D> cells{{}, Index<D>::filled(36 / ratio)};
        const auto tiles = Tiles<D>::dense(cells, lattice);
        const auto f = bulk->on(tiles, 2.5 / 24, context);
        TileCursor<D> cursor(*own.phi.tiles());
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; o += 3) {
                const Index<D> cell = tiles->origin(t) + tile_local<D>(o);
                if (!cells.contains(cell)) continue;
                EXPECT_NEAR(f.phi.at(t, o),
                            (sample<double, D>(own.phi, cursor, f.phi.position(t, o))), 1e-12);
                for (int a = 0; a < D; ++a) {
                    double sum = 0;
                    for (int part = 0; part < (1 << (D - 1)); ++part) {
                        Point<D> x = f.velocity.position(a, t, o);
                        for (int b = 1; b < D && ratio == 2; ++b)
                            x[(a + b) % D] += part >> (b - 1) & 1 ? 0.005 : -0.005;
                        sum += sample<double, D>(own.velocity, cursor, x)[a];
                    }
                    EXPECT_NEAR(f.velocity.at(a, t, o), sum / (1 << (D - 1)), 1e-9);
                }
            }
    }
}

TEST(BetweenFrames, OtherLatticesGetTheSameFluxes) {
    expect_other_lattices<2>();
    expect_other_lattices<3>();
}

TEST(BetweenFrames, TheKinematicResidualTellsWrongVelocities) {
    Context context(1);
    const auto residual = [&](double scale) {
        const auto frames = flying_drop<2>(4);
        frames->velocity_scale = scale;
        const auto bulk = bulk_of<2>(test::scene_over(*frames), {{}, frames});
        return kinematic_residual<2>(*bulk, {2 / 24.0, 3 / 24.0}, context).share;
    };
    EXPECT_LT(residual(1), 0.05);
    EXPECT_GT(residual(2.5), 0.3);
    EXPECT_GT(residual(-1), 0.5);
    EXPECT_GT(residual(0.4), 0.5);
}

TEST(BetweenFrames, GapsFollowTheStatedPolicy) {
    const auto frames = flying_drop<2>(3);
    frames->missing = {3};
    Scene s = test::scene_over(*frames);
    Context context(1);
    const auto tiles = test::dense_tiles<2>(s);
    const auto at = [&](double n) {
        return bulk_of<2>(s, {{}, frames})->on(tiles, n / 24, context);
    };
    const auto exact = [&](double n) {
        return [&frames, n](const Point<2>& x) { return frames->phi(x, n / 24); };
    };
    try {
        at(2.5);
        ADD_FAILURE();
    } catch (const UserError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("/flow: error: frame 3 is missing"), std::string::npos) << text;
        EXPECT_NE(text.find("bulk.missing"), std::string::npos) << text;
    }
    s.bulk.missing = MissingFrame::kInterpolate;
    EXPECT_LT(difference<2>(at(3).phi, exact(3)), 0.02);
    EXPECT_LT(difference<2>(at(2.5).phi, exact(2.5)), 0.02);
    s.bulk.missing = MissingFrame::kHold;
    const auto held = at(2.5);
    EXPECT_LT(difference<2>(held.phi, exact(2)), 1e-6);
    EXPECT_EQ(held.velocity.at(0, 0, 0), 0);
    EXPECT_LT(difference<2>(at(7).phi, exact(4)), 1e-6) << "beyond the end too";
    s.bulk.missing = MissingFrame::kWait;
    s.bulk.wait = 0.1;
    EXPECT_THROW(at(2.5), UserError);
    s.bulk.wait = 60;
    std::thread late([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        frames->missing.clear();
    });
    const auto arrived = at(2.5);
    late.join();
    EXPECT_LT(difference<2>(arrived.phi, exact(2.5)), 0.02);
    frames->missing = {3};
    context.stop.request();
    EXPECT_THROW(at(2.5), Stopped) << "a stop does not wait, and is no error";
}

TEST(BetweenFrames, FramesThatDoNotBelongAreRefused) {
    Context context(1);
    const auto complaint = [&](const std::shared_ptr<FlowFrames<2>>& frames) -> std::string {
        const Scene s = test::scene_over(*frames);
        try {
            bulk_of<2>(s, {{}, frames})->on(test::dense_tiles<2>(s), 2 / 24.0, context);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    auto flat = flying_drop<2>(3);
    flat->about.dimensions = 3;
    EXPECT_NE(complaint(flat).find("holds a 3D liquid, the scene is 2D"), std::string::npos);
    EXPECT_EQ(complaint(flying_drop<2>(3)), "");
}

}  // namespace
}  // namespace spume
