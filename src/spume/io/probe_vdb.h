// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

namespace spume {

struct ProbeLimits {
    double seconds = 20;
    std::uint64_t memory_bytes = std::uint64_t(4) << 30;
};

/// Describes a .vdb by running `program`, which must call `probe_main`, as a child that may crash,
/// hang or run out of memory: whatever happens there is a UserError here, within the time limit.
std::string probe_vdb(const std::vector<std::string>& program, const std::string& path,
                      const ProbeLimits& limits = {});

/// The child: takes the limits upon itself, describes the file on standard output.
int probe_main(const std::string& path, const ProbeLimits& limits);

}  // namespace spume
