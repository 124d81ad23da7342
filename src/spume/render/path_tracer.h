// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/render/film.h"
#include "spume/render/photon_map.h"
#include "spume/render/pixel_sampler.h"
#include "spume/render/ray_scene.h"

namespace spume {

/// How light gets to matte things behind water, glass and bubbles.
enum class LightPaths {
    kStraight,  ///< shadow rays go straight through, weakened by what is reflected
    kByChance,  ///< only where a bounced path happens to reach the light: right, and noisy
    kPhotons,   ///< from the photon map
};

struct PathLimits {
    int interfaces = 24;  ///< reflections and refractions along a path; films let through are none
    int diffuse = 3;      ///< bounces off matte things
    int scattered = 48;   ///< times light is scattered by smoke
    LightPaths light = LightPaths::kStraight;
};

/// Follows light backwards through a world. Where a path is cut short the light of the environment
/// stands for the rest, so that no energy is lost on average.
class PathTracer {
  public:
    PathTracer(const RayScene& scene, const PathLimits& limits, const PhotonMap* photons = nullptr);

    /// Radiance that arrives along the ray; `around` are the surfaces its origin lies in.
    Colour radiance(const Ray& ray, const Nest& around, PixelSampler& sampler) const;

    /// Rays asked for so far would need a shared counter: callers get them here instead.
    struct Counted {
        Colour colour{};
        long rays = 0;
        Vec<double, 3> normal{};  ///< of the first surface, against the ray; 0: none was met
        double depth = 0;         ///< to it
        Colour albedo{1, 1, 1};   ///< of the first matte one
    };
    Counted counted(const Ray& ray, const Nest& around, PixelSampler& sampler) const;

    /// Follows light forwards until it lands on something matte; `land` is told where, if it was
    /// bent on the way. Returns the number of rays.
    long follow_photon(const Ray& ray, const Nest& around, const Colour& power,
                       PixelSampler& sampler, std::vector<Photon>& landed) const;

  private:
    struct Path;
    /// What the path meets next.
    enum class Met { kNothing, kSurface, kFloor, kLight };
    void follow(Path& path, PixelSampler& sampler) const;
    Met meet(Path& path, Hit& hit, int& light) const;
    void pass_medium(Path& path, double distance) const;
    void leave_world(Path& path) const;
    void cross_interface(Path& path, const Hit& hit, PixelSampler& sampler) const;
    bool meet_films(Path& path, const Hit& hit, Met met, PixelSampler& sampler) const;
    void enter_overlap(Path& path, const Hit& hit, const Nest& next) const;
    void leave_overlap(Path& path, const Hit& hit, const Nest& next, PixelSampler& sampler) const;
    bool film_before_solid(Path& path, const Hit& hit, PixelSampler& sampler) const;
    bool reflects(Path& path, const Colour& share, PixelSampler& sampler) const;
    bool may_reach_sun(const Path& path, const Vec<double, 3>& away, double index) const;
    double thickness_at(const Hit& hit, const Vec<double, 3>& normal) const;
    bool sees_lights(const Path& path) const;
    bool photons_here(const Vec<double, 3>& x) const;
    void bounce(Path& path, const Hit& hit, PixelSampler& sampler) const;
    /// Of the light from below all goes through.
    static bool veil_sends_back(const Hit& hit, const Path& path, PixelSampler& sampler);
    /// Smoke on the way to `distance`: where it scatters the path goes on from there.
    bool meet_smoke(Path& path, double distance, PixelSampler& sampler) const;
    struct Lit;
    void light_from_sun(Path& path, const Lit& lit, PixelSampler& sampler) const;
    void light_from_lamps(Path& path, const Lit& lit, PixelSampler& sampler) const;
    void light_from_image(Path& path, const Lit& lit, PixelSampler& sampler) const;
    void light_from_photons(Path& path, const Lit& lit, const Vec<double, 3>& side) const;
    /// Part of the light that comes along a straight line, weakened by films, smoke and what media
    /// on the way absorb. `straight`: none through what bends light.
    Colour open_way(Path& path, const Vec<double, 3>& from, const Vec<double, 3>& direction,
                    double distance, PixelSampler& sampler, bool straight = false) const;
    bool wet_at(const Material& material, const Path& path, const Vec<double, 3>& x,
                PixelSampler& sampler) const;
    void forget_lost_balls(Path& path, const Vec<double, 3>& x) const;
    const Medium& medium_of(const Nest::Entry* entry) const;

    const RayScene& scene_;
    PathLimits limits_;
    const PhotonMap* photons_;
    FilmReflectance film_;
};

}  // namespace spume
