// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/frame/bulk_source.h"

#include <fmt/core.h>

#include "spume/core/error.h"

namespace spume {

Volume BulkSource::read_volume(int frame, const std::string& name) const {
    throw error_in_file(info().path, fmt::format("frame {} has no volume \"{}\"", frame, name),
                        "leave emission.mask out");
}

bool BulkSource::has_volume(int, const std::string&) const { return false; }

std::optional<PointSet> BulkSource::read_points(int, const std::string&) const {
    return std::nullopt;
}

}  // namespace spume
