// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/two_fluid/two_fluid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spume/grid/stencil.h"
#include "spume/particles/transfer.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 4096;

DragCoefficients operator*(const DragCoefficients& c, double share) {
    return {c.linear * share, c.quadratic * share};
}

/// One bubble among frozen water.
template <int D>
struct BubbleProblem {
    double density;
    DragCoefficients drag;
    Vec<double, D> start, water, gradient, phi_w;
};

/// Change of the bubble's velocity in one Newton step of backward Euler, [WSB25] Eqs. 21, 35–38,
/// with the drag `d` at its velocity. The matrix (ρ_b/Δt + φ_w l) I + φ_w a Δu ⊗ Δu is diagonal
/// plus rank one: inverted in closed form.
template <int D>
Vec<double, D> newton_step(const BubbleProblem<D>& b, const Coupling<D>& coupling,
                           const Vec<double, D>& velocity, const Drag<D>& d) {
    const double inertia = b.density / coupling.dt;
    Vec<double, D> force{}, across{};
    double push = 0, stiff = 1;
    for (int i = 0; i < D; ++i) {
        const double diagonal = inertia + b.phi_w[i] * d.isotropic;
        force[i] = (b.density * coupling.gravity[i] + b.phi_w[i] * d.force[i] - b.gradient[i] +
                    inertia * (b.start[i] - velocity[i])) /
                   diagonal;
        across[i] = b.phi_w[i] * d.along * d.slip[i] / diagonal;
        push += d.slip[i] * force[i];
        stiff += d.slip[i] * across[i];
    }
    return force - across * (push / stiff);
}

/// The end of those steps when φ_w is the same along all axes: with s the slip and G what pushes
/// it, (ρ_b/Δt + φ_w l + φ_w q |s|) s = G is a quadratic in |s|. Without it Newton starts at Stokes
/// drag and overshoots a hundredfold.
template <int D>
Vec<double, D> isotropic_answer(const BubbleProblem<D>& b, const Coupling<D>& coupling) {
    const Vec<double, D> push =
        (b.start - b.water) * (b.density / coupling.dt) + coupling.gravity * b.density - b.gradient;
    const double squared = dot(push, push);
    double phi = 0;  // φ_w along the push
    for (int i = 0; i < D; ++i) phi += b.phi_w[i] * push[i] * push[i];
    phi = squared > 0 ? phi / squared : 1;
    const double linear = b.density / coupling.dt + phi * b.drag.linear;
    const double quadratic = phi * b.drag.quadratic;
    return b.water +
           push * (2 / (linear + std::sqrt(linear * linear + 4 * quadratic * std::sqrt(squared))));
}

constexpr int kOwnIterations = 6;  // what is left is the unevenness of φ_w; mostly one or two do

/// [WFS22] §3.5: s = max(φ_b / φ_max, 1) on faces, and the particles' volumes divided by it.
template <int D>
void share_excess(MixtureFaces<D>& mixture, const Bubbles<D>& bubbles, const TileRanges<D>& ranges,
                  const GridDomain<D>& domain, double max_fraction, Context& context) {
    FaceField<double, D> excess = FaceField<double, D>::unwritten(ranges.tiles);
    for (int a = 0; a < D; ++a) {
        double* s = excess.write(a);
        const double* phi = mixture.unclamped.read(a);
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) s[i] = std::max(phi[i] / max_fraction, 1.0);
        });
    }
    auto volume = mixture.volume.write();
    gather_from_faces<double, D, 1>(
        bubbles.position.read(), ranges, domain.clamp(), {&excess},
        [&](std::size_t q, const std::array<Vec<double, D>, 1>& s) {
            double mean = 0;
            for (int a = 0; a < D; ++a) mean += s[0][a] / D;
            volume[q] /= mean;
        },
        context);
}

/// A sum over bubbles, by mass, becomes their mean; zero where there are none.
template <int D>
void divide_by_mass(FaceField<double, D>& sum, const MixtureFaces<D>& mixture, Context& context) {
    for (int a = 0; a < D; ++a) {
        const double *fraction = mixture.unclamped.read(a), *density = mixture.density.read(a);
        double* value = sum.write(a);
        for_face_values(context.arena, *sum.tiles(), a, [=](std::size_t b, std::size_t e) {
            // Divides everywhere: a branch would cost more, and keep the loop out of registers.
            for (std::size_t i = b; i < e; ++i) {
                const double mass = fraction[i] * density[i];
                const double mean = value[i] / (mass > 0 ? mass : 1.0);
                value[i] = mass > 0 ? mean : 0.0;
            }
        });
    }
}

}  // namespace

template <int D>
MixtureFaces<D> rasterized(const Bubbles<D>& bubbles, const TileRanges<D>& ranges,
                           const GridDomain<D>& domain, const Coupling<D>& coupling,
                           Context& context) {
    MixtureFaces<D> r;
    r.volume.resize_discard(bubbles.size());
    auto volume = r.volume.write();
    const float* radius = bubbles.radius.data();
    const float* density = bubbles.density.data();
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) volume[q] = bubble_volume<D>(radius[q]);
    });

    const double per_face = 1 / domain.cell_volume();
    std::array<FaceField<double, D>, 2> sums;
    scatter_to_faces<double, D, 2>(
        bubbles.position.read(), ranges, domain.clamp(),
        [&](std::size_t q, int) {
            const double fraction = volume[q] * per_face;
            return std::array<double, 2>{fraction, fraction * double(density[q])};
        },
        sums, context);

    Stage stage(context, "fractions");
    r.unclamped = std::move(sums[0]);
    r.density = std::move(sums[1]);
    r.bubble = FaceField<double, D>::unwritten(ranges.tiles);
    r.water = FaceField<double, D>::unwritten(ranges.tiles);
    for (int a = 0; a < D; ++a) {
        const double* bar = r.unclamped.read(a);
        double *bubble = r.bubble.write(a), *water = r.water.write(a), *rho = r.density.write(a);
        const double most = coupling.max_fraction;
        const bool binary = coupling.binary;
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            const double cut = most;
#pragma GCC ivdep
            for (std::size_t i = b; i < e; ++i) {
                const double whole = bar[i] >= 0.5 ? 1.0 : 0.0, part = cut < bar[i] ? cut : bar[i];
                bubble[i] = binary ? whole : part;
                water[i] = 1 - bubble[i];
                const double mean = rho[i] / (bar[i] > 0 ? bar[i] : 1.0);
                rho[i] = bar[i] > 0 ? mean : 1.0;
            }
        });
    }
    if (coupling.guided()) share_excess(r, bubbles, ranges, domain, coupling.max_fraction, context);
    return r;
}

template <int D>
CellField<double, D> fraction_in_cells(const FaceField<double, D>& fraction, Context& context) {
    const Tiles<D>& tiles = *fraction.tiles();
    CellField<double, D> r(fraction.tiles());
    double* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            double sum = 0;
            for (int face = 0; face < 2 * D; ++face)
                sum += fraction.read(face / 2)[face_place<D>(tiles, t, o, face)];
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = sum / (2 * D);
        }
    });
    return r;
}

template <int D>
BubbleForces<D> push_bubbles(Bubbles<D>& bubbles, const Array<Vec<double, D>>& start,
                             const FaceField<double, D>& water,
                             const FaceField<double, D>& gradient, const MixtureFaces<D>& mixture,
                             const TileRanges<D>& ranges, const GridDomain<D>& domain,
                             const Coupling<D>& coupling, Context& context) {
    BubbleForces<D> r;
    r.drag.resize_discard(bubbles.size());
    r.resistance.resize_discard(bubbles.size());
    r.free.resize_discard(bubbles.size());
    const bool to_the_end = coupling.scheme == Scheme::kImplicitDrag;
    if (to_the_end && coupling.on_faces) r.answer.resize_discard(bubbles.size());
    auto drag = r.drag.write(), resistance = r.resistance.write(), free = r.free.write(),
         answer = r.answer.write();
    auto velocity = bubbles.velocity.write();
    Array<double> change(bubbles.size());
    auto changed = change.write();

    // Grains pack without merging.
    const auto merges = [&, bodies = mixture.fullness.size() > 0](std::size_t q) {
        return bodies && bubbles.density[q] <= coupling.drag.water_density;
    };
    const auto push = [&](std::size_t q, const std::array<Vec<double, D>, 3>& at) {
        const double share = merges(q) ? swarm_share(mixture.fullness[q]) : 1;
        const BubbleProblem<D> problem{bubbles.density[q],
                                       coefficients(coupling.drag, bubbles.radius[q]) * share,
                                       start[q],
                                       at[0],
                                       at[1],
                                       coupling.guided() ? Vec<double, D>::filled(1) : at[2]};
        const Vec<double, D> before = velocity[q];
        Vec<double, D> now = to_the_end ? isotropic_answer(problem, coupling) : before;
        Drag<D> d = drag_on_bubble<D>(problem.drag, problem.water - now);
        if (to_the_end) {
            for (int n = 0; n < kOwnIterations; ++n) {
                const Vec<double, D> step = newton_step(problem, coupling, now, d);
                now += step;
                d = drag_on_bubble<D>(problem.drag, problem.water - now);
                if (dot(step, step) <= 1e-18 * dot(d.slip, d.slip)) break;
            }
            free[q] = now;
            // What ∇p and f did to it comes off here and is put back on faces, see predict.cpp.
            for (int i = 0; i < D && coupling.on_faces; ++i) {
                answer[q][i] =
                    1 / (problem.density / coupling.dt + problem.phi_w[i] * d.resistance(i, i));
                free[q][i] += at[1][i] * answer[q][i];
            }
        } else {
            now += newton_step(problem, coupling, now, d);
            free[q] = now + at[1] * (coupling.inertia() * coupling.dt / problem.density);
        }
        velocity[q] = now;
        drag[q] = d.force;
        for (int i = 0; i < D; ++i)
            resistance[q][i] = coupling.guided() ? d.resistance(i, i) : d.row_sum(i);
        changed[q] = length(velocity[q] - before);
    };
    gather_from_faces<double, D, 3>(bubbles.position.read(), ranges, domain.clamp(),
                                    {&water, &gradient, &mixture.water}, push, context);
    r.largest_change = reduce(
        context.arena, bubbles.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double m = 0;
            for (std::size_t q = b; q < e; ++q) m = std::max(m, changed[q]);
            return m;
        },
        [](double a, double b) { return std::max(a, b); });
    return r;
}

template <int D>
void push_one_way(Bubbles<D>& bubbles, const FaceField<double, D>& water,
                  const FaceField<double, D>& gradient, const TileRanges<D>& ranges,
                  const GridDomain<D>& domain, const Coupling<D>& coupling, Context& context) {
    auto velocity = bubbles.velocity.write();
    const float *radius = bubbles.radius.data(), *density = bubbles.density.data();
    gather_from_faces<double, D, 2>(
        bubbles.position.read(), ranges, domain.clamp(), {&water, &gradient},
        [&](std::size_t q, const std::array<Vec<double, D>, 2>& at) {
            velocity[q] =
                isotropic_answer<D>({density[q], coefficients(coupling.drag, radius[q]),
                                     velocity[q], at[0], at[1], Vec<double, D>::filled(1)},
                                    coupling);
        },
        context);
}

template <int D>
FaceForces<D> rasterized(const BubbleForces<D>& forces, const Bubbles<D>& bubbles,
                         const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                         const GridDomain<D>& domain, Context& context) {
    const double per_face = 1 / domain.cell_volume();
    const auto of = [&](std::size_t q, int axis) {
        const double share = mixture.volume[q] * per_face;
        const double mass =
            bubble_volume<D>(bubbles.radius[q]) * per_face * double(bubbles.density[q]);
        return std::array<double, 3>{mass * forces.free[q][axis], share * forces.drag[q][axis],
                                     share * forces.resistance[q][axis]};
    };
    FaceForces<D> r;
    if (forces.answer.size() == 0) {
        std::array<FaceField<double, D>, 3> sums;
        scatter_to_faces<double, D, 3>(bubbles.position.read(), ranges, domain.clamp(), of, sums,
                                       context);
        r = {std::move(sums[0]), std::move(sums[1]), std::move(sums[2]), {}};
    } else {
        std::array<FaceField<double, D>, 4> sums;
        scatter_to_faces<double, D, 4>(
            bubbles.position.read(), ranges, domain.clamp(),
            [&](std::size_t q, int axis) {
                const auto three = of(q, axis);
                const double mass =
                    bubble_volume<D>(bubbles.radius[q]) * per_face * double(bubbles.density[q]);
                return std::array<double, 4>{three[0], three[1], three[2],
                                             mass * forces.answer[q][axis]};
            },
            sums, context);
        r = {std::move(sums[0]), std::move(sums[1]), std::move(sums[2]), std::move(sums[3])};
    }
    divide_by_mass(r.free, mixture, context);
    if (r.answer.tiles()) divide_by_mass(r.answer, mixture, context);
    return r;
}

template <int D>
FaceField<double, D> pressure_gradient(const CellField<double, D>& deviation,
                                       const CutCells<D>& open, const Coupling<D>& coupling,
                                       Context& context) {
    Stage stage(context, "gradient");
    const auto& tiles = deviation.tiles();
    auto r = zero_borders<double, D>(tiles, context);
    const double per_voxel = 1 / tiles->voxel();
    const double* p = deviation.read();
    for (int a = 0; a < D; ++a) {
        const double rest = coupling.hydrostatic_gradient()[a];
        const float* area = open.area.read(a);
        double* out = r.write(a);
        const auto slope = [=](std::size_t begin, std::size_t end, const double* below) {
            const double across = per_voxel, at_rest = rest;  // of the loop, not of the closure
            const double* here = p + begin;
            const float* open_part = area + begin;
            double* to = out + begin;
#pragma GCC ivdep
            for (std::size_t i = 0; i < end - begin; ++i) {
                const double change = (here[i] - below[i]) * across;
                to[i] = at_rest + (open_part[i] > 0 ? change : 0.0);
            }
        };
        for_faces_above(context.arena, *tiles, a, p, slope);
    }
    return r;
}

template <int D>
FaceField<double, D> felt_by_bubbles(const FaceField<double, D>& gradient,
                                     const MixtureForce<D>& force, Context& context) {
    if (!force.any()) return gradient;
    FaceField<double, D> r = gradient;
    for (int a = 0; a < D; ++a) {
        const double* f = force.bubbles.read(a);
        double* out = r.write(a);
        for_values(context.arena, *gradient.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) out[i] -= f[i];
        });
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template FaceField<double, D> felt_by_bubbles<D>(const FaceField<double, D>&,               \
                                                     const MixtureForce<D>&, Context&);         \
    template MixtureFaces<D> rasterized<D>(const Bubbles<D>&, const TileRanges<D>&,             \
                                           const GridDomain<D>&, const Coupling<D>&, Context&); \
    template CellField<double, D> fraction_in_cells<D>(const FaceField<double, D>&, Context&);  \
    template BubbleForces<D> push_bubbles<D>(                                                   \
        Bubbles<D>&, const Array<Vec<double, D>>&, const FaceField<double, D>&,                 \
        const FaceField<double, D>&, const MixtureFaces<D>&, const TileRanges<D>&,              \
        const GridDomain<D>&, const Coupling<D>&, Context&);                                    \
    template void push_one_way<D>(Bubbles<D>&, const FaceField<double, D>&,                     \
                                  const FaceField<double, D>&, const TileRanges<D>&,            \
                                  const GridDomain<D>&, const Coupling<D>&, Context&);          \
    template FaceForces<D> rasterized<D>(const BubbleForces<D>&, const Bubbles<D>&,             \
                                         const MixtureFaces<D>&, const TileRanges<D>&,          \
                                         const GridDomain<D>&, Context&);                       \
    template FaceField<double, D> pressure_gradient<D>(                                         \
        const CellField<double, D>&, const CutCells<D>&, const Coupling<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
