// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "spume/io/file_system.h"

namespace spume {
namespace {

/// Repeats a call that a signal interrupted.
template <class Call>
auto without_interruption(Call&& call) {
    decltype(call()) result;
    do result = call();
    while (result < 0 && errno == EINTR);
    return result;
}

class PosixLock : public FileSystem::Lock {
  public:
    PosixLock(std::string path, int file) : path_(std::move(path)), file_(file) {}
    ~PosixLock() override {
        // Removed while still held: whoever waits for it finds that the name is gone.
        if (ours_) ::unlink(path_.c_str());
        ::close(file_);
    }
    PosixLock(const PosixLock&) = delete;
    PosixLock& operator=(const PosixLock&) = delete;

    void sign(const std::string& owner) override {
        if (::ftruncate(file_, 0) != 0) throw FileError("write", path_, errno);
        const ssize_t n = ::pwrite(file_, owner.data(), owner.size(), 0);
        if (n != static_cast<ssize_t>(owner.size()))
            throw FileError("write", path_, n < 0 ? errno : ENOSPC);
        if (::fsync(file_) != 0) throw FileError("sync", path_, errno);
        ours_ = true;
    }

  private:
    std::string path_;
    int file_;
    bool ours_ = false;
};

bool is_same_file(int file, const std::string& path) {
    struct stat ours, named;
    return ::fstat(file, &ours) == 0 && ::stat(path.c_str(), &named) == 0 &&
           ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

std::string text_in(int file) {
    char text[4096];
    const ssize_t got = without_interruption([&] { return ::pread(file, text, sizeof text, 0); });
    return got > 0 ? std::string(text, static_cast<std::size_t>(got)) : std::string();
}

class PosixFileSystem : public FileSystem {
  public:
    Handle create(const std::string& path) override {
        return open(path, O_WRONLY | O_CREAT | O_EXCL, "create");
    }
    Handle open_append(const std::string& path) override {
        return open(path, O_WRONLY | O_CREAT | O_APPEND, "open");
    }
    Handle open_read(const std::string& path) override { return open(path, O_RDONLY, "open"); }

    std::size_t write(Handle file, std::span<const std::byte> bytes) override {
        const ssize_t n =
            without_interruption([&] { return ::write(file, bytes.data(), bytes.size()); });
        if (n < 0) fail("write");
        if (n == 0 && !bytes.empty()) throw FileError("write", "the file", EIO);
        return static_cast<std::size_t>(n);
    }
    std::size_t read(Handle file, std::span<std::byte> bytes) override {
        const ssize_t n =
            without_interruption([&] { return ::read(file, bytes.data(), bytes.size()); });
        if (n < 0) fail("read");
        return static_cast<std::size_t>(n);
    }
    void sync(Handle file) override {
        if (::fsync(file) != 0) fail("sync");
    }
    void close(Handle file) override {
        // After EINTR Linux has closed the file all the same: closing again could hit another one.
        if (::close(file) != 0 && errno != EINTR) fail("close");
    }
    void rename(const std::string& from, const std::string& to) override {
        if (::rename(from.c_str(), to.c_str()) != 0) throw FileError("rename to", to, errno);
    }
    void sync_directory(const std::string& path) override {
        const int directory = open(path, O_RDONLY | O_DIRECTORY, "open");
        const int failed = ::fsync(directory) != 0 ? errno : 0;
        ::close(directory);
        // Some network file systems cannot sync a directory; their rename is durable by itself.
        if (failed != 0 && failed != EINVAL) throw FileError("sync the directory", path, failed);
    }
    void remove(const std::string& path) override {
        if (::unlink(path.c_str()) != 0) throw FileError("remove", path, errno);
    }
    void make_directory(const std::string& path) override {
        if (::mkdir(path.c_str(), 0777) != 0) throw FileError("make the directory", path, errno);
    }
    std::optional<Facts> facts(const std::string& path) override {
        struct stat s;
        if (::stat(path.c_str(), &s) == 0)
            return Facts{S_ISDIR(s.st_mode), static_cast<std::uint64_t>(s.st_size)};
        if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
        throw FileError("look at", path, errno);
    }
    std::vector<std::string> list(const std::string& path) override {
        std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
        if (!directory) throw FileError("list", path, errno);
        std::vector<std::string> names;
        while (const dirent* entry = ::readdir(directory.get())) {
            const std::string name = entry->d_name;
            if (name != "." && name != "..") names.push_back(name);
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    std::uint64_t free_bytes(const std::string& path) override {
        struct statvfs s;
        if (::statvfs(path.c_str(), &s) != 0) throw FileError("look at", path, errno);
        return static_cast<std::uint64_t>(s.f_bavail) * s.f_frsize;
    }

    /// The name is created exclusively and the open file is locked too: the kernel drops that lock
    /// with the process, so a lock left by a killed run is recognised without guessing from its
    /// pid.
    LockAttempt lock(const std::string& path) override {
        for (;;) {
            int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            const bool existed = file < 0 && errno == EEXIST;
            if (existed) file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
            if (file < 0 && existed && errno == ENOENT) continue;  // released just now
            if (file < 0) throw FileError("create", path, errno);
            if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
                const int code = errno;
                std::string found = text_in(file);
                ::close(file);
                if (code == EWOULDBLOCK) return {nullptr, std::move(found)};
                throw FileError("lock", path, code);
            }
            if (!is_same_file(file, path)) {
                ::close(file);
                continue;
            }
            return {std::make_unique<PosixLock>(path, file), text_in(file)};
        }
    }

  private:
    [[noreturn]] static void fail(const char* doing) { throw FileError(doing, "the file", errno); }
    static Handle open(const std::string& path, int flags, const char* doing) {
        const int file =
            without_interruption([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
        if (file < 0) throw FileError(doing, path, errno);
        return file;
    }
};

}  // namespace

std::unique_ptr<FileSystem> make_posix_file_system() { return std::make_unique<PosixFileSystem>(); }

}  // namespace spume
