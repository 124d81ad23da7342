// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/density_correction.h"

#include <algorithm>
#include <cmath>

#include "spume/methods/constraint/density_error.h"
#include "spume/physics/domain/guard.h"
#include "spume/physics/free_surface/reseed.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/surface/extrapolate.h"

namespace spume::constraint {
namespace {

/// Share of the density error that a substep takes away.
constexpr double kPace = 0.3;
/// Less may be noise of scattered particles, by which waves would gain and lose height; in 2D four
/// of them fill a cell, and it is larger.
template <int D>
constexpr double kNoise = D == 2 ? 0.12 : 0.06;
/// No cell is taken to be wrong by more than this part of it.
constexpr double kMostError = 0.3;
/// The next substep corrects what this one leaves: the solve need not be good.
constexpr SolverOptions kRough{.tolerance = 0.03, .max_iterations = 50};
/// Voxels that a particle may be moved in a substep. What has to pass a neck may ask for more.
constexpr double kMostWay = 0.5;
/// Cells thinner than this, all around, get new particles.
constexpr double kThin = 0.1;

/// Mean density error of the liquid's cells: that of particles and surface as wholes, without
/// noise.
template <int D>
double mean_error(const CellField<float, D>& density_error, const CellField<std::uint8_t, D>& phase,
                  Context& context) {
    using Sums = Vec<double, 2>;
    const Sums s = reduce_tiles<D>(
        context.arena, *density_error.tiles(), Sums{},
        [&](int t) {
            Sums r{};
            for (int o = 0; o < kTileCells<D>; ++o) {
                r[0] += double(density_error.at(t, o));
                r[1] += phase.at(t, o) == kLiquidPhase;
            }
            return r;
        },
        [](const Sums& a, const Sums& b) { return a + b; });
    return s[1] > 0 ? s[0] / s[1] : 0.0;
}

/// The wanted divergence, 1/s: the mean error, and of what differs from it what is no noise.
template <int D>
CellField<float, D> spreading(const CellField<float, D>& density_error,
                              const CellField<std::uint8_t, D>& phase, double dt,
                              Context& context) {
    CellField<float, D> r = density_error;
    float* v = r.write();
    const float mean = static_cast<float>(mean_error(density_error, phase, context));
    const float most = float(kMostError), noise = float(kNoise<D>), rate = float(kPace / dt);
    for_values(context.arena, *r.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const float differs = v[i] - mean, unsure = std::clamp(differs, -noise, noise);
            v[i] = rate * std::clamp(mean + differs - unsure, -most, most);
        }
    });
    return r;
}

/// The way along the flow in a time: nothing moves farther than `most`, nor inside solids.
template <int D>
FaceField<float, D> limited_way(const FaceField<double, D>& flow, const FaceField<float, D>& area,
                                double time, double most, Context& context) {
    // A particle gets each component from other faces: their limits have to hold together.
    const double each = most / std::sqrt(double(D));
    auto r = FaceField<float, D>::unwritten(flow.tiles());
    for (int a = 0; a < D; ++a) {
        const double* u = flow.read(a);
        const float* part = area.read(a);
        float* out = r.write(a);
        for_values(context.arena, *flow.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                out[i] = part[i] > 0 ? float(std::clamp(time * u[i], -each, each)) : 0.0f;
        });
    }
    return r;
}

}  // namespace

template <int D>
double full_count(const State<D>& s, const World<D>& w, double more) {
    const double volume = s.target_volume + more;
    if (!(volume > 0) || s.liquid.size() == 0) return 1 << D;
    return double(s.liquid.size()) * w.domain.cell_volume() / volume;
}

/// Particles that thin walls hide from their cells stand for liquid that no cell counts. By how
/// much there are more of them for the volume in all cells than in those away from such walls.
template <int D>
double hidden_share(const RebuiltGeometry<D>& geometry, Context& context) {
    const VolumeFractions<D>& f = geometry.volumes;
    using Sums = Vec<double, 4>;  // particles and volume, in all cells and away from walls
    const Sums sums = reduce_tiles<D>(
        context.arena, *f.reconstructed.tiles(), Sums{},
        [&](int t) {
            Sums r{};
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
                const double count = geometry.particles.cells.count(at),
                             volume = double(f.reconstructed.at(t, o)) *
                                      double(f.open_with_sources.at(t, o));
                const double away = geometry.geometry.open.parting.at(t, o) ? 0 : 1;
                r += Sums{count, volume, away * count, away * volume};
            }
            return r;
        },
        [](const Sums& a, const Sums& b) { return a + b; });
    const bool enough = sums[1] > 0 && sums[2] > 0 && sums[3] > 0;
    return enough ? sums[0] / sums[1] / (sums[2] / sums[3]) : 1;
}

/// The liquid's part of a cell beside the bubbles in it.
template <int D>
CellField<float, D> without_bubbles(CellField<float, D> filled, const BubblesOnGrid<D>& bubbles,
                                    Context& context) {
    if (!bubbles.any()) return filled;
    float* part = filled.write();
    const double* air = bubbles.fraction.read();
    for_values(context.arena, *filled.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) part[i] *= static_cast<float>(1 - air[i]);
    });
    return filled;
}

template <int D>
CellField<float, D> density_error_in(const RebuiltGeometry<D>& geometry, const State<D>& s,
                                     const World<D>& w, const BubblesOnGrid<D>& bubbles,
                                     Context& context) {
    const CutCells<D>& open = geometry.geometry.open;
    double full = full_count(s, w, bubbles.excess);
    if (open.parting.any()) full /= hidden_share(geometry, context);
    return density_error_of(
        geometry.particles.cells, without_bubbles(geometry.volumes.reconstructed, bubbles, context),
        geometry.volumes.open_with_sources, open.kind, full, context, &open.parting);
}

template <int D>
FaceField<float, D> density_correction(const State<D>& s, const Params& p,
                                       const SubstepGeometry<D>& geometry,
                                       const AirBoundary<D>& air,
                                       const CellField<float, D>& density_error,
                                       const LiquidForces<D>& forces, const BodySolve<D>& projected,
                                       PressureSolver<D>& solver, StepReport& report,
                                       Context& context) {
    if (!corrects_volumes(p)) return {};
    Stage stage(context, "packing");
    LiquidForces<D> correcting = forces;
    if (p.liquid_correction)
        correcting.growth = spreading(density_error, geometry.phase, forces.dt, context);
    CutCells<D> open = geometry.open;  // solids at rest: the flow has none of their velocities
    if (projected.boundary_moves) open.velocity = FaceField<double, D>(open.velocity.tiles());
    std::vector<SurfaceFace> smooth = air.faces;
    for (SurfaceFace& f : smooth) f.jump = 0;
    SolverOptions options = kRough;
    options.same_matrix = projected.matrix && projected.matrix == solver.matrix();
    FaceField<double, D> flow(s.grid.tiles);
    CellField<double, D> potential(s.grid.tiles);
    FaceField<std::uint8_t, D> valid;
    const auto rows = correcting_rows<D>(air, s, p, geometry.open.area, forces.dt);
    const BubbleSolve solved = project<D>(flow, potential, valid, {geometry.phase, open, smooth},
                                          {rows}, correcting, solver, options, context);
    report.stopped = report.stopped || solved.solve.end == SolveEnd::kStopped;
    if (report.stopped || !all_finite(flow, "density correction", "packing", report, context))
        return {};
    extrapolate(flow, valid, 2, context, Continuation::kEven, &open.parting);
    return limited_way(flow, open.area, forces.dt, kMostWay * s.grid.tiles->voxel(), context);
}

template <int D>
void repopulate(State<D>& s, const Params& p, const World<D>& w, const ParticleCells<D>& particles,
                const BubblesOnGrid<D>& bubbles, const CellField<float, D>& density_error,
                const PlacedSolids<D>& solids, Context& context) {
    // Where nothing takes a gain of volume back, cells that are filled up would make it last.
    const double fewest = p.liquid_correction ? p.fewest_particles : 0;
    const Reseeding limits{static_cast<int>(std::ceil(fewest * (1 << D))),
                           static_cast<int>(std::lround(full_count(s, w, bubbles.excess))),
                           static_cast<int>(p.most_particles * (1 << D)), kThin};
    reseed(s.liquid, particles.cells, s.phi, density_error, s.velocity, solids, w.domain, limits,
           {w.liquids.random_seed(), static_cast<std::uint32_t>(s.steps)}, context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template double full_count<D>(const State<D>&, const World<D>&, double);                     \
    template CellField<float, D> density_error_in<D>(const RebuiltGeometry<D>&, const State<D>&, \
                                                     const World<D>&, const BubblesOnGrid<D>&,   \
                                                     Context&);                                  \
    template FaceField<float, D> density_correction<D>(                                          \
        const State<D>&, const Params&, const SubstepGeometry<D>&, const AirBoundary<D>&,        \
        const CellField<float, D>&, const LiquidForces<D>&, const BodySolve<D>&,                 \
        PressureSolver<D>&, StepReport&, Context&);                                              \
    template void repopulate<D>(State<D>&, const Params&, const World<D>&,                       \
                                const ParticleCells<D>&, const BubblesOnGrid<D>&,                \
                                const CellField<float, D>&, const PlacedSolids<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
