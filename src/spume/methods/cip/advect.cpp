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

/// Faces near the surface when it was, where velocities of both phases are made; flags of the same.
template <int D>
struct NearFaces {
    std::vector<std::size_t> places;
    std::vector<std::uint8_t> near,
        wet;  ///< by place; wet: the mean of φ on both sides is negative
};

/// Voxels from the surface within which both phases' velocities are made: the layers beyond it and
/// what a profile reads.
constexpr double kNear = kLayers + 3;

template <int D>
NearFaces<D> near_faces(const CipField<double, D>& phi, const DensePlace<D>& faces, int axis) {
    NearFaces<D> r;
    r.near.assign(faces.shape.count(), 0);
    r.wet.assign(faces.shape.count(), 0);
    const double* f = phi.f.read();
    const std::size_t s = faces.shape.stride(axis);
    for (std::size_t row = 0; row < faces.shape.rows(); ++row) {
        const std::size_t first = faces.shape.at(faces.shape.row(row));
        for (std::size_t i = first; i < first + std::size_t(faces.shape.size[D - 1]); ++i) {
            const double mean = 0.5 * (f[i] + f[i - s]);
            r.wet[i] = mean < 0;
            if (std::abs(mean) < kNear) r.near[i] = 1, r.places.push_back(i);
        }
    }
    return r;
}

/// Lets the values of a phase's faces go on evenly to `kLayers` of the others beside them, face by
/// face the mean of what the neighbours say: along their slope it would be of second order, and
/// unstable where nothing is viscous. Derivatives there, and of its faces beside them, become
/// differences of what is now around them: those that the field carries hold the jump across the
/// surface.
template <int D>
void extend(CipField<double, D>& u, const NearFaces<D>& faces, bool water, Context& context) {
    const DenseShape<D>& shape = u.place.shape;
    double* f = u.f.write();
    const std::vector<std::size_t>& places = faces.places;
    std::vector<std::uint8_t> known(shape.count(), 0);
    for (const std::size_t i : places) known[i] = (faces.wet[i] != 0) == water;
    const std::vector<std::uint8_t> own = known;
    std::vector<double> next(places.size());
    for (int layer = 0; layer < kLayers; ++layer) {
        std::vector<std::uint8_t> found(places.size(), 0);
        for_range(context.arena, places.size(), 4096, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) {
                const std::size_t i = places[n];
                if (known[i]) continue;
                double sum = 0;
                int count = 0;
                for (int a = 0; a < D; ++a)
                    for (const std::size_t j : {i - shape.stride(a), i + shape.stride(a)})
                        if (known[j]) sum += f[j], ++count;
                if (count == 0) continue;
                next[n] = sum / count;
                found[n] = 1;
            }
        });
        for (std::size_t n = 0; n < places.size(); ++n)
            if (found[n]) f[places[n]] = next[n], known[places[n]] = 1;
    }
    mirror_ghosts<double, D>(f, u.place, u.odd);
    for (int a = 0; a < D; ++a) {
        double* g = u.g[a].write();
        const std::size_t s = shape.stride(a);
        for (const std::size_t i : places) {
            bool whole = own[i] != 0;
            for (int b = 0; b < D && whole; ++b) {
                const std::size_t r = shape.stride(b);
                whole = own[i - r] && own[i + r];
            }
            if (!whole && known[i]) g[i] = 0.5 * (f[i + s] - f[i - s]);
        }
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
        case Scheme::kCip:
            return advect(field, feet, profile_of(limiter), context);
        case Scheme::kLinear:
            return advect(field, feet, Profile::kLinear, context);
        case Scheme::kRational:
            return advect(field, feet, Profile::kRational, context);
        case Scheme::kCubic:
            return advect_cubic(field, feet, context);
        case Scheme::kMacCormack:
            return advect_maccormack<double, D>(field, u, steps, context);
    }
}

/// Takes water's and air's own velocities by mass where both slide along each other. Where
/// viscosity joins them within a voxel, |u_w − u_a| h ρ_a/μ_a ≪ 1, and where densities are equal,
/// one velocity stands for both, as it is in `u`.
template <int D>
void join_phases(CipField<double, D>& u, const CipField<double, D>& water,
                 const CipField<double, D>& air, const NearFaces<D>& faces,
                 const Feet<double, D>& feet, const DenseField<double, D>& part, Profile profile,
                 const World<D>& w, const Params& p, Context& context) {
    const double heavy = w.scene.physics.water_density, light = w.scene.physics.air_density;
    const double contrast = 1 - std::min(heavy, light) / std::max(heavy, light);
    const double reynolds = w.voxel() * light / std::max(p.air_viscosity, 1e-300);
    double* f = u.f.write();
    double* g[D];
    for (int a = 0; a < D; ++a) g[a] = u.g[a].write();
    for_rows(context.arena, u.f.shape, [&](Index<D> sample, std::size_t i, int count) {
        for (int n = 0; n < count; ++n, ++i, ++sample[D - 1]) {
            Index<D> foot{};
            for (int a = 0; a < D; ++a)
                foot[a] = int(std::floor(feet.x[a].values[i] - u.place.offset[a] + 0.5));
            if (!faces.near[u.f.shape.at(foot)]) continue;
            const auto wet = advected_at<double, D>(water, feet, profile, sample);
            const auto dry = advected_at<double, D>(air, feet, profile, sample);
            if (wet.f == dry.f) continue;
            const double share =
                heavy * part.values[i] / (heavy * part.values[i] + light * (1 - part.values[i]));
            const double slip = reynolds * std::abs(wet.f - dry.f);
            const double apart = contrast * contrast * (slip * slip / (slip * slip + 1));
            f[i] += apart * (dry.f + share * (wet.f - dry.f) - f[i]);
            for (int a = 0; a < D; ++a)
                g[a][i] += apart * (dry.g[a] + share * (wet.g[a] - dry.g[a]) - g[a][i]);
        }
    });
}

Profile profile_of(const Params& p) {
    switch (p.advection) {
        case Scheme::kCip:
            return profile_of(p.limit_velocity);
        case Scheme::kLinear:
        case Scheme::kMacCormack:
            return Profile::kLinear;
        case Scheme::kRational:
            return Profile::kRational;
        case Scheme::kCubic:
            return Profile::kMonotone;
    }
    return Profile::kLinear;
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
void carry_ink(State<D>& s, const Feet<double, D>& feet, const Params& p, Context& context) {
    const bool linear = p.advection == Scheme::kLinear;
    advect(s.ink, feet, linear ? Profile::kLinear : Profile::kMonotone, context);
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
        const NearFaces<D> near = near_faces(before, old[a].place, a);
        extend(water, near, true, context);
        extend(air, near, false, context);
        carry_along<D>(s.velocity[a], faces, feet, p, p.limit_velocity, steps, context);
        join_phases(s.velocity[a], water, air, near, feet, after.part[a], profile_of(p), w, p,
                    context);
        fill_ghosts(s.velocity[a]);
    }
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template Feet<double, D> carry<D>(CipField<double, D>&, const State<D>&, const Params&,   \
                                      Limiter, double, Context&);                             \
    template void carry_ink<D>(State<D>&, const Feet<double, D>&, const Params&, Context&);   \
    template void advect_velocity<D>(State<D>&, const CipField<double, D>&, const Phases<D>&, \
                                     const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
