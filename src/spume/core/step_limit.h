// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace spume {

/// How long a substep may be, and why.
struct StepLimit {
    double seconds = std::numeric_limits<double>::infinity();
    std::string cause;      ///< in words, with the key and its value
    std::string remedy;     ///< what would allow longer ones
    bool by_speed = false;  ///< set by motion, which a repeated, shorter substep may keep smaller

    /// The shorter of the two.
    StepLimit& also(StepLimit other) {
        if (other.seconds < seconds) *this = std::move(other);
        return *this;
    }
};

/// How far motion may go in a substep: `cfl` voxels, a parameter of the method.
struct Reach {
    std::string_view method;
    double cfl = 1, voxel = 1;
    double metres() const { return cfl * voxel; }
};

/// `what` moves no farther than the reach.
StepLimit speed_limit(const Reach& reach, std::string_view what, double speed);
/// From rest, gravity brings nothing farther than the reach.
StepLimit gravity_limit(const Reach& reach, double gravity);
/// A frame has so many substeps at least.
StepLimit frame_limit(std::string_view method, double fps, int min_substeps);
/// Explicit surface tension is stable; `remedy` is what the method offers.
StepLimit tension_limit(double seconds, double tension, std::string_view remedy);

}  // namespace spume
