// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <limits>

#include "spume/grid/face_values.h"
#include "spume/physics/two_fluid.h"

namespace spume {
namespace {

/// What one face knows before the projection.
struct FaceBefore {
    double start, water;      ///< u_w before the loop, and now
    double bubble;            ///< ū_b, Eq. 33
    double drag, resistance;  ///< φ^c D_τ, φ^c |∂D|_τ
    double gradient;          ///< ∇p_n
    double fraction, phi_w;   ///< φ^c φ̄_b, φ_w
    double air;               ///< ρ_b
    double force, carried;    ///< f on the water, and of ū_b ρ_b / Δt: MixtureForce
    double answer;            ///< of ū_b to a force; 0 unless Coupling::on_faces
};

/// Velocity without pressure, and density towards pressure, of both phases on one face.
struct FaceAfter {
    double water, water_density;
    double bubble, bubble_density;
};

/// What is the same for all faces across an axis.
struct WaterNow {
    double density, weight, dt;  ///< ρ_w, ρ_w g, Δt
    double theta;                ///< how much of the bubbles' inertia the projection sees

    double inertia(const FaceBefore& f) const { return density * (f.start - f.water) / dt; }
    /// All but drag and pressure.
    double push(const FaceBefore& f) const { return weight + f.force + inertia(f); }
    /// ū_b with the force f back in it, [WSB25] Eq. 51.
    double bubble(const FaceBefore& f) const { return f.bubble + theta * dt / f.air * f.carried; }
};

/// Drag between the phases inside the projection. With B = ρ_b/Δt, W = ρ_w/Δt and the linearised
/// drag r = |∂D|_τ / φ̄_b per bubble volume, the changes of an iteration obey on each face
///
///   (B + φ_w r) δu_b − φ_w r δu_w = −∇δp
///   (W + φ_b r) δu_w − φ_b r δu_b = F_w − ∇δp,  F_w = ρ_w g + f − D_τ − ∇p_n + W (u_0 − u_w)
///
/// (no F_b: the bubbles have just been brought into balance with u_w and p_n, drag being taken
/// there), and the 2 × 2 system is solved in closed form: both answers are linear in ∇δp, with
/// positive coefficients, so the pressure system stays a Poisson problem. For r → 0 it is [WSB25]
/// Eqs. 24–25, for r → ∞ one fluid of density φ_b ρ_b + φ_w ρ_w. At the fixed point δ = 0 and
/// F_w = 0: the mixture equations themselves.
///
/// A force f that pressure should balance face by face, as surface tension does, is smoothed on its
/// way to the bubbles and back. [WSB25] Eq. 51 takes it and ∇p_n off the bubbles and puts f on the
/// faces; here ∇p_n comes back with it, both by the mean of the bubbles' answers (B + φ_w r)⁻¹, so
/// that bubbles bound to the water by drag keep the velocities they have, and even fields change
/// nothing.
struct ImplicitDrag {
    static constexpr bool kPlainDensities = false;
    FaceAfter operator()(const FaceBefore& f, const WaterNow& now) const {
        const double light = f.air / now.dt, heavy = now.density / now.dt;
        // With Eq. 51 the projection must answer as the bubbles did, or iterations drift apart.
        const double on_bubble = f.answer > 0     ? std::max(1 / f.answer - light, 0.0)
                                 : f.fraction > 0 ? f.phi_w * f.resistance / f.fraction
                                                  : 0;
        const double on_water = f.resistance;
        const double force = now.push(f) - f.drag - f.gradient;
        const double bubble = f.bubble + (f.carried - f.gradient) * f.answer;
        const double determinant = light * heavy + light * on_water + heavy * on_bubble;
        const double give_b = (heavy + on_water + on_bubble) / determinant;
        const double give_w = (light + on_bubble + on_water) / determinant;
        return {f.water + (light + on_bubble) * force / determinant + give_w * f.gradient,
                now.dt / give_w, bubble + on_bubble * force / determinant + give_b * f.gradient,
                now.dt / give_b};
    }
};

/// [WSB25] Eq. 23 as corrected: −∂f (u' − u) = f(λ = 1), then ū = u' + Δt/ρ ∇p.
struct Stabilized {
    static constexpr bool kPlainDensities = true;
    FaceAfter operator()(const FaceBefore& f, const WaterNow& now) const {
        const double force = now.push(f) - f.drag - f.gradient;
        return {f.water + force / (now.density / now.dt + f.resistance) +
                    now.dt / now.density * f.gradient,
                now.density, now.bubble(f), f.air};
    }
};

/// [WSB25] Eq. 23 as printed.
struct StabilizedPrinted {
    static constexpr bool kPlainDensities = true;
    FaceAfter operator()(const FaceBefore& f, const WaterNow& now) const {
        const double force = now.push(f) - f.drag;
        return {f.water + force / (now.density / now.dt + f.resistance), now.density, now.bubble(f),
                f.air};
    }
};

/// [WSB25] Eqs. 17, 19.
struct InertiaAware {
    static constexpr bool kPlainDensities = false;
    FaceAfter operator()(const FaceBefore& f, const WaterNow& now) const {
        const double force = now.push(f) - f.drag;
        return {f.water + now.dt / now.density * force, now.density + now.dt * f.resistance,
                now.bubble(f), f.air};
    }
};

/// [WFS22] Eqs. 14, 19.
struct Guided {
    static constexpr bool kPlainDensities = false;
    FaceAfter operator()(const FaceBefore& f, const WaterNow& now) const {
        const double density = now.density + now.dt * f.resistance / f.phi_w;
        const double force = now.push(f) - f.drag / f.phi_w;
        return {f.water + now.dt / density * force, density, now.bubble(f), f.air};
    }
};

template <int D, class Rule>
Prediction<D> predicted_by(Rule rule, const FaceField<double, D>& start,
                           const FaceField<double, D>& water, const FaceForces<D>& forces,
                           const FaceField<double, D>& gradient, const MixtureForce<D>& force,
                           const MixtureFaces<D>& mixture, const Coupling<D>& coupling,
                           Context& context) {
    const auto& tiles = water.tiles();
    constexpr bool kPlain = Rule::kPlainDensities;
    const double rho = coupling.drag.water_density;
    const auto unwritten = [&] { return FaceField<double, D>::unwritten(tiles); };
    Prediction<D> r{unwritten(), kPlain ? FaceField<double, D>(tiles, rho) : unwritten(),
                    unwritten(), kPlain ? mixture.density : unwritten()};
    for (int a = 0; a < D; ++a) {
        const double *u0 = start.read(a), *u = water.read(a), *u_b = forces.free.read(a),
                     *drag = forces.drag.read(a), *resistance = forces.resistance.read(a),
                     *grad_p = gradient.read(a), *fraction = mixture.unclamped.read(a),
                     *phi_w = mixture.water.read(a), *air = mixture.density.read(a),
                     *on_water = force.any() ? force.water.read(a) : nullptr,
                     *carried = force.any() ? force.carried.read(a) : nullptr,
                     *answer = forces.answer.tiles() ? forces.answer.read(a) : nullptr;
        double *w = r.water.write(a), *b = r.bubble.write(a),
               *rho_w = kPlain ? nullptr : r.water_density.write(a),
               *rho_b = kPlain ? nullptr : r.bubble_density.write(a);
        // Crowded particles have more volume than there is room for, and drag with it. Pressure
        // lifts what the clamp leaves of them, so water must feel no more of their drag: markers,
        // 22 times the air that there is, would else lift it 22 times as much.
        const double most =
            coupling.guided() ? std::numeric_limits<double>::infinity() : coupling.max_fraction;
        const WaterNow now{rho, rho * coupling.gravity[a], coupling.dt, coupling.inertia()};
        for_face_values(context.arena, *tiles, a, [=](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const double clamp = fraction[i] > most ? most / fraction[i] : 1;
                const FaceAfter after =
                    rule({u0[i], u[i], u_b[i], clamp * drag[i], clamp * resistance[i], grad_p[i],
                          clamp * fraction[i], phi_w[i], air[i], on_water ? on_water[i] : 0,
                          carried ? carried[i] : 0, answer ? answer[i] : 0},
                         now);
                w[i] = after.water;
                b[i] = after.bubble;
                if constexpr (!kPlain) {
                    rho_w[i] = after.water_density;
                    rho_b[i] = after.bubble_density;
                }
            }
        });
    }
    return r;
}

}  // namespace

template <int D>
Prediction<D> predicted(const FaceField<double, D>& start, const FaceField<double, D>& water,
                        const FaceForces<D>& forces, const FaceField<double, D>& gradient,
                        const MixtureForce<D>& force, const MixtureFaces<D>& mixture,
                        const Coupling<D>& coupling, Context& context) {
    Stage stage(context, "predict");
    const auto by = [&](auto rule) {
        return predicted_by<D>(rule, start, water, forces, gradient, force, mixture, coupling,
                               context);
    };
    switch (coupling.scheme) {
        case Scheme::kImplicitDrag:
            return by(ImplicitDrag{});
        case Scheme::kStabilized:
            return by(Stabilized{});
        case Scheme::kStabilizedPrinted:
            return by(StabilizedPrinted{});
        case Scheme::kInertiaAware:
            return by(InertiaAware{});
        case Scheme::kGuidedAware:
        case Scheme::kGuidedUnaware:
            break;
    }
    return by(Guided{});
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template Prediction<D> predicted<D>(const FaceField<double, D>&, const FaceField<double, D>&, \
                                        const FaceForces<D>&, const FaceField<double, D>&,        \
                                        const MixtureForce<D>&, const MixtureFaces<D>&,           \
                                        const Coupling<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
