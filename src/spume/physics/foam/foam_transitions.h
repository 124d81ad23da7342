// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/bubbles.h"
#include "spume/physics/foam/manifold.h"

namespace spume {

// Who is a bubble, who is foam and who is gone, [WFS22] Algorithm 2. With |Φ| as a distance,
//
//   S   within its own radius of the surface          C   has crossed it in this step
//   U   in the liquid
//
//   S or C → foam, on the surface if that is found within ε;   else U → bubble;   else it has left
//
// Nothing here depends on the order of particles.

struct TransitionLaw {
    double kept_speed = 0.7;  ///< ζ
    double reach = 0.1;       ///< ε, m
    double densest = 1e300;   ///< kg/m³: what is denser is no air and does not float
    FoamLife life = FoamLife::kNormal;
    double life_mean = 1.75, life_variance = 0.5, life_power = 0;
    std::uint64_t seed = 1;
};

/// v after a bubble became foam on a surface with normal n, in liquid of velocity u:
///
///   u + ζ |w| T(w)/|T(w)|,  w = v − u                          [WFS22] §7.1, relative to the
///   liquid
///
/// and u where w has no part along the surface. The part of u across it stays: the surface moves.
template <int D>
Vec<double, D> surfaced_velocity(const Vec<double, D>& v, const Vec<double, D>& u,
                                 const Vec<double, D>& n, double kept);

/// The seconds that a particle lives as foam: a function of the seed and its id.
double foam_lifespan(const TransitionLaw& law, std::uint64_t id, double radius);

/// Bubbles that reach the surface at `time` are taken out and come back as foam on it; air that is
/// beyond is taken out and its volume returned: it has left.
template <int D>
struct Surfaced {
    Foam<D> foam;     ///< newcomers
    double left = 0;  ///< m³ (2D: m²)
};
template <int D>
Surfaced<D> take_surfaced(Bubbles<D>& bubbles, const MovingSurface<D>& surface, double time,
                          const TransitionLaw& law, Context& context);

/// Foam that the surface has left: within ε it is put back on it, in the liquid it is a bubble
/// again with its velocity and id, above it has left; the volume of that is returned.
template <int D>
double take_submerged(Foam<D>& foam, Bubbles<D>& bubbles, const MovingSurface<D>& surface,
                      double time, const TransitionLaw& law, Context& context);

/// Foam older than its lifespan bursts; returns its volume.
template <int D>
double take_burst(Foam<D>& foam, Context& context);

/// Adds particles with the names that they have.
template <class Set>
void adopt(Set& set, const Set& others);

template <int D>
double total_volume(const Foam<D>& foam, Context& context);

template <class Set>
void adopt(Set& set, const Set& others) {
    const std::size_t old = set.size();
    if (others.size() == 0) return;
    const std::uint64_t next = set.next_id;
    append(set, others);
    set.next_id = next;
    auto id = set.id.write();
    std::copy_n(others.id.data(), others.size(), id.data() + old);
}

}  // namespace spume
