// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/sort.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/motion/drag.h"
#include "spume/physics/motion/emitter_room.h"

namespace spume {

// Two fluids in one grid cell: bubbles as particles with mass, water on faces, one pore pressure.
//
//   φ_b ρ_b D_b u_b / Dt = φ_b ρ_b g + d − φ_b ∇p
//   φ_w ρ_w D_w u_w / Dt = φ_w ρ_w g − d − φ_w ∇p        [WSB25] Eqs. 1–3, [WFS22] Eqs. 1–3
//   ∇·(φ_b u_b + φ_w u_w) = 0
//
// The verbs below are the parts of one Newton iteration; a method's step strings them together.
// Pressure is kept as its deviation from rest, p = ρ_w g·x + p′: p′ is zero in still water.

/// The published ways to couple the two.
enum class Scheme {
    kImplicitDrag,  ///< ours: drag between the phases eliminated face by face inside the projection
    kStabilized,    ///< [WSB25] Eqs. 21–26, Eq. 23 as corrected: water feels p_n implicitly too
    kStabilizedPrinted,  ///< Eq. 23 as printed; does not hold rest
    kInertiaAware,       ///< [WSB25] Eqs. 15–20, its account of the older scheme
    kGuidedAware,        ///< [WFS22] Eqs. 19–26 with compliance θ
    kGuidedUnaware,      ///< [WFS22] Eqs. 16–18, bubbles as immovable in the projection
};

/// How much a place belongs to a body of air that the grid resolves, by its air fraction: one where
/// it is full, nothing in clouds, where bubbles slip through the water.
inline double resolved_share(double phi_b) {
    const double above = phi_b > 0.5 ? 2 * phi_b - 1 : 0;
    return above * above;
}

/// How much of the drag law holds where the air around a bubble fills `phi_b` at the fullest place.
/// The law is that of spheres with water around them, which fill φ_p at most. What a place holds
/// beyond that has merged: with χ of it inside bodies of air and a swarm at φ_p in the rest,
///
///   φ_b = χ + (1 − χ) φ_p,   1 − χ = (1 − φ_b) / (1 − φ_p)
///
/// and only the swarm slips through water that the grid does not resolve. One up to φ_p; nothing in
/// full air, whose surface the projection sees.
inline double swarm_share(double phi_b) {
    return phi_b > kRandomPacking ? (1 - phi_b) / (1 - kRandomPacking) : 1;
}

/// How firmly light air in a body and the water around it are held together, [0, 1): backward Euler
/// with s (ρ_w − ρ_b) / Δt, s = resolved_share. Nothing at equal densities.
inline double resolved_lock(double phi_b, double air, double water) {
    const double lock = resolved_share(phi_b) * (water > air ? water / air - 1 : 0);
    return lock / (1 + lock);
}

template <int D>
struct Coupling {
    Scheme scheme = Scheme::kStabilized;
    DragLaw drag;
    double dt = 0;
    double compliance = 1;      ///< θ of [WFS22] Eq. 20
    double max_fraction = 1;    ///< clamp of the bubble fraction
    bool binary = false;        ///< fractions become 0 or 1, whichever is nearer
    bool on_faces = false;      ///< [WSB25] Eq. 51: see MixtureForce; kImplicitDrag only
    bool resolved_air = false;  ///< where air fills voxels, what water is left moves with it
    Vec<double, D> gravity{};
    double spreading = 0;  ///< 1/s: rate at which air beyond max_fraction makes itself room

    bool guided() const {
        return scheme == Scheme::kGuidedAware || scheme == Scheme::kGuidedUnaware;
    }
    /// How much of the bubbles' inertia the projection sees.
    double inertia() const {
        return scheme == Scheme::kGuidedUnaware ? 0 : guided() ? compliance : 1;
    }
    /// Do both phases answer pressure with their own densities, the same in every iteration?
    bool plain_densities() const {
        return scheme == Scheme::kStabilized || scheme == Scheme::kStabilizedPrinted;
    }
    Vec<double, D> hydrostatic_gradient() const { return gravity * drag.water_density; }
};

/// Bubbles as the grid sees them, on faces.
template <int D>
struct MixtureFaces {
    FaceField<double, D> unclamped;  ///< φ̄_b, [WSB25] Eq. 30
    FaceField<double, D> bubble;     ///< φ_b, Eq. 31
    FaceField<double, D> water;      ///< φ_w = 1 − φ_b
    FaceField<double, D> density;    ///< ρ_b, Eq. 32; the air's where there are no bubbles
    FaceField<double, D> lock;       ///< how far the phases of a face move as one; no tiles: not
    Array<double> volume;            ///< V_q; [WFS22]: divided by the excess where clamped
    Array<double> fullness;          ///< by bubble, φ_b at the fullest place around; none: clouds
};

/// A force density on the mixture besides weight, drag and pressure, such as surface tension, as
/// the parts of an iteration meet it; no tiles: there is none.
template <int D>
struct MixtureForce {
    FaceField<double, D> water;    ///< f: the water's acceleration is f / ρ_w, [WSB25] Eq. 8
    FaceField<double, D> bubbles;  ///< what bubbles interpolate: f, or φ^c f as in Eq. 46
    FaceField<double, D> carried;  ///< of ū_b ρ_b / Δt on faces: f with Eq. 51, else smoothed

    bool any() const { return water.tiles() != nullptr; }
};

/// ∇p − f as the bubbles feel it.
template <int D>
FaceField<double, D> felt_by_bubbles(const FaceField<double, D>& gradient,
                                     const MixtureForce<D>& force, Context& context);

template <int D>
MixtureFaces<D> rasterized(const Bubbles<D>& bubbles, const TileRanges<D>& ranges,
                           const GridDomain<D>& domain, const Coupling<D>& coupling,
                           Context& context);

/// φ_b in cells: the mean over their faces, [WFS22] Eq. 9.
template <int D>
CellField<double, D> fraction_in_cells(const FaceField<double, D>& fraction, Context& context);

/// What the bubbles did in one iteration, by particle.
template <int D>
struct BubbleForces {
    Array<Vec<double, D>> drag;        ///< D_q, per bubble volume
    Array<Vec<double, D>> resistance;  ///< Σ_β |∂D_q,αβ|
    Array<Vec<double, D>> free;        ///< ū_q: u_{n+1} without pressure (kImplicitDrag: with it,
                                       ///< unless Coupling::on_faces)
    Array<Vec<double, D>> answer;      ///< Coupling::on_faces: what of ū_q a force changes
    double largest_change = 0;         ///< max |u_{n+1} − u_n|, m/s
};

/// New bubble velocities from frozen water: one backward Euler Newton step a bubble,
/// [WSB25] Eqs. 21, 22, 35–38; with kImplicitDrag as many as it takes. `gradient` is ∇p, or
/// felt_by_bubbles.
template <int D>
BubbleForces<D> push_bubbles(Bubbles<D>& bubbles, const Array<Vec<double, D>>& start,
                             const FaceField<double, D>& water,
                             const FaceField<double, D>& gradient, const MixtureFaces<D>& mixture,
                             const TileRanges<D>& ranges, const GridDomain<D>& domain,
                             const Coupling<D>& coupling, Context& context);

/// The same among water that does not feel them, φ_w = 1: backward Euler in closed form.
template <int D>
void push_one_way(Bubbles<D>& bubbles, const FaceField<double, D>& water,
                  const FaceField<double, D>& gradient, const TileRanges<D>& ranges,
                  const GridDomain<D>& domain, const Coupling<D>& coupling, Context& context);

/// The bubbles' answer on faces.
template <int D>
struct FaceForces {
    FaceField<double, D> free;        ///< ū_b, [WSB25] Eq. 33
    FaceField<double, D> drag;        ///< D_τ, Eq. 39
    FaceField<double, D> resistance;  ///< |∂D|_τ, Eq. 40
    FaceField<double, D> answer;      ///< mean of the bubbles'; no tiles without Coupling::on_faces
};
template <int D>
FaceForces<D> rasterized(const BubbleForces<D>& forces, const Bubbles<D>& bubbles,
                         const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                         const GridDomain<D>& domain, Context& context);

/// Both phases before the projection, without pressure, and the densities with which they answer
/// it: u = ū − Δt/ρ ∇p. A density here may hold more than mass: the drag integrated in the
/// projection.
template <int D>
struct Prediction {
    FaceField<double, D> water, water_density;
    FaceField<double, D> bubble, bubble_density;
    CellField<double, D> divergence{};  ///< that the mixture shall have, 1/s; no tiles: none
};
/// With `inverse_density_ratio`, ρ_w over the density of the liquid on a face, that liquid is in
/// the place of the water; kImplicitDrag without a force only.
template <int D>
Prediction<D> predicted(const FaceField<double, D>& start, const FaceField<double, D>& water,
                        const FaceForces<D>& forces, const FaceField<double, D>& gradient,
                        const MixtureForce<D>& force, const MixtureFaces<D>& mixture,
                        const Coupling<D>& coupling, Context& context,
                        const FaceField<double, D>* inverse_density_ratio = nullptr);

/// ∇p on faces from the deviation p′, zero beyond the stored tiles.
template <int D>
FaceField<double, D> pressure_gradient(const CellField<double, D>& deviation,
                                       const CutCells<D>& open, const Coupling<D>& coupling,
                                       Context& context);

}  // namespace spume
