// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/surface/phase.h"

namespace spume {
namespace {

/// Half-full tank whose particles are pressed together towards the left, so that the density
/// correction has work everywhere. Particles stay the same ones: none is moved, added or removed.
template <int D>
struct Pressed : ConstraintRun<D> {
    explicit Pressed(double gravity, double spin = 0, bool small_bubbles = false)
        : ConstraintRun<D>(scene_of(gravity), params_of(small_bubbles)) {
        auto& liquid = this->state.liquid;
        for (auto& x : liquid.position.write()) {
            const double middle = 0.5 / 1.4;
            x[0] = x[0] < 0.5 ? x[0] / 0.5 * middle : middle + (x[0] - 0.5) / 0.5 * (1 - middle);
        }
        auto v = liquid.velocity.write();
        for (std::size_t i = 0; i < liquid.size(); ++i) {
            v[i][0] = -spin * (liquid.position[i][1] - 0.25);
            v[i][1] = spin * (liquid.position[i][0] - 0.5);
        }
    }
    static Scene scene_of(double gravity) {
        Scene s = tank(D, 1.0 / 32, {1, 1, D == 2 ? 1 : 0.25});
        s.physics.surface_tension = 0;
        s.physics.gravity = {0, -gravity, 0};
        s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
        return s;
    }
    static constraint::Params params_of(bool small_bubbles) {
        constraint::Params p;
        p.fewest_particles = 0;
        p.most_particles = 1000;
        p.small_bubbles = small_bubbles;
        return p;
    }
    std::map<std::uint64_t, Point<D>> places() const {
        std::map<std::uint64_t, Point<D>> r;
        for (std::size_t i = 0; i < this->state.liquid.size(); ++i)
            r[this->state.liquid.id[i]] = this->state.liquid.position[i];
        return r;
    }
};

template <int D>
double farthest(const std::map<std::uint64_t, Point<D>>& a,
                const std::map<std::uint64_t, Point<D>>& b) {
    double most = 0;
    EXPECT_EQ(a.size(), b.size());
    for (const auto& [id, x] : a) most = std::max(most, length(b.at(id) - x));
    return most;
}

/// One value of a volume by cell, as a reader of the file finds it.
std::map<std::array<int, 3>, float> cells_of(const Volume& v, std::size_t component) {
    std::map<std::array<int, 3>, float> r;
    std::size_t at = 0;
    for (const Vec<int, 3>& low : v.tiles)
        for (int i = 0; i < v.side[0]; ++i)
            for (int j = 0; j < v.side[1]; ++j)
                for (int k = 0; k < v.side[2]; ++k, ++at)
                    r[{low[0] + i, low[1] + j, low[2] + k}] = v.values[component][at];
    return r;
}

const Volume& named(const Frame& f, const std::string& name) {
    for (const Volume& v : f.volumes)
        if (v.name == name) return v;
    throw std::runtime_error(name);
}

/// What a frame holds as `vel`: the largest |∇·u| Δt of cells of liquid that no wall
/// touches, against what the projection left and the rounding of the six floats.
template <int D>
void expect_no_divergence(const ConstraintRun<D>& run, Context& context, double dt) {
    const Frame frame = constraint::view(run.state, run.params, run.world, context);
    const auto surface = cells_of(named(frame, "surface"), 0);
    std::map<std::array<int, 3>, float> u[D];
    float fastest = 0;
    for (int a = 0; a < D; ++a) {
        u[a] = cells_of(named(frame, "vel"), std::size_t(a));
        for (const auto& [cell, v] : u[a]) fastest = std::max(fastest, std::abs(v));
    }
    const int cells[] = {32, 32, D == 2 ? 1 : 8};
    double most = 0;
    int count = 0;
    for (const auto& [cell, phi] : surface) {
        bool inside = is_liquid_centre(double(phi), 1.0 / 32);
        for (int a = 0; a < D; ++a) inside = inside && cell[a] > 0 && cell[a] < cells[a] - 1;
        if (!inside) continue;
        double divergence = 0;
        for (int a = 0; a < D; ++a) {
            auto above = cell;
            ++above[std::size_t(a)];
            divergence += double(u[a].at(above)) - double(u[a].at(cell));
        }
        most = std::max(most, std::abs(divergence) * 32 * dt);
        ++count;
    }
    EXPECT_GT(count, 300);
    EXPECT_GT(fastest, 0.1f) << "something moves";
    const double rounding =
        2 * D * double(fastest) * 32 * dt * double(std::numeric_limits<float>::epsilon());
    EXPECT_LE(most, run.last.max_divergence + rounding);
}

template <int D>
void expect_frames_without_divergence() {
    const double dt = 0.005;
    Pressed<D> run(9.81, 2.0);
    for (int n = 0; n < 6; ++n) {
        ASSERT_TRUE(run.one_step(run.state.time + dt));
        expect_no_divergence<D>(run, run.context, dt);
    }
}
TEST(ConstraintDisplacement, WrittenVelocityIsDivergenceFree2D) {
    expect_frames_without_divergence<2>();
}
TEST(ConstraintDisplacement, WrittenVelocityIsDivergenceFree3D) {
    expect_frames_without_divergence<3>();
}

/// Nothing pushes: what moves the particles is the correction alone.
template <int D>
void expect_the_way_whatever_the_step() {
    const double dt = 1e-3, limit = 0.5 / 32;
    Pressed<D> first(0);
    ASSERT_TRUE(first.one_step(dt));
    const auto before = first.places();
    std::map<std::uint64_t, Point<D>> same;
    for (const double times : {1.0, 64.0, 1.0 / 64}) {
        ConstraintRun<D>& run = first;
        const constraint::State<D> kept = run.state;
        ASSERT_TRUE(run.one_step(dt + times * dt));
        const auto after = first.places();
        EXPECT_LE(farthest<D>(before, after), limit * (1 + 1e-6)) << times;
        EXPECT_GT(farthest<D>(before, after), 0.02 * limit) << times;
        if (times == 1) same = after;
        EXPECT_LT(farthest<D>(same, after), 1e-9) << "a way, not a velocity: " << times;
        run.state = kept;
    }
}
TEST(ConstraintDisplacement, LengthOfTheNextSubstepDoesNotMatter2D) {
    expect_the_way_whatever_the_step<2>();
}
TEST(ConstraintDisplacement, LengthOfTheNextSubstepDoesNotMatter3D) {
    expect_the_way_whatever_the_step<3>();
}

/// It is applied once: with the correction off from then on, the particles stay where it put them.
TEST(ConstraintDisplacement, IsAppliedOnce) {
    Pressed<2> run(0);
    ASSERT_TRUE(run.one_step(1e-3));
    run.params.liquid_correction = false;
    run.params.bubble_correction = constraint::VolumeCorrection::kOff;
    const auto start = run.places();
    ASSERT_TRUE(run.one_step(2e-3));
    const auto moved = run.places();
    EXPECT_GT(farthest<2>(start, moved), 1e-4);
    ASSERT_TRUE(run.one_step(3e-3));
    EXPECT_LT(farthest<2>(moved, run.places()), 1e-12);
}

/// Small bubbles are where the liquid takes them, and get no momentum from it.
TEST(ConstraintDisplacement, GivesSmallBubblesNoMomentum) {
    Pressed<2> run(0, 0, true);
    Bubbles<2> fresh;
    resize(fresh, 8);
    for (std::size_t i = 0; i < 8; ++i) {
        fresh.position.write()[i] = {0.06 + 0.11 * double(i), 0.2};
        fresh.radius.write()[i] = 0.004f;
        fresh.density.write()[i] = 1.2f;
    }
    append(run.state.small, fresh);
    // A particle of the liquid beside each, whose way it should share.
    double away = 0, by = 0;
    for (int n = 0; n < 10; ++n) {
        const auto before = run.state.small.position;
        const auto shift = run.places();
        ASSERT_TRUE(run.one_step(run.state.time + 1e-3));
        const auto now = run.places();
        ASSERT_EQ(run.state.small.size(), 8u);
        for (std::size_t i = 0; i < 8; ++i) {
            EXPECT_LT(length(run.state.small.velocity[i]), 1e-9);
            double near = 1;
            Vec<double, 2> way{};
            for (const auto& [id, x] : shift)
                if (length(x - before[i]) < near)
                    near = length(x - before[i]), way = now.at(id) - x;
            away = std::max(away, length(run.state.small.position[i] - before[i] - way));
            by = std::max(by, length(way));
        }
    }
    EXPECT_GT(by, 1e-3) << "the liquid was moved";
    EXPECT_LT(away, 0.3 * by);
    EXPECT_LT(run.fastest, 1e-9);
}

}  // namespace
}  // namespace spume
