// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/scene/scene.h"

namespace spume {

/// Energy of a wind sea by wavenumber and direction, [Hor15].
///
///   ω² = (g k + σ k³ / ρ) tanh kh                                             dispersion
///   S(ω) = α g² ω⁻⁵ exp(−β (ω_p/ω)⁴) γ^r,   r = exp(−(ω − ω_p)² / 2 s² ω_p²)   JONSWAP [HBB73]
///   α = 0.076 X^−0.22,  ω_p = 7 π (g/U) X^−0.33,  X = gF/U²,  β = 5/4,  s = 0.07 | 0.09
///   S_TMA = S ½ (1 + tanh(1.8 (ω √(h/g) − 1.125)))                            finite depth
///   Pierson–Moskowitz: α = 0.0081, β = 1.291, ω_p = 0.87 g/U, γ = 1
///
/// Fetches are in metres throughout, and spreading integrates to one over the whole circle.
class WaveSpectrum {
  public:
    explicit WaveSpectrum(const Scene& scene);

    double frequency(double k) const;    ///< ω(k), rad/s
    double group_speed(double k) const;  ///< dω/dk, m/s
    double peak() const { return peak_; }
    double density(double omega) const;  ///< S(ω), m² s
    /// Share of the energy at ω by direction, 1/rad; θ from the wind's, −π … π.
    double spreading(double omega, double theta) const;
    double upwind_share(double omega) const;  ///< of the waves that go against the wind
    /// s of cos^2s without swell, or β of sech²: what the empirical laws give.
    double shape(double omega) const;
    /// m0 = ∫ S(ω) dω over waves of wavenumbers k_min … k_max; Hs = 4 √m0.
    double variance(double k_min, double k_max) const;

  private:
    double elongation(double omega) const;
    double lobe(double omega, double theta) const;

    double gravity_, capillarity_, depth_;
    bool shallow_;  ///< TMA
    OceanSpreading law_;
    double wind_, alpha_, beta_, peak_, gamma_, swell_;
    std::vector<double> lobe_area_;  ///< Donelan–Banner with swell: ∫ lobe dθ over log ω
};

/// What is to be said of a sea whose tile cuts off half of its energy or more, with the tile that
/// would do; empty if it does not.
std::string cut_by_tile(const Scene& scene);

}  // namespace spume
