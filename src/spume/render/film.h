// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/render/image.h"

namespace spume {

/// What a film of water in air reflects.
enum class FilmLaw {
    kMean,          ///< Fresnel's equations on both faces, mean over the thickness: no colours
    kInterference,  ///< of the thickness it has: colours
    kThesis,        ///< [G04] Eq. 42
};

/// How a film gets thinner: from `begin` at birth by exp(−age / time), down to `least`, which a
/// black film keeps. All in m and s.
struct FilmDraining {
    double begin = 900e-9, time = 8, least = 12e-9;
    double thickness(double age) const;
};

/// Part of white light a film reflects, as a colour. Interference is summed over 24 wavelengths
/// and weighted by the colour matching functions ([WSS13]); a film that reflects all wavelengths
/// alike is white. Beyond 3 µm bands are finer than the eye resolves and the mean is taken.
class FilmReflectance {
  public:
    explicit FilmReflectance(FilmLaw law);
    FilmLaw law() const { return law_; }
    /// `cosine` of the angle of incidence in air, `h` the thickness in m.
    Colour operator()(double cosine, double h) const;

    /// Without the table, for one film.
    static Colour interference(double cosine, double h);

  private:
    FilmLaw law_;
    std::vector<Colour> table_;  ///< over cosine and n h cos θ_t; interference only
};

}  // namespace spume
