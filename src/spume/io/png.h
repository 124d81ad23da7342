// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spume {

/// The bytes of a PNG file: 8 bits a channel, RGB, rows from top to bottom, 3·width·height bytes.
std::string encode_png(int width, int height, std::span<const std::uint8_t> rgb);

struct DecodedPng {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

/// Reads what encode_png writes (8-bit RGB, not interlaced). UserError for anything else, damaged
/// or larger than 2³⁰ bytes of pixels.
DecodedPng decode_png(std::span<const std::uint8_t> bytes);

}  // namespace spume
