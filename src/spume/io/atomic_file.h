// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/io/file_system.h"
#include "spume/io/hash.h"

namespace spume {

/// What a finished file holds; enough to notice any later change.
struct FileStamp {
    std::uint64_t bytes = 0;
    Hash128 hash;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// A file that appears under its name complete and durable, or not at all: written under a
/// temporary name in the same directory, synced, closed, renamed, the directory synced. Whatever
/// fails is a MachineError naming the file, the bytes wanted and the bytes free; the temporary file
/// is removed.
class AtomicFile {
  public:
    AtomicFile(FileSystem& files, std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
    FileStamp commit();

  private:
    void flush();
    template <class Call>
    void checked(Call&& call);

    FileSystem& files_;
    std::string path_, temporary_;
    FileSystem::Handle file_ = -1;
    std::vector<std::byte> buffer_;
    Hasher hasher_;
    std::uint64_t bytes_ = 0;
    bool committed_ = false;
};

/// Writes a whole file at once.
FileStamp write_file(FileSystem& files, const std::string& path, std::string_view text);

/// Adds to the end of a file, all of it or an error; `durable` also waits for the disk.
void append_to_file(FileSystem& files, const std::string& path, std::string_view text,
                    bool durable);

/// Reads the file once, in pieces.
FileStamp stamp_of_file(FileSystem& files, const std::string& path);

/// True for names AtomicFile uses before it commits; a killed run leaves them behind.
bool is_temporary_name(const std::string& name);

/// A MachineError about writing, with the bytes wanted and free.
FileError write_failure(FileSystem& files, const std::string& path, std::uint64_t wanted, int code);

}  // namespace spume
