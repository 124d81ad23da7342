// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>

#include "spume/frame/point_frames.h"
#include "spume/io/file_system.h"

namespace spume {

/// The committed points of a run by their name. UserError with the path where it is no cache or has
/// none of that name. `identity` becomes a hash of what the cache was made from.
std::shared_ptr<const PointFrames> open_cache_points(std::shared_ptr<FileSystem> files,
                                                     const std::string& directory,
                                                     const std::string& name,
                                                     std::string& identity);

}  // namespace spume
