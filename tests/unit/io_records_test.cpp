// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "faults/memory_file_system.h"
#include "spume/core/error.h"
#include "spume/io/checkpoint.h"
#include "spume/io/commit.h"
#include "spume/io/manifest.h"
#include "spume/io/sealed_json.h"
#include "spume/io/stats.h"

namespace spume {
namespace {

using test::MemoryFileSystem;

CommitRecord some_record() {
    CommitRecord record;
    record.frame = 7;
    record.time = 0.1 + 0.2;
    record.files = {{"points/a.0007.ply", {12, hash_of(std::string("a"))}},
                    {"volumes/b.0007.vdb", {1ull << 40, hash_of(std::string("b"))}}};
    record.stats = "{\"frame\":7}";
    return record;
}

TEST(IoCommit, ComesBack) {
    const CommitRecord record = some_record();
    const CommitRecord back = decode_commit(encode_commit(record), "r", 7);
    EXPECT_EQ(back.time, record.time);
    EXPECT_EQ(back.stats, record.stats);
    ASSERT_EQ(back.files.size(), 2u);
    EXPECT_EQ(back.files[1].path, record.files[1].path);
    EXPECT_EQ(back.files[1].stamp, record.files[1].stamp);
    EXPECT_THROW(decode_commit(encode_commit(record), "r", 8), UserError);
}

TEST(IoCommit, WhatTheFrameIsComesBackAndOldRecordsAreCompleted) {
    CommitRecord record = some_record();
    Scene scene;
    scene.domain.dimensions = 2;
    CommitRecord old = decode_commit(encode_commit(record), "r", 7);
    EXPECT_EQ(old.dimensions, 0) << "a record from before they told";
    complete(old, scene);
    EXPECT_EQ(old.dimensions, 2);
    EXPECT_FALSE(old.free_surface);
    scene.liquids.resize(1);
    old.dimensions = 0;
    complete(old, scene);
    EXPECT_TRUE(old.free_surface);
    record.dimensions = 3;
    for (const bool surface : {false, true}) {
        record.free_surface = surface;
        CommitRecord back = decode_commit(encode_commit(record), "r", 7);
        complete(back, scene);
        EXPECT_EQ(back.dimensions, 3) << "what it says stands";
        EXPECT_EQ(back.free_surface, surface);
    }
    record.dimensions = 4;
    EXPECT_THROW(decode_commit(encode_commit(record), "r", 7), UserError);
}

TEST(IoCommit, BodiesComeBack) {
    CommitRecord record = some_record();
    EXPECT_TRUE(decode_commit(encode_commit(record), "r", 7).bodies.empty());
    record.bodies = {{3,
                      {Rotation::from_degrees({10, -70, 145}), {0.1, -2, 3e-7}},
                      {{1, 2, 3}, {-0.5, 0.25, 8}}}};
    const CommitRecord back = decode_commit(encode_commit(record), "r", 7);
    ASSERT_EQ(back.bodies.size(), 1u);
    EXPECT_EQ(back.bodies[0].solid, 3);
    EXPECT_EQ(back.bodies[0].pose.position, record.bodies[0].pose.position);
    EXPECT_EQ(back.bodies[0].twist.linear, record.bodies[0].twist.linear);
    EXPECT_EQ(back.bodies[0].twist.angular, record.bodies[0].twist.angular);
    for (int i = 0; i < 3; ++i)
        EXPECT_LT(
            length(back.bodies[0].pose.rotation.row[i] - record.bodies[0].pose.rotation.row[i]),
            1e-14);
}

TEST(IoCommit, EveryChangedBitIsNoticed) {
    const std::string text = encode_commit(some_record());
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
        std::string bad = text;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        EXPECT_THROW(decode_commit(bad, "r", 7), UserError) << bit;
    }
    for (std::size_t n = 0; n < text.size(); ++n)
        EXPECT_THROW(decode_commit(text.substr(0, n), "r", 7), UserError);
    EXPECT_THROW(decode_commit(text + " ", "r", 7), UserError);
}

TEST(IoCommit, NamesNothingOutsideTheCache) {
    for (const char* path : {"/etc/passwd", "../x", "points/../../x", ""}) {
        CommitRecord record = some_record();
        record.files[0].path = path;
        EXPECT_THROW(decode_commit(encode_commit(record), "r", 7), UserError) << path;
    }
}

/// A record with a good hash whose frame is written so.
std::string record_with_frame(const Json& frame) {
    Json json = unseal(encode_commit(some_record()), "r");
    json["frame"] = frame;
    return seal(std::move(json));
}

TEST(IoCommit, NumbersThatAreNotWholeOrDoNotFitAreRefused) {
    EXPECT_NO_THROW(decode_commit(record_with_frame(7), "r", 7));
    for (const Json& frame :
         {Json(3.33e58), Json(7.0), Json(7.5), Json(-1e300), Json(1LL << 32 | 7), Json(~0ull),
          Json(true), Json("7"), Json(nullptr)})
        EXPECT_THROW(decode_commit(record_with_frame(frame), "r", 7), UserError) << frame;
    Json json = unseal(encode_commit(some_record()), "r");
    json["files"][0]["bytes"] = -12;
    EXPECT_THROW(decode_commit(seal(std::move(json)), "r", 7), UserError);
}

TEST(IoJson, DepthAndGarbageAreRefused) {
    EXPECT_THROW(parse_json(std::string(200000, '['), "x"), UserError);
    EXPECT_THROW(parse_json("{\"a\":" + std::string(200000, '{'), "x"), UserError);
    EXPECT_THROW(parse_json("{", "x"), UserError);
    EXPECT_EQ(parse_json("{\"[[[\\\"\":1}", "x").size(), 1u);
}

Manifest some_manifest() {
    Manifest m;
    m.version = "0.1.0";
    m.math = math_of_this_build();
    m.method = "mixture";
    m.seed = 18446744073709551615ull;
    m.fps = 23.976;
    m.first_frame = 3;
    m.last_frame = 99;
    m.inputs = {{"a.ply", "00"}, {"b.obj", "11"}};
    m.scene = "version = 1\n";
    m.facts = "version = 1\ntime.fps = 24\n";
    return m;
}

TEST(IoManifest, SaysWhetherThereIsAFreeSurfaceAndOlderOnesByTheirLiquid) {
    for (const bool liquid : {false, true}) {
        Manifest m = some_manifest();
        if (liquid) m.scene += "[[liquid]]\nname = \"pool\"\n";
        m.free_surface = !liquid;  // the key counts, where it stands
        EXPECT_EQ(decode_manifest(encode_manifest(m), "m").free_surface, !liquid);
        Json json = unseal(encode_manifest(m), "m");
        json.erase("free_surface");
        EXPECT_EQ(decode_manifest(seal(std::move(json)), "m").free_surface, liquid);
    }
}

TEST(IoManifest, ComesBackAndTellsDifferences) {
    const Manifest m = some_manifest();
    const Manifest back = decode_manifest(encode_manifest(m), "m");
    EXPECT_EQ(encode_manifest(back), encode_manifest(m));
    EXPECT_TRUE(resume_obstacles(m, back).empty());
    Manifest other = m;
    other.last_frame = 200;
    other.complete = true;
    EXPECT_TRUE(resume_obstacles(m, other).empty());

    // Every field that decides the frames, changed one at a time.
    const std::vector<std::pair<const char*, std::function<void(Manifest&)>>> changes = {
        {"version of Spume", [](Manifest& x) { x.version = "0.1.1"; }},
        {"arithmetic", [](Manifest& x) { x.math = "other"; }},
        {"method", [](Manifest& x) { x.method = "guided"; }},
        {"seed", [](Manifest& x) { x.seed = 2; }},
        {"fps", [](Manifest& x) { x.fps = 24; }},
        {"first frame", [](Manifest& x) { x.first_frame = 1; }},
        {"input a.ply", [](Manifest& x) { x.inputs["a.ply"] = "01"; }},
        {"input b.obj", [](Manifest& x) { x.inputs.erase("b.obj"); }},
        {"input c.ply", [](Manifest& x) { x.inputs["c.ply"] = "22"; }},
        {"time.fps", [](Manifest& x) { x.facts = "version = 1\ntime.fps = 25\n"; }}};
    for (const auto& [name, change] : changes) {
        Manifest changed = m;
        change(changed);
        const auto found = resume_obstacles(m, changed);
        ASSERT_EQ(found.size(), 1u) << name;
        EXPECT_EQ(found[0].rfind(name, 0), 0u) << found[0];
    }
}

TEST(IoStats, HasEveryPromisedKey) {
    FrameReport report;
    StepReport step;
    step.pressure_iterations = 5;
    step.max_speed = 2;
    step.max_region_error = 3e-4;
    step.warnings = {"w"};
    report.add(step, 0.01);
    step.max_speed = 1;
    step.max_region_error = 1e-4;
    report.add(step, 0.03);
    StateSummary summary;
    summary.bubbles = 11;
    summary.air.emitted = 2;
    summary.air.bubbles = 1.5;
    summary.momentum = {1, 2, 3};
    summary.smoke_lost = 0.125;
    const Json json = parse_json(stats_line(4, 0.125, report, summary), "s");
    for (const char* key : {"frame",     "time",           "substeps",     "dt_min", "dt_max",
                            "tiles",     "voxels",         "bubbles",      "foam",   "droplets",
                            "markers",   "liquid_volume",  "liquid_drift", "air",    "momentum",
                            "max_speed", "max_divergence", "pressure",     "newton", "warnings"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["substeps"], 2);
    EXPECT_EQ(json["dt_min"], 0.01);
    EXPECT_EQ(json["dt_max"], 0.03);
    EXPECT_EQ(json["max_speed"], 2.0);
    EXPECT_EQ(json["pressure"]["iterations"], 10);
    EXPECT_EQ(json["air"]["drift"], -0.25);
    EXPECT_EQ(json["max_region_error"], 3e-4) << "the largest of the substeps";
    EXPECT_EQ(json["smoke_lost"], 0.125);
    summary.air.lost = 0.25;
    const Json lossy = parse_json(stats_line(4, 0.125, report, summary), "s");
    EXPECT_EQ(lossy["air"]["lost"], 0.25);
    EXPECT_EQ(lossy["air"]["drift"], -0.125) << "what was lost is accounted for";
    EXPECT_EQ(json["momentum"][2], 3.0);
    EXPECT_EQ(json["warnings"].size(), 2u);
}

struct State {
    double time = 1.5;
    Vec<int, 3> corner{1, 2, 3};
    Array<Vec<double, 3>> position;
    std::vector<std::uint64_t> id;
    Array<float> empty;
    void describe(StateVisitor& visit) {
        visit("time", time);
        visit("corner", corner);
        visit("position", position);
        visit("id", id);
        visit("empty", empty);
    }
};

State some_state() {
    State s;
    s.position = Array<Vec<double, 3>>(100, {1, 2, 3});
    s.position.write()[50] = {4, 5, 6};
    s.id = {7, 8, 9};
    return s;
}

StateWalk walk(State& s) {
    return [&s](StateVisitor& v) { s.describe(v); };
}

class IoCheckpoint : public testing::Test {
  protected:
    void SetUp() override { make_directories(files, "/o/checkpoints"); }
    void write(int frame, bool regular, int substeps = 0) {
        State s = some_state();
        s.time = frame;
        CheckpointInfo info{frame, {}, regular, "run"};
        info.unfinished.substeps = substeps;
        info.unfinished.max_speed = 0.1;
        info.unfinished.max_region_error = 3e-7;
        info.unfinished.warnings = {"one"};
        info.unfinished.events = {{BubbleEvent::kMerge, 0.1, 4, 2, 1.0 / 3}};
        write_checkpoint(files, "/o", info, walk(s));
    }
    std::optional<StoredCheckpoint> find(int last = 1000) {
        return find_checkpoint(files, "/o", "run", last,
                               [&](const std::string& w) { warnings.push_back(w); });
    }
    MemoryFileSystem files;
    std::vector<std::string> warnings;
};

TEST_F(IoCheckpoint, ComesBack) {
    write(5, false, 3);
    const auto found = find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->info.frame, 5);
    EXPECT_EQ(found->info.unfinished.substeps, 3);
    EXPECT_EQ(found->info.unfinished.max_speed, 0.1);
    EXPECT_EQ(found->info.unfinished.max_region_error, 3e-7);
    EXPECT_EQ(found->info.unfinished.warnings, std::vector<std::string>{"one"});
    ASSERT_EQ(found->info.unfinished.events.size(), 1u);
    const BubbleEvent& event = found->info.unfinished.events[0];
    EXPECT_EQ(event.kind, BubbleEvent::kMerge);
    EXPECT_EQ(event.time, 0.1);
    EXPECT_EQ(event.id, 4u);
    EXPECT_EQ(event.other, 2u);
    EXPECT_EQ(event.volume, 1.0 / 3);
    State s;
    s.empty = Array<float>(3);
    load_checkpoint(files, *found, walk(s));
    const State expected = some_state();
    EXPECT_EQ(s.time, 5);
    EXPECT_EQ(s.corner, expected.corner);
    EXPECT_EQ(s.id, expected.id);
    EXPECT_TRUE(s.empty.empty());
    ASSERT_EQ(s.position.size(), 100u);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(s.position[i], expected.position[i]);
}

TEST_F(IoCheckpoint, TwoRegularAndTheNewestStopStay) {
    write(10, true);
    write(13, false, 2);
    write(15, false, 1);
    EXPECT_EQ(files.list("/o/checkpoints"),
              (std::vector<std::string>{"frame.0010.checkpoint", "stop.0015.001.checkpoint"}));
    EXPECT_EQ(find()->info.frame, 15);
    write(20, true);
    write(30, true);
    EXPECT_EQ(files.list("/o/checkpoints"),
              (std::vector<std::string>{"frame.0020.checkpoint", "frame.0030.checkpoint"}));
    EXPECT_EQ(find(29)->info.frame, 20);
    EXPECT_FALSE(find(19));
    EXPECT_FALSE(find_checkpoint(files, "/o", "other", 99, [](const std::string&) {}));
}

TEST_F(IoCheckpoint, DamageAnywhereFallsBackWithAWarning) {
    write(10, true);
    write(20, true);
    const std::string newest = "/o/checkpoints/frame.0020.checkpoint";
    const std::string good = files.content(newest);
    for (std::size_t at = 0; at < good.size(); ++at) {
        files.content(newest)[at] = static_cast<char>(good[at] ^ 0x10);
        warnings.clear();
        const auto found = find();
        ASSERT_TRUE(found);
        EXPECT_EQ(found->info.frame, 10);
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_NE(warnings[0].find("frame.0020.checkpoint is damaged"), std::string::npos);
        files.content(newest) = good;
    }
    files.content(newest) = good.substr(0, good.size() - 1);
    EXPECT_EQ(find()->info.frame, 10);
}

TEST_F(IoCheckpoint, CrashInsideRotationLeavesAGoodOne) {
    for (test::Survival survival :
         {test::Survival::kAll, test::Survival::kSynced, test::Survival::kMixed})
        for (long k = 1;; ++k) {
            files = MemoryFileSystem();
            SetUp();
            for (int frame : {10, 20}) write(frame, true);
            write(25, false, 1);
            files.calls = 0;
            files.fault = {.at = k, .crash = true};
            bool crashed = false;
            try {
                write(30, true);
            } catch (const test::SimulatedCrash&) {
                crashed = true;
            }
            files.restart(survival, static_cast<unsigned>(k));
            const auto found = find();
            ASSERT_TRUE(found) << k;
            EXPECT_GE(found->info.frame, 25);
            EXPECT_TRUE(warnings.empty());
            if (!crashed) break;
        }
}

TEST_F(IoCheckpoint, AnotherStateIsRefused) {
    write(10, true);
    const auto found = find();
    State s;
    EXPECT_THROW(load_checkpoint(files, *found, [&](StateVisitor& v) { v("time", s.time); }),
                 UserError);
    EXPECT_THROW(load_checkpoint(files, *found, [&](StateVisitor& v) { v("tim", s.time); }),
                 UserError);
    float narrow = 0;
    EXPECT_THROW(load_checkpoint(files, *found, [&](StateVisitor& v) { v("time", narrow); }),
                 UserError);
    EXPECT_THROW(
        load_checkpoint(files, *found, [&](StateVisitor& v) { s.describe(v), v("more", narrow); }),
        UserError);
}

}  // namespace
}  // namespace spume
