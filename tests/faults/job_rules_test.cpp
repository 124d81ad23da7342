// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <sstream>

#include <nlohmann/json.hpp>

#include "faults/job_fixture.h"
#include "spume/core/error.h"
#include "spume/io/checkpoint.h"
#include "spume/io/lock.h"
#include "spume/io/read_frame.h"
#include "spume/io/sealed_json.h"
#include "spume/io/stats.h"

namespace spume::test {
namespace {

using JobRules = JobTest;

template <class Call>
std::string user_error(Call&& call) {
    try {
        call();
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(JobRules, ACacheIsNotTouchedWithoutResumeOrOverwrite) {
    MemoryFileSystem files;
    ASSERT_EQ(run(files, false), 0);
    const std::string text = user_error([&] { run(files, false); });
    EXPECT_NE(text.find("already holds frames 1 to 4"), std::string::npos) << text;
    expect_reference(files);
    files.content("/out/points/bubbles.0001.ply") = "changed";
    options.overwrite = true;
    EXPECT_EQ(run(files, false), 0);
    expect_reference(files);
}

TEST_F(JobRules, OverwriteLeavesNothingOfTheOldAndNothingElseGoes) {
    MemoryFileSystem files;
    options.manifest.last_frame = 6;
    options.output.vtk = true;
    ASSERT_EQ(run(files, false), 0);
    EXPECT_TRUE(files.has("/out/bubbles.pvd"));
    write_file(files, "/out/notes.txt", "mine");
    options.manifest.last_frame = 4;
    options.output.vtk = false;
    options.overwrite = true;
    EXPECT_EQ(run(files, false), 0);
    EXPECT_TRUE(files.has("/out/notes.txt"));
    files.remove("/out/notes.txt");
    expect_reference(files);
}

TEST_F(JobRules, ResumeTakesALaterEndAndAnotherInterval) {
    MemoryFileSystem files;
    options.manifest.last_frame = 3;
    options.checkpoint_every = 0;
    ASSERT_EQ(run(files, false), 0);
    options.manifest.last_frame = 4;
    options.checkpoint_every = 2;
    EXPECT_EQ(run(files, true), 0);
    // The checkpoint of frame 2 was not asked for then; all frames are the same.
    for (const auto& [path, content] : reference())
        EXPECT_TRUE(path.find("checkpoints") != std::string::npos ||
                    (files.has(path) && files.content(path) == content))
            << path;
    EXPECT_EQ(run(files, true), 0) << "nothing left to do";
}

TEST_F(JobRules, ResumeRefusesEveryDifferenceAndForceRecordsIt) {
    const std::vector<std::pair<std::string, std::function<void(Manifest&)>>> changes = {
        {"version of Spume: was 0.1.0, is 0.2", [](Manifest& m) { m.version = "0.2"; }},
        {"arithmetic: was", [](Manifest& m) { m.math = "fast"; }},
        {"method: was fake, is other", [](Manifest& m) { m.method = "other"; }},
        {"seed: was 1, is 2", [](Manifest& m) { m.seed = 2; }},
        {"fps: was 24, is 25", [](Manifest& m) { m.fps = 25; }},
        {"first frame: was 1, is 0", [](Manifest& m) { m.first_frame = 0; }},
        {"input hull.ply: its content has changed",
         [](Manifest& m) { m.inputs["hull.ply"] = "01"; }},
        {"domain.voxel: was 0.1, is 0.2",
         [](Manifest& m) { m.facts = "version = 1\ndomain.voxel = 0.2\n"; }}};
    for (const auto& [expected, change] : changes) {
        MemoryFileSystem files;
        ASSERT_EQ(run(files, false, 6), 130);
        const auto before = lasting(files);
        const JobOptions kept = options;
        change(options.manifest);
        const std::string text = user_error([&] { run(files, true); });
        EXPECT_NE(text.find(expected), std::string::npos) << text;
        EXPECT_EQ(lasting(files), before) << "a refused resume changes nothing";
        options.force = true;
        EXPECT_EQ(run(files, true), 0) << expected;
        const auto manifest = read_manifest(files, kDirectory);
        ASSERT_EQ(manifest->breaks.size(), 1u);
        EXPECT_NE(manifest->breaks[0].find(expected), std::string::npos);
        EXPECT_EQ(text_of(check_cache(files, kDirectory)), "");
        options = kept;
    }
}

TEST_F(JobRules, StatsHaveOneLineAFrameAndAgree) {
    MemoryFileSystem files;
    for (bool resume = false; run(files, resume, 2) != 0; resume = true) {
        std::istringstream lines(files.has("/out/stats.jsonl") ? files.content("/out/stats.jsonl")
                                                               : "");
        int frame = 0;
        for (std::string line; std::getline(lines, line);)
            EXPECT_EQ(parse_json(line, "stats")["frame"], ++frame);
        const auto committed = committed_frames(files, kDirectory);
        EXPECT_EQ(frame, committed.empty() ? 0 : committed.back());
    }
    std::istringstream lines(files.content("/out/stats.jsonl"));
    int substeps = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json json = parse_json(line, "stats");
        substeps += json["substeps"].get<int>();
        EXPECT_EQ(json["warnings"].size(), 1u);
    }
    EXPECT_EQ(substeps, 3 + 4 + 2 + 3);
}

TEST_F(JobRules, EventsHaveALineEachAndAgreeWithTheStats) {
    MemoryFileSystem files;
    int runs = 0;
    for (bool resume = false; run(files, resume, 2) != 0; resume = true, ++runs)
        EXPECT_EQ(text_of(check_cache(files, kDirectory)), "");
    EXPECT_GT(runs, 3);
    std::string expected;
    std::istringstream stats(files.content("/out/stats.jsonl"));
    for (std::string line; std::getline(stats, line);) {
        const Json json = parse_json(line, "stats");
        const int frame = json["frame"].get<int>();
        EXPECT_EQ(json.contains("events"), frame > 1);
        if (frame > 1) {
            EXPECT_EQ(json["events"].size(),
                      std::size_t(frame - 1) * json["substeps"].get<std::size_t>());
        }
        expected += event_lines(line);
    }
    EXPECT_EQ(files.content("/out/events.jsonl"), expected);
    const std::string first = expected.substr(0, expected.find('\n'));
    EXPECT_EQ(parse_json(first, "events")["frame"], 2);
    EXPECT_EQ(parse_json(first, "events")["event"], "birth");
    // Without events there is no such file, also not one of a frame that never came to be.
    MemoryFileSystem quiet;
    options.manifest.last_frame = 1;
    ASSERT_EQ(run(quiet, false), 0);
    EXPECT_FALSE(quiet.has("/out/events.jsonl"));
    write_file(quiet, "/out/events.jsonl", "{}\n");
    EXPECT_EQ(check_cache(quiet, kDirectory).at(0).path, "events.jsonl");
    ASSERT_EQ(run(quiet, true), 0);
    EXPECT_FALSE(quiet.has("/out/events.jsonl"));
}

TEST_F(JobRules, OnlyEveryNthFrameIsWritten) {
    MemoryFileSystem files;
    options.output.every = 3;
    options.manifest.last_frame = 8;
    ASSERT_EQ(run(files, false, 13), 130);
    EXPECT_EQ(run(files, true), 0);
    EXPECT_EQ(committed_frames(files, kDirectory), (std::vector<int>{1, 4, 7}));
    MemoryFileSystem whole;
    ASSERT_EQ(run(whole, false), 0);
    EXPECT_EQ(lasting(files), lasting(whole));
}

TEST_F(JobRules, ALockedDirectoryIsRefused) {
    MemoryFileSystem files;
    make_directories(files, kDirectory);
    auto lock = lock_directory(files, kDirectory, [](const std::string&) { FAIL(); });
    const std::string text = user_error([&] { run(files, false); });
    EXPECT_NE(text.find("/out is in use by host "), std::string::npos) << text;
    EXPECT_NE(text.find("process "), std::string::npos) << text;
    lock.reset();
    EXPECT_EQ(run(files, false), 0);
    write_file(files, "/out/.lock", "host elsewhere, process 7, started yesterday\n");
    const std::string stale = user_error([&] { run(files, true); });
    EXPECT_NE(stale.find("elsewhere, process 7"), std::string::npos) << stale;
    EXPECT_NE(stale.find("remove /out/.lock"), std::string::npos) << stale;
    EXPECT_TRUE(files.has("/out/.lock"));
}

TEST_F(JobRules, AFullDiskIsNoticedBeforeTheFrame) {
    MemoryFileSystem files;
    options.expected_frame = 1000;
    files.free = 900;
    try {
        run(files, false);
        FAIL();
    } catch (const MachineError& error) {
        EXPECT_NE(std::string(error.what()).find("/out has 900 bytes free, frame 1"),
                  std::string::npos)
            << error.what();
    }
    files.free = 1 << 20;
    EXPECT_EQ(run(files, true), 0);
    expect_reference(files);
}

TEST_F(JobRules, AFailingSimulationLeavesFramesAndACheckpoint) {
    MemoryFileSystem files;
    fails_in_frame = 3;
    EXPECT_THROW(run(files, false), SimulationError);
    EXPECT_EQ(committed_frames(files, kDirectory), (std::vector<int>{1, 2}));
    EXPECT_EQ(text_of(check_cache(files, kDirectory)), "");
    EXPECT_EQ(list_checkpoints(files, kDirectory).back(), "frame.0002.checkpoint");
    const std::string told = files.content("/out/diagnostics/failure.0003.json");
    for (const char* part : {"blew up", "\"field\": \"pressure\"", "\"nan\"", "4.5"})
        EXPECT_NE(told.find(part), std::string::npos) << told;
    fails_in_frame = 4;
    EXPECT_THROW(run(files, true), SimulationError);
    EXPECT_EQ(list_checkpoints(files, kDirectory).back(), "stop.0003.001.checkpoint");
}

/// The state in such a checkpoint has the substeps of the frame that went well; so must its report,
/// or the frame's line is short of them once it can be finished.
TEST_F(JobRules, AFrameThatBlewUpIsReportedWholeOnceItIsFinished) {
    MemoryFileSystem files;
    fails_in_frame = 4;
    EXPECT_THROW(run(files, false), SimulationError);
    EXPECT_THROW(run(files, true), SimulationError) << "and again, from within the frame";
    const std::string name = list_checkpoints(files, kDirectory).back();
    const CheckpointInfo info = check_checkpoint(files, "/out/checkpoints/" + name);
    EXPECT_EQ(info.unfinished.substeps, 1);
    EXPECT_EQ(info.unfinished.events.size(), 3u);
    fails_in_frame = -1;
    EXPECT_EQ(run(files, true), 0);
    files.remove("/out/diagnostics/failure.0004.json");
    expect_reference(files);
}

TEST_F(JobRules, AStateIsLookedAtOnceAFrame) {
    MemoryFileSystem files;
    Context context(1);
    FakeSimulation* seen = nullptr;
    options.output.every = 2;
    std::vector<int> views, summaries;
    run_job(
        options, files,
        [&](Context& c) {
            auto simulation = std::make_unique<FakeSimulation>(c, 7);
            seen = simulation.get();
            seen->after_substep = [&](int) {
                views.push_back(seen->views);
                summaries.push_back(seen->summaries);
            };
            return simulation;
        },
        context);
    // Three, four, two and three substeps; the first and the third frame are written.
    EXPECT_EQ(views, (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2}));
    EXPECT_EQ(summaries, (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3}));
}

/// ParaView's list grows with the frames; writing it anew for each would cost their square.
TEST_F(JobRules, ListsOfSequencesCostNoMoreThanAFewOfTheLast) {
    options.output.vtk = true;
    options.output.vdb = false;
    const auto listed = [](const std::string& list) {
        std::size_t n = 0;
        for (auto at = list.find("<DataSet"); at != std::string::npos;
             at = list.find("<DataSet", at + 1))
            ++n;
        return n;
    };
    for (const int frames : {1, 2, 5, 16, 48}) {
        MemoryFileSystem files;
        options.manifest.last_frame = frames;
        ASSERT_EQ(run(files, false), 0);
        const std::string& list = files.content("/out/bubbles.pvd");
        EXPECT_EQ(listed(list), std::size_t(frames));
        EXPECT_LT(files.arrived.at("/out/bubbles.pvd"), 6 * list.size()) << frames;
    }
    // Whenever the run ends it is complete, and never far behind while it lasts.
    MemoryFileSystem files;
    options.manifest.last_frame = 24;
    for (bool resume = false; run(files, resume, 5) != 0; resume = true)
        EXPECT_EQ(listed(files.has("/out/bubbles.pvd") ? files.content("/out/bubbles.pvd") : ""),
                  committed_frames(files, kDirectory).size());
    for (const long call : {400, 800, 1200}) {
        MemoryFileSystem killed;
        killed.fault = {.at = call, .crash = true};
        EXPECT_THROW(run(killed, false), SimulatedCrash);
        killed.restart(Survival::kAll, 0);
        EXPECT_GE(4 * listed(killed.content("/out/bubbles.pvd")) + 4,
                  3 * committed_frames(killed, kDirectory).size());
        EXPECT_EQ(run(killed, true), 0);
        EXPECT_EQ(lasting(killed), lasting(files));
    }
}

TEST_F(JobRules, RecordsSayWhatTheirFrameIs) {
    MemoryFileSystem files;
    ASSERT_EQ(run(files, false), 0);
    const CommitRecord record = read_commit(files, kDirectory, 2);
    std::vector<Complaint> problems;
    Frame frame = read_frame(files, kDirectory, record, {}, problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(frame.dimensions, 2);
    EXPECT_TRUE(frame.free_surface);
}

TEST_F(JobRules, MemoryAboveTheLimitStopsWithACheckpoint) {
    MemoryFileSystem files;
    options.memory_limit = 1;
    EXPECT_THROW(run(files, false), MachineError);
    EXPECT_EQ(committed_frames(files, kDirectory), std::vector<int>{1});
    options.memory_limit = 0;
    EXPECT_EQ(run(files, true), 0);
    expect_reference(files);
}

TEST_F(JobRules, AFrameThatComesOutDifferentlyIsRefused) {
    MemoryFileSystem files;
    options.checkpoint_every = 0;
    ASSERT_EQ(run(files, false), 0);
    // Without checkpoints a resume simulates from the start; a changed record of frame 2 is met
    // there.
    for (const std::string& name : list_checkpoints(files, kDirectory))
        files.remove("/out/checkpoints/" + name);
    CommitRecord record = read_commit(files, kDirectory, 2);
    record.stats = "{\"frame\":2}";
    files.content("/out/frames/0002.json") = encode_commit(record);
    EXPECT_THROW(run(files, true), MachineError);
}

TEST_F(JobRules, PicturesAreMadeAsAsked) {
    MemoryFileSystem files;
    options.picture = [](const Frame& frame) {
        return "picture of " + std::to_string(frame.number);
    };
    options.output.preview = "last";
    ASSERT_EQ(run(files, false), 0);
    EXPECT_EQ(files.list("/out/images"), std::vector<std::string>{"preview.0004.png"});
    files.content("/out/images/preview.0004.png")[0] = 'x';
    EXPECT_EQ(check_cache(files, kDirectory).at(0).path, "images/preview.0004.png");
    EXPECT_EQ(run(files, true), 0);
    EXPECT_EQ(files.content("/out/images/preview.0004.png"), "picture of 4") << "made again";
    const FileStamp anew = write_file(files, "/out/images/preview.0004.png", "larger");
    EXPECT_EQ(check_cache(files, kDirectory).size(), 1u);
    amend_commit(files, kDirectory, 4, {"images/preview.0004.png", anew});
    EXPECT_EQ(text_of(check_cache(files, kDirectory)), "");
    const std::string record = files.content("/out/frames/0004.json");
    amend_commit(files, kDirectory, 4, {"images/beauty.0004.png", anew});
    EXPECT_EQ(files.content("/out/frames/0004.json"), record) << "not a file of the frame";
    MemoryFileSystem third;
    options.output.every = 3;
    ASSERT_EQ(run(third, false), 0);
    EXPECT_EQ(read_commit(third, kDirectory, 4).files.back().path, "images/preview.0004.png");
    options.manifest.last_frame = 6;
    EXPECT_EQ(run(third, true), 0) << "the last frame written stays the fourth";
    EXPECT_EQ(third.list("/out/images"), std::vector<std::string>{"preview.0004.png"});
    options.manifest.last_frame = 4;
    options.output.every = 1;
    MemoryFileSystem all;
    options.output.preview = "all";
    ASSERT_EQ(run(all, false), 0);
    EXPECT_EQ(all.list("/out/images").size(), 4u);
    EXPECT_EQ(all.content("/out/images/preview.0002.png"), "picture of 2");
    all.content("/out/images/preview.0002.png")[0] = 'x';
    EXPECT_EQ(check_cache(all, kDirectory).at(0).path, "images/preview.0002.png");
}

TEST(JobProgress, BarFitsTheTerminal) {
    FrameReport report;
    report.pressure_iterations = 17;
    StateSummary summary;
    summary.bubbles = 1234567;
    summary.voxels = 20000;
    const std::string bar = progress_bar(12, 1, 1, 48, 3725, report, summary, 100);
    EXPECT_EQ(bar.size(), 99u);
    for (const char* part : {"frame 12/48 [", "ETA 1:02:05", "1.23 M bubbles", "20.0 k voxels",
                             "17 pressure iterations"})
        EXPECT_NE(bar.find(part), std::string::npos) << bar;
    EXPECT_NE(progress_bar(13, 0.4, 1, 48, 5, report, summary, 100).find("frame 13/48 40 %"),
              std::string::npos);
    EXPECT_EQ(progress_bar(12, 1, 1, 48, 5, report, summary, 30).size(), 29u);
}

}  // namespace
}  // namespace spume::test
