// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/core/frame_report.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"

namespace spume {

/// What is to be told of a state.
struct Observation {
    StateSummary summary;
    std::optional<Frame> frame;
};

/// A running simulation as the job sees it. `run/session` implements it over a method.
class Simulation {
  public:
    virtual ~Simulation() = default;

    /// Simulates until the end of the frame, or until the context's stop token is set: then it
    /// returns an incomplete report after a whole number of substeps, and the next call for the
    /// same frame goes on exactly where this one ended. Throws SimulationError when it cannot go
    /// on, with the report of the substeps that the state keeps.
    virtual FrameReport advance_frame(int frame) = 0;

    virtual Frame view() = 0;            ///< what the scene's output asks for
    virtual StateSummary summary() = 0;  ///< in the words of stats.jsonl
    /// Both; a method may share what it computes for them.
    virtual Observation observe(bool with_frame) {
        Observation r{summary(), std::nullopt};
        if (with_frame) r.frame = view();
        return r;
    }
    virtual double time() const = 0;  ///< s

    /// Names everything the next substep reads, the time and the place within the frame included.
    virtual void describe(StateVisitor& visitor) = 0;
};

}  // namespace spume
