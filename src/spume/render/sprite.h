// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/box.h"
#include "spume/core/parallel.h"
#include "spume/render/image.h"

namespace spume {

enum class SpriteKind {
    kBubble,  ///< an air bubble in water: reflection, refraction, what is behind shines through
    kMatte    ///< an opaque ball: red holds the diffuse shade for a tint, green the highlight
};

/// Pictures of a ball of radius one for several elevations of the line of sight, each at several
/// sizes, so that a ball of any size on the screen costs one smooth lookup a sample and never
/// flickers. Colours are premultiplied by opacity.
class Sprite {
  public:
    struct Texel {
        float red = 0, green = 0, blue = 0, opacity = 0;
    };

    /// `largest` is the radius in samples of the largest ball that will be drawn, `elevations` the
    /// range (radians) of the lines of sight.
    Sprite(SpriteKind kind, double largest, Interval elevations, Arena& arena);

    /// The picture for a ball of `radius` samples seen along `elevation` radians.
    class View {
      public:
        /// u to the right, v up, the ball's outline at length one.
        Texel at(float u, float v) const;

      private:
        friend class Sprite;
        const Texel* texels_ = nullptr;
        int side_ = 0;
    };
    View view(double radius, double elevation) const;

  private:
    struct Level {
        int side;
        std::vector<Texel> texels;
    };
    Interval elevations_;
    std::vector<std::vector<Level>> slices_;  ///< [elevation][level], largest first
};

}  // namespace spume
