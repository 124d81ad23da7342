// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "spume/core/box.h"
#include "spume/core/vec.h"
#include "spume/render/environment.h"
#include "spume/render/film.h"
#include "spume/render/fog.h"
#include "spume/render/nest.h"

namespace spume {

// What a ray tracer sees: plain data, in metres, y up.

/// What fills a closed surface, or all space.
struct Medium {
    double index = 1;
    Colour absorption{};      ///< 1/m
    Colour glow{};            ///< radiance that long stretches of it add
    bool open_water = false;  ///< glows like Environment::haze instead
    bool smoky = false;       ///< World::fog is in it
};

enum class Finish {
    kClear,    ///< an interface between media
    kMatte,    ///< diffuse, of one colour
    kGrain,    ///< diffuse, each object a little lighter or darker
    kChecker,  ///< diffuse, squares of two colours on x and z
    kSand,     ///< diffuse, grainy, with ripples
    kVeil      ///< sends part of the light from above back, diffuse; the rest goes straight on
};

struct Material {
    Finish finish = Finish::kClear;
    Priority priority = Priority::kSolid;  ///< kClear
    int medium = 0;                        ///< kClear: of the inside
    bool film = false;  ///< kClear: where both sides are alike there is still a film of water
    double thickness = 500e-9;  ///< of that film, m
    Colour colour{0.5f, 0.5f, 0.5f};
    Colour other{0.1f, 0.1f, 0.1f};  ///< kChecker
    double scale = 0.1;              ///< kChecker, kSand: size of a square, of a ripple, m
    double wet = 0;                  ///< kMatte: m above water up to which it is wet
    double fade = 1e300;             ///< kChecker: m from the origin to where squares have blurred
};

/// Where a picture's time interval is 0 … 1, things move on straight lines from begin to end.
struct Balls {
    std::vector<Vec<float, 4>> begin;  ///< centre and radius
    std::vector<Vec<float, 4>> end;    ///< empty: at rest
    std::vector<float> film{};         ///< thickness of each film, m; empty: that of the material
    int material = 0;
};

/// Balls that are drawn out along an axis.
struct Ellipsoids {
    std::vector<Vec<float, 3>> begin;  ///< centres
    std::vector<Vec<float, 3>> end;    ///< empty: at rest
    std::vector<Vec<float, 3>> axis;   ///< length one
    std::vector<float> along, across;  ///< half axes
    std::vector<float> film{};         ///< as that of Balls
    int material = 0;
};

struct Surface {
    std::vector<Vec<float, 3>> begin;  ///< vertices
    std::vector<Vec<float, 3>> end;    ///< empty: at rest
    std::vector<Vec<std::uint32_t, 3>> triangles;
    std::vector<Vec<float, 3>> normals;  ///< one a vertex; empty: flat faces
    std::vector<std::uint32_t>
        part;  ///< of each triangle: closed surfaces of their own; empty: one
    int material = 0;
};

/// Bodies of revolution alike but for size, place and axis.
struct Copies {
    struct Place {
        Vec<float, 3> position{};
        float scale = 1;
        Vec<float, 3> axis{0, 1, 0};  ///< where +y of the parts points, length one
    };
    std::vector<Surface> parts;  ///< of each, at rest; closed surfaces of their own
    std::vector<Place> places;
    std::vector<Vec<float, 3>> end;  ///< positions; empty: at rest
    std::vector<float> film{};       ///< thickness of each film, m; empty: that of the material
};

/// Part of the light from above that a veil sends back, over the cosine of its angle: from 0 to 1
/// in even steps.
using VeilReflectance = std::array<float, 9>;

/// Foam whose bubbles are too small to be told apart: discs on the water.
struct Veil {
    std::vector<Vec<float, 4>> discs;    ///< centre and radius
    std::vector<Vec<float, 3>> normals;  ///< away from the water
    std::vector<std::uint8_t> look;      ///< of each, which of `reflectance`
    std::vector<VeilReflectance> reflectance;
    int material = 0;
};

/// Films where bubbles overlap.
enum class FoamRule {
    kExact,    ///< cells by the least f (foam_cells.h)
    kThesis,   ///< one film at the mean of the hits ([G04] §6.1.2, §6.2.2)
    kAmbient,  ///< the same, but where three overlap the path ends in ambient light ([G04] §6.1.3)
};

/// A rectangle that shines to the side its normal (cross of the edges) points to.
struct AreaLight {
    Vec<double, 3> corner{}, edge_a{1, 0, 0}, edge_b{0, 0, 1};
    Colour radiance{1, 1, 1};
};

struct Floor {
    double height = 0;
    int material = 0;
};

struct World {
    std::vector<Medium> media{Medium{}};  ///< the first fills all space
    std::vector<Material> materials;
    std::vector<Balls> balls;
    std::vector<Ellipsoids> ellipsoids;
    std::vector<Surface> surfaces;
    std::vector<Copies> copies;
    std::vector<Veil> veils;
    std::vector<AreaLight> lights;
    std::optional<Floor> floor;
    std::optional<Fog> fog;
    Environment environment;
    FilmLaw films = FilmLaw::kMean;
    FoamRule foam = FoamRule::kExact;
    bool first_hit_stays = true;  ///< kThesis: films after a region of three keep its first hit
    Colour ambient{0.6f, 0.6f, 0.6f};  ///< kAmbient
    double size = 1;  ///< of what matters in it, m; decides what is too near to be told apart
};

/// The box around all clear surfaces; none where there are none.
std::optional<Box<double, 3>> clear_bounds(const World& world);

}  // namespace spume
