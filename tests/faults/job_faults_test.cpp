// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <random>

#include "cli/program.h"
#include "faults/job_fixture.h"
#include "spume/core/error.h"

namespace spume::test {
namespace {

using JobFaults = JobTest;

TEST_F(JobFaults, StoppedAfterAnySubstepGoesOnIdentically) {
    int stops = 0;
    for (int substep = 1;; ++substep) {
        MemoryFileSystem files;
        const int status = run(files, false, substep);
        if (status == 0) break;
        EXPECT_EQ(status, 130);
        ++stops;
        EXPECT_EQ(text_of(check_cache(files, kDirectory)), "");
        EXPECT_EQ(run(files, true), 0);
        expect_reference(files);
    }
    EXPECT_EQ(stops, 3 + 4 + 2 + 2) << "substeps of the four frames, the last one's end aside";
}

TEST_F(JobFaults, StoppedAtEverySubstepInOneRun) {
    MemoryFileSystem files;
    int runs = 0;
    for (bool resume = false; run(files, resume, 1) != 0; resume = true) ASSERT_LT(++runs, 50);
    EXPECT_EQ(runs, 11);
    expect_reference(files);
}

TEST_F(JobFaults, StoppedWhileItStartsGoesOnIdentically) {
    MemoryFileSystem files;
    Context context(1);
    const auto start = [](Context& c) -> std::unique_ptr<Simulation> {
        const StopScope scope(c.arena, c.stop);
        for_range(c.arena, 100, 1, [&](std::size_t n, std::size_t) {
            if (n == 40) c.stop.request();
            EXPECT_LE(n, 40u);
        });
        return nullptr;
    };
    EXPECT_EQ(run_job(options, files, start, context), 130);
    EXPECT_EQ(text_of(check_cache(files, kDirectory)), "");
    EXPECT_EQ(run(files, true), 0);
    expect_reference(files);
}

TEST_F(JobFaults, AFailureOfAnyCallEndsTheRunAndNothingIsLost) {
    MemoryFileSystem counted;
    ASSERT_EQ(run(counted, false), 0);
    const long calls = counted.calls;
    ASSERT_GT(calls, 100);
    for (const bool sticky : {false, true})
        for (const int code : {ENOSPC, EIO})
            for (long k = 1; k <= calls; ++k) {
                MemoryFileSystem files;
                files.fault = {.at = k, .code = code, .sticky = sticky};
                EXPECT_THROW(run(files, false), MachineError) << k << (sticky ? " sticky" : "");
                files.fault = {};
                expect_committed_frames_intact(files);
                EXPECT_EQ(run(files, true), 0) << k;
                expect_reference(files);
                if (HasFailure()) return;
            }
}

TEST_F(JobFaults, ACrashAtAnyCallLosesAtMostTheFrameInProgress) {
    MemoryFileSystem counted;
    ASSERT_EQ(run(counted, false), 0);
    for (const Survival survival : {Survival::kAll, Survival::kSynced, Survival::kMixed})
        for (long k = 1; k <= counted.calls; ++k) {
            MemoryFileSystem files;
            files.fault = {.at = k, .crash = true};
            EXPECT_THROW(run(files, false), SimulatedCrash);
            files.restart(survival, static_cast<unsigned>(k));
            expect_committed_frames_intact(files);
            EXPECT_EQ(run(files, true), 0) << k;
            expect_reference(files);
            if (HasFailure()) return;
        }
}

TEST_F(JobFaults, ACrashAtAnyCallLosesNoListAndNoPicture) {
    options.output.vtk = true;
    options.output.vdb = false;
    options.output.preview = "last";
    options.picture = [](const Frame& frame) { return std::to_string(frame.time); };
    MemoryFileSystem counted;
    ASSERT_EQ(run(counted, false), 0);
    ASSERT_TRUE(counted.has("/out/density.pvd") && counted.has("/out/images/preview.0004.png"));
    for (long k = 1; k <= counted.calls; ++k) {
        MemoryFileSystem files;
        files.fault = {.at = k, .crash = true};
        EXPECT_THROW(run(files, false), SimulatedCrash);
        files.restart(Survival::kMixed, static_cast<unsigned>(k));
        expect_committed_frames_intact(files);
        EXPECT_EQ(run(files, true), 0) << k;
        expect_reference(files);
        if (HasFailure()) return;
    }
}

TEST_F(JobFaults, ACrashDuringTheResumeIsNoWorse) {
    MemoryFileSystem stopped;
    ASSERT_EQ(run(stopped, false, 8), 130);
    MemoryFileSystem counted = stopped;
    counted.restart(Survival::kAll, 0);
    ASSERT_EQ(run(counted, true), 0);
    const long calls = counted.calls;
    for (const Survival survival : {Survival::kAll, Survival::kMixed})
        for (long k = 1; k <= calls; ++k) {
            MemoryFileSystem files;
            ASSERT_EQ(run(files, false, 8), 130);
            files.restart(Survival::kAll, 0);
            files.fault = {.at = k, .crash = true};
            EXPECT_THROW(run(files, true), SimulatedCrash);
            files.restart(survival, static_cast<unsigned>(k));
            expect_committed_frames_intact(files);
            EXPECT_EQ(run(files, true), 0) << k;
            expect_reference(files);
            if (HasFailure()) return;
        }
}

TEST_F(JobFaults, ShortWritesAreCompleted) {
    MemoryFileSystem files;
    files.longest_write = 13;
    EXPECT_EQ(run(files, false), 0);
    expect_reference(files);
}

TEST_F(JobFaults, EveryFlippedByteIsFoundInTheRightFile) {
    MemoryFileSystem files;
    ASSERT_EQ(run(files, false), 0);
    ASSERT_EQ(text_of(check_cache(files, kDirectory)), "");
    const auto all = lasting(files);
    std::vector<std::string> paths;
    for (const auto& [path, content] : all) paths.push_back(path);
    std::mt19937 random(7);
    for (int i = 0; i < repeated(1000); ++i) {
        const std::string& path = paths[random() % paths.size()];
        std::string& content = files.content(path);
        const std::size_t at = random() % content.size();
        const char before = content[at];
        content[at] = static_cast<char>(before ^ static_cast<char>(1 + random() % 255));
        const auto damage = check_cache(files, kDirectory);
        ASSERT_FALSE(damage.empty()) << path << " at " << at;
        EXPECT_EQ(kDirectory + "/" + damage[0].path, path);
        content[at] = before;
    }
    for (const std::string& path : paths) {
        const std::string whole = files.content(path);
        files.content(path) += '\0';
        EXPECT_EQ(kDirectory + "/" + check_cache(files, kDirectory).at(0).path, path);
        files.content(path) = whole.substr(0, whole.size() - 1);
        EXPECT_EQ(kDirectory + "/" + check_cache(files, kDirectory).at(0).path, path);
        files.content(path) = whole;
    }
    std::swap(files.content("/out/points/bubbles.0001.ply"),
              files.content("/out/points/bubbles.0002.ply"));
    EXPECT_EQ(check_cache(files, kDirectory).size(), 2u);
    std::swap(files.content("/out/points/bubbles.0001.ply"),
              files.content("/out/points/bubbles.0002.ply"));
    std::swap(files.content("/out/frames/0001.json"), files.content("/out/frames/0002.json"));
    EXPECT_EQ(check_cache(files, kDirectory).size(), 2u);
}

TEST_F(JobFaults, DamagedFramesAreMadeAgainOnResume) {
    for (const char* path :
         {"/out/points/bubbles.0002.ply", "/out/frames/0001.json", "/out/stats.jsonl",
          "/out/events.jsonl", "/out/volumes/density.0004.vdb",
          "/out/checkpoints/frame.0004.checkpoint"}) {
        MemoryFileSystem files;
        ASSERT_EQ(run(files, false), 0);
        files.content(path)[5] ^= 1;
        EXPECT_EQ(run(files, true), 0) << path;
        if (std::string(path).find("checkpoints") == std::string::npos) expect_reference(files);
    }
    MemoryFileSystem files;
    ASSERT_EQ(run(files, false), 0);
    files.remove("/out/volumes/density.0003.vdb");
    EXPECT_EQ(run(files, true), 0);
    expect_reference(files);
}

}  // namespace
}  // namespace spume::test
