// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spume/frame/bulk_source.h"
#include "spume/io/file_system.h"
#include "spume/io/manifest.h"
#include "spume/scene/scene.h"

namespace spume {

/// The cached liquid a scene names; null if none. Its identity goes to the manifest's inputs.
/// UserError where it is not there or does not cover the scene's time, before anything is
/// simulated; solids that differ from those it was simulated with are a warning.
std::shared_ptr<const BulkSource> load_bulk(const Scene& scene, Manifest& manifest,
                                            std::vector<std::string>& warnings,
                                            std::shared_ptr<FileSystem> files = nullptr);

}  // namespace spume
