// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spume/io/file_system.h"

namespace spume {

/// Makes a film by running the program ffmpeg, which gets the pictures through a pipe. The film
/// appears under its name when it is complete.
class MovieWriter {
  public:
    /// UserError if the program is not there.
    MovieWriter(FileSystem& files, std::string path, int width, int height, double fps,
                const std::string& program = "ffmpeg");
    ~MovieWriter();
    MovieWriter(const MovieWriter&) = delete;
    MovieWriter& operator=(const MovieWriter&) = delete;

    /// 8-bit RGB, rows from top to bottom.
    void add(std::span<const std::uint8_t> rgb);
    void finish();

  private:
    void end_program();
    [[noreturn]] void fail(const std::string& what) const;

    FileSystem& files_;
    std::string path_, temporary_;
    std::size_t frame_bytes_;
    int pipe_ = -1, child_ = -1, status_ = 0;
};

}  // namespace spume
