// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <unordered_map>

#include "spume/core/box.h"
#include "spume/frame/frame.h"
#include "spume/render/image.h"

namespace spume {

/// A volume of a 2D frame by the place in its plane.
class FlatVolume {
  public:
    FlatVolume() = default;
    explicit FlatVolume(const Volume* volume);

    bool empty() const { return tiles_.empty(); }
    double voxel() const { return volume_->voxel; }
    double bottom() const { return bottom_; }
    double top() const { return top_; }
    /// Linear between the middles of cells.
    double at(double x, double y) const;
    /// The same of those around that have a value above 0 only; 0 if none has.
    double at_positive(double x, double y) const;

  private:
    float value(int i, int j) const;
    template <class Use>
    void around(double x, double y, Use&& use) const;

    const Volume* volume_ = nullptr;
    std::unordered_map<std::uint64_t, std::size_t> tiles_;  ///< first value of each tile
    double bottom_ = 0, top_ = 1;
};

/// The level set "surface" of a 2D frame as a picture: water where it is negative, oil where its
/// "liquid_density" is less, with its "ink" if it has any, a bright line along its zero, air
/// elsewhere.
class FlatLiquid {
  public:
    FlatLiquid() = default;
    /// `pixel` m wide: the line has three of them, or half a voxel where that is less.
    FlatLiquid(const Frame& frame, double pixel, const Interval& densities);

    bool empty() const { return surface_.empty(); }
    Colour at(double x, double y) const;

  private:
    FlatVolume surface_, ink_, density_;
    Interval densities_{0, 0};
    double line_ = 0;  ///< half of its width, m
};

/// Behind everything where there is air, not water: a studio's wall.
Colour dry_wall(double x, double y, int width, int height);

}  // namespace spume
