// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "stages.h"

#include <algorithm>

namespace spume::playground {

bool StageRecord::wanted() const {
    return recording || std::find(off, off + kPartCount, true) != off + kPartCount;
}

void StageRecord::at(Part part, cip::State<2>& state) {
    if (part == Part::kMoveSurface) {
        seen_.clear();
        cycles.clear();
        current_ = Part::kEnd;
    }
    if (!wanted()) return;
    if (current_ != Part::kEnd) {
        if (off[int(current_)]) state = before_;
        if (recording) seen_.push_back({current_, before_, state});
    }
    current_ = part;
    before_ = part == Part::kEnd ? cip::State<2>() : state;
}

}  // namespace spume::playground
