// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spume/core/box.h"
#include "spume/render/image.h"

namespace spume {

/// Light that was bent on its way from a lamp and has landed on something matte.
struct Photon {
    Vec<float, 3> position{}, normal{};
    Colour power{};  ///< W, in the units of the lamps' radiance
};

/// Photons in a grid of cells as wide as the radius within which they are gathered ([Jen96]).
class PhotonMap {
  public:
    PhotonMap() = default;
    /// `covers`: where matte things take their bent light from the map; none: everywhere.
    PhotonMap(std::vector<Photon> photons, double radius,
              std::optional<Box<double, 3>> covers = {});

    /// Power on a unit of area with that normal, by the kernel 2/(π r²) (1 − d²/r²).
    Colour irradiance(const Vec<double, 3>& x, const Vec<double, 3>& normal) const;
    bool covers(const Vec<double, 3>& x) const { return !covers_ || covers_->contains(x); }
    double radius() const { return radius_; }
    const std::vector<Photon>& photons() const { return photons_; }

  private:
    Vec<std::int32_t, 3> cell(const Vec<double, 3>& x) const;
    std::size_t bucket(const Vec<std::int32_t, 3>& cell) const;

    std::vector<Photon> photons_;        ///< by bucket, in the order they came
    std::vector<std::uint32_t> starts_;  ///< of each bucket, and the end
    double radius_ = 1;
    std::optional<Box<double, 3>> covers_;
};

}  // namespace spume
