// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/memory_file_system.h"
#include "spume/core/error.h"
#include "spume/io/atomic_file.h"

namespace spume {
namespace {

using test::MemoryFileSystem;
using test::SimulatedCrash;
using test::Survival;

const std::string kOld(5000, 'o'), kNew(3000000, 'n');

MemoryFileSystem with_old_file() {
    MemoryFileSystem files;
    make_directories(files, "/out");
    write_file(files, "/out/a", kOld);
    files.calls = 0;
    return files;
}

long calls_of_one_write() {
    MemoryFileSystem files = with_old_file();
    write_file(files, "/out/a", kNew);
    return files.calls;
}

TEST(IoAtomicFile, StampIsThatOfTheContent) {
    MemoryFileSystem files = with_old_file();
    files.longest_write = 1000;
    const FileStamp stamp = write_file(files, "/out/a", kNew);
    EXPECT_EQ(files.content("/out/a"), kNew);
    EXPECT_EQ(stamp.bytes, kNew.size());
    EXPECT_EQ(stamp.hash, hash_of(kNew));
    EXPECT_EQ(stamp_of_file(files, "/out/a"), stamp);
}

TEST(IoAtomicFile, AnyFailingCallLeavesTheOldFileAndSaysSo) {
    const long calls = calls_of_one_write();
    ASSERT_GE(calls, 6);
    for (int code : {ENOSPC, EIO, EDQUOT})
        for (long k = 1; k <= calls; ++k) {
            MemoryFileSystem files = with_old_file();
            files.fault = {.at = k, .code = code};
            files.free = 4321;
            try {
                write_file(files, "/out/a", kNew);
                FAIL() << "call " << k;
            } catch (const MachineError& error) {
                const std::string text = error.what();
                EXPECT_NE(text.find("/out/a: "), std::string::npos) << text;
                EXPECT_NE(text.find(std::strerror(code)), std::string::npos) << text;
                EXPECT_NE(text.find("wanted, 4.3 kB free"), std::string::npos) << text;
            }
            // Only the last call, the directory's sync, comes after the change of names.
            EXPECT_EQ(files.content("/out/a"), k == calls ? kNew : kOld);
            for (const std::string& name : files.list("/out"))
                EXPECT_FALSE(is_temporary_name(name));
        }
}

TEST(IoAtomicFile, CrashAtAnyCallLeavesOldOrNewNeverAMixture) {
    const long calls = calls_of_one_write();
    for (Survival survival : {Survival::kAll, Survival::kSynced, Survival::kMixed})
        for (long k = 1; k <= calls; ++k)
            for (unsigned seed = 0; seed < 8; ++seed) {
                MemoryFileSystem files = with_old_file();
                files.fault = {.at = k, .crash = true};
                EXPECT_THROW(write_file(files, "/out/a", kNew), SimulatedCrash);
                files.restart(survival, seed);
                const std::string& found = files.content("/out/a");
                EXPECT_TRUE(found == kOld || found == kNew) << k;
            }
    MemoryFileSystem files = with_old_file();
    write_file(files, "/out/a", kNew);
    files.restart(Survival::kSynced, 1);
    EXPECT_EQ(files.content("/out/a"), kNew);
}

class RealDirectory : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/spume_io_XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory = name;
    }
    void TearDown() override { ASSERT_EQ(std::system(("rm -r " + directory).c_str()), 0); }
    std::string directory;
    std::unique_ptr<FileSystem> files = make_posix_file_system();
};

TEST_F(RealDirectory, WritesReadsListsAndRemoves) {
    const std::string deep = directory + "/a/b/c";
    make_directories(*files, deep);
    make_directories(*files, deep);
    const FileStamp stamp = write_file(*files, deep + "/x", kNew);
    EXPECT_EQ(stamp_of_file(*files, deep + "/x"), stamp);
    EXPECT_EQ(read_file(*files, deep + "/x", kNew.size()), kNew);
    EXPECT_THROW(read_file(*files, deep + "/x", kNew.size() - 1), FileError);
    EXPECT_THROW(read_file(*files, deep, 100), FileError);
    append_to_file(*files, deep + "/y", "one\n", true);
    append_to_file(*files, deep + "/y", "two\n", false);
    EXPECT_EQ(read_file(*files, deep + "/y", 100), "one\ntwo\n");
    EXPECT_EQ(files->list(deep), (std::vector<std::string>{"x", "y"}));
    files->remove(deep + "/x");
    EXPECT_FALSE(files->facts(deep + "/x"));
    EXPECT_GT(files->free_bytes(directory), 0u);
    EXPECT_THROW(write_file(*files, directory + "/missing/x", "1"), MachineError);
}

TEST_F(RealDirectory, ADeviceThatIsFullIsNoticed) {
    try {
        append_to_file(*files, "/dev/full", "x", false);
        FAIL();
    } catch (const FileError& error) {
        EXPECT_EQ(error.code(), ENOSPC);
    }
}

TEST_F(RealDirectory, OfManyProcessesOneGetsTheLock) {
    const std::string path = directory + "/lock";
    for (int round = 0; round < 20; ++round) {
        int pipes[2], go[2], done[2];
        ASSERT_EQ(pipe(pipes), 0);
        ASSERT_EQ(pipe(go), 0);
        ASSERT_EQ(pipe(done), 0);
        for (int i = 0; i < 16; ++i)
            if (fork() == 0) {
                char c;
                close(go[1]), close(done[1]);
                (void)!read(go[0], &c, 1);
                auto attempt = make_posix_file_system()->lock(path);
                if (attempt.lock) attempt.lock->sign("me");
                c = attempt.lock ? '1' : '0';
                (void)!write(pipes[1], &c, 1);
                (void)!read(done[0], &c, 1);  // holds the lock until all have tried
                _exit(0);  // as if killed: the file stays behind for the next round
            }
        close(go[0]), close(go[1]), close(pipes[1]), close(done[0]);
        int winners = 0, answers = 0;
        for (char c; answers < 16 && read(pipes[0], &c, 1) == 1; ++answers) winners += c == '1';
        close(pipes[0]), close(done[1]);
        while (wait(nullptr) > 0) {
        }
        EXPECT_EQ(answers, 16);
        EXPECT_EQ(winners, 1);
    }
    auto attempt = files->lock(path);
    ASSERT_TRUE(attempt.lock);
    EXPECT_EQ(attempt.found, "me");
    attempt.lock.reset();
    EXPECT_TRUE(files->facts(path)) << "not ours before it is signed";
    attempt = files->lock(path);
    attempt.lock->sign("next");
    EXPECT_EQ(read_file(*files, path, 100), "next");
    attempt.lock.reset();
    EXPECT_FALSE(files->facts(path));
}

}  // namespace
}  // namespace spume
