// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>

#include "spume/frame/bulk_source.h"
#include "spume/io/file_system.h"
#include "spume/io/manifest.h"
#include "spume/scene/scene.h"

namespace spume {

/// The committed frames of a liquid's cache, of any method with a free surface. UserError with the
/// path where it is none, or lacks what a bulk needs. `identity` becomes a hash of what the cache
/// was made from.
std::shared_ptr<const BulkSource> open_cache_source(std::shared_ptr<FileSystem> files,
                                                    const std::string& directory,
                                                    std::string& identity);

/// What decides the frames of a cache: equal for a run and its continuation.
std::string identity_of(const Manifest& manifest);

/// What a scene says of each of its solids, but for names and looks: for BulkInfo::solids.
std::vector<std::string> solid_lines(const Scene& scene);

}  // namespace spume
