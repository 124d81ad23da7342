// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/context.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"

namespace spume {

// Particles that touch each other and solids without passing through, with dry friction, in the
// manner of [Dav20]: they have no spin, so every contact is a law between two velocities,
//
//   u = v_i − v_j,   u_n ≥ b,   λ_n ≥ 0,   λ_n (u_n − b) = 0,   |λ_t| ≤ μ λ_n,
//   λ_t against u_t, of full length μ λ_n while they slide,
//
// with b = −gap / Δt, so that they arrive but do not overlap, or the bounce −e u_n. The impulses
// are found by Gauss–Seidel sweeps over contacts sorted into colours: within a colour no two share
// a particle, so it runs in parallel, and the result depends on the particles alone.

/// How matter behaves where it touches.
struct ContactLaw {
    double friction = 0.5;        ///< Coulomb's coefficient between grains
    double solid_friction = 0.5;  ///< of grains against solids and walls
    double restitution = 0;       ///< part of the approach that is given back, 0 … 1
    double grain_density = 1000;  ///< what is denser is a grain; bubbles slide without friction
    int sweeps = 40;              ///< at most
    double tolerance = 1e-4;      ///< m/s: sweeps end when no velocity changes by more
};

template <int D>
struct Contact {
    static constexpr std::uint32_t kSolid = ~std::uint32_t(0);
    std::uint32_t i = 0, j = 0;  ///< particles; j = kSolid: a solid or wall
    Vec<double, D> normal{};     ///< from j to i
    Vec<double, D> other{};      ///< velocity of the solid
    double bound = 0;            ///< b above
    double weight = 0;           ///< 1/m_i + 1/m_j
    double friction = 0;
    double push = 0;        ///< λ_n
    Vec<double, D> drag{};  ///< λ_t
};

template <int D>
struct ContactSet {
    std::vector<Contact<D>> contacts;  ///< by colour
    std::vector<std::size_t> colours;  ///< where each begins, and the end; the last is in turn
    std::vector<double> inverse_mass;  ///< of the particles
};

/// What touches, or may within Δt.
template <int D>
ContactSet<D> find_contacts(const Bubbles<D>& bubbles, const PlacedSolids<D>& bodies,
                            const GridDomain<D>& domain, const ContactLaw& law, double dt,
                            Context& context);

/// Gives the particles the impulses of their contacts. Momentum between particles is kept to
/// round-off. Returns the sweeps it took.
template <int D>
int collide(Bubbles<D>& bubbles, ContactSet<D>& set, const ContactLaw& law, Context& context);

/// Moves particles that still overlap apart, the lighter one more; returns the deepest overlap
/// left, as part of the sum of the two radii.
template <int D>
double separate(Bubbles<D>& bubbles, const ContactSet<D>& set, const PlacedSolids<D>& bodies,
                const GridDomain<D>& domain, Context& context);

/// A step of particles that touch: impulses, x ← x + Δt v, and what still overlaps moved apart.
template <int D>
void advance_touching(Bubbles<D>& bubbles, const PlacedSolids<D>& bodies,
                      const GridDomain<D>& domain, const ContactLaw& law, double dt,
                      Context& context);

}  // namespace spume
