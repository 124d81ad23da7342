// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "spume/io/file_system.h"

namespace spume {

/// Makes the output directory ours until the result is destroyed. If another process has it, or one
/// on another machine left its lock behind, a UserError says who, since when, and what to do. A
/// lock left by a process of this machine that no longer lives is taken over and reported to
/// `note`.
std::unique_ptr<FileSystem::Lock> lock_directory(
    FileSystem& files, const std::string& directory,
    const std::function<void(const std::string&)>& note);

/// Whether a process of this machine holds the lock of a directory. Asks the kernel's table, so
/// that no run that starts just now finds the lock taken.
bool is_locked(const std::string& directory);

}  // namespace spume
