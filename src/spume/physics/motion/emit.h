// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solid_set.h"

namespace spume {

/// Radius with cumulative distribution (r_max² / r²)(r² − r_min²)/(r_max² − r_min²), that is
/// density ∝ r⁻³, from a uniform number. [WFS22] Eq. 34 inverted.
double inverse_cubic_radius(double uniform, double radius_min, double radius_max);

/// The emitters of a scene. What an emitter still owes because a bubble did not fit in the last
/// interval is state of the caller.
template <int D>
class EmitterSet {
  public:
    EmitterSet() = default;
    EmitterSet(const std::vector<Emitter>& emitters, double air_density, std::uint64_t seed,
               const MeshLibrary& meshes,
               double grain_density = std::numeric_limits<double>::infinity(),
               bool mark_sources = false);

    std::size_t size() const { return emitters_.size(); }

    struct Result {
        double volume = 0;  ///< of the new bubbles, without grains
        double seeded = 0;  ///< that they stand for, see RadiusSpan
        std::vector<std::string> warnings;
    };
    /// New bubbles of an interval. Ids, radii and places depend on the seed and the id alone.
    Result emit(Bubbles<D>& bubbles, Array<double>& owed, Interval time,
                const GridDomain<D>& domain, const PlacedSolids<D>& bodies, Context& context) const;

  private:
    struct Source {
        Emitter says;
        PlacedBody<D> body;
    };
    double radius(const Source& source, std::uint64_t id, double voxel) const;
    std::vector<float> radii(const Source& source, std::size_t index, Array<double>& owed,
                             Interval time, std::uint64_t first_id, double voxel) const;
    Bubbles<D> lattice(const Source& source, const GridDomain<D>& domain,
                       const PlacedSolids<D>& bodies) const;

    std::vector<Source> emitters_;
    double air_density_ = 1;
    double grain_density_ = std::numeric_limits<double>::infinity();  ///< denser is no air
    std::uint64_t seed_ = 1;
    bool mark_sources_ = false;  ///< bubbles know which emitter made them, counted from 1
};

/// Seconds of the interval in which the emitter is on: between start and stop, in its bursts; with
/// a pulse, the integral of its strength.
double time_on(const Emitter& emitter, Interval time);

}  // namespace spume
