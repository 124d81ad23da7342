// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/render/image.h"
#include "spume/render/pixel_sampler.h"

namespace spume {

/// Smoke: a density that varies from place to place, scatters light evenly in all directions and
/// swallows a little of it. Density one weakens light by exp(−extinction · metres).
class Fog {
  public:
    /// Stands where the volume does, relative to `center`.
    Fog(const Volume& density, double extinction, const Colour& albedo,
        const Vec<double, 3>& center);

    const Colour& albedo() const { return albedo_; }
    /// 1/m, from the volume's cells by linear interpolation.
    double extinction_at(const Vec<double, 3>& x) const;

    /// Where between the distances `from` and `to` light meets smoke, if it does: steps as through
    /// smoke of the greatest density, each of which counts with the share that is there (delta
    /// tracking, free of bias for any density).
    std::optional<double> collision(const Vec<double, 3>& origin, const Vec<double, 3>& direction,
                                    double from, double to, PixelSampler& sampler) const;
    /// The share of light that gets from one distance to the other, right on average (ratio
    /// tracking).
    double open(const Vec<double, 3>& origin, const Vec<double, 3>& direction, double from,
                double to, PixelSampler& sampler) const;

  private:
    float cell(const Vec<int, 3>& c) const;
    /// Cuts the stretch down to the box in which there is smoke; false if none is left.
    bool clip(const Vec<double, 3>& origin, const Vec<double, 3>& direction, double& from,
              double& to) const;

    double voxel_ = 1, extinction_ = 1;
    double densest_ = 0;  ///< 1/m, nowhere more
    Vec<double, 3> origin_{}, low_{}, high_{};
    Vec<int, 3> side_{8, 8, 8}, first_{}, count_{};  ///< tiles: cells a side, lowest, how many
    std::vector<std::int32_t> table_;                ///< tile at each place of the box, −1: none
    Array<float> values_;
    Colour albedo_{1, 1, 1};
};

}  // namespace spume
