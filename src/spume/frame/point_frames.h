// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/frame/frame.h"

namespace spume {

/// What is known of the frames of a run before one of them is read.
struct PointFramesInfo {
    std::string path;  ///< for messages
    int dimensions = 3;
    double fps = 24;          ///< frames a second
    int first = 1, last = 1;  ///< numbers of the first frame and of the last
    int every = 1;            ///< of these, each so many-th is there
};

/// Points that a run has written. May be asked from several threads.
class PointFrames {
  public:
    virtual ~PointFrames() = default;
    virtual const PointFramesInfo& info() const = 0;
    /// UserError where the frame is missing or damaged.
    virtual PointSet read(int frame) const = 0;
};

}  // namespace spume
