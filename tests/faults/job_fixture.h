// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <gtest/gtest.h>

#include "faults/fake_simulation.h"
#include "faults/memory_file_system.h"
#include "spume/io/commit.h"
#include "spume/run/job.h"

namespace spume::test {

inline const std::string kDirectory = "/out";

/// Content by path of everything that must not differ between equal runs.
inline std::map<std::string, std::string> lasting(const MemoryFileSystem& files) {
    auto all = files.contents();
    all.erase(kDirectory + "/timing.jsonl");
    all.erase(kDirectory + "/log.txt");
    return all;
}

class JobTest : public testing::Test {
  protected:
    JobTest() {
        options.directory = kDirectory;
        options.manifest.version = "0.1.0";
        options.manifest.method = "fake";
        options.manifest.facts = "version = 1\ndomain.voxel = 0.1\n";
        options.manifest.inputs = {{"hull.ply", "00"}};
        options.manifest.last_frame = 4;
        options.checkpoint_every = 2;
        options.progress = ProgressMode::kNone;
        options.watch_signals = false;
        options.output.preview = "none";
    }

    /// Runs to the end, or until `stop_after` substeps.
    int run(MemoryFileSystem& files, bool resume, int stop_after = 0) {
        Context context(1);
        JobOptions o = options;
        o.resume = resume;
        return run_job(
            o, files,
            [&](Context& c) {
                auto simulation = std::make_unique<FakeSimulation>(c, 7);
                simulation->after_substep = [&c, stop_after](int n) {
                    if (n == stop_after) c.stop.request();
                };
                simulation->fails_in_frame = fails_in_frame;
                return simulation;
            },
            context);
    }
    const std::map<std::string, std::string>& reference() {
        if (reference_.empty()) {
            MemoryFileSystem files;
            EXPECT_EQ(run(files, false), 0);
            reference_ = lasting(files);
        }
        return reference_;
    }
    /// Same names, same bytes; says which file differs without printing it.
    void expect_reference(const MemoryFileSystem& files) {
        const auto found = lasting(files);
        for (const auto& [path, content] : reference())
            EXPECT_TRUE(found.count(path) && found.at(path) == content) << path;
        for (const auto& [path, content] : found) EXPECT_TRUE(reference().count(path)) << path;
    }
    static std::string text_of(const std::vector<Damage>& damage) {
        std::string text;
        for (const Damage& d : damage) text += d.path + ": " + d.what + "\n";
        return text;
    }
    /// Frames with a record must be whole, whatever happened.
    void expect_committed_frames_intact(MemoryFileSystem& files) {
        for (int frame : committed_frames(files, kDirectory))
            EXPECT_EQ(text_of(check_frame(files, kDirectory, frame)), "");
    }

    JobOptions options;
    int fails_in_frame = -1;

  private:
    std::map<std::string, std::string> reference_;
};

}  // namespace spume::test
