// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/file_system.h"

#include <cerrno>
#include <cstring>

namespace spume {

FileError::FileError(const std::string& doing, const std::string& path, int code)
    : MachineError(fmt::format("cannot {} {}: {}", doing, path, std::strerror(code))),
      code_(code) {}

std::string join_path(const std::string& directory, const std::string& name) {
    if (directory.empty() || (!name.empty() && name[0] == '/')) return name;
    return directory.back() == '/' ? directory + name : directory + "/" + name;
}

std::string directory_of(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

void make_directories(FileSystem& files, const std::string& path) {
    if (const auto facts = files.facts(path)) {
        if (!facts->directory) throw FileError("make the directory", path, ENOTDIR);
        return;
    }
    const std::string parent = directory_of(path);
    if (parent != path) make_directories(files, parent);
    try {
        files.make_directory(path);
    } catch (const FileError& error) {
        if (error.code() == EEXIST) return;  // another process was quicker
        throw;
    }
    files.sync_directory(parent);
}

std::string read_file(FileSystem& files, const std::string& path, std::uint64_t limit) {
    const auto facts = files.facts(path);
    if (!facts) throw FileError("read", path, ENOENT);
    if (facts->directory) throw FileError("read", path, EISDIR);
    auto too_large = [&](std::uint64_t bytes) {
        return FileError(fmt::format("cannot read {}: {} is more than the {} allowed", path,
                                     bytes_in_words(bytes), bytes_in_words(limit)),
                         EFBIG);
    };
    if (facts->bytes > limit) throw too_large(facts->bytes);
    // The size is what was there a moment ago: read on until the end, still bounded.
    std::string text;
    const FileSystem::Handle file = files.open_read(path);
    try {
        std::string piece(std::size_t(1) << 20, '\0');
        text.reserve(facts->bytes);
        while (const std::size_t got = files.read(file, std::as_writable_bytes(std::span(piece)))) {
            text.append(piece, 0, got);
            if (text.size() > limit) throw too_large(text.size());
        }
    } catch (...) {
        files.close(file);
        throw;
    }
    files.close(file);
    return text;
}

std::string bytes_in_words(std::uint64_t bytes) {
    static constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB"};
    if (bytes < 1000) return fmt::format("{} bytes", bytes);
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < std::size(kUnits)) value /= 1000, ++unit;
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace spume
