// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>

#include "spume/io/checkpoint.h"

namespace spume {

inline constexpr char kCheckpointMagic[9] = "SPUMECKP";
inline constexpr std::uint32_t kCheckpointFormat = 1;
inline constexpr std::uint32_t kMostHeaderBytes = 16u << 20;
inline constexpr std::uint32_t kMostNameBytes = 1024;

std::string encode_checkpoint_header(const CheckpointInfo& info);
CheckpointInfo decode_checkpoint_header(std::string_view text, const std::string& file);

/// "frame.0010.checkpoint", or "stop.0010.003.checkpoint" for three substeps into frame 11.
std::string checkpoint_name(const CheckpointInfo& info);
struct CheckpointPlace {
    int frame = 0, substeps = 0;
    bool regular = true;
    // clang-tidy 14 sees conversions inside the comparison that the compiler writes.
    // NOLINTBEGIN(readability-implicit-bool-conversion)
    friend auto operator<=>(const CheckpointPlace&, const CheckpointPlace&) = default;
    // NOLINTEND(readability-implicit-bool-conversion)
};
std::optional<CheckpointPlace> place_of_checkpoint(const std::string& name);

}  // namespace spume
