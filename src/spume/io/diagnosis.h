// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/core/error.h"
#include "spume/io/file_system.h"

namespace spume {

/// Writes what is known about a simulation that could not go on: message, and for each bad number
/// its stage, field, cell, position, value and neighbours. Returns the path, relative to the cache.
std::string write_diagnosis(FileSystem& files, const std::string& directory, int frame,
                            const SimulationError& error);

}  // namespace spume
