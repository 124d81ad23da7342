// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/lock.h"

#include <ctime>
#include <fstream>

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace spume {
namespace {

std::string this_host() {
    char name[256] = "";
    if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
    return name;
}

std::string now() {
    const std::time_t t = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&t, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
    return text;
}

}  // namespace

std::unique_ptr<FileSystem::Lock> lock_directory(
    FileSystem& files, const std::string& directory,
    const std::function<void(const std::string&)>& note) {
    const std::string path = join_path(directory, ".lock");
    FileSystem::LockAttempt attempt = files.lock(path);
    // The first line alone: the file may be anything.
    const std::string owner =
        attempt.found.substr(0, std::min<std::size_t>(attempt.found.find('\n'), 300));
    if (!attempt.lock)
        throw UserError(fmt::format("{} is in use by {}", directory,
                                    owner.empty() ? "another run that is just starting" : owner),
                        "wait for that run, stop it, or give another directory with -o");
    const std::string here = fmt::format("host {}, ", this_host());
    // Anything that does not look like our own words was cut off by a crash: it says nothing.
    const bool readable = owner.rfind("host ", 0) == 0 && owner.find(", process ") != owner.npos;
    if (readable && owner.rfind(here, 0) != 0)
        throw UserError(
            fmt::format("{} was locked by {}, which cannot be asked whether it still runs",
                        directory, owner),
            fmt::format("if that run is dead, remove {} and start again", path));
    if (readable)
        note(fmt::format("the run of {} ended without unlocking {}: going on", owner, directory));
    attempt.lock->sign(
        fmt::format("{}process {}, started {}\n", here, static_cast<long>(::getpid()), now()));
    return std::move(attempt.lock);
}

bool is_locked(const std::string& directory) {
    struct stat facts {};
    if (::stat(join_path(directory, ".lock").c_str(), &facts) != 0) return false;
    const std::string wanted =
        fmt::format(" {:02x}:{:02x}:{} ", major(facts.st_dev), minor(facts.st_dev), facts.st_ino);
    std::ifstream table("/proc/locks");
    for (std::string line; std::getline(table, line);)
        if (line.find(" FLOCK ") != line.npos && line.find(wanted) != line.npos) return true;
    return false;
}

}  // namespace spume
