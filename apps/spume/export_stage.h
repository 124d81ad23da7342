// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/io/commit.h"
#include "spume/io/manifest.h"
#include "spume/io/usd.h"

namespace spume {

/// Solids and camera of a cache's scene in the frames of these records. Automatic cameras are left
/// out: they are a matter of the picture.
void add_solids_and_camera(UsdSequence& sequence, const Manifest& manifest,
                           const std::vector<CommitRecord>& records);

/// The same for programs that read neither scenes nor USD: solids.json, and beside it a PLY file
/// for each solid in its own frame (docs/blender.md).
void write_solids(FileSystem& files, const std::string& directory, const UsdSequence& sequence);

}  // namespace spume
