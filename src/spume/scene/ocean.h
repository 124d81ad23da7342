// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>

#include "spume/core/vec.h"

namespace spume {

struct Scene;
class ParamVisitor;
class SceneDocument;

enum class OceanSpectrum { kJonswap, kTma, kPiersonMoskowitz };
enum class OceanSpreading { kHasselmann, kMitsuyasu, kDonelanBanner };

/// A sea under the wind: what `[bulk]` says of one besides its level and depth.
struct Ocean {
    OceanSpectrum spectrum = OceanSpectrum::kJonswap;
    OceanSpreading spreading = OceanSpreading::kHasselmann;
    double wind = 10;                   ///< m/s, ten metres above the water
    double fetch = 100e3;               ///< m; how far it has blown over water
    Vec<double, 3> direction{1, 0, 0};  ///< where it blows; its horizontal part counts
    double peak = 3.3;                  ///< γ of JONSWAP
    double swell = 0;                   ///< 0 … 1
    double choppiness = -1;             ///< 0 … 1; < 0: 1, or what keeps the surface from folding
    double tile = 0;                    ///< m; period of the sea along both axes
    int resolution = 0;                 ///< points across the tile; 0: one for two voxels
    std::uint64_t seed = 1;
};

void describe_ocean(Ocean& ocean, bool used, ParamVisitor& visitor);
/// Points across the tile that are in use: a product of 2, 3 and 5, and even.
int ocean_resolution(const Scene& scene);
void check_ocean(const Scene& scene, SceneDocument& document);

}  // namespace spume
