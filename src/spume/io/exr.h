// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <string>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// The bytes of an OpenEXR file: channels R, G, B as 16-bit floats of linear light, rows from top
/// to bottom, zip compression. Values beyond what 16 bits hold are cut.
std::string encode_exr(int width, int height, std::span<const Vec<float, 3>> rgb);

struct DecodedExr {
    int width = 0, height = 0;
    std::vector<Vec<float, 3>> rgb;
};

/// Reads the channels R, G and B of any depth and compression; UserError for anything else.
DecodedExr decode_exr(const std::string& bytes);

}  // namespace spume
