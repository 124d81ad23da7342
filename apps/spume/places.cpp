// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/places.h"

#include <linux/limits.h>
#include <unistd.h>

namespace spume {

std::string program_folder() {
    char path[PATH_MAX];
    const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
    return directory_of(std::string(path, n > 0 ? std::size_t(n) : 0));
}

std::string scenes_folder(FileSystem& files) {
    const std::string installed = join_path(program_folder(), "../share/spume/scenes");
    return files.facts(installed) ? installed : SPUME_SCENES;
}

}  // namespace spume
