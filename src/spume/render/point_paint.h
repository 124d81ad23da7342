// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/render/preview.h"
#include "spume/render/sprite.h"

namespace spume {

/// How each point of a frame is painted.
class PointPaint {
  public:
    PointPaint(const Frame& frame, const PreviewOptions& options, Arena& arena);

    SpriteKind kind(std::uint32_t point) const;
    /// For SpriteKind::kMatte.
    Colour tint(std::uint32_t point) const;

    const Interval& range() const { return range_; }
    bool has_scale() const { return has_scale_; }  ///< values on a colour scale, for a legend
    const std::string& label() const { return label_; }

  private:
    std::size_t set_of(std::uint32_t point) const;
    void collect(const PointSet& set, std::size_t first, int set_number, Arena& arena);
    void find_range(const PreviewOptions& options, Arena& arena);

    PreviewColours mode_;
    std::vector<std::size_t> set_begin_;
    std::vector<bool> set_is_foam_, set_is_grains_;
    /// Of a set of the liquid's own particles, of several densities; else none.
    std::vector<const Array<float>*> set_density_;
    Interval densities_{0, 0};
    std::vector<float> value_;  ///< one a point, in modes other than kWater
    Interval range_{0, 1};
    bool has_scale_ = false;
    std::string label_;
};

/// The ends of the colour scale that suit a frame; none where the mode has no scale or the frame no
/// points.
std::optional<Interval> colour_range(const Frame& frame, PreviewColours colours, Arena& arena);

}  // namespace spume
