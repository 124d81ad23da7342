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

/// Lets the values of faces where `own` holds go on evenly to `kLayers` of the others beside them,
/// with derivatives zero; face by face the mean of the neighbours that are known.
template <int D>
void extend(CipField<double, D>& u, std::vector<std::uint8_t> known, Context& context) {
    const DenseShape<D>& shape = u.place.shape;
    std::size_t stride[D];
    for (int a = 0; a < D; ++a) stride[a] = shape.stride(a);
    double* f = u.f.write();
    double* g[D];
    for (int a = 0; a < D; ++a) g[a] = u.g[a].write();
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::vector<std::uint8_t> before = known;
        for_rows(context.arena, shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                if (before[i]) continue;
                double sum = 0;
                int n = 0;
                for (int a = 0; a < D; ++a)
                    for (const std::size_t j : {i - stride[a], i + stride[a]})
                        if (before[j]) sum += f[j], ++n;
                if (n == 0) continue;
                f[i] = sum / n;
                for (int a = 0; a < D; ++a) g[a][i] = 0;
                known[i] = 1;
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

}  // namespace

template <int D>
void carry(CipField<double, D>& field, const State<D>& s, const Params& p, Limiter limiter,
           double steps, Context& context) {
    const DenseField<double, D>* u[D];
    for (int a = 0; a < D; ++a) u[a] = &s.velocity[a].f;
    const DenseField<double, D>* const(&faces)[D] = u;
    const auto feet = trace_back<double, D>(faces, field.place, steps, context);
    carry_along<D>(field, faces, feet, p, limiter, steps, context);
}

template <int D>
void advect_velocity(State<D>& s, const CipField<double, D>& before, const Phases<D>& after,
                     const World<D>& w, const Params& p, double dt, Context& context) {
    const double steps = dt / w.voxel();
    CipField<double, D> old[D];
    const DenseField<double, D>* u[D];
    for (int a = 0; a < D; ++a) old[a] = s.velocity[a], u[a] = &old[a].f;
    const DenseField<double, D>* const(&faces)[D] = u;
    const double heavy = w.scene.physics.water_density, light = w.scene.physics.air_density;
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
        const double* part = after.part[a].read();
        const auto join = [&](DenseField<double, D>& out, const DenseField<double, D>& wet,
                              const DenseField<double, D>& dry) {
            double* to = out.write();
            for_rows(context.arena, out.shape, [&](const Index<D>&, std::size_t at, int count) {
                for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                    const double mass = heavy * part[i], rest = light * (1 - part[i]);
                    to[i] = (mass * wet.values[i] + rest * dry.values[i]) / (mass + rest);
                }
            });
        };
        join(s.velocity[a].f, water.f, air.f);
        for (int b = 0; b < D; ++b) join(s.velocity[a].g[b], water.g[b], air.g[b]);
        fill_ghosts(s.velocity[a]);
    }
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template void carry<D>(CipField<double, D>&, const State<D>&, const Params&, Limiter, double, \
                           Context&);                                                             \
    template void advect_velocity<D>(State<D>&, const CipField<double, D>&, const Phases<D>&,     \
                                     const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
