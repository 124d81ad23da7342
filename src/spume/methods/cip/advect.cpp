// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/cip/flow.h"

namespace spume::cip {
namespace {

/// Layers beyond the surface that a phase's own velocity goes on to: more than the cells that a
/// profile at the surface reads.
constexpr int kLayers = 3;

/// Lets the values of known faces go on evenly to `kLayers` of the others beside them, face by face
/// the mean of what the neighbours say: along their slope it would be of second order, and unstable
/// where nothing is viscous. Derivatives there, and of known faces beside them, become differences of what is now around them: those that
/// the field carries hold the jump across the surface.
template <int D>
void extend(CipField<double, D>& u, std::vector<std::uint8_t> known, Context& context) {
    const DenseShape<D>& shape = u.place.shape;
    const std::vector<std::uint8_t> own = known;
    double* f = u.f.write();
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::vector<std::uint8_t> before = known;
        for_rows(context.arena, shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                if (before[i]) continue;
                double sum = 0;
                int n = 0;
                for (int a = 0; a < D; ++a)
                    for (const std::size_t j : {i - shape.stride(a), i + shape.stride(a)})
                        if (before[j]) sum += f[j], ++n;
                if (n == 0) continue;
                f[i] = sum / n;
                known[i] = 1;
            }
        });
    }
    mirror_ghosts<double, D>(f, u.place, u.odd);
    for (int a = 0; a < D; ++a) {
        double* g = u.g[a].write();
        const std::size_t s = shape.stride(a);
        for_rows(context.arena, shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                bool whole = own[i] != 0;
                for (int b = 0; b < D && whole; ++b) {
                    const std::size_t r = shape.stride(b);
                    whole = own[i - r] && own[i + r];
                }
                if (!whole) g[i] = 0.5 * (f[i + s] - f[i - s]);
            }
        });
    }
    fill_ghosts(u);
}

Profile profile_of(Limiter limiter) {
    return limiter == Limiter::kOff      ? Profile::kCip
           : limiter == Limiter::kRegion ? Profile::kMonotone
                                         : Profile::kClamped;
}

template <int D>
void carry_along(CipField<double, D>& field, const DenseField<double, D>* const (&u)[D],
                 const Feet<double, D>& feet, const Params& p, Limiter limiter, double steps,
                 Context& context) {
    switch (p.advection) {
        case Scheme::kCip: return advect(field, feet, profile_of(limiter), context);
        case Scheme::kLinear: return advect(field, feet, Profile::kLinear, context);
        case Scheme::kRational: return advect(field, feet, Profile::kRational, context);
        case Scheme::kCubic: return advect_cubic(field, feet, context);
        case Scheme::kMacCormack: return advect_maccormack<double, D>(field, u, steps, context);
    }
}

/// Water where the mean of φ on both sides of the face is negative; ghosts: 0, nothing known.
template <int D>
std::vector<std::uint8_t> wet_faces(const CipField<double, D>& phi, const DenseShape<D>& faces,
                                    int axis, bool water, Context& context) {
    std::vector<std::uint8_t> r(faces.count(), 0);
    const double* f = phi.f.read();
    const std::size_t s = faces.stride(axis);
    for_rows(context.arena, faces, [&](const Index<D>&, std::size_t at, int count) {
        for (std::size_t i = at; i < at + std::size_t(count); ++i)
            r[i] = (f[i] + f[i - s] < 0) == water;
    });
    return r;
}

/// Takes water's and air's own velocities by mass where both slide along each other. Where viscosity
/// joins them within a voxel, |u_w − u_a| h ρ_a/μ_a ≪ 1, and where densities are equal, one velocity
/// stands for both, as it is in `u`.
template <int D>
void join_phases(CipField<double, D>& u, const CipField<double, D>& water,
                 const CipField<double, D>& air, const DenseField<double, D>& part,
                 const World<D>& w, const Params& p, Context& context) {
    const double heavy = w.scene.physics.water_density, light = w.scene.physics.air_density;
    const double contrast = 1 - std::min(heavy, light) / std::max(heavy, light);
    const double reynolds = w.voxel() * light / std::max(p.air_viscosity, 1e-300);
    double* f = u.f.write();
    double* g[D];
    for (int a = 0; a < D; ++a) g[a] = u.g[a].write();
    for_rows(context.arena, u.f.shape, [&](const Index<D>&, std::size_t at, int count) {
        for (std::size_t i = at; i < at + std::size_t(count); ++i) {
            const double wet = water.f.values[i], dry = air.f.values[i];
            if (wet == dry) continue;
            const double share = heavy * part.values[i] /
                                 (heavy * part.values[i] + light * (1 - part.values[i]));
            const double slip = reynolds * std::abs(wet - dry);
            const double apart = contrast * contrast * (slip * slip / (slip * slip + 1));
            f[i] += apart * (dry + share * (wet - dry) - f[i]);
            for (int a = 0; a < D; ++a) {
                const double low = air.g[a].values[i], high = water.g[a].values[i];
                g[a][i] += apart * (low + share * (high - low) - g[a][i]);
            }
        }
    });
}

}  // namespace

template <int D>
Feet<double, D> carry(CipField<double, D>& field, const State<D>& s, const Params& p,
                      Limiter limiter, double steps, Context& context) {
    const DenseField<double, D>* u[D];
    for (int a = 0; a < D; ++a) u[a] = &s.velocity[a].f;
    const DenseField<double, D>* const(&faces)[D] = u;
    Feet<double, D> feet = trace_back<double, D>(faces, field.place, steps, context);
    carry_along<D>(field, faces, feet, p, limiter, steps, context);
    return feet;
}

template <int D>
void advect_velocity(State<D>& s, const CipField<double, D>& before, const Phases<D>& after,
                     const World<D>& w, const Params& p, double dt, Context& context) {
    const double steps = dt / w.voxel();
    CipField<double, D> old[D];
    const DenseField<double, D>* u[D];
    for (int a = 0; a < D; ++a) old[a] = s.velocity[a], u[a] = &old[a].f;
    const DenseField<double, D>* const(&faces)[D] = u;
    for (int a = 0; a < D; ++a) {
        const auto feet = trace_back<double, D>(faces, old[a].place, steps, context);
        if (p.momentum == Momentum::kPlain) {
            carry_along<D>(s.velocity[a], faces, feet, p, p.limit_velocity, steps, context);
            continue;
        }
        CipField<double, D> water = old[a], air = old[a];
        extend(water, wet_faces(before, water.f.shape, a, true, context), context);
        extend(air, wet_faces(before, air.f.shape, a, false, context), context);
        carry_along<D>(water, faces, feet, p, p.limit_velocity, steps, context);
        carry_along<D>(air, faces, feet, p, p.limit_velocity, steps, context);
        carry_along<D>(s.velocity[a], faces, feet, p, p.limit_velocity, steps, context);
        join_phases(s.velocity[a], water, air, after.part[a], w, p, context);
        fill_ghosts(s.velocity[a]);
    }
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template Feet<double, D> carry<D>(CipField<double, D>&, const State<D>&, const Params&,      \
                                      Limiter, double, Context&);                                                             \
    template void advect_velocity<D>(State<D>&, const CipField<double, D>&, const Phases<D>&,     \
                                     const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
