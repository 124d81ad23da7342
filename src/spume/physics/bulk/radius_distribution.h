// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/scene/emission.h"

namespace spume {

/// Radii of entrained bubbles between a smallest and a largest.
///
///   inverse_cubic   Q(r) ∝ r⁻³                                               [WFS22] Eq. 34
///   two_slope       Q(r) ∝ r^(−3/2) below the Hinze radius, r^(−10/3) above, continuous there:
///                   fragments of turbulence above, of splashing below [DMP16] [DS02]
class RadiusDistribution {
  public:
    RadiusDistribution() : RadiusDistribution(SizeLaw::kInverseCubic, 0.5e-3, 5e-3, 1e-3) {}
    RadiusDistribution(SizeLaw law, double radius_min, double radius_max, double split_radius);
    explicit RadiusDistribution(const Emission& e)
        : RadiusDistribution(e.distribution, e.radius_min, e.radius_max, e.split_radius) {}

    /// The radius below which the share `uniform` of all bubbles is, m: the inverse of `share`.
    double radius(double uniform) const;
    double share(double radius) const;  ///< cumulative distribution ℛ(r)
    double moment(int power) const;     ///< ⟨r^power⟩, power ≥ 1
    /// ⟨V⟩, m³; 2D: m².
    template <int D>
    double mean_volume() const;

  private:
    SizeLaw law_;
    double min_, max_, split_;
    double below_ = 0,
           all_ = 0;  ///< two_slope: integrals of (r/split)^(−p) up to split, and to max
};

}  // namespace spume
