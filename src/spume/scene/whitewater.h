// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

namespace spume {

/// Bubbles smaller than a voxel in the liquid that a scene simulates, two-way coupled to it in the
/// same run ([WFS22] §3, Fig. 14): `[whitewater]`.
struct Whitewater {
    bool on = false;  ///< the scene has the section
    // The physical law, [WFS22] Eq. 5.
    double drag = 1;
    // Midway in what [WFS22] §3.5 uses; a voxel keeps half of the liquid's particles.
    double max_fraction = 0.5;
};

class ParamVisitor;
/// The section [whitewater].
void describe(Whitewater& whitewater, ParamVisitor& visitor);

}  // namespace spume
