// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/atomic_file.h"

#include <atomic>
#include <cerrno>
#include <cstring>

#include <fmt/core.h>
#include <unistd.h>

namespace spume {
namespace {

constexpr std::size_t kBuffer = std::size_t(1) << 20;
constexpr const char* kMark = ".writing-";

void write_fully(FileSystem& files, FileSystem::Handle file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) bytes = bytes.subspan(files.write(file, bytes));
}

}  // namespace

bool is_temporary_name(const std::string& name) {
    return name.size() > 1 && name[0] == '.' && name.find(kMark) != std::string::npos;
}

FileError write_failure(FileSystem& files, const std::string& path, std::uint64_t wanted,
                        int code) {
    std::string free = "unknown";
    try {
        free = bytes_in_words(files.free_bytes(directory_of(path)));
    } catch (const FileError&) {
        // The first failure is the one to report.
    }
    return FileError(fmt::format("cannot write {}: {}; {} wanted, {} free", path,
                                 std::strerror(code), bytes_in_words(wanted), free),
                     code);
}

AtomicFile::AtomicFile(FileSystem& files, std::string path)
    : files_(files), path_(std::move(path)) {
    buffer_.reserve(kBuffer);
    temporary_ = join_path(directory_of(path_), fmt::format(".{}{}{}", name_of(path_), kMark,
                                                            static_cast<long>(getpid())));
    checked([&] {
        try {
            file_ = files_.create(temporary_);
        } catch (const FileError& error) {
            if (error.code() != EEXIST) throw;
            // Left by a killed run that had our pid: the directory's lock is ours, so it is stale.
            files_.remove(temporary_);
            file_ = files_.create(temporary_);
        }
    });
}

AtomicFile::~AtomicFile() {
    if (committed_) return;
    try {
        if (file_ >= 0) files_.close(file_);
    } catch (...) {  // already failing: only the name matters now
    }
    try {
        files_.remove(temporary_);
    } catch (...) {
    }
}

template <class Call>
void AtomicFile::checked(Call&& call) {
    try {
        call();
    } catch (const FileError& error) {
        throw write_failure(files_, path_, bytes_ + buffer_.size(), error.code());
    }
}

void AtomicFile::flush() {
    checked([&] { write_fully(files_, file_, buffer_); });
    bytes_ += buffer_.size();
    buffer_.clear();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    SPUME_CHECK(!committed_);
    hasher_.add(bytes);
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() >= kBuffer) {
        checked([&] { write_fully(files_, file_, bytes); });
        bytes_ += bytes.size();
    } else {
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }
}

FileStamp AtomicFile::commit() {
    SPUME_CHECK(!committed_);
    flush();
    checked([&] {
        files_.sync(file_);
        const FileSystem::Handle file = file_;
        file_ = -1;
        files_.close(file);
        files_.rename(temporary_, path_);
        committed_ = true;
        files_.sync_directory(directory_of(path_));
    });
    return {bytes_, hasher_.result()};
}

FileStamp write_file(FileSystem& files, const std::string& path, std::string_view text) {
    AtomicFile file(files, path);
    file.write(text);
    return file.commit();
}

void append_to_file(FileSystem& files, const std::string& path, std::string_view text,
                    bool durable) {
    try {
        const FileSystem::Handle file = files.open_append(path);
        try {
            write_fully(files, file, std::as_bytes(std::span(text.data(), text.size())));
            if (durable) files.sync(file);
        } catch (...) {
            try {
                files.close(file);
            } catch (const FileError&) {  // the first failure is the one to report
            }
            throw;
        }
        files.close(file);
    } catch (const FileError& error) {
        throw write_failure(files, path, text.size(), error.code());
    }
}

FileStamp stamp_of_file(FileSystem& files, const std::string& path) {
    const FileSystem::Handle file = files.open_read(path);
    FileStamp stamp;
    try {
        Hasher hasher;
        std::vector<std::byte> piece(kBuffer);
        while (const std::size_t got = files.read(file, piece)) {
            hasher.add(std::span(piece).first(got));
            stamp.bytes += got;
        }
        stamp.hash = hasher.result();
    } catch (...) {
        files.close(file);
        throw;
    }
    files.close(file);
    return stamp;
}

}  // namespace spume
