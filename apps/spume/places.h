// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/io/file_system.h"

namespace spume {

/// The folder this program lies in.
std::string program_folder();

/// The bundled scenes: ../share/spume/scenes of an installed program, else those of the sources.
std::string scenes_folder(FileSystem& files);

}  // namespace spume
