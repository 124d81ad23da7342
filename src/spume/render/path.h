// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <vector>

#include "spume/render/path_tracer.h"

namespace spume {

inline float brightest(const Colour& c) { return std::max({c[0], c[1], c[2]}); }

/// A path on its way backwards from the camera, or forwards from a lamp.
struct PathTracer::Path {
    Ray ray;
    double from = 0;    ///< where on the ray the search for the next surface starts
    double passed = 0;  ///< up to where the medium has been accounted for
    double smoked = 0;  ///< up to where smoke has had its chance
    double filmed = 0;  ///< up to where films between bubbles have been looked for
    Nest nest;
    Colour weight{1, 1, 1}, sum{};
    float dim = 0.01f;  ///< with less weight than that the path is ended
    int interfaces = 0, diffuse = 0, scattered = 0;
    bool lit = false;  ///< the last matte surface or smoke has asked all lights
    bool ended = false;
    bool bent = false;      ///< reflected or refracted since the start or the last matte surface
    double density = 0;     ///< 1/sr, of the direction it took at the last matte surface or smoke
    bool in_smoke = false;  ///< lights are asked for by smoke, which no photons land on
    std::optional<std::uint64_t> cell;  ///< the bubble it is in, among those that overlap
    long rays = 0;
    bool met_first = false;         ///< the first ray has been followed
    Vec<double, 3> first_normal{};  ///< of the first surface
    double first_depth = 0;
    Colour first_albedo{1, 1, 1};  ///< of the first matte one

    /// Where the path went from one bubble into a region of several ([G04] §6.1.2).
    struct Overlap {
        bool open = false;  ///< the film of it is yet to be drawn
        Vec<double, 3> position{}, normal{};
        int most = 2;  ///< bubbles that overlapped on the way
        std::optional<Vec<double, 3>> into_solid, out_of_solid;
    };
    Overlap overlap;
    std::vector<Path>* branches = nullptr;  ///< reflections that are followed besides; none: no

    /// `near`: what lies closer is the surface just left, seen again through rounding.
    void turn(const Vec<double, 3>& origin, const Vec<double, 3>& direction, double near) {
        ray.origin = origin, ray.direction = direction;
        from = near, passed = smoked = filmed = 0;
    }
};

}  // namespace spume
