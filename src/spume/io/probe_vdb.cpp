// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/probe_vdb.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

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

constexpr std::size_t kMostWords = std::size_t(1) << 20;
constexpr int kRefused = 2;

pid_t spawn(const std::vector<std::string>& program, const std::string& path, int output) {
    std::vector<std::string> words = program;
    words.push_back(path);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    const int code =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) throw FileError("start", words[0], code);
    return child;
}

/// Everything the child says before the deadline; false if it had to be cut short.
bool read_until(int input, std::chrono::steady_clock::time_point deadline, std::size_t most,
                std::string& text) {
    std::vector<char> piece(1 << 16);
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0 || text.size() > most) return false;
        pollfd wait{input, POLLIN, 0};
        if (::poll(&wait, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t got = ::read(input, piece.data(), piece.size());
        if (got <= 0) return true;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
}

void limit(int resource, rlim_t value) {
    const rlimit both{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// What a child says on standard output; UserError where it dies, hangs, floods or refuses.
std::string answer(const std::vector<std::string>& program, const std::string& path,
                   const ProbeLimits& limits, std::size_t most) {
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
    const bool ended = read_until(ends[0], deadline, most, text);
    ::close(ends[0]);
    if (!ended) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    std::string why = fmt::format("not read within {} s", limits.seconds);
    if (ended) why = WIFSIGNALED(status) ? "reading it crashed OpenVDB" : "reading it failed";
    std::string remedy = "the file is damaged, too large or not a VDB";
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == kRefused && !text.empty()) {
        const std::size_t line = text.find('\n');  // what is wrong, and what helps
        why = text.substr(0, line);
        if (line != std::string::npos && line + 1 < text.size()) remedy = text.substr(line + 1);
    }
    throw error_in_file(path, why, remedy);
}

/// Runs `say` under the limits; what it throws becomes the answer.
template <class Say>
int under_limits(const ProbeLimits& limits, Say&& say) {
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds) + 1);
    limit(RLIMIT_CORE, 0);
    try {
        const std::string text = say();
        std::fwrite(text.data(), 1, text.size(), stdout);
        return std::fflush(stdout) == 0 ? 0 : 4;
    } catch (const UserError& error) {
        const Complaint& first = error.complaints()[0];
        fmt::print("{}\n{}", first.message, first.remedy);
    } catch (const std::bad_alloc&) {
        fmt::print("it needs more memory than a reader may use");
    } catch (const std::exception& error) {
        fmt::print("{}", error.what());
    }
    std::fflush(stdout);
    return kRefused;
}

std::string word(UpAxis up) { return up == UpAxis::kZ ? "z" : up == UpAxis::kY ? "y" : "auto"; }
std::string word(VelocityPlaces p) {
    return p == VelocityPlaces::kFaces     ? "faces"
           : p == VelocityPlaces::kCentres ? "centres"
                                           : "auto";
}

}  // namespace

std::string probe_vdb(const std::vector<std::string>& program, const std::string& path,
                      const ProbeLimits& limits) {
    return answer(program, path, limits, kMostWords);
}

ForeignFrame read_foreign(std::vector<std::string> program, const std::string& path,
                          const ForeignRequest& request, const ProbeLimits& limits) {
    if (program.empty()) {
        char self[4096];
        const ssize_t n = ::readlink("/proc/self/exe", self, sizeof self);
        const std::string own(self, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        program = {name_of(own).starts_with("spume") ? own : "spume", "read-vdb"};
    }
    for (const std::string& w :
         {"=" + request.surface, "=" + request.velocity, word(request.up), word(request.places),
          std::string(request.use == ForeignUse::kSolid ? "solid" : "liquid")})
        program.push_back(w);
    return decode_foreign(answer(program, path, limits, limits.memory_bytes), path);
}

int probe_main(const std::string& path, const ProbeLimits& limits) {
    return under_limits(limits, [&] { return describe_vdb(path); });
}

int read_main(const std::vector<std::string>& words, const ProbeLimits& limits) {
    return under_limits(limits, [&] {
        if (words.size() != 6) throw UserError("read-vdb takes six words", "it is no command");
        ForeignRequest request{words[0].substr(1), words[1].substr(1)};
        for (const UpAxis up : {UpAxis::kY, UpAxis::kZ})
            if (words[2] == word(up)) request.up = up;
        for (const VelocityPlaces p : {VelocityPlaces::kFaces, VelocityPlaces::kCentres})
            if (words[3] == word(p)) request.places = p;
        if (words[4] == "solid") request.use = ForeignUse::kSolid;
        return encode_foreign(read_foreign_vdb(words[5], request));
    });
}

}  // namespace spume
