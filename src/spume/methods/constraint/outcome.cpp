// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/outcome.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/domain/guard.h"

namespace spume::constraint {
namespace {

/// Largest difference between how fast a region of fixed volume grows and how fast it should.
template <int D>
double largest_region_error(const std::vector<RegionRow>& rows, const BodySolve<D>& solved,
                            double cell) {
    double most = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!rows[k].constrained || rows[k].stiffness > 0) continue;
        const double by_solids = solved.solid_flux.empty() ? 0 : solved.solid_flux[k] * cell;
        most = std::max(most, std::abs(by_solids - solved.solve.flux[k]));
    }
    return most;
}

/// A closed compartment whose solids change its volume has no incompressible answer: the region
/// that was left out gives way, by more than the rounding of open areas explains: a solid inside
/// the air takes in front what it leaves behind. `face_flux` is what the fastest solid could move
/// through a face.
template <int D>
void warn_of_squeezing(const std::vector<RegionRow>& rows, const BodySolve<D>& solved,
                       std::span<const int> dropped, double cell, double face_flux,
                       StepReport& report) {
    if (solved.solid_flux.empty()) return;
    double explained = 0.01 * face_flux;
    for (std::size_t k = 0; k < rows.size(); ++k)
        explained += 0.01 * std::abs(solved.solid_flux[k]) * cell;
    for (const int k : dropped) {
        const double change =
            solved.solid_flux[std::size_t(k)] * cell - solved.solve.flux[std::size_t(k)];
        if (std::abs(change) > 2 * explained)
            report.warnings.push_back(fmt::format(
                "moving solids change the air of a closed compartment by {:.3g} m^{}/s; "
                "one of its regions gives way",
                change, D));
    }
}

/// Air with a spring has a pressure of its own; other trapped air has one over its neighbours.
template <int D>
void report_pressures(std::vector<AirBubble>& air, const AirRegions<D>& regions,
                      const std::vector<double>& pressure, const Params& p) {
    if (p.bubbles != BubbleMode::kCompressible) return set_pressures<D>(air, regions, pressure);
    for (std::size_t k = 0; k < air.size(); ++k) air[k].pressure = pressure[k];
}

/// Liquid that fills a closed space cannot give way to a solid at all: no answer exists.
template <int D>
void refuse_crushing(const BubbleSolve& solved, const PlacedSolids<D>& solids, StepReport& report) {
    if (solved.solve.null_spaces == 0 || solved.solve.removed < 1e-3 || !(solids.max_speed() > 0))
        return;
    if (solved.divergence < 1e-6) return;
    report.failed = true;
    report.why = fmt::format(
        "solids press on liquid that fills a closed space: {:.2g} of a cell's volume in one "
        "substep has nowhere to go",
        solved.divergence);
}

}  // namespace

template <int D>
void warn_of_emptiness(const State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                       double time, StepReport& report) {
    if (s.steps > 0) return;
    for (const std::string& name : w.liquids.blocked_sources(w.domain, solids))
        report.warnings.push_back(
            fmt::format("the source \"{}\" lies inside solids: nothing flows from it", name));
    if (s.liquid.size() == 0 && !w.liquids.has_flow(time))
        report.warnings.push_back("there is no liquid");
}

template <int D>
bool judge_solve(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                 const AirBoundary<D>& air, const BodySolve<D>& solved, StepReport& report,
                 Context& context) {
    const double cell = w.domain.cell_volume();
    report.max_region_error = largest_region_error<D>(air.rows, solved, cell);
    if (p.bubbles == BubbleMode::kConstrained)
        warn_of_squeezing<D>(air.rows, solved, air.dropped, cell,
                             solids.max_speed() * cell / w.domain.voxel(), report);
    refuse_crushing(solved.solve, solids, report);
    if (report.stopped || report.failed) return false;
    if (!all_finite(s.pressure, "pressure", "pressure", report, context) ||
        !all_finite(s.velocity, "velocity", "pressure", report, context))
        return false;
    report_pressures(s.air.bubbles, air.regions, solved.solve.pressure, p);
    return true;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template void warn_of_emptiness<D>(const State<D>&, const World<D>&, const PlacedSolids<D>&, \
                                       double, StepReport&);                                     \
    template bool judge_solve<D>(State<D>&, const Params&, const World<D>&,                      \
                                 const PlacedSolids<D>&, const AirBoundary<D>&,                  \
                                 const BodySolve<D>&, StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint
