// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <string>
#include <vector>

#include "spume/core/report.h"

namespace spume {

/// The warnings of a run by kind. Texts that differ in numbers alone are of one kind, but for what
/// stands in quotation marks.
class WarningTally {
  public:
    struct Kind {
        std::string first;  ///< the text of the first
        long count = 0;
    };
    /// True for the first of its kind.
    bool add(const std::string& text);
    const std::vector<Kind>& kinds() const { return kinds_; }  ///< in the order of their firsts
    long total() const;

  private:
    std::vector<Kind> kinds_;
    std::map<std::string, std::size_t> index_;
};

/// What a frame's audit says that a user must hear: more than 1 % of liquid or air unaccounted for,
/// or of the air cut off by the grid.
std::vector<std::string> audit_warnings(const StateSummary& summary);

}  // namespace spume
