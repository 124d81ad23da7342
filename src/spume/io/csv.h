// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/frame/frame.h"

namespace spume {

/// Points as a table for people and spreadsheets: a line of names, then a line a point, `id` first,
/// vectors as three columns (`vx`, `vy`, `vz`). Numbers read back to the same values.
std::string encode_csv(const PointSet& points);

}  // namespace spume
