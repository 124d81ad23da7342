// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spume::test {

using Words = std::vector<std::string>;

/// How often a random test is repeated: more in the long form (bench/faults.cpp).
inline int repeated(int times) {
    const char* factor = std::getenv("SPUME_LONG");
    return factor == nullptr ? times : times * std::max(1, std::atoi(factor));
}

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// A directory of its own for each test, with the real program to run in it.
class ProgramTest : public testing::Test {
  protected:
    struct Outcome {
        int status = -1;  ///< exit status, or 128 + signal
        std::string out, err;
    };
    void SetUp() override {
        char name[] = "/tmp/spume_test_XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory = name;
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    /// Starts a command with its output in files; returns its process id.
    pid_t start(const Words& words, const std::string& tag = "",
                rlim_t file_bytes = RLIM_INFINITY) {
        const pid_t child = fork();
        if (child != 0) return child;
        if (chdir(directory.c_str()) != 0) _exit(99);
        redirect(directory + "/stdout" + tag, STDOUT_FILENO);
        redirect(directory + "/stderr" + tag, STDERR_FILENO);
        const rlimit size{file_bytes, file_bytes};
        setrlimit(RLIMIT_FSIZE, &size);
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        _exit(98);
    }
    Outcome finish(pid_t child, const std::string& tag = "") {
        int status = 0;
        while (waitpid(child, &status, 0) < 0) {
        }
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                content_of(directory + "/stdout" + tag), content_of(directory + "/stderr" + tag)};
    }
    Outcome spume(Words arguments, rlim_t file_bytes = RLIM_INFINITY) {
        arguments.insert(arguments.begin(), SPUME_PROGRAM);
        return finish(start(arguments, "", file_bytes));
    }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(directory + "/" + name, std::ios::binary) << text;
        return directory + "/" + name;
    }
    /// Everything below a cache that must not differ between equal runs.
    std::map<std::string, std::string> cache(const std::string& name) const {
        std::map<std::string, std::string> all;
        const std::filesystem::path top = directory + "/" + name;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
            const std::string path = std::filesystem::relative(entry.path(), top);
            if (entry.is_regular_file() && path != "log.txt" && path != "timing.jsonl")
                all[path] = content_of(entry.path());
        }
        return all;
    }
    static void expect_same(const std::map<std::string, std::string>& expected,
                            const std::map<std::string, std::string>& found) {
        for (const auto& [path, content] : expected)
            EXPECT_TRUE(found.count(path) && found.at(path) == content) << path;
        for (const auto& [path, content] : found) EXPECT_TRUE(expected.count(path)) << path;
    }

    std::string directory;

  private:
    static void redirect(const std::string& path, int to) {
        const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (file < 0 || dup2(file, to) < 0) _exit(97);
    }
};

}  // namespace spume::test
