// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/render/path_tracer.h"

namespace spume {

struct PhotonOptions {
    std::size_t count = 1000000;  ///< sent from all lights together
    double radius = 0;            ///< m they are gathered in; 0: about forty photons
    std::uint64_t seed = 1;
    PathLimits limits;
    /// Light is sent on what this box holds, and matte things outside of it do without the map;
    /// none: on all clear surfaces.
    std::optional<Box<double, 3>> box;
};

struct Photons {
    PhotonMap map;
    long rays = 0;
    double sent = 0;    ///< luminous power sent out
    double landed = 0;  ///< of it what is in the map
};

/// Sends light from the sun and the lamps through water, glass and bubbles. The same bits for any
/// number of threads.
Photons send_photons(const RayScene& scene, const PhotonOptions& options, Context& context);

}  // namespace spume
