// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spume/io/foreign_frame.h"

namespace spume {

struct ProbeLimits {
    double seconds = 20;
    std::uint64_t memory_bytes = std::uint64_t(4) << 30;
};

/// Describes a .vdb by running `program`, which must call `probe_main`, as a child that may crash,
/// hang or run out of memory: whatever happens there is a UserError here, within the time limit.
std::string probe_vdb(const std::vector<std::string>& program, const std::string& path,
                      const ProbeLimits& limits = {});

/// Reads the volumes of a foreign .vdb in the same way; `program` must call `read_main` with the
/// words of the request and the path. Empty: this program if it is spume, else spume by its name.
ForeignFrame read_foreign(std::vector<std::string> program, const std::string& path,
                          const ForeignRequest& request, const ProbeLimits& limits = {});

/// The children: take the limits upon themselves, and answer on standard output.
int read_main(const std::vector<std::string>& words, const ProbeLimits& limits);
int probe_main(const std::string& path, const ProbeLimits& limits);

}  // namespace spume
