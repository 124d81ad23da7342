// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>
#include <memory>

#include "spume/core/vec.h"
#include "spume/render/image.h"

namespace spume {

/// A round light so far away that only its direction counts.
struct Sun {
    Vec<double, 3> direction{0, 1, 0};  ///< towards it, length one
    double cosine = 1;                  ///< of its angular radius; 1: there is no sun
    Colour radiance{};
};

class EnvironmentImage;

/// The light that comes from where nothing stands in the way.
struct Environment {
    enum class Kind {
        kUniform,  ///< the same from everywhere
        kSky,      ///< outdoors: blue above, haze at the horizon, ground below
        kWater,    ///< deep in clear water: the bright window above, darkness below
        kImage,    ///< as a picture of all directions says
    };
    Kind kind = Kind::kUniform;
    Colour colour{1, 1, 1};          ///< kUniform; kImage: factor on it, the same for all three
    Vec<double, 3> toward{0, 0, 1};  ///< level, from what is looked at to the camera: light is
                                     ///< set for the viewer
    double surface = 0;              ///< kWater: height of the water's surface, m
    double ripple = 0;               ///< kWater: length of its ripples, m; 0: it is flat
    std::shared_ptr<const EnvironmentImage> image;  ///< kImage
    Sun sun;

    /// Radiance that reaches `from` along `direction`, without the sun's disc. In water: what comes
    /// through the surface.
    Colour light(const Vec<double, 3>& from, const Vec<double, 3>& direction) const;
    /// What long stretches of open water look like along `direction`.
    Colour haze(const Vec<double, 3>& direction) const;
    /// How far from `from` the light comes that light() gives; infinite outdoors.
    double distance(const Vec<double, 3>& from, const Vec<double, 3>& direction) const {
        if (kind != Kind::kWater || !(direction[1] > 0))
            return std::numeric_limits<double>::infinity();
        return from[1] < surface ? (surface - from[1]) / direction[1] : 0;
    }
    bool in_sun(const Vec<double, 3>& direction) const {
        return sun.cosine < 1 && dot(direction, sun.direction) > sun.cosine;
    }
};

}  // namespace spume
