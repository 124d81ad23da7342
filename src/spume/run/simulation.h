// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/frame_report.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"

namespace spume {

/// A running simulation as the job sees it. `run/session` implements it over a method.
class Simulation {
  public:
    virtual ~Simulation() = default;

    /// Simulates until the end of the frame, or until the context's stop token is set: then it
    /// returns an incomplete report after a whole number of substeps, and the next call for the
    /// same frame goes on exactly where this one ended. Throws SimulationError when it cannot go
    /// on.
    virtual FrameReport advance_frame(int frame) = 0;

    virtual Frame view() = 0;            ///< what the scene's output asks for
    virtual StateSummary summary() = 0;  ///< in the words of stats.jsonl
    virtual double time() const = 0;     ///< s

    /// Names everything the next substep reads, the time and the place within the frame included.
    virtual void describe(StateVisitor& visitor) = 0;
};

}  // namespace spume
