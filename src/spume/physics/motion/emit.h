// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/core/random.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solid_set.h"

namespace spume {

/// Radius with cumulative distribution (r_max² / r²)(r² − r_min²)/(r_max² − r_min²), that is
/// density ∝ r⁻³, from a uniform number. [WFS22] Eq. 34 inverted.
double inverse_cubic_radius(double uniform, double radius_min, double radius_max);

/// The emitters of a scene. An emitter with a rate gives no more than its place can take: up to a
/// mean fraction of `max_fraction`, and of kRandomPacking for bubbles that are no body of air. What
/// it still owes, for this or because a bubble did not fit in the last interval, is state of the
/// caller.
template <int D>
class EmitterSet {
  public:
    EmitterSet() = default;
    EmitterSet(const std::vector<Emitter>& emitters, double air_density, std::uint64_t seed,
               const MeshLibrary& meshes,
               double grain_density = std::numeric_limits<double>::infinity(),
               double max_fraction = 1, bool mark_sources = false,
               const std::vector<Solid>& solids = {});

    std::size_t size() const { return emitters_.size(); }

    struct Result {
        double volume = 0;     ///< of the new bubbles, without grains
        double seeded = 0;     ///< that they stand for, see RadiusSpan
        double held_back = 0;  ///< owed for want of room, or more than a voxel can hold of a bubble
        std::vector<std::string> warnings;
    };
    /// New bubbles of an interval. Ids, radii and places depend on the seed and the id alone.
    Result emit(Bubbles<D>& bubbles, Array<double>& owed, Interval time,
                const GridDomain<D>& domain, const PlacedSolids<D>& bodies, Context& context) const;

  private:
    struct Source {
        Emitter says;
        MovingBody<D> moving;
        PlacedBody<D> body;  ///< where it is at the end of the interval
        Interval time{};

        Vec<double, D> velocity_at(const Point<D>& x, const PlacedBody<D>& where) const;
        /// A moving one, of the shape that `body` has, where it is at a time of the interval that
        /// the bubble's id picks; null: as `body`.
        std::optional<PlacedBody<D>> body_for(const Random& random,
                                              const PlacedSolids<D>& bodies) const;
    };
    double radius(const Source& source, std::uint64_t id, double voxel) const;
    double most(const Source& source) const;  ///< mean fraction in its place
    std::vector<float> radii(const Source& source, double& debt, double room, std::size_t count,
                             std::uint64_t first_id, double voxel) const;
    double room(const Source& source, std::size_t index, const Bubbles<D>& bubbles,
                const GridDomain<D>& domain, const PlacedSolids<D>& bodies) const;
    Bubbles<D> placed_at_random(const Source& source, const std::vector<float>& sizes,
                                std::uint64_t first_id, const GridDomain<D>& domain,
                                const PlacedSolids<D>& bodies, std::vector<std::uint8_t>& homeless,
                                Context& context) const;
    Bubbles<D> seeds(const Source& source, std::uint64_t first_id, const GridDomain<D>& domain,
                     const PlacedSolids<D>& bodies, Result& result, Context& context) const;
    Bubbles<D> flow(const Source& source, std::size_t index, const Bubbles<D>& bubbles,
                    double& debt, const GridDomain<D>& domain, const PlacedSolids<D>& bodies,
                    Result& result, Context& context) const;
    Bubbles<D> lattice(const Source& source, const GridDomain<D>& domain,
                       const PlacedSolids<D>& bodies) const;

    std::vector<Source> emitters_;
    double air_density_ = 1;
    double grain_density_ = std::numeric_limits<double>::infinity();  ///< denser is no air
    double max_fraction_ = 1;
    std::uint64_t seed_ = 1;
    bool mark_sources_ = false;  ///< bubbles know which emitter made them, counted from 1
};

/// Seconds of the interval in which the emitter is on: between start and stop, in its bursts; with
/// a pulse, the integral of its strength.
double time_on(const Emitter& emitter, Interval time);

}  // namespace spume
