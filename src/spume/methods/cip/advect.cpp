// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/methods/cip/flow.h"
#include "spume/surface/dense_level_set.h"

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
        wet,    ///< by place; wet: the mean of φ on both sides is negative
        skirt;  ///< on the other side, but most of the mass is that of the heavier fluid
};

/// Voxels from the surface within which both phases' velocities are made: the layers beyond it and
/// what a profile reads.
constexpr double kNear = kLayers + 3;

/// How deep in voxels a place lies where H_ε is `part`.
double depth_of_part(double part, double epsilon) {
    double low = -epsilon, high = epsilon;
    for (int k = 0; k < 50; ++k) {
        const double middle = 0.5 * (low + high);
        (smeared_step(middle, epsilon) < part ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

template <int D>
NearFaces<D> near_faces(const CipField<double, D>& phi, const DensePlace<D>& faces, int axis,
                        const World<D>& w, const Params& p, Context& context) {
    NearFaces<D> r;
    r.near.assign(faces.shape.count(), 0);
    r.wet.assign(faces.shape.count(), 0);
    r.skirt.assign(faces.shape.count(), 0);
    const Physics& physics = w.scene.physics;
    const double equal = physics.air_density / (physics.air_density + physics.water_density);
    const double level = -depth_of_part(equal, p.smearing);
    const double* f = phi.f.read();
    const std::size_t s = faces.shape.stride(axis);
    const bool sharp = p.interface == Interface::kSharp;
    r.places = places_where(context.arena, faces.shape, [&](std::size_t i) {
        const double low = std::min(f[i], f[i - s]), high = std::max(f[i], f[i - s]);
        const double mean = 0.5 * (low + high);
        const bool wet_by_mass =
            sharp ? high < 0 || (low < 0 && low / (low - high) > equal) : mean < level;
        r.wet[i] = mean < 0;
        r.skirt[i] = wet_by_mass != (mean < 0);
        r.near[i] = std::abs(mean) < kNear;
        return r.near[i] != 0;
    });
    return r;
}

/// Lets the values of a phase's faces go on evenly to `kLayers` of the others beside them, face by
/// face the mean of what the neighbours say: along their slope it would be of second order, and
/// unstable where nothing is viscous. Derivatives there, and of its faces beside them, become
/// differences of what is now around them: those that the field carries hold the jump across the
/// surface. Works in place, and puts back what was there when it ends.
///
/// The heavier fluid's skirt, where the surface is smeared, is its mass too. To let it forget in
/// every substep what the pressure gave it would damp waves; never to, would let the air wear away
/// a drop in flight. It forgets as it crosses the grid: by the part 1 − e^(−|u| Δt / h).
template <int D>
class Extension {
  public:
    /// `forgotten`: by place among those near the surface.
    Extension(CipField<double, D>& u, const NearFaces<D>& faces, bool water, bool heavier,
              const std::vector<double>& forgotten, Context& context)
        : u_(u), places_(faces.places) {
        double* f = u.f.write();
        for (const std::size_t i : places_) f_.push_back(f[i]);
        for (int a = 0; a < D; ++a) {
            const double* g = u.g[a].write();
            for (const std::size_t i : places_) g_[a].push_back(g[i]);
        }
        std::vector<std::uint8_t> known(faces.near.size(), 0);
        for (const std::size_t i : places_) known[i] = (faces.wet[i] != 0) == water;
        const std::vector<std::uint8_t> own = known;
        for (int layer = 0; layer < kLayers; ++layer) add_layer(f, known, context);
        for (std::size_t n = 0; heavier && n < places_.size(); ++n)
            if (const std::size_t i = places_[n]; faces.skirt[i])
                f[i] = f_[n] + forgotten[n] * (f[i] - f_[n]);
        mirror_ghosts<double, D>(f, u.place, u.odd);
        renew_derivatives(f, own, known, context);
        fill_ghosts(u);
    }
    ~Extension() {
        double* f = u_.f.write();
        for (std::size_t n = 0; n < places_.size(); ++n) f[places_[n]] = f_[n];
        for (int a = 0; a < D; ++a) {
            double* g = u_.g[a].write();
            for (std::size_t n = 0; n < places_.size(); ++n) g[places_[n]] = g_[a][n];
        }
        fill_ghosts(u_);
    }
    Extension(const Extension&) = delete;
    Extension& operator=(const Extension&) = delete;

  private:
    static constexpr std::size_t kGrain = 4096;

    void add_layer(double* f, std::vector<std::uint8_t>& known, Context& context) const {
        const DenseShape<D>& shape = u_.place.shape;
        std::vector<double> next(places_.size());
        std::vector<std::uint8_t> found(places_.size(), 0);
        for_range(context.arena, places_.size(), kGrain, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) {
                const std::size_t i = places_[n];
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
        for (std::size_t n = 0; n < places_.size(); ++n)
            if (found[n]) f[places_[n]] = next[n], known[places_[n]] = 1;
    }

    void renew_derivatives(const double* f, const std::vector<std::uint8_t>& own,
                           const std::vector<std::uint8_t>& known, Context& context) {
        const DenseShape<D>& shape = u_.place.shape;
        double* g[D];
        for (int a = 0; a < D; ++a) g[a] = u_.g[a].write();
        for_range(context.arena, places_.size(), kGrain, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) {
                const std::size_t i = places_[n];
                bool whole = own[i] != 0;
                for (int a = 0; a < D && whole; ++a)
                    whole = own[i - shape.stride(a)] && own[i + shape.stride(a)];
                for (int a = 0; a < D && !whole && known[i]; ++a)
                    g[a][i] = 0.5 * (f[i + shape.stride(a)] - f[i - shape.stride(a)]);
            }
        });
    }

    CipField<double, D>& u_;
    const std::vector<std::size_t>& places_;
    std::vector<double> f_, g_[D];  ///< what was there
};

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
        case Scheme::kWeno:
        case Scheme::kMarkers:
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

/// Samples whose feet are near the surface.
template <int D>
std::vector<std::size_t> samples_near(const NearFaces<D>& faces, const Feet<double, D>& feet,
                                      const DensePlace<D>& place, Context& context) {
    const DenseShape<D>& shape = place.shape;
    std::size_t stride[D];
    double shift[D];
    const double* x[D];
    for (int a = 0; a < D; ++a)
        stride[a] = shape.stride(a), x[a] = feet.x[a].read(),
        shift[a] = DenseShape<D>::kGhosts + 0.5 - place.offset[a];
    return places_where(context.arena, shape, [&](std::size_t i) {
        std::size_t nearest = 0;  // place of the face nearest to the foot
        for (int a = 0; a < D; ++a) nearest += std::size_t(int(x[a][i] + shift[a])) * stride[a];
        return faces.near[nearest] != 0;
    });
}

/// 1 − e^(−|u| Δt / h) at the faces near the surface.
template <int D>
std::vector<double> crossed_part(const NearFaces<D>& faces,
                                 const DenseField<double, D>* const (&u)[D], int axis, double steps,
                                 Context& context) {
    std::vector<double> r(faces.places.size());
    const DenseShape<D>& shape = u[axis]->shape;
    const std::size_t s = shape.stride(axis);
    for_range(context.arena, r.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            const std::size_t i = faces.places[n];
            double square = 0;
            for (int a = 0; a < D; ++a) {
                const double* v = u[a]->read() + i;
                const std::size_t t = shape.stride(a);
                const double c = a == axis ? *v : 0.25 * (v[0] + v[t] + *(v - s) + *(v - s + t));
                square += c * c;
            }
            r[n] = 1 - math::exp(-steps * std::sqrt(square));
        }
    });
    return r;
}

/// Takes water's and air's own velocities by mass where both slide along each other. Where
/// viscosity joins them within a voxel, |u_w − u_a| h ρ_a/μ_a ≪ 1, and where densities are equal,
/// one velocity stands for both, as it is in `u`. `old` is the velocity that is carried.
template <int D>
void join_phases(CipField<double, D>& u, CipField<double, D>& old, const NearFaces<D>& faces,
                 const std::vector<double>& forgotten, const Feet<double, D>& feet,
                 const DenseField<double, D>& part, Profile profile, const World<D>& w,
                 const Params& p, Context& context) {
    const CipSamples<double, D> samples(feet, u.place, samples_near(faces, feet, u.place, context));
    std::vector<CipValue<double, D>> water, air;
    const double heavy = w.scene.physics.water_density, light = w.scene.physics.air_density;
    {
        const Extension<D> extended(old, faces, true, heavy > light, forgotten, context);
        water = samples.advected(old, profile, context);
    }
    {
        const Extension<D> extended(old, faces, false, heavy < light, forgotten, context);
        air = samples.advected(old, profile, context);
    }
    const double contrast = 1 - std::min(heavy, light) / std::max(heavy, light);
    const double creep = p.air_viscosity / (w.voxel() * light);
    double* f = u.f.write();
    double* g[D];
    for (int a = 0; a < D; ++a) g[a] = u.g[a].write();
    for_range(context.arena, water.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            const CipValue<double, D>&wet = water[n], &dry = air[n];
            if (wet.f == dry.f) continue;
            const std::size_t i = samples.places()[n];
            const double share =
                heavy * part.values[i] / (heavy * part.values[i] + light * (1 - part.values[i]));
            const double held = creep / std::abs(wet.f - dry.f);
            const double apart = contrast * contrast / (1 + held * held);
            f[i] += apart * (dry.f + share * (wet.f - dry.f) - f[i]);
            for (int a = 0; a < D; ++a)
                g[a][i] += apart * (dry.g[a] + share * (wet.g[a] - dry.g[a]) - g[a][i]);
        }
    });
}

Profile profile_of(const Params& p) {
    switch (p.advection) {
        case Scheme::kCip:
        case Scheme::kWeno:
        case Scheme::kMarkers:
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

/// Slopes no more than three times the steeper difference beside them: Jᵀ∇Φ of feet that fly apart
/// in a large step knows nothing of the values around, and a profile that follows it makes surfaces
/// where none were, and with them energy. Without the limiter's condition on signs, sheets stay.
template <int D>
void bound_slopes(CipField<double, D>& phi, Context& context) {
    const double* f = phi.f.read();
    for (int a = 0; a < D; ++a) {
        double* g = phi.g[a].write();
        const std::size_t s = phi.f.shape.stride(a);
        for_rows(context.arena, phi.f.shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                const double most =
                    3 * std::max(std::abs(f[i + s] - f[i]), std::abs(f[i] - f[i - s]));
                g[i] = std::clamp(g[i], -most, most);
            }
        });
    }
    fill_ghosts(phi);
}

}  // namespace

template <int D>
Feet<double, D> carry_surface(State<D>& s, const World<D>& w, const Params& p, double dt,
                              Context& context) {
    const double steps = dt / w.voxel();
    const DenseField<double, D>* u[D];
    for (int a = 0; a < D; ++a) u[a] = &s.velocity[a].f;
    const DenseField<double, D>* const(&faces)[D] = u;
    Feet<double, D> feet = trace_back<double, D>(faces, s.phi.place, steps, context);
    if (p.advection == Scheme::kWeno)
        advect_weno<double, D>(s.phi, faces, kBand, steps, context);
    else if (p.advection == Scheme::kMarkers)
        carry_with_markers(s, w, dt, context);
    else
        carry_along<D>(s.phi, faces, feet, p, p.limit_surface, steps, context);
    if (p.advection == Scheme::kCip && p.limit_surface == Limiter::kOff)
        bound_slopes(s.phi, context);
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
        const NearFaces<D> near = near_faces(before, old[a].place, a, w, p, context);
        carry_along<D>(s.velocity[a], faces, feet, p, p.limit_velocity, steps, context);
        const std::vector<double> forgotten = crossed_part<D>(near, faces, a, steps, context);
        join_phases(s.velocity[a], old[a], near, forgotten, feet, after.part[a], profile_of(p), w,
                    p, context);
        fill_ghosts(s.velocity[a]);
    }
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Feet<double, D> carry_surface<D>(State<D>&, const World<D>&, const Params&, double, \
                                              Context&);                                         \
    template void carry_ink<D>(State<D>&, const Feet<double, D>&, const Params&, Context&);      \
    template void advect_velocity<D>(State<D>&, const CipField<double, D>&, const Phases<D>&,    \
                                     const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
