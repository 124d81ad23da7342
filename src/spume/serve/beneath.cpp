// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/beneath.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "spume/core/error.h"

namespace spume {
namespace {

/// Closes a file at the end of a scope.
struct OpenFile {
    int number;
    ~OpenFile() {
        if (number >= 0) ::close(number);
    }
};

std::optional<std::string> read_all(int file, std::uint64_t bytes) {
    std::string text(bytes, '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const ssize_t n = ::read(file, text.data() + have, text.size() - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return std::nullopt;
        if (n == 0) break;
        have += static_cast<std::size_t>(n);
    }
    text.resize(have);
    return text;
}

}  // namespace

BeneathDirectory::BeneathDirectory(const std::string& path)
    : directory_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (directory_ < 0)
        throw error_in_file(path, "cannot open this directory",
                            "give the directory that `spume run` wrote to");
}

BeneathDirectory::~BeneathDirectory() { ::close(directory_); }

int BeneathDirectory::open_file(const std::string& path) const {
    if (path.find('\0') != std::string::npos) return -1;
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return static_cast<int>(::syscall(SYS_openat2, directory_, path.c_str(), &how, sizeof how));
}

std::optional<std::string> BeneathDirectory::read(const std::string& path,
                                                  std::uint64_t limit) const {
    const OpenFile file{open_file(path)};
    struct stat facts {};
    if (file.number < 0 || ::fstat(file.number, &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    if (static_cast<std::uint64_t>(facts.st_size) > limit) return {};
    return read_all(file.number, static_cast<std::uint64_t>(facts.st_size));
}

std::optional<std::string> BeneathDirectory::read_end(const std::string& path,
                                                      std::uint64_t limit) const {
    const OpenFile file{open_file(path)};
    struct stat facts {};
    if (file.number < 0 || ::fstat(file.number, &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    const std::uint64_t bytes = std::min(size, limit);
    if (::lseek(file.number, static_cast<off_t>(size - bytes), SEEK_SET) < 0) return {};
    return read_all(file.number, bytes);
}

}  // namespace spume
