// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <chrono>
#include <functional>
#include <random>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace spume::test {
namespace {

/// The real program on a small bubble column: killed, stopped, starved, then resumed.
class ProgramFaults : public ProgramTest {
  protected:
    static Words run(const std::string& to, int frames, const Words& more = {}) {
        Words words = {SPUME_PROGRAM,
                       "run",
                       SPUME_SOURCE "/scenes/bubble_column.toml",
                       "-o",
                       to,
                       "-e",
                       std::to_string(frames),
                       "--checkpoint-every",
                       "2",
                       "-j",
                       "1",
                       "--progress",
                       "none",
                       "--set",
                       "domain.divisions=24",
                       "--set",
                       "output.preview=none"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    int run_to_end(const std::string& to, int frames, const Words& more = {}) {
        const Outcome outcome = finish(start(run(to, frames, more)));
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.status;
    }
    void expect_frames_intact(const std::string& name) {
        if (std::filesystem::exists(directory + "/" + name + "/manifest.json")) {
            // stats.jsonl and events.jsonl may be a frame ahead of a kill; the frames must be
            // whole.
            const Outcome verify = spume({"verify", name});
            std::istringstream lines(verify.err);
            for (std::string line; std::getline(lines, line);)
                EXPECT_TRUE(line.starts_with("  ") ||
                            line.find("/stats.jsonl: error:") != std::string::npos ||
                            line.find("/events.jsonl: error:") != std::string::npos)
                    << line;
        }
    }
};

double seconds_of(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(ProgramFaults, KilledAtTwentyRandomMomentsGoesOnIdentically) {
    constexpr int kFrames = 6;
    double seconds = seconds_of([&] { run_to_end("whole", kFrames); });
    const auto whole = cache("whole");
    std::mt19937 random(20);
    std::uniform_real_distribution<double> moment(0.02, 1.0);
    int killed = 0;
    for (int i = 0; i < repeated(20); ++i) {
        std::filesystem::remove_all(directory + "/killed");
        const pid_t child = start(run("killed", kFrames));
        usleep(static_cast<useconds_t>(1e6 * seconds * moment(random)));
        kill(child, SIGKILL);
        // The run that was timed may have had less of the machine than those that follow.
        if (finish(child).status == 128 + SIGKILL)
            ++killed;
        else
            seconds *= 0.8;
        expect_frames_intact("killed");
        run_to_end("killed", kFrames, {"--resume"});
        expect_same(whole, cache("killed"));
        if (HasFailure()) return;
    }
    EXPECT_GE(killed, 5);
}

/// Two bubbles that split, merge and burst; what is told of them survives kills.
TEST_F(ProgramFaults, EventsAfterAKillAreThoseOfAWholeRun) {
    const std::string scene = write(
        "bubbles.toml",
        "version = 1\nmethod = \"constraint\"\n[domain]\ndimensions = 2\nlower = [0, 0]\nupper = "
        "[1, 1]\ndivisions = 48\nsides = \"wall\"\nbottom = \"wall\"\ntop = \"open\"\n[[liquid]]\n"
        "shape = { kind = \"box\", center = [0.5, 0.3], size = [1, 0.6] }\n[[liquid]]\nmode = "
        "\"hollow\"\nshape = { kind = \"sphere\", center = [0.3, 0.4], radius = 0.12 "
        "}\n[[liquid]]\n"
        "mode = \"hollow\"\nshape = { kind = \"sphere\", center = [0.7, 0.2], radius = 0.12 }\n"
        "[output]\npreview = \"none\"\n");
    const Words words = {SPUME_PROGRAM, "run", scene,        "-e",   "20",
                         "-j",          "1",   "--progress", "none", "--checkpoint-every",
                         "3",           "-o"};
    const auto into = [&](const std::string& to, const Words& more = {}) {
        Words all = words;
        all.push_back(to);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const double seconds = seconds_of([&] { EXPECT_EQ(finish(start(into("whole"))).status, 0); });
    const auto whole = cache("whole");
    ASSERT_TRUE(whole.count("events.jsonl"));
    std::map<std::string, int> kinds;
    std::size_t told = 0;
    int last = 0;
    std::istringstream events(whole.at("events.jsonl")), stats(whole.at("stats.jsonl"));
    for (std::string line; std::getline(events, line); ++told) {
        const auto event = nlohmann::json::parse(line);
        ++kinds[event["event"].get<std::string>()];
        EXPECT_GE(event["frame"].get<int>(), last);
        last = event["frame"].get<int>();
        EXPECT_LE(event["time"].get<double>(), last / 24.0 + 1e-9);
        EXPECT_GT(event["volume"].get<double>(), 0);
    }
    EXPECT_GT(kinds["birth"], 0);
    EXPECT_GT(kinds["split"], 0);
    EXPECT_GT(kinds["merge"], 0);
    EXPECT_GT(kinds["burst"], 0);
    std::size_t listed = 0;
    for (std::string line; std::getline(stats, line);)
        if (const auto json = nlohmann::json::parse(line); json.contains("events"))
            listed += json["events"].size();
    EXPECT_EQ(told, listed);
    std::mt19937 random(4);
    std::uniform_real_distribution<double> moment(0.3, 0.95);
    for (int i = 0; i < repeated(6); ++i) {
        std::filesystem::remove_all(directory + "/killed");
        const pid_t child = start(into("killed"));
        usleep(static_cast<useconds_t>(1e6 * seconds * moment(random)));
        kill(child, SIGKILL);
        finish(child);
        expect_frames_intact("killed");
        EXPECT_EQ(finish(start(into("killed", {"--resume"}))).status, 0);
        expect_same(whole, cache("killed"));
    }
}

TEST_F(ProgramFaults, StoppedBySignalsWithinTenSecondsAndGoesOnIdentically) {
    constexpr int kFrames = 8;
    const double seconds = seconds_of([&] { run_to_end("whole", kFrames); });
    const auto whole = cache("whole");
    std::mt19937 random(3);
    std::uniform_real_distribution<double> moment(0.1, 0.8);
    int stopped = 0;
    for (int i = 0; i < repeated(8); ++i) {
        const int signal = i % 2 == 0 ? SIGTERM : SIGINT;
        std::filesystem::remove_all(directory + "/stopped");
        const pid_t child = start(run("stopped", kFrames));
        usleep(static_cast<useconds_t>(1e6 * seconds * moment(random)));
        kill(child, signal);
        int status = 0;
        EXPECT_LT(seconds_of([&] { status = finish(child).status; }), 10);
        EXPECT_TRUE(status == 0 || status == 128 + signal) << status;
        stopped += status != 0;
        run_to_end("stopped", kFrames, {"--resume"});
        expect_same(whole, cache("stopped"));
        if (HasFailure()) return;
    }
    EXPECT_GE(stopped, 2);
}

TEST_F(ProgramFaults, AnyNumberOfThreadsGivesTheSameBytes) {
    run_to_end("one", 4);
    for (const char* threads : {"2", "3", "4", "8"}) {
        run_to_end("other", 4, {"-j", threads, "--overwrite"});
        expect_same(cache("one"), cache("other"));
    }
}

TEST_F(ProgramFaults, OfManySimultaneousStartsOneWins) {
    std::vector<pid_t> children;
    for (int i = 0; i < 20; ++i) children.push_back(start(run("shared", 3), std::to_string(i)));
    int winners = 0;
    for (int i = 0; i < 20; ++i) {
        const Outcome outcome = finish(children[static_cast<std::size_t>(i)], std::to_string(i));
        winners += outcome.status == 0;
        if (outcome.status == 0) continue;
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        // Late starters find the lock free again, and the winner's frames.
        EXPECT_TRUE(outcome.err.find("is in use by") != std::string::npos ||
                    outcome.err.find("already holds") != std::string::npos)
            << outcome.err;
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(spume({"verify", "shared"}).status, 0);
}

TEST_F(ProgramFaults, AFileSizeLimitIsTheMachinesFault) {
    run_to_end("whole", 3);
    const Outcome outcome = finish(start(run("limited", 3), "", 60000));
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_NE(outcome.err.find("wanted"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("free"), std::string::npos) << outcome.err;
    expect_frames_intact("limited");
    run_to_end("limited", 3, {"--resume"});
    expect_same(cache("whole"), cache("limited"));
}

TEST_F(ProgramFaults, AFullFileSystemLosesNothing) {
    const std::string small = directory + "/small";
    std::filesystem::create_directory(small);
    if (std::system(("mount -t tmpfs -o size=600k tmpfs " + small + " 2>/dev/null").c_str()) != 0)
        GTEST_SKIP() << "no right to mount a small file system";
    const Outcome outcome = finish(start(run("small/cache", 12)));
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_NE(outcome.err.find("free"), std::string::npos) << outcome.err;
    expect_frames_intact("small/cache");
    EXPECT_EQ(std::system(("mount -o remount,size=64m " + small).c_str()), 0);
    run_to_end("small/cache", 12, {"--resume"});
    run_to_end("whole", 12);
    expect_same(cache("whole"), cache("small/cache"));
    EXPECT_EQ(std::system(("umount " + small).c_str()), 0);
}

/// Runs under strace with every k-th of the given calls replaced.
class Traced : public ProgramFaults {
  protected:
    void SetUp() override {
        ProgramFaults::SetUp();
        if (finish(start({"strace", "-o", "/dev/null", "true"})).status != 0)
            GTEST_SKIP() << "strace cannot trace here";
    }
    Outcome traced(const std::string& inject, const std::string& to, int frames) {
        Words words = {"strace",
                       "-f",
                       "-qq",
                       "-o",
                       "/dev/null",
                       "-e",
                       "trace=write,fsync,rename",
                       "-e",
                       "inject=write,fsync,rename:" + inject};
        const Words command = run(to, frames);
        words.insert(words.end(), command.begin(), command.end());
        return finish(start(words));
    }
};

TEST_F(Traced, KilledAtEveryWriteOfOneFrame) {
    run_to_end("whole", 2);
    const auto whole = cache("whole");
    for (int k = 1;; ++k) {
        std::filesystem::remove_all(directory + "/killed");
        const int status = traced("signal=KILL:when=" + std::to_string(k), "killed", 1).status;
        expect_frames_intact("killed");
        run_to_end("killed", 2, {"--resume"});
        expect_same(whole, cache("killed"));
        if (HasFailure()) FAIL() << "call " << k;
        if (status == 0) {
            EXPECT_GT(k, 20);
            break;
        }
    }
}

TEST_F(Traced, ADiskThatFillsAtAnyWriteOfOneFrame) {
    run_to_end("whole", 2);
    const auto whole = cache("whole");
    for (int k = 1;; k += 3) {
        std::filesystem::remove_all(directory + "/full");
        const Outcome outcome = traced("error=ENOSPC:when=" + std::to_string(k) + "+", "full", 1);
        if (outcome.status == 0) break;
        EXPECT_EQ(outcome.status, 4) << k;
        expect_frames_intact("full");
        run_to_end("full", 2, {"--resume"});
        expect_same(whole, cache("full"));
        if (HasFailure()) FAIL() << "call " << k;
    }
}

}  // namespace
}  // namespace spume::test
