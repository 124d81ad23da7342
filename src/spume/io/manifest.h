// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spume/io/file_system.h"

namespace spume {

/// What a cache was made from. Nothing in it depends on when or where it ran.
struct Manifest {
    std::string version;  ///< of Spume
    std::string math;     ///< what decides the bits of arithmetic on this machine
    std::string method;
    bool free_surface = false;       ///< the method's liquid has air around it
    std::string preset = "default";  ///< which of the scene's settings
    std::string variant;             ///< of the scene's sweep; empty: none
    std::uint64_t seed = 1;
    double fps = 24;
    int first_frame = 1, last_frame = 1;
    std::map<std::string, std::string> inputs;  ///< file name → hash of its content
    std::string scene;                          ///< TOML with every default filled in
    std::string facts;                ///< what decides the frames, one a line (scene/print.h)
    std::vector<std::string> breaks;  ///< differences a resume was forced to accept
    bool complete = false;            ///< all frames up to the last are committed
};

std::string encode_manifest(const Manifest& manifest);
Manifest decode_manifest(std::string_view text, const std::string& file);

void write_manifest(FileSystem& files, const std::string& directory, const Manifest& manifest);
/// None if there is no such file; a damaged one is a UserError.
std::optional<Manifest> read_manifest(FileSystem& files, const std::string& directory);

/// Why a run described by `now` cannot go on with a cache described by `before`: one sentence for
/// each difference. The last frame may differ.
std::vector<std::string> resume_obstacles(const Manifest& before, const Manifest& now);

/// For Manifest::math.
std::string math_of_this_build();

}  // namespace spume
