// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spume/core/error.h"

namespace spume {

/// A call to the operating system about a file failed.
class FileError : public MachineError {
  public:
    FileError(const std::string& doing, const std::string& path, int code);
    FileError(const std::string& message, int code) : MachineError(message), code_(code) {}
    int code() const { return code_; }  ///< an errno value

  private:
    int code_;
};

/// Every file Spume reads or writes goes through here, so that tests can make any call fail and
/// simulate a crash at any call. All functions throw FileError.
class FileSystem {
  public:
    using Handle = int;
    struct Facts {
        bool directory = false;
        std::uint64_t bytes = 0;
    };
    /// Held as long as it lives; released by its destructor or by the end of the process. The file
    /// goes with it once `sign` has made it ours.
    class Lock {
      public:
        virtual ~Lock() = default;
        virtual void sign(const std::string& owner) = 0;
    };
    struct LockAttempt {
        std::unique_ptr<Lock> lock;  ///< null: somebody else holds it
        std::string found;           ///< what the file says: who holds it, or who left it behind
    };

    virtual ~FileSystem() = default;

    virtual Handle create(const std::string& path) = 0;  ///< fails if the file exists
    virtual Handle open_append(const std::string& path) = 0;
    virtual Handle open_read(const std::string& path) = 0;
    /// May write or read less than asked for; at least one byte unless at the end.
    virtual std::size_t write(Handle file, std::span<const std::byte> bytes) = 0;
    virtual std::size_t read(Handle file, std::span<std::byte> bytes) = 0;
    virtual void sync(Handle file) = 0;
    virtual void close(Handle file) = 0;

    virtual void rename(const std::string& from, const std::string& to) = 0;
    virtual void sync_directory(const std::string& path) = 0;
    virtual void remove(const std::string& path) = 0;
    virtual void make_directory(const std::string& path) = 0;  ///< fails if it exists

    virtual std::optional<Facts> facts(const std::string& path) = 0;
    virtual std::vector<std::string> list(const std::string& path) = 0;  ///< names, sorted
    virtual std::uint64_t free_bytes(const std::string& path) = 0;

    virtual LockAttempt lock(const std::string& path) = 0;
};

std::unique_ptr<FileSystem> make_posix_file_system();

std::string join_path(const std::string& directory, const std::string& name);
std::string directory_of(const std::string& path);
std::string name_of(const std::string& path);

/// The directory and those above it, each made durable in its parent.
void make_directories(FileSystem& files, const std::string& path);

/// The whole file. More than `limit` bytes is an error: nothing we read is unbounded.
std::string read_file(FileSystem& files, const std::string& path, std::uint64_t limit);

/// 1234567 as "1.2 MB".
std::string bytes_in_words(std::uint64_t bytes);

}  // namespace spume
