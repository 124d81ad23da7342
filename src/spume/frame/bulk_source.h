// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spume/core/box.h"
#include "spume/frame/frame.h"

namespace spume {

/// What is known of the frames of a liquid before one of them is read.
struct BulkInfo {
    std::string path;  ///< for messages
    int dimensions = 3;
    double voxel = 0;                 ///< m
    Vec<double, 3> origin{};          ///< m; lower corner of cell (0, 0, 0)
    double fps = 24;                  ///< frames a second
    int first = 1, last = 1;          ///< numbers of the first frame and of the last to come
    int every = 1;                    ///< of these, each so many-th is there
    Box<double, 3> box{};             ///< m; what it was simulated in
    bool closed[3][2] = {};           ///< [axis][lower, upper]: nothing passes that side of the box
    std::vector<std::string> solids;  ///< what its scene says of each, for comparing
};

/// Frames of a liquid from outside. May be asked from several threads.
class BulkSource {
  public:
    virtual ~BulkSource() = default;
    virtual const BulkInfo& info() const = 0;
    virtual bool has(int frame) const = 0;  ///< is it there now?
    /// A frame with the volumes "surface" (level set, m) and "vel" (staggered, m/s). UserError
    /// where it is missing, damaged, or not what `info` says.
    virtual Frame read(int frame) const = 0;
    /// A scalar volume of that frame by its name. UserError, which names those there are, if there
    /// is none.
    virtual Volume read_volume(int frame, const std::string& name) const;
    virtual bool has_volume(int frame, const std::string& name) const;
    /// Points of that frame by their name, if it has any.
    virtual std::optional<PointSet> read_points(int frame, const std::string& name) const;
};

}  // namespace spume
