// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <vector>

#include "spume/geometry/shape_tree.h"
#include "spume/particles/liquid.h"
#include "spume/physics/domain/liquid_flow.h"
#include "spume/physics/domain/seeding.h"
#include "spume/physics/domain/solid_set.h"

namespace spume {

/// Where a scene puts liquid at the start, lets it in and lets it out.
template <int D>
class LiquidSet {
  public:
    LiquidSet() = default;
    LiquidSet(const std::vector<LiquidBody>& liquids, double water_density, std::uint64_t seed,
              const MeshLibrary& meshes, const std::vector<Solid>& solids = {});

    /// Of the scene's liquids over the water density; 1 unless a liquid says otherwise.
    double lowest_density_ratio() const;
    bool several_densities() const;  ///< or one that is not the water's

    /// Signed distance to the liquid of the start, negative inside: later entries of the scene cut
    /// from or add to earlier ones. Its size is a lower bound next to several bodies.
    double distance(const Point<D>& x) const { return start_.distance(x); }
    /// Tiles that the liquid of the start may touch, as cells.
    Box<int, D> bounds(const GridDomain<D>& domain) const;
    /// Particles for the start: one at a random place in each of the 2^D parts of every cell.
    Liquid<D> seed(const GridDomain<D>& domain, const PlacedSolids<D>& bodies,
                   Context& context) const;

    bool has_flow(double time) const;  ///< a source or sink is open
    /// Sources and sinks that are open; those on free bodies with `bodies` where they will be in
    /// `ahead` seconds, or without them where they start.
    LiquidFlow<D> flow_at(double time, double voxel, const PlacedSolids<D>& bodies = {},
                          double ahead = 0) const;
    /// Nothing leaves a source faster that is open at some time of the interval.
    double max_source_speed(Interval time, const PlacedSolids<D>& bodies) const;

    /// Volume that the scene asks its sources for in an interval, with their shapes and the bodies
    /// where they are at its end: what their velocities carry out of them.
    double asked(const GridDomain<D>& domain, const PlacedSolids<D>& bodies, Interval time) const;
    /// Takes away what is in sinks at the end of the interval. In sources all moves with them, new
    /// particles come in from behind, and where one opens (with an empty interval: is open) it is
    /// filled but for what `is_liquid` already. Returns the volume of that filling.
    double flow(Liquid<D>& liquid, const GridDomain<D>& domain, const PlacedSolids<D>& bodies,
                Interval time, const std::function<bool(const Point<D>&)>& is_liquid,
                Context& context) const;

    /// Points that hollows keep free of liquid, in the middle of the 2^D parts of each cell.
    std::vector<Point<D>> hollow_points(const GridDomain<D>& domain,
                                        const PlacedSolids<D>& bodies) const;

    /// Names of sources that solids or the outside cover wholly.
    std::vector<std::string> blocked_sources(const GridDomain<D>& domain,
                                             const PlacedSolids<D>& bodies) const;

    std::uint64_t random_seed() const { return seed_; }

  private:
    struct Part {
        LiquidBody says;
        PlacedBody<D> body;  ///< where it is at rest
        MovingBody<D> moving;
        float excess = 0;  ///< of density, as in Liquid
    };
    LiquidFlow<D> flow_where(const std::function<bool(const Part&)>& chosen, double time,
                             double voxel, const PlacedSolids<D>& bodies, double ahead) const;
    void let_in(SeededParticles<D>& fresh, const typename LiquidFlow<D>::Source& source,
                const LiquidFlow<D>& now, const LiquidFlow<D>& before, const GridDomain<D>& domain,
                const PlacedSolids<D>& bodies, Interval time,
                const std::function<bool(const Point<D>&)>& is_taken) const;

    std::vector<Part> parts_;
    ShapeTree<D> start_;  ///< fills and hollows
    std::uint64_t seed_ = 1;
};

}  // namespace spume
