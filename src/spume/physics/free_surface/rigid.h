// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/geometry/rigid.h"
#include "spume/physics/domain/force.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/physics/domain/solids.h"
#include "spume/scene/scene.h"

namespace spume {

/// The bodies of a scene that the liquid moves: built once; where they are lives in RigidState.
template <int D>
class RigidSet {
  public:
    struct Body {
        std::size_t solid = 0;    ///< its place among the scene's solids
        double mass = 0;          ///< kg (2D: kg/m)
        Vec<double, 3> centre{};  ///< of mass, in the body's frame
        Tensor inertia{};         ///< about it, in the body's frame
        std::vector<ContactPoint> points;
        RigidState start;

        Tensor inertia_at(const RigidState& s) const { return turned(inertia, s.turn.rotation()); }
        Pose pose(const RigidState& s) const;
        Twist twist(const RigidState& s) const;  ///< of the pose's position
    };

    RigidSet() = default;
    RigidSet(const std::vector<Solid>& solids, const MeshLibrary& meshes);

    bool empty() const { return bodies_.empty(); }
    std::span<const Body> bodies() const { return bodies_; }
    std::vector<RigidState> start() const;

    /// Puts the bodies in their places among the solids.
    void place(PlacedSolids<D>& solids, std::span<const RigidState> states) const;
    /// All solids of the scene at a time, with the bodies where their states have them.
    PlacedSolids<D> among(const SolidSet<D>& solids, std::span<const RigidState> states,
                          double time) const;

    /// Free flight for one substep: x' = v, angular momentum kept while the body turns.
    void drift(std::span<RigidState> states, double dt) const;
    /// Gravity and the scene's forces, those at the centre of mass.
    void accelerate(std::span<RigidState> states, const Vec<double, D>& gravity,
                    const ForceSet<D>& forces, Interval time) const;

    /// Moves bodies out of walls, other solids and each other, without turning them.
    void separate(std::span<RigidState> states, PlacedSolids<D>& solids,
                  const GridDomain<D>& domain) const;
    /// Impulses without friction or rebound, so that nothing is entered within `dt`. Returns
    /// whether any body's velocity changed.
    bool stop_at_contacts(std::span<RigidState> states, const PlacedSolids<D>& solids,
                          const GridDomain<D>& domain, double dt) const;

    Vec<double, 3> momentum(std::span<const RigidState> states) const;

  private:
    struct Contact {
        std::size_t body = 0;
        int other = -1;  ///< a second free body
        Vec<double, 3> normal{}, arm{}, other_arm{};
        Vec<double, 3> wall_velocity{};
        double gap = 0, impulse = 0;
    };
    std::vector<Contact> contacts(std::span<const RigidState> states, const PlacedSolids<D>& solids,
                                  const GridDomain<D>& domain, double reach) const;
    int free_body_of(std::size_t solid) const;

    std::vector<Body> bodies_;
};

extern template class RigidSet<2>;
extern template class RigidSet<3>;

/// Lets the bodies drift for the substep, stops them at walls, and adds gravity and forces to their
/// velocities. Returns all solids at the end of the interval.
template <int D>
PlacedSolids<D> move_bodies(std::span<RigidState> states, const RigidSet<D>& set,
                            const SolidSet<D>& solids, const GridDomain<D>& domain,
                            const Vec<double, D>& gravity, const ForceSet<D>& forces,
                            Interval time);

}  // namespace spume
