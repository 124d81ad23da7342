// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "faults/memory_file_system.h"
#include "methods/tracer_cloud/method.h"
#include "spume/core/error.h"
#include "spume/io/read_frame.h"
#include "spume/methods/constraint/method.h"
#include "spume/run/job.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

using test::MemoryFileSystem;

/// A quarter of a turn in a second.
constexpr double kTurn = M_PI / 2;
const std::string kScene =
    "[time]\nfps = 8\nframes = 8\n"
    "[domain]\nlower = [0, 0, 0]\nupper = [1, 2, 1]\nvoxel = 0.05\n"
    "[tracer_cloud]\ncount = 200\nradius = 0.4\nspin = 1.5707963267948966\n";

/// The same with a name and abilities of its own.
MethodEntry flat_cloud() {
    MethodEntry row = tracer_cloud::entry();
    row.name = "flat_cloud";
    row.abilities = {.three_dimensional = false, .needs_bulk = true};
    return row;
}

MethodTable table() {
    static const MethodEntry kTable[] = {tracer_cloud::entry(), flat_cloud(), constraint::entry()};
    return kTable;
}

LoadedScene load(const std::string& text, const std::vector<std::string>& overrides = {}) {
    MemoryFileSystem files;
    SceneRequest request;
    request.file = "scene.toml";
    request.overrides = overrides;
    return load_scene_text(files, text, request, table());
}

/// Positions by id.
std::vector<Vec<double, 3>> places(const Frame& frame) {
    const PointSet& points = frame.points.at(0);
    const auto& id = std::get<Array<std::uint64_t>>(points.find("id")->values);
    std::vector<Vec<double, 3>> r(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) r.at(id[i]) = points.position[i];
    return r;
}

/// The largest distance after a second from where a quarter of a turn leads.
double error_after_a_second(const LoadedScene& loaded, int threads = 1) {
    Context context(threads);
    const auto simulation = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    const auto before = places(simulation->view());
    for (int frame = 1; frame <= 8; ++frame) simulation->advance_frame(frame);
    EXPECT_NEAR(simulation->time(), 1, 1e-12);
    const auto after = places(simulation->view());
    double worst = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec<double, 3> exact{0.5 - (before[i][1] - 1), 1 + (before[i][0] - 0.5),
                                   before[i][2]};
        worst = std::max(worst, length(after[i] - exact));
    }
    return worst;
}

TEST(TracerCloud, TurnsAsTheFlowDoesWithTheOrderOfItsRule) {
    for (const char* dimensions : {"2", "3"}) {
        const std::string flat = std::string("domain.dimensions=") + dimensions;
        // The rule's phase lags by (ω Δt)³ / 6 a substep, on a circle of at most 0.4 m.
        const auto bound = [](int substeps) {
            return 0.4 * kTurn * std::pow(kTurn / substeps, 2) / 6 * 1.01;
        };
        const double coarse = error_after_a_second(load(kScene, {flat, "tracer_cloud.cfl=2"}));
        const double fine = error_after_a_second(load(kScene, {flat, "tracer_cloud.cfl=0.5"}));
        EXPECT_LT(coarse, bound(8));  // 0.628 m/s: within a frame no tracer crosses two voxels …
        EXPECT_LT(fine, bound(32));   // … but four halves
        EXPECT_GT(fine, bound(32) / 4);
        EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.1);
    }
}

/// A simulation that is stopped after the first substep of a frame.
class Stopped final : public Simulation {
  public:
    Stopped(std::unique_ptr<Simulation> inner, int frame, Context& context)
        : inner_(std::move(inner)), frame_(frame), context_(context) {}
    FrameReport advance_frame(int frame) override {
        if (frame == frame_) context_.progress = [this](double) { context_.stop.request(); };
        return inner_->advance_frame(frame);
    }
    Frame view() override { return inner_->view(); }
    StateSummary summary() override { return inner_->summary(); }
    double time() const override { return inner_->time(); }
    void describe(StateVisitor& visitor) override { inner_->describe(visitor); }

  private:
    std::unique_ptr<Simulation> inner_;
    int frame_;
    Context& context_;
};

/// Runs the scene into a folder of `files`, to its end or into a frame.
int run(MemoryFileSystem& files, const LoadedScene& loaded, bool resume, int until = 0) {
    Context context(1);
    JobOptions job;
    job.directory = "/out";
    job.output = loaded.scene.output;
    job.output.preview = "none";
    job.manifest = loaded.manifest;
    job.resume = resume;
    job.progress = ProgressMode::kNone;
    job.watch_signals = false;
    return run_job(
        job, files,
        [&](Context& c) {
            return std::make_unique<Stopped>(
                start_session(loaded.scene, loaded.params, loaded.inputs, c), until, c);
        },
        context);
}

TEST(TracerCloud, AJobWritesItsFramesAndAResumedOneTheSame) {
    const LoadedScene loaded = load(kScene);
    EXPECT_EQ(loaded.scene.method, "tracer_cloud") << "the first of the table, by default";
    EXPECT_EQ(loaded.manifest.method, "tracer_cloud");
    EXPECT_FALSE(loaded.manifest.free_surface);
    EXPECT_TRUE(load("method = \"constraint\"\n").manifest.free_surface);
    EXPECT_NE(loaded.manifest.scene.find("[tracer_cloud]\ncount = 200\n"), std::string::npos);

    MemoryFileSystem whole, broken;
    EXPECT_EQ(run(whole, loaded, false), 0);
    EXPECT_GT(run(broken, loaded, false, 3), 128);
    EXPECT_EQ(committed_frames(broken, "/out").size(), 2u);
    EXPECT_EQ(run(broken, loaded, true), 0);

    Context context(1);
    const auto simulation = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    for (int number = 1; number <= 8; ++number) {
        simulation->advance_frame(number);
        std::vector<Complaint> problems;
        const Frame frame =
            read_frame(whole, "/out", read_commit(whole, "/out", number), {}, problems);
        EXPECT_TRUE(problems.empty());
        const auto expected = places(simulation->view()), found = places(frame);
        ASSERT_EQ(found.size(), 200u);
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_LT(length(found[i] - expected[i]), 1e-6) << "frame " << number;  // float
    }
    const auto again = broken.contents();
    for (const auto& [path, content] : whole.contents()) {
        if (path.find("/frames/") == std::string::npos) continue;
        EXPECT_EQ(again.at(path), content) << path;
    }
}

std::string mistakes(const std::string& text) {
    try {
        load(text);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}
bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

TEST(MethodTable, WhatAMethodLacksNamesThoseThatHaveIt) {
    const std::string liquid = "[[liquid]]\nshape = { kind = \"box\", size = [1, 1, 1] }\n";
    std::string text = mistakes(kScene + liquid);
    EXPECT_TRUE(contains(text, "the method tracer_cloud has no free surface")) << text;
    EXPECT_TRUE(contains(text, "leave [[liquid]] out, or use method = \"constraint\"")) << text;

    text = mistakes("method = \"flat_cloud\"\n");
    EXPECT_TRUE(contains(text,
                         "the method flat_cloud has no 3D\n  use domain.dimensions = 2, or use "
                         "method = \"tracer_cloud\" or \"constraint\""))
        << text;
    EXPECT_TRUE(contains(text, "the method flat_cloud works in a liquid simulated before")) << text;

    EXPECT_TRUE(
        contains(text, "name one in [bulk], or use method = \"tracer_cloud\" or \"constraint\""))
        << text;
    const std::string bulk = "[domain]\ndimensions = 2\n[bulk]\nkind = \"still\"\nlevel = 0.5\n";
    EXPECT_EQ(mistakes("method = \"flat_cloud\"\n" + bulk), "");
    text = mistakes("method = \"tracer_cloud\"\n" + bulk);
    EXPECT_TRUE(contains(text,
                         "has no use for a liquid simulated before\n  leave [bulk] out, or use "
                         "method = \"flat_cloud\""))
        << text;

    text = mistakes("[[emitter]]\nrate = 1e-4\nshape = { kind = \"sphere\", radius = 0.1 }\n");
    EXPECT_TRUE(contains(text,
                         "has no bubble emitters\n  leave [[emitter]] out, or use method = "
                         "\"constraint\""))
        << text;
}

TEST(MethodTable, ChecksAndKeysComeFromTheMethod) {
    EXPECT_TRUE(contains(mistakes(kScene + "sping = 2\n"), "unknown key `tracer_cloud.sping`"));
    EXPECT_TRUE(contains(mistakes("[tracer_cloud]\nradius = 3\n"), "the cloud leaves the domain"));
    EXPECT_TRUE(contains(mistakes("method = \"\"\n"), "there is no method \"\""));
    EXPECT_TRUE(contains(mistakes("method = \"tracer_clowd\"\n"),
                         "Did you mean \"tracer_cloud\"? Methods: tracer_cloud, flat_cloud, "
                         "constraint."));
    const LoadedScene loaded = load(kScene);
    EXPECT_EQ(expected_bytes(loaded.scene, loaded.params, 1e6, 1e6), 200 * 100);
    EXPECT_EQ(loaded.params.as<tracer_cloud::Params>().radius, 0.4);
}

// The concept takes a method that has one dimension only, and refuses what is not a method.
struct FlatOnly : constraint::Method {
    static constexpr Abilities abilities{.three_dimensional = false};
    template <int D>
    requires(D == 2) using State = constraint::State<D>;
};
struct NoState : constraint::Method {
    template <int D>
    struct State {
        double time = 0;
    };
};
struct NoParams : constraint::Method {
    struct Params {};
};
static_assert(IsMethod<constraint::Method> && IsMethod<FlatOnly>);
static_assert(!IsMethod<NoState> && !IsMethod<NoParams>);

}  // namespace
}  // namespace spume
