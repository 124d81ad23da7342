// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/viscosity.h"

#include <cmath>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"
#include "spume/methods/mixture/tension.h"
#include "spume/particles/transfer.h"

namespace spume::mixture {
namespace {

template <int D>
constexpr int kPairs = D*(D - 1) / 2;
constexpr int pair_of(int a, int b) { return a + b - 1; }  // (0,1) 0, (0,2) 1, (1,2) 2

/// The symmetric operator (w − ∇·μ(∇ + ∇ᵀ)) on the faces that can move. Normal stress lives in
/// cells, shear stress on edges: the edge of index j is the lower corner of cell j in the plane of
/// its two axes.
template <int D>
struct ViscousOperator {
    typename Tiles<D>::Ptr tiles;
    CellField<double, D> viscosity;        ///< μ / h²
    CellField<double, D> edge[kPairs<D>];  ///< the same; 0 where nothing is held, 2 μ at a wall
    FaceField<double, D> weight;           ///< w
    FaceField<std::uint8_t, D> moves;      ///< 1: unknown
    FaceField<double, D> diagonal;

    void apply(const FaceField<double, D>& u, FaceField<double, D>& out, Context& context) const;
};

template <int D>
using Block = HaloBlock<double, D, 1>;

template <int D>
struct TileStress {
    Block<D> u[D], mu, edge[kPairs<D>];

    void load_coefficients(const ViscousOperator<D>& op, int tile) {
        load_halo(op.viscosity.read(), *op.tiles, tile, mu);
        for (int p = 0; p < kPairs<D>; ++p) load_halo(op.edge[p].read(), *op.tiles, tile, edge[p]);
    }
    /// ∇·μ(∇u + ∇uᵀ) at the lower face across a.
    double force(int a, int at) const {
        const int s = Block<D>::stride(a);
        const double *v = u[a].v + at, *m = mu.v + at;
        double f = 2 * (m[0] * (v[s] - v[0]) - m[-s] * (v[0] - v[-s]));
        for (int b = 0; b < D; ++b) {
            if (b == a) continue;
            const int r = Block<D>::stride(b);
            const double *w = u[b].v + at, *e = edge[pair_of(a, b)].v + at;
            f += e[r] * ((v[r] - v[0]) + (w[r] - w[r - s])) -
                 e[0] * ((v[0] - v[-r]) + (w[0] - w[-s]));
        }
        return f;
    }
    double own_share(int a, int at) const {
        const int s = Block<D>::stride(a);
        double d = 2 * (mu.v[at] + mu.v[at - s]);
        for (int b = 0; b < D; ++b)
            if (b != a)
                d += edge[pair_of(a, b)].v[at] + edge[pair_of(a, b)].v[at + Block<D>::stride(b)];
        return d;
    }
};

template <int D>
void ViscousOperator<D>::apply(const FaceField<double, D>& u, FaceField<double, D>& out,
                               Context& context) const {
    double* result[D];
    for (int a = 0; a < D; ++a) result[a] = out.write(a);
    for_tiles(context.arena, *tiles, [&](int t) {
        TileStress<D> stress;
        stress.load_coefficients(*this, t);
        for (int a = 0; a < D; ++a) load_halo(u.read(a), *tiles, t, stress.u[a]);
        for (int a = 0; a < D; ++a)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const int at = Block<D>::at(tile_local<D>(o));
                result[a][std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    moves.at(a, t, o) ? weight.at(a, t, o) * u.at(a, t, o) - stress.force(a, at)
                                      : 0;
            }
    });
}

/// Shear viscosity of the edges across the axes a < b.
template <int D>
CellField<double, D> edge_viscosity(int a, int b, const CellField<double, D>& viscosity,
                                    const CutCells<D>& open, const GridDomain<D>& domain,
                                    const ViscosityLaw<D>& law, Context& context) {
    const auto& tiles = viscosity.tiles();
    CellField<double, D> r(tiles);
    double* out = r.write();
    const double h = tiles->voxel();
    const auto visit = [&](std::size_t b0, std::size_t e0) {
        TileCursor<D> cursor(*tiles);
        for (std::size_t t = b0; t < e0; ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> j = tiles->origin(int(t)) + tile_local<D>(o);
                const Index<D> ja = j - Index<D>::unit(a), jb = j - Index<D>::unit(b);
                double mu = 0;
                int cells = 0;
                for (const Index<D>& i : {j, ja, jb, ja - Index<D>::unit(b)}) {
                    const std::size_t at = cursor(i);
                    if (domain.cells.contains(i)) mu += viscosity.read()[at], ++cells;
                }
                if (cells == 0) continue;
                mu /= cells;
                const bool on_wall_a = (domain.wall[a][0] && j[a] <= domain.cells.lo[a]) ||
                                       (domain.wall[a][1] && j[a] >= domain.cells.hi[a]);
                const bool on_wall_b = (domain.wall[b][0] && j[b] <= domain.cells.lo[b]) ||
                                       (domain.wall[b][1] && j[b] >= domain.cells.hi[b]);
                double& to = out[t * kTileCells<D> + std::size_t(o)];
                if (on_wall_a || on_wall_b) {
                    // Half a voxel from the last face inside to the wall: twice the gradient.
                    const bool sticks =
                        (!on_wall_a || law.sticky_wall[a]) && (!on_wall_b || law.sticky_wall[b]);
                    to = sticks ? 2 * mu : 0;
                    continue;
                }
                const bool shut =
                    open.area.read(a)[cursor(j)] == 0 || open.area.read(a)[cursor(jb)] == 0 ||
                    open.area.read(b)[cursor(j)] == 0 || open.area.read(b)[cursor(ja)] == 0;
                Point<D> x = tiles->transform().to_world(j.template as<double>());
                for (int c = 0; c < D; ++c)
                    if (c != a && c != b) x[c] += 0.5 * h;
                to = shut && !(law.sticky && law.sticky(x)) ? 0 : mu;
            }
    };
    for_range(context.arena, std::size_t(tiles->zero()), 4, visit);
    return r;
}

template <int D>
ViscousOperator<D> viscous_operator(const MixtureFaces<D>& mixture, const CutCells<D>& open,
                                    const GridDomain<D>& domain, const ViscosityLaw<D>& law,
                                    const Coupling<D>& coupling, Context& context) {
    ViscousOperator<D> op;
    op.tiles = mixture.bubble.tiles();
    const double per_area = 1 / (domain.voxel() * domain.voxel());
    const double of_water = law.water * per_area, more = (law.air - law.water) * per_area;
    op.viscosity = cell_fraction(mixture.bubble, {}, context);
    double* mu = op.viscosity.write();
    for_values(context.arena, *op.tiles, [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) mu[i] = of_water + more * mu[i];
    });
    for (int a = 0; a < D; ++a)
        for (int b = a + 1; b < D; ++b)
            op.edge[pair_of(a, b)] = edge_viscosity(a, b, op.viscosity, open, domain, law, context);

    op.weight = FaceField<double, D>(op.tiles);
    op.moves = FaceField<std::uint8_t, D>(op.tiles);
    op.diagonal = FaceField<double, D>(op.tiles, 1.0);
    const std::uint8_t* kind = open.kind.read();
    for (int a = 0; a < D; ++a) {
        const double *phi_b = mixture.bubble.read(a), *phi_w = mixture.water.read(a),
                     *rho_b = mixture.density.read(a);
        const float* area = open.area.read(a);
        const double* locks = mixture.lock.tiles() ? mixture.lock.read(a) : nullptr;
        double* w = op.weight.write(a);
        std::uint8_t* moves = op.moves.write(a);
        const double rho_w = coupling.drag.water_density, dt = coupling.dt;
        const std::size_t end = std::size_t(op.tiles->active()) * kTileCells<D>;
        for_face_pairs(context.arena, *op.tiles, a, [&](std::size_t i, std::size_t below) {
            const double lock = locks ? locks[i] : 0;
            w[i] = 1 / (dt * ((1 - lock) * (phi_b[i] / rho_b[i] + phi_w[i] / rho_w) +
                              lock / (phi_b[i] * rho_b[i] + phi_w[i] * rho_w)));
            moves[i] =
                i < end && area[i] > 0 && (kind[i] == kFluidCell || kind[below] == kFluidCell);
        });
    }
    double* diagonal[D];
    for (int a = 0; a < D; ++a) diagonal[a] = op.diagonal.write(a);
    for_tiles(context.arena, *op.tiles, [&](int t) {
        TileStress<D> stress;
        stress.load_coefficients(op, t);
        for (int a = 0; a < D; ++a)
            for (int o = 0; o < kTileCells<D>; ++o)
                diagonal[a][std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    op.weight.at(a, t, o) + stress.own_share(a, Block<D>::at(tile_local<D>(o)));
    });
    return op;
}

template <int D>
double dot_moving(const ViscousOperator<D>& op, const FaceField<double, D>& x,
                  const FaceField<double, D>& y, Context& context) {
    return reduce_tiles<D>(
        context.arena, *op.tiles, 0.0,
        [&](int t) {
            double s = 0;
            for (int a = 0; a < D; ++a)
                for (int o = 0; o < kTileCells<D>; ++o)
                    if (op.moves.at(a, t, o)) s += x.at(a, t, o) * y.at(a, t, o);
            return s;
        },
        [](double a, double b) { return a + b; });
}

/// f(out, i) over the faces that can move, value by value.
template <int D, class F>
void for_moving(const ViscousOperator<D>& op, FaceField<double, D>& out, Context& context, F&& f) {
    for (int a = 0; a < D; ++a) {
        double* values = out.write(a);
        const std::uint8_t* moves = op.moves.read(a);
        for_values(context.arena, *op.tiles, [&, a](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                if (moves[i]) f(values[i], a, i);
        });
    }
}

/// Conjugate gradients with the diagonal as preconditioner: the operator is near its diagonal,
/// μ Δt / ρ h² being of order one in all scenes where viscosity shows.
template <int D>
SolveReport solve_viscous(const ViscousOperator<D>& op, FaceField<double, D>& u, double tolerance,
                          Context& context) {
    SolveReport report;
    FaceField<double, D> r(op.tiles), z(op.tiles), p(op.tiles), ap(op.tiles);
    op.apply(u, ap, context);
    for_moving(op, r, context, [&](double& x, int a, std::size_t i) {
        x = op.weight.read(a)[i] * u.read(a)[i] - ap.read(a)[i];
    });
    const auto precondition = [&] {
        for_moving(op, z, context, [&](double& x, int a, std::size_t i) {
            x = r.read(a)[i] / op.diagonal.read(a)[i];
        });
    };
    precondition();
    p = z;
    double rz = dot_moving(op, r, z, context);
    report.initial_residual = std::sqrt(dot_moving(op, r, r, context));
    if (report.initial_residual == 0) return report;
    report.end = SolveEnd::kIterationLimit;
    for (report.iterations = 1; report.iterations <= 500; ++report.iterations) {
        op.apply(p, ap, context);
        const double along = dot_moving(op, p, ap, context), alpha = rz / along;
        if (!(along > 0)) {
            report.end = SolveEnd::kBroken;
            break;
        }
        for_moving(op, u, context,
                   [&](double& x, int a, std::size_t i) { x += alpha * p.read(a)[i]; });
        for_moving(op, r, context,
                   [&](double& x, int a, std::size_t i) { x -= alpha * ap.read(a)[i]; });
        report.residual = std::sqrt(dot_moving(op, r, r, context)) / report.initial_residual;
        if (report.residual <= tolerance) {
            report.end = SolveEnd::kConverged;
            break;
        }
        precondition();
        const double next = dot_moving(op, r, z, context), beta = next / rz;
        rz = next;
        for_moving(op, p, context,
                   [&](double& x, int a, std::size_t i) { x = z.read(a)[i] + beta * x; });
    }
    return report;
}

/// u = φ_b u_b + φ_w u_w, or what the momentum makes of a face that moves as one, where faces are
/// open, the solid's velocity where not.
template <int D>
FaceField<double, D> mixture_velocity(const FaceField<double, D>& water, const Bubbles<D>& bubbles,
                                      const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                                      const CutCells<D>& open, const GridDomain<D>& domain,
                                      double water_density, Context& context) {
    const double per_face = 1 / domain.cell_volume();
    std::array<FaceField<double, D>, 1> sums;
    scatter_to_faces<double, D, 1>(
        bubbles.position.read(), ranges, domain.clamp(),
        [&](std::size_t q, int axis) {
            return std::array<double, 1>{bubble_volume<D>(bubbles.radius[q]) * per_face *
                                         double(bubbles.density[q]) * bubbles.velocity[q][axis]};
        },
        sums, context);
    for (int a = 0; a < D; ++a) {
        const double *u_w = water.read(a), *bar = mixture.unclamped.read(a),
                     *rho = mixture.density.read(a), *phi_b = mixture.bubble.read(a),
                     *phi_w = mixture.water.read(a), *solid = open.velocity.read(a);
        const float* area = open.area.read(a);
        double* u = sums[0].write(a);
        const double* locks = mixture.lock.tiles() ? mixture.lock.read(a) : nullptr;
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const double u_b = bar[i] > 0 ? u[i] / (bar[i] * rho[i]) : 0;
                const double lock = locks ? locks[i] : 0;
                const double light = phi_b[i] * rho[i], heavy = phi_w[i] * water_density;
                const double one = (light * u_b + heavy * u_w[i]) / (light + heavy);
                const double both = phi_b[i] * u_b + phi_w[i] * u_w[i];
                u[i] = area[i] > 0 ? both + lock * (one - both) : solid[i];
            }
        });
    }
    return std::move(sums[0]);
}

/// u += Δt (g + (φ_b/ρ_b + φ_w/ρ_w)(f − ∇p)).
template <int D>
void add_known_forces(const ViscousOperator<D>& op, const KnownForces<D>& known,
                      const Coupling<D>& coupling, FaceField<double, D>& u, Context& context) {
    if (!known.gradient.tiles()) return;
    const bool pushed = known.force.tiles() != nullptr;
    for_moving(op, u, context, [&](double& x, int a, std::size_t i) {
        const double force = (pushed ? known.force.read(a)[i] : 0) - known.gradient.read(a)[i];
        x += coupling.dt * coupling.gravity[a] + force / op.weight.read(a)[i];
    });
}

}  // namespace

template <int D>
ViscousForce<D> viscous_force(const FaceField<double, D>& water, const Bubbles<D>& bubbles,
                              const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                              const CutCells<D>& open, const GridDomain<D>& domain,
                              const ViscosityLaw<D>& law, const Coupling<D>& coupling,
                              const KnownForces<D>& known, double tolerance, Context& context) {
    Stage stage(context, "viscosity");
    auto before = mixture_velocity(water, bubbles, mixture, ranges, open, domain,
                                   coupling.drag.water_density, context);
    const auto op = viscous_operator(mixture, open, domain, law, coupling, context);
    add_known_forces(op, known, coupling, before, context);
    FaceField<double, D> after = before;
    ViscousForce<D> r{FaceField<double, D>(op.tiles), {}};
    r.solve = solve_viscous(op, after, tolerance, context);
    for_moving(op, r.force, context, [&](double& f, int a, std::size_t i) {
        f = op.weight.read(a)[i] * (after.read(a)[i] - before.read(a)[i]);
    });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template ViscousForce<D> viscous_force<D>(                                                  \
        const FaceField<double, D>&, const Bubbles<D>&, const MixtureFaces<D>&,                 \
        const TileRanges<D>&, const CutCells<D>&, const GridDomain<D>&, const ViscosityLaw<D>&, \
        const Coupling<D>&, const KnownForces<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
