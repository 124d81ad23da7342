// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/movie.h"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spume/core/error.h"

extern char** environ;  // what posix_spawn hands on; no header declares it in strict C++

namespace spume {

namespace {

/// film.mp4 → film.part.mp4: ffmpeg chooses the format by the ending.
std::string part_of(const std::string& path) {
    const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash))
        throw UserError(fmt::format("--movie {} has no ending", path),
                        "name a file such as film.mp4");
    return path.substr(0, dot) + ".part" + path.substr(dot);
}

}  // namespace

MovieWriter::MovieWriter(FileSystem& files, std::string path, int width, int height, double fps,
                         const std::string& program)
    : files_(files),
      path_(std::move(path)),
      temporary_(part_of(path_)),
      frame_bytes_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
    std::vector<std::string> words{program, "-loglevel", "error", "-y", "-f", "rawvideo"};
    for (const std::string& word :
         {std::string("-pix_fmt"), std::string("rgb24"), std::string("-s"),
          fmt::format("{}x{}", width, height), std::string("-framerate"), fmt::format("{}", fps),
          std::string("-i"), std::string("-"), std::string("-vf"),
          std::string("pad=ceil(iw/2)*2:ceil(ih/2)*2"), std::string("-pix_fmt"),
          std::string("yuv420p"), std::string("-crf"), std::string("18"), temporary_})
        words.push_back(word);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw FileError("open", "a pipe", errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    pid_t child = -1;
    const int code =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (code != 0) {
        ::close(ends[1]);
        throw UserError(
            fmt::format("films are made by the program {}, which is not installed", program),
            "install it (Debian: apt-get install ffmpeg), or leave out --movie and use "
            "the pictures");
    }
    pipe_ = ends[1], child_ = child;
}

MovieWriter::~MovieWriter() {
    end_program();
    try {
        if (files_.facts(temporary_)) files_.remove(temporary_);
    } catch (const std::exception&) {
        // Nobody is left to be told; the part's name says what it is.
    }
}

void MovieWriter::fail(const std::string& what) const {
    throw MachineError(fmt::format("ffmpeg {} while making {}", what, path_));
}

void MovieWriter::add(std::span<const std::uint8_t> rgb) {
    SPUME_CHECK_OP(rgb.size(), ==, frame_bytes_);
    while (!rgb.empty()) {
        const ssize_t n = ::write(pipe_, rgb.data(), rgb.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail("took no more pictures");
        rgb = rgb.subspan(static_cast<std::size_t>(n));
    }
}

void MovieWriter::end_program() {
    if (pipe_ >= 0) ::close(pipe_);
    pipe_ = -1;
    if (child_ >= 0)
        while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
        }
    child_ = -1;
}

void MovieWriter::finish() {
    end_program();
    if (!WIFEXITED(status_) || WEXITSTATUS(status_) != 0) fail("failed");
    files_.rename(temporary_, path_);
}

}  // namespace spume
