// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/grid/face_values.h"
#include "spume/physics/two_fluid/two_fluid.h"

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
        // Both branches are computed: loops without jumps fill registers.
        const double by_answer = std::max(1 / (f.answer > 0 ? f.answer : 1.0) - light, 0.0);
        const double by_drag = f.phi_w * f.resistance / (f.fraction > 0 ? f.fraction : 1.0);
        const double by_air = f.fraction > 0 ? by_drag : 0.0;
        const double on_bubble = f.answer > 0 ? by_answer : by_air;
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

/// The faces across one axis, in flat storage.
template <class Rule>
struct PredictFaces {
    Rule rule;
    WaterNow now;
    const double *start, *water, *bubble, *drag, *resistance, *gradient, *fraction, *phi_w, *air;
    const double* seen;                      ///< what the grid makes of `fraction`
    const double *force, *carried, *answer;  ///< nullptr: none
    const double* light;                     ///< ρ_w/ρ; nullptr: water everywhere
    double *to_water, *to_bubble, *water_density, *bubble_density;

    void operator()(std::size_t begin, std::size_t end) const {
        if (answer)
            run<true, true, false>(begin, end);
        else if (force)
            run<true, false, false>(begin, end);
        else if (light)
            run<false, false, true>(begin, end);
        else
            run<false, false, false>(begin, end);
    }

  private:
    template <bool kForce, bool kAnswer, bool kLiquids>
    void run(std::size_t begin, std::size_t end) const {
        const PredictFaces f = *this;  // what the loop writes must not seem to change it
#pragma GCC ivdep
        for (std::size_t i = begin; i < end; ++i) {
            const double clamp = f.fraction[i] > 0 ? f.seen[i] / f.fraction[i] : 1.0;
            WaterNow liquid = f.now;
            if constexpr (kLiquids) liquid.density /= f.light[i], liquid.weight /= f.light[i];
            const FaceAfter after =
                f.rule({f.start[i], f.water[i], f.bubble[i], clamp * f.drag[i],
                        clamp * f.resistance[i], f.gradient[i], clamp * f.fraction[i], f.phi_w[i],
                        f.air[i], kForce ? f.force[i] : 0.0, kForce ? f.carried[i] : 0.0,
                        kAnswer ? f.answer[i] : 0.0},
                       liquid);
            f.to_water[i] = after.water;
            f.to_bubble[i] = after.bubble;
            if constexpr (!Rule::kPlainDensities) {
                f.water_density[i] = after.water_density;
                f.bubble_density[i] = after.bubble_density;
            }
        }
    }
};

template <int D, class Rule>
Prediction<D> predicted_by(Rule rule, const FaceField<double, D>& start,
                           const FaceField<double, D>& water, const FaceForces<D>& forces,
                           const FaceField<double, D>& gradient, const MixtureForce<D>& force,
                           const MixtureFaces<D>& mixture, const Coupling<D>& coupling,
                           const FaceField<double, D>* light, Context& context) {
    const auto& tiles = water.tiles();
    constexpr bool kPlain = Rule::kPlainDensities;
    const double rho = coupling.drag.water_density;
    const auto unwritten = [&] { return FaceField<double, D>::unwritten(tiles); };
    Prediction<D> r{unwritten(), kPlain ? FaceField<double, D>(tiles, rho) : unwritten(),
                    unwritten(), kPlain ? mixture.density : unwritten()};
    // Crowded particles have more volume than there is room for, and drag with it. Pressure lifts
    // what the clamp leaves of them, so water must feel no more of their drag: markers, 22 times
    // the air that there is, would else lift it 22 times as much.
    const FaceField<double, D>& seen = coupling.guided() ? mixture.unclamped : mixture.bubble;
    const bool answers = forces.answer.tiles() != nullptr, pushed = force.any() || answers;
    const FaceField<double, D> none =
        pushed && !force.any() ? FaceField<double, D>(tiles) : FaceField<double, D>();
    for (int a = 0; a < D; ++a)
        for_face_values(
            context.arena, *tiles, a,
            PredictFaces<Rule>{rule,
                               {rho, rho * coupling.gravity[a], coupling.dt, coupling.inertia()},
                               start.read(a),
                               water.read(a),
                               forces.free.read(a),
                               forces.drag.read(a),
                               forces.resistance.read(a),
                               gradient.read(a),
                               mixture.unclamped.read(a),
                               mixture.water.read(a),
                               mixture.density.read(a),
                               seen.read(a),
                               force.any() ? force.water.read(a) : none.read(a),
                               force.any() ? force.carried.read(a) : none.read(a),
                               answers ? forces.answer.read(a) : nullptr,
                               light ? light->read(a) : nullptr,
                               r.water.write(a),
                               r.bubble.write(a),
                               kPlain ? nullptr : r.water_density.write(a),
                               kPlain ? nullptr : r.bubble_density.write(a)});
    return r;
}

/// The faces of a body's surface across one axis. A part s of each moves as one fluid, of the
/// density ρ = φ_b ρ_b + φ_w ρ_w and with the momentum of both: the limit r → ∞ of ImplicitDrag,
/// ∇p_n at work. Without it the air of a face gives way to pressure and weight a thousand times
/// faster than the water beside it, and neither would pass its force on to the other.
struct JoinFaces {
    double dt, water_density;
    const double *lock, *phi_b, *phi_w, *rho_b, *gradient;
    double *water, *bubble, *to_water_density, *to_bubble_density;

    void operator()(std::size_t begin, std::size_t end) const {
        const JoinFaces f = *this;
#pragma GCC ivdep
        for (std::size_t i = begin; i < end; ++i) {
            const double heavy = f.phi_w[i] * f.water_density, light = f.phi_b[i] * f.rho_b[i];
            const double own = 1 - f.lock[i], by_one = f.lock[i] / (heavy + light);
            const double give_w = 1 / f.to_water_density[i], give_b = 1 / f.to_bubble_density[i];
            const double u_w = f.water[i] - f.dt * give_w * f.gradient[i];
            const double u_b = f.bubble[i] - f.dt * give_b * f.gradient[i];
            const double one = by_one * (heavy * u_w + light * u_b);
            const double now_w = own * give_w + by_one, now_b = own * give_b + by_one;
            f.water[i] = own * u_w + one + f.dt * now_w * f.gradient[i];
            f.bubble[i] = own * u_b + one + f.dt * now_b * f.gradient[i];
            f.to_water_density[i] = 1 / now_w;
            f.to_bubble_density[i] = 1 / now_b;
        }
    }
};

template <int D>
void join(Prediction<D>& r, const FaceField<double, D>& gradient, const MixtureFaces<D>& mixture,
          const Coupling<D>& coupling, Context& context) {
    if (!mixture.lock.tiles()) return;
    for (int a = 0; a < D; ++a)
        for_face_values(
            context.arena, *gradient.tiles(), a,
            JoinFaces{coupling.dt, coupling.drag.water_density, mixture.lock.read(a),
                      mixture.bubble.read(a), mixture.water.read(a), mixture.density.read(a),
                      gradient.read(a), r.water.write(a), r.bubble.write(a),
                      r.water_density.write(a), r.bubble_density.write(a)});
}

}  // namespace

template <int D>
Prediction<D> predicted(const FaceField<double, D>& start, const FaceField<double, D>& water,
                        const FaceForces<D>& forces, const FaceField<double, D>& gradient,
                        const MixtureForce<D>& force, const MixtureFaces<D>& mixture,
                        const Coupling<D>& coupling, Context& context,
                        const FaceField<double, D>* inverse_density_ratio) {
    Stage stage(context, "predict");
    SPUME_CHECK(!inverse_density_ratio ||
                (coupling.scheme == Scheme::kImplicitDrag && !force.any()));
    const auto by = [&](auto rule) {
        auto r = predicted_by<D>(rule, start, water, forces, gradient, force, mixture, coupling,
                                 inverse_density_ratio, context);
        join(r, gradient, mixture, coupling, context);
        return r;
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

#define SPUME_INSTANTIATE(D)                                                            \
    template Prediction<D> predicted<D>(                                                \
        const FaceField<double, D>&, const FaceField<double, D>&, const FaceForces<D>&, \
        const FaceField<double, D>&, const MixtureForce<D>&, const MixtureFaces<D>&,    \
        const Coupling<D>&, Context&, const FaceField<double, D>*);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
