// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/render/world.h"

namespace spume {

/// Colour of a matte surface at x; `normal`, facing the viewer, is tilted where it is rough.
/// `object` tells grains apart.
Colour surface_colour(const Material& material, const Vec<double, 3>& x, std::uint64_t object,
                      Vec<double, 3>& normal);

/// Colour of something rough under a film of water, of the light that gets into the film: part of
/// what the ground sends back is reflected down again at the film's surface ([LD88]).
Colour wet_albedo(const Colour& dry);

/// The net of light that ripples of the water's surface throw on what is below, one on average.
/// `size` of the scene decides how large its meshes are.
float ripple_net(const Vec<double, 3>& x, double size);

}  // namespace spume
