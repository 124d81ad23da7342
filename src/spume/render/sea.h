// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/box.h"
#include "spume/render/world.h"

namespace spume {

/// Water around a domain, to the horizon.
struct Sea {
    Box<double, 3> domain;
    Vec<double, 3> center;  ///< what the world's coordinates are relative to
    double level = 0;       ///< m
    double far = 1e3;       ///< m from the domain's middle to where it ends
    double overlap = 0;     ///< m it reaches into the domain
};

/// Height of the water at the sides of the domain: the median along them of where the closed
/// surface is highest. Its vertices near the sides tell.
double sea_level(const std::vector<Vec<double, 3>>& vertices, const Box<double, 3>& domain);

/// Lets the surface become level towards the sides of the domain, so that it meets the sea outside
/// without a step; it is level where the sea overlaps it. What closes it at the bottom stays.
void fade_to_level(std::vector<Vec<double, 3>>& vertices, const Sea& sea);

/// Four blocks around the domain and one below it; they overlap the water of the domain a little,
/// which shows nothing.
void add_sea(World& world, const Sea& sea, int material);

}  // namespace spume
