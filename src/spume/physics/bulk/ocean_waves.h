// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <complex>
#include <vector>

#include "spume/core/context.h"
#include "spume/physics/bulk/periodic_field.h"
#include "spume/physics/bulk/wave_spectrum.h"

namespace spume {

/// The sea at one time, on layers that follow its surface: Y = 0 is the surface, Y = −depth the
/// bottom, a layer lies at y = level + Y + lift(x).
///
/// `transport` M is the flux potential of the horizontal velocity, u_h = ∂M/∂y and v = −∇·M. It is
/// a vector potential of the velocity: whatever lift and M are, u is free of divergence, and if
/// −∇·M = ∂η/∂t on the surface, that moves with u, exactly and at any steepness.
template <int D>
struct OceanState {
    static constexpr int H = D - 1;
    struct Layer {
        double depth_coordinate;         ///< Y, m
        PeriodicField<H> lift;           ///< m
        PeriodicField<H> transport[H];   ///< m²/s
        double lowest = 0, highest = 0;  ///< bounds of the lift
    };
    double time = 0;
    std::vector<Layer> layers;  ///< from above down
    std::size_t surface = 0;    ///< the layer Y = 0; its lift is the height η
};

/// Waves of a spectrum, random in phase and height, over a square that repeats ([Tes01], [Hor15]):
///
///   η(X, t) = Σ Re 2 h₀(k) e^{i(k·X − ω(k) t)},   ⟨|h₀|²⟩ = ½ ∫ S(k) dk over the mode's cell
///   x = X + c D(X, t),   D̂ = i k̂ coth(kh) η̂                                  choppiness c
///
/// Modes are of 2π/L ≤ k ≤ πN/L; a mode's random numbers depend on the seed and its own number, so
/// that a finer sea is the same sea with more short waves. Choppy seas are resampled over x; their
/// mean level is kept. Below, each wave of the surface fades as sinh k(Y + h) / sinh kh.
template <int D>
class OceanWaves {
  public:
    static constexpr int H = D - 1;
    explicit OceanWaves(const Scene& scene);

    double tile() const { return tile_; }
    double choppiness() const { return chop_; }
    double variance() const;   ///< expected, of η without choppiness: m²
    double steepness() const;  ///< expected root mean square of ∇·D, choppiness 1
    const WaveSpectrum& spectrum() const { return spectrum_; }

    /// Layers from two voxels above the surface to `bottom` metres (Y) below it.
    OceanState<D> state(double time, double voxel, double bottom, Context& context) const;

  private:
    using Complex = std::complex<double>;
    struct Surface {
        std::vector<Complex> height, rate;  ///< amplitudes of η and of ∂η/∂t
    };
    Index<H> mode(std::size_t i) const;  ///< number of waves along each axis
    double wavenumber(const Index<H>& m) const;
    double energy(const Index<H>& m) const;
    Surface linear(double time) const;
    Surface choppy(const Surface& flat, Context& context) const;
    PeriodicField<H> field(std::vector<Complex> amplitudes) const;
    typename OceanState<D>::Layer layer(const Surface& surface, double y) const;
    double fading(double k, double y) const;

    WaveSpectrum spectrum_;
    WaveTransform transform_;
    int n_;  ///< points a side: twice N, so that splines and sharpened crests keep their slopes
    double tile_, depth_, chop_ = 0;
    Vec<double, 2> wind_;  ///< unit vector, along x and z
    std::vector<double> omega_, coth_;
    std::vector<double> expected_;  ///< variance of each mode
    std::vector<Complex> start_;    ///< h₀
};

}  // namespace spume
