// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

namespace spume {

/// Is that the beginning of a gzip file?
bool is_gzip(const std::string& bytes);

/// What a gzip file holds, at most so many bytes; UserError with its name and `remedy` where it is
/// damaged or holds more.
std::string unzipped(const std::string& bytes, std::size_t most, const std::string& path,
                     const std::string& remedy);

}  // namespace spume
