// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/probe_vdb.h"

#include <chrono>
#include <cmath>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spume/core/error.h"
#include "spume/io/file_system.h"
#include "spume/io/vdb.h"

extern char** environ;  // what posix_spawn hands on; no header declares it in strict C++

namespace spume {
namespace {

constexpr std::size_t kMostOutput = std::size_t(1) << 20;
constexpr int kRefused = 2;

pid_t spawn(const std::vector<std::string>& program, const std::string& path, int output) {
    std::vector<std::string> words = program;
    words.push_back(path);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    const int code =
        ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) throw FileError("start", words[0], code);
    return child;
}

/// Everything the child says before the deadline; false if it had to be cut short.
bool read_until(int input, std::chrono::steady_clock::time_point deadline, std::string& text) {
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0 || text.size() > kMostOutput) return false;
        pollfd wait{input, POLLIN, 0};
        if (::poll(&wait, 1, static_cast<int>(left.count())) <= 0) continue;
        char piece[4096];
        const ssize_t got = ::read(input, piece, sizeof piece);
        if (got <= 0) return true;
        text.append(piece, static_cast<std::size_t>(got));
    }
}

void limit(int resource, rlim_t value) {
    const rlimit both{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

}  // namespace

std::string probe_vdb(const std::vector<std::string>& program, const std::string& path,
                      const ProbeLimits& limits) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw FileError("open", "a pipe", errno);
    const auto deadline = std::chrono::steady_clock::now() +
                          std::chrono::milliseconds(std::lround(1000 * limits.seconds));
    pid_t child = -1;
    try {
        child = spawn(program, path, ends[1]);
    } catch (...) {
        ::close(ends[0]), ::close(ends[1]);
        throw;
    }
    ::close(ends[1]);
    std::string text;
    const bool ended = read_until(ends[0], deadline, text);
    ::close(ends[0]);
    if (!ended) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    std::string why = fmt::format("not read within {} s", limits.seconds);
    if (ended) why = WIFSIGNALED(status) ? "reading it crashed OpenVDB" : "reading it failed";
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == kRefused && !text.empty()) why = text;
    throw error_in_file(path, why, "the file is damaged, too large or not a VDB");
}

int probe_main(const std::string& path, const ProbeLimits& limits) {
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds) + 1);
    limit(RLIMIT_CORE, 0);
    try {
        fmt::print("{}", describe_vdb(path));
        return std::fflush(stdout) == 0 ? 0 : 4;
    } catch (const UserError& error) {
        fmt::print("{}", error.complaints()[0].message);
    } catch (const std::exception& error) {
        fmt::print("{}", error.what());
    }
    std::fflush(stdout);
    return kRefused;
}

}  // namespace spume
