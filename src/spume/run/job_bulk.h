// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spume/core/describe.h"
#include "spume/core/parallel.h"
#include "spume/frame/inputs.h"
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

/// The same beside the bubbles of the run that the method's section names as `bubbles`, if it does.
/// UserError as above.
std::shared_ptr<const BulkSource> beside_bubbles(std::shared_ptr<const BulkSource> bulk,
                                                 const Scene& scene,
                                                 FunctionRef<void(ParamVisitor&)> section,
                                                 Manifest& manifest,
                                                 std::shared_ptr<FileSystem> files = nullptr);

/// The text that the method's section names as `list`, if it does. UserError where it is not there.
InputText load_list(FileSystem& files, FunctionRef<void(ParamVisitor&)> section,
                    Manifest& manifest);

}  // namespace spume
