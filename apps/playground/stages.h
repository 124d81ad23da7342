// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/methods/cip/cip.h"

namespace spume::playground {

using cip::Part;
constexpr int kPartCount = int(Part::kEnd);

/// Watches substeps from within: keeps the state before and after each part, and undoes parts that
/// are switched off.
class StageRecord {
  public:
    struct Seen {
        Part part;
        cip::State<2> before, after;
    };

    /// Told by the world when a part begins.
    void at(Part part, cip::State<2>& state);

    bool recording = false;
    bool off[kPartCount] = {};
    bool wanted() const;
    const std::vector<Seen>& seen() const { return seen_; }

    /// What the pressure solver's cycles left of b − A x, x slowest, and its norm over that of b.
    struct Cycle {
        double relative;
        std::vector<float> residual;
    };
    std::vector<Cycle> cycles;

  private:
    std::vector<Seen> seen_;
    cip::State<2> before_;
    Part current_ = Part::kEnd;
};

}  // namespace spume::playground
