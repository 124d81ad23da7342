// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A liquid's cache as a bulk: what is read is what was written, and every way in which files can be
// missing, late, damaged or exchanged ends in a sentence with a path and a remedy.

#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "bulk/flow_frames.h"
#include "spume/core/error.h"
#include "spume/io/cache_source.h"
#include "spume/io/commit.h"
#include "spume/io/manifest.h"
#include "spume/run/job_bulk.h"
#include "spume/scene/print.h"

namespace spume {
namespace {

namespace fs = std::filesystem;
using test::FlowFrames;

/// A drop that falls into a tank of water, 24 voxels of 1 cm.
template <int D>
std::shared_ptr<FlowFrames<D>> falling_drop(double voxel = 0.01) {
    auto frames = std::make_shared<FlowFrames<D>>(int(std::lround(0.24 / voxel)), voxel, 24, 5);
    frames->velocity = [](const Point<D>& x, double) {
        Vec<double, D> u{};
        u[1] = x[1] > 0.09 ? -0.72 : 0.0;
        return u;
    };
    frames->phi = [](const Point<D>& x, double t) {
        Point<D> c = Point<D>::filled(0.12);
        c[1] = 0.26 - 0.72 * t;
        return std::min(length(x - c) - 0.025, x[1] - 0.05);
    };
    frames->close_all();
    return frames;
}

class BulkCache : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/spume_bulk_XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory_ = name;
        path_ = directory_ + "/liquid";
    }
    void TearDown() override { fs::remove_all(directory_); }

    template <int D>
    void write_record(const FlowFrames<D>& frames, int number, bool with_velocity = true) {
        Frame frame = frames.read(number);
        if (!with_velocity) frame.volumes.pop_back();
        CommitRecord record;
        record.frame = number;
        record.time = frame.time;
        record.dimensions = D;
        record.free_surface = true;
        record.files = write_frame(*files_, path_, frame, Output{});
        write_commit(*files_, path_, record);
    }
    template <int D>
    Manifest write_cache(const FlowFrames<D>& frames, int last = 5, bool with_velocity = true) {
        for (const char* folder : {"frames", "volumes", "points", "mesh"})
            fs::create_directories(fs::path(path_) / folder);
        Scene scene = test::scene_over(frames);
        scene.bulk = {};
        scene.method = "constraint";
        scene.domain.sides = scene.domain.bottom = scene.domain.top = Border::kWall;
        scene.solids = solids_;
        Manifest m;
        m.version = "0.1.0";
        m.method = scene.method;
        m.free_surface = true;
        m.fps = scene.time.fps;
        m.last_frame = 5;
        m.scene = print_scene(scene);
        m.facts = stable_text(scene);
        write_manifest(*files_, path_, m);
        for (int n = 1; n <= last; ++n) write_record(frames, n, with_velocity);
        return m;
    }
    template <int D>
    Scene scene(const FlowFrames<D>& frames) const {
        Scene s = test::scene_over(frames);
        s.bulk.path = path_;
        return s;
    }
    std::string complaint(const Scene& scene) {
        Manifest manifest;
        std::vector<std::string> warnings;
        try {
            load_bulk(scene, manifest, warnings);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }
    std::shared_ptr<const BulkSource> open() {
        std::string identity;
        return open_cache_source(make_posix_file_system(), path_, identity);
    }

    std::shared_ptr<FileSystem> files_ = make_posix_file_system();
    std::string directory_, path_;
    std::vector<Solid> solids_;
};

bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

template <int D>
void expect_equal(const BulkFields<D>& a, const BulkFields<D>& b) {
    for (int t = 0; t < a.phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            ASSERT_EQ(a.phi.at(t, o), b.phi.at(t, o));
            for (int axis = 0; axis < D; ++axis)
                ASSERT_EQ(a.velocity.at(axis, t, o), b.velocity.at(axis, t, o));
        }
}

TEST_F(BulkCache, IsWhatWasWritten) {
    Context context(2);
    const auto flat = falling_drop<2>();
    write_cache(*flat);
    expect_equal<2>(
        bulk_of<2>(scene(*flat), {{}, open()})
            ->on(test::dense_tiles<2>(scene(*flat)), 0.1, context),
        bulk_of<2>(scene(*flat), {{}, flat})->on(test::dense_tiles<2>(scene(*flat)), 0.1, context));
    fs::remove_all(path_);
    const auto full = falling_drop<3>();
    write_cache(*full);
    expect_equal<3>(
        bulk_of<3>(scene(*full), {{}, open()})
            ->on(test::dense_tiles<3>(scene(*full)), 0.1, context),
        bulk_of<3>(scene(*full), {{}, full})->on(test::dense_tiles<3>(scene(*full)), 0.1, context));
    const BulkInfo& info = open()->info();
    EXPECT_EQ(info.dimensions, 3);
    EXPECT_EQ(info.last, 5);
    EXPECT_NEAR(info.box.hi[1], 0.24, 1e-12);
    EXPECT_TRUE(info.closed[1][0]);
}

TEST_F(BulkCache, WhatIsWrongIsToldBeforeTheRun) {
    const auto frames = falling_drop<2>();
    Scene s = scene(*frames);
    EXPECT_TRUE(contains(complaint(s), path_ + ": error: no such directory")) << complaint(s);
    EXPECT_TRUE(contains(complaint(s), "set bulk.path")) << complaint(s);
    std::ofstream(path_) << "a file";
    EXPECT_TRUE(contains(complaint(s), "is not a directory")) << complaint(s);
    fs::remove(path_);
    fs::create_directories(path_);
    EXPECT_TRUE(contains(complaint(s), "is not a cache: it has no manifest.json")) << complaint(s);

    Manifest m = write_cache(*frames, 0);
    EXPECT_TRUE(contains(complaint(s), "holds no frames yet")) << complaint(s);
    m.free_surface = false;
    m.method = "mixture";
    write_manifest(*files_, path_, m);
    EXPECT_TRUE(contains(complaint(s), "method mixture, whose water has no surface"))
        << complaint(s);
    write_cache(*frames, 2, false);
    EXPECT_TRUE(contains(complaint(s),
                         "frame 1 has no volume \"vel\"\n  simulate the liquid again "
                         "with [output] vdb = true and velocity = true"))
        << complaint(s);

    write_cache(*frames, 3);
    EXPECT_TRUE(contains(complaint(s), "frame 4 is missing, which the scene needs"))
        << complaint(s);
    s.time.frames = 3;
    EXPECT_EQ(complaint(s), "") << "three frames are enough";
    s.time.frames = 5;
    for (const MissingFrame policy :
         {MissingFrame::kWait, MissingFrame::kHold, MissingFrame::kInterpolate}) {
        s.bulk.missing = policy;
        EXPECT_EQ(complaint(s), "") << "it may yet come";
    }
    s.bulk.missing = MissingFrame::kError;
    write_cache(*frames);
    EXPECT_EQ(complaint(s), "");
    s.time.frames = 8;
    EXPECT_TRUE(contains(complaint(s), "ends with frame 5, but the scene goes on to its frame 8"))
        << complaint(s);
    EXPECT_TRUE(contains(complaint(s), "-e 5")) << complaint(s);
    s.time.fps = 48;
    EXPECT_EQ(complaint(s), "") << "eight frames are a sixth of a second, as long as the cache";
    s = scene(*frames);
    fs::remove(path_ + "/frames/0002.json");
    EXPECT_TRUE(contains(complaint(s), "frame 2 is missing")) << complaint(s);
    s.time.start = 0;
    EXPECT_TRUE(
        contains(complaint(s), "begins with frame 1, but the scene starts with its frame 0"))
        << complaint(s);
    s = scene(*frames);
    s.domain.dimensions = 3;
    EXPECT_TRUE(contains(complaint(s), "holds a 2D liquid, but the scene is 3D")) << complaint(s);
    std::ofstream(path_ + "/manifest.json") << "{ \"half\": ";
    EXPECT_TRUE(contains(complaint(s), "manifest.json")) << complaint(s);
}

TEST_F(BulkCache, SolidsThatDifferAreAWarning) {
    const auto frames = falling_drop<2>();
    Solid rock;
    rock.shape.center = {0.1, 0.02, 0};
    rock.shape.size = {0.05, 0.05, 1};
    solids_ = {rock};
    write_cache(*frames);
    const auto warned = [&](const std::vector<Solid>& solids) {
        Scene s = scene(*frames);
        s.solids = solids;
        Manifest manifest;
        std::vector<std::string> warnings;
        load_bulk(s, manifest, warnings);
        return warnings;
    };
    EXPECT_TRUE(warned({rock}).empty());
    Solid painted = rock;
    painted.name = "rock";
    painted.color = {1, 0, 0};
    EXPECT_TRUE(warned({painted}).empty());
    ASSERT_EQ(warned({}).size(), 1u);
    EXPECT_TRUE(contains(warned({})[0], "a solid that the scene lacks, its solid[0]"));
    Solid moved = rock;
    moved.shape.center[0] += 0.01;
    EXPECT_EQ(warned({moved}).size(), 2u);
}

TEST_F(BulkCache, IdentityIsWhatItWasMadeFrom) {
    const auto frames = falling_drop<2>();
    const auto identity = [&] {
        Manifest manifest;
        std::vector<std::string> warnings;
        Scene s = scene(*frames);
        s.bulk.missing = MissingFrame::kWait;
        load_bulk(s, manifest, warnings);
        return manifest.inputs.at("liquid");
    };
    Manifest m = write_cache(*frames, 2);
    const std::string young = identity();
    write_record(*frames, 3);
    m.complete = true;
    m.last_frame = 7;
    write_manifest(*files_, path_, m);
    EXPECT_EQ(identity(), young) << "it has only grown";
    m.seed = 2;
    write_manifest(*files_, path_, m);
    EXPECT_NE(identity(), young);
}

TEST_F(BulkCache, ChangesUnderUsAreNoticed) {
    const auto frames = falling_drop<2>();
    Manifest m = write_cache(*frames);
    const auto source = open();
    Context context(1);
    const auto tiles = test::dense_tiles<2>(scene(*frames));
    const auto ask = [&](double frame) -> std::string {
        try {
            bulk_of<2>(scene(*frames), {{}, source})->on(tiles, frame / 24, context);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(ask(2), "");
    const std::string volume = path_ + "/volumes/vel.0003.vdb";
    fs::resize_file(volume, fs::file_size(volume) / 2);
    EXPECT_TRUE(contains(ask(3), volume)) << ask(3);
    EXPECT_TRUE(contains(ask(3), "frame 3 of the bulk: its content has changed")) << ask(3);
    fs::remove(volume);
    EXPECT_TRUE(contains(ask(3), "frame 3 of the bulk: is missing")) << ask(3);
    fs::remove(path_ + "/frames/0004.json");
    EXPECT_TRUE(contains(ask(4), "frame 4 is missing")) << ask(4);
    // The next frame, read ahead, is damaged: that is told when it is asked for, not before.
    EXPECT_EQ(ask(2), "");

    const auto coarse = falling_drop<2>(0.02);
    write_record(*coarse, 5);
    EXPECT_TRUE(contains(ask(5), "frame 5 has voxels of 0.02 m in \"surface\"")) << ask(5);
    m.seed = 7;
    write_manifest(*files_, path_, m);
    EXPECT_TRUE(contains(ask(2), "was made anew while it was being read")) << ask(2);
    fs::remove_all(path_);
    EXPECT_FALSE(ask(2).empty());
}

TEST_F(BulkCache, RandomDamageIsAlwaysACleanError) {
    const auto frames = falling_drop<2>();
    write_cache(*frames);
    const fs::path copy = directory_ + "/copy";
    fs::copy(path_, copy, fs::copy_options::recursive);
    const auto source = open();
    Context context(1);
    const auto tiles = test::dense_tiles<2>(scene(*frames));
    std::mt19937 random(5);
    int caught = 0;
    for (int n = 0; n < 100; ++n) {
        const int frame = 1 + int(random() % 5);
        const std::string names[] = {fmt::format("volumes/vel.{:04}.vdb", frame),
                                     fmt::format("volumes/surface.{:04}.vdb", frame),
                                     commit_path(frame), "manifest.json"};
        const std::string file = join_path(path_, names[random() % 4]);
        const auto size = fs::file_size(file);
        switch (random() % 4) {
            case 0:
                fs::resize_file(file, random() % size);
                break;
            case 1:
                fs::remove(file);
                break;
            case 2: {
                std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
                bytes.seekg(long(random() % size));
                const long at = bytes.tellg();
                const char old = char(bytes.get());
                bytes.seekp(at);
                bytes.put(char(old ^ 0x55));
                break;
            }
            default:
                std::ofstream(file, std::ios::app) << "more";
        }
        try {
            bulk_of<2>(scene(*frames), {{}, source})->on(tiles, frame / 24.0, context);
            ADD_FAILURE() << file << " was not missed";
        } catch (const UserError& error) {
            ++caught;
            EXPECT_TRUE(contains(error.what(), path_)) << error.what();
            EXPECT_FALSE(error.complaints()[0].remedy.empty());
        }
        fs::remove_all(path_);
        fs::copy(copy, path_, fs::copy_options::recursive);
    }
    EXPECT_EQ(caught, 100);
}

}  // namespace
}  // namespace spume
