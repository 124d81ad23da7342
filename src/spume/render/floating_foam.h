// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <memory>
#include <optional>

#include "spume/geometry/floating_bubble.h"
#include "spume/render/ray_scene.h"

namespace spume {

/// Where the water of a world is, for what floats on it.
class WaterSurface {
  public:
    explicit WaterSurface(const World& world);

    struct Place {
        Vec<double, 3> position, normal;
    };
    /// Where the line through x along the axis comes to water from above, at most `reach` away.
    std::optional<Place> near(const Vec<double, 3>& x, const Vec<double, 3>& axis,
                              double reach) const;

  private:
    std::unique_ptr<RayScene> scene_;  ///< none: no water
};

struct FloatingOptions {
    double capillary = 2.7e-3;  ///< √(σ/ρg) of the water, m
    /// Foam with fewer pixels than this along its radius is a veil on the water; 0: none.
    double veil_pixels = 0;
    Vec<double, 3> eye{};       ///< the camera
    double pixels = 0;          ///< along a metre at a distance of one
    bool parallel = false;      ///< at any distance
    double thickness = 500e-9;  ///< of films, m, for what a veil reflects
    double raft = 0;            ///< what a raft of small bubbles at a foam bubble sends back
};

struct FloatingPoint {
    Vec<double, 3> position{};
    double radius = 0;
    Vec<double, 3> axis{0, 1, 0};  ///< up, or away from the water
    Vec<double, 3> way{};          ///< while the shutter is open
    float film = 0;                ///< thickness, m
    double share = 0;              ///< in [0, 1), decides near the limit of veils
    /// Floats from where its centre is within a radius of the surface; else only if no more than
    /// half of the radius below.
    bool foam = true;
    bool raft = false;  ///< small bubbles that are no points of their own are around it
    /// Known to lie on the surface, which the drawn one may miss by so much, m; 0: not known.
    double bound = 0;
};

/// Puts bubbles at the surface of the water into the shape and place they float in (geometry/
/// floating_bubble.h): large ones as domes with a meniscus, small ones as balls just below the
/// surface, far foam as veils that reflect as much.
class FloatingFoam {
  public:
    /// Bubbles are of `bubble`, raised water of `liquid`, both materials of the world.
    FloatingFoam(const World& world, int bubble, int liquid, const FloatingOptions& options);

    /// False if the bubble does not touch the surface: it is not taken.
    bool take(const FloatingPoint& point, Balls& balls);
    /// Adds domes and veils to the world.
    void finish(World& world);

  private:
    struct Veiled {
        WaterSurface::Place place;
        double radius;
        bool far, raft;
    };
    const FloatingBubble& shape(int size);
    double pixels(const FloatingPoint& point) const;
    void add_dome(const FloatingPoint& point, const WaterSurface::Place& place, bool meniscus);
    void add_ball(const FloatingPoint& point, const WaterSurface::Place& place, Balls& balls);
    void add_veils(World& world);
    VeilReflectance look_of(int size, bool far, bool raft) const;

    WaterSurface water_;
    int bubble_, liquid_;
    FloatingOptions options_;
    FilmLaw films_;
    std::map<int, FloatingBubble> shapes_;          ///< by steps of a tenth of ln(R/a)
    std::map<std::pair<int, bool>, Copies> domes_;  ///< by shape, and whether with a meniscus
    bool moving_ = false;
    std::vector<Veiled> veiled_;
};

/// What foam of bubbles of one radius that cover that part of still water sends back of light from
/// above, measured by tracing it, as a veil over what they cover: light that is not sent back goes
/// on to the water below, which reflects as water does.
VeilReflectance foam_reflectance(double radius, double cover, const FloatingOptions& options,
                                 FilmLaw films);

/// What a raft of bubbles of one diameter, m, sends back of diffuse light: its transport length is
/// d (0.14/ε + 1.5), ε the share of water in it, and light gets through by diffusion ([VSD01]).
double raft_reflectance(double thickness, double diameter, double water = 0.1);

/// Still water with such foam on it, as the tracer sees it, deep and black below: the same in every
/// direction, `side` m wide.
World foam_on_water(double radius, double cover, double side, const FloatingOptions& options,
                    FilmLaw films);

}  // namespace spume
