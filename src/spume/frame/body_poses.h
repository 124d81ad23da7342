// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/frame/frame.h"

namespace spume {

/// Where the bodies of a RigidSet are, for a frame.
template <class RigidSet, class States>
std::vector<BodyPose> poses_of(const RigidSet& rigid, const States& states) {
    std::vector<BodyPose> r;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto& body = rigid.bodies()[i];
        r.push_back({int(body.solid), body.pose(states[i]), body.twist(states[i])});
    }
    return r;
}

}  // namespace spume
